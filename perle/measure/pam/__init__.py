# SPDX-License-Identifier: Apache-2.0
"""Systems with the accelerators of 1990, in modelled time."""
