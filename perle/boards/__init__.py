# SPDX-License-Identifier: Apache-2.0
"""Boards: register map, AXI4-Lite wrapper of any core, and the simulated board a host can drive."""
