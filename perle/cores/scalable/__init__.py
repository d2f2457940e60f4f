# SPDX-License-Identifier: Apache-2.0
"""Scalable Montgomery multipliers: a chain of processing elements and a FIFO, radix 2, 4 and Booth 4."""
