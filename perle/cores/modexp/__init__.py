# SPDX-License-Identifier: Apache-2.0
"""Exponentiation with any multiplier that implements the contract."""
