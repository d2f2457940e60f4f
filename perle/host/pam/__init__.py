# SPDX-License-Identifier: Apache-2.0
"""The accelerators of 1990 from Python: systems of active memories, and calculations on them."""
