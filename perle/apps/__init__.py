# SPDX-License-Identifier: Apache-2.0
"""Applications of long multiplication (shand1990, section 2), over a bignum library that may have a board."""
