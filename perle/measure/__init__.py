# SPDX-License-Identifier: Apache-2.0
"""Measurements: what the hardware and its hosts do, in modelled time or on this machine."""
