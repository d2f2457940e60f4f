# SPDX-License-Identifier: Apache-2.0
"""The family `tile`: six multipliers that compute products of blocks by Karatsuba; Perle's own design."""
