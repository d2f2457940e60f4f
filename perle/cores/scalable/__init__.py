# SPDX-License-Identifier: Apache-2.0
"""The family `scalable` (carter2012): a PE chain and a FIFO, radix 2, 4 and Booth 4."""
