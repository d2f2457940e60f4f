# SPDX-License-Identifier: Apache-2.0
"""The family `bit_systolic` (nedjah2002)."""
