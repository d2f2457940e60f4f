# SPDX-License-Identifier: Apache-2.0
"""The Orup family (tang2003)."""
