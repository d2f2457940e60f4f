# SPDX-License-Identifier: Apache-2.0
"""Register multiplier (shand1990): 32 wide registers in the board, one product an instruction."""
