# SPDX-License-Identifier: Apache-2.0
"""The family `karatsuba` (chow2010)."""
