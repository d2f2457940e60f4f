# SPDX-License-Identifier: Apache-2.0
"""The machines of 1990 from Python: systems of active memories, and what is calculated on them."""
