# SPDX-License-Identifier: Apache-2.0
"""The engine of `tile`: many tiles, and in each of them four exponentiations at once."""
