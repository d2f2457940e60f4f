# SPDX-License-Identifier: Apache-2.0
"""The low-latency family: a digit of a product in every cycle."""
