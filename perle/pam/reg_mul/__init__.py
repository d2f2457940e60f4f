# SPDX-License-Identifier: Apache-2.0
"""Register multiplier (shand1990): 32 wide registers on the board, one product per instruction."""
