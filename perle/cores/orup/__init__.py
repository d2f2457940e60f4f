# SPDX-License-Identifier: Apache-2.0
"""The family `orup` (tang2003)."""
