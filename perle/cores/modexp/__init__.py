# SPDX-License-Identifier: Apache-2.0
"""Exponentiation over any multiplier that keeps the contract."""
