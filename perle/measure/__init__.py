# SPDX-License-Identifier: Apache-2.0
"""Measurements: of hardware by tools, of systems in modelled time, and of software on this machine."""
