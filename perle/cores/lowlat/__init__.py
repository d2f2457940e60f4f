# SPDX-License-Identifier: Apache-2.0
"""The low-latency family: one iteration of a product in every cycle."""
