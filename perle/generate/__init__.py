# SPDX-License-Identifier: Apache-2.0
"""Self-contained IP directories: hardware, frozen wrapper, testbench and papers for people without Perle."""
