# SPDX-License-Identifier: Apache-2.0
"""Applications of long multiplication (shand1990, section 2), on a bignum library that may use a board."""
