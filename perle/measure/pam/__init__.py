# SPDX-License-Identifier: Apache-2.0
"""Systems of the machines of 1990, in modelled time."""
