# SPDX-License-Identifier: Apache-2.0
"""Signing farms: private RSA operations in batches, on boards of many machines (docs/farm.md)."""
