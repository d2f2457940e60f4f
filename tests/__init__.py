# SPDX-License-Identifier: Apache-2.0
"""Tests that belong to no single folder: house rules, end to end, docs."""
