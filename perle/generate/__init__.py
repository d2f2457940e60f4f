# SPDX-License-Identifier: Apache-2.0
"""Self-contained IP directories: hardware, frozen wrapper, test bench and papers for people without Perle."""
