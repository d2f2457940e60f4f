# SPDX-License-Identifier: Apache-2.0
"""The bus multiplier, an active memory (shand1990)."""
