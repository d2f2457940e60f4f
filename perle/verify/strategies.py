# SPDX-License-Identifier: Apache-2.0
"""Hypothesis strategies for moduli and operands as numbers, so that failures are shrunk and printed well."""

from __future__ import annotations

from hypothesis import strategies as st


def moduli(width: int) -> st.SearchStrategy[int]:
    """Every odd modulus from 3 on of at most `width` bits, half of the time one that fills them."""
    top = 1 << width
    short = st.integers(1, top // 2 - 1).map(lambda k: 2 * k + 1)
    full = st.integers(top // 4, top // 2 - 1).map(lambda k: 2 * k + 1)
    return st.one_of(short, full)


def operands(limit: int) -> st.SearchStrategy[int]:
    """Numbers in [0, limit), equally often near the upper end and near the lower."""
    return st.one_of(st.integers(0, limit - 1), st.integers(0, limit - 1).map(lambda k: limit - 1 - k))
