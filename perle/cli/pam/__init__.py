# SPDX-License-Identifier: Apache-2.0
"""What commands do with the machines of 1990: systems of active memories, their instructions, accesses."""
