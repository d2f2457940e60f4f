# SPDX-License-Identifier: Apache-2.0
"""Commands on the machines of 1990: systems of active memories, their instructions and accesses."""
