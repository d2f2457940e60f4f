# SPDX-License-Identifier: Apache-2.0
"""The karatsuba family (chow2010)."""
