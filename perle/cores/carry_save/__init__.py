# SPDX-License-Identifier: Apache-2.0
"""The family `carry_save`: Orup's recurrence with partial products and carry-save adders."""
