# SPDX-License-Identifier: Apache-2.0
"""Self-contained IP directories, usable without Perle: hardware with fixed parameters, testbench, pages."""
