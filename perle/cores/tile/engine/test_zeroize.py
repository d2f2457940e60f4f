# SPDX-License-Identifier: Apache-2.0
"""Zeroization leaves nothing in tiles: afterwards no register or memory depends on a secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.cores.tile.engine.conftest import READY, shape
from perle.verify.engines.zeroized import Histories

pytestmark = pytest.mark.proves("exact")

HISTORIES = Histories(shape(20), 5, 32, READY, rested=True)


def test_without_a_zeroize_it_would_be_seen(tmp_path: Path) -> None:
    """Without a zeroization the comparison finds differences in every memory and in the data path."""
    seen = HISTORIES.difference(lambda board: board.advance(READY), tmp_path)
    seen += HISTORIES.difference(lambda board: board.advance(1500), tmp_path)
    memories = ["u_memory_x.mem", "u_memory_y.mem", "u_words.u_words.mem"]
    memories += ["u_moduli.mem", "mprime_mem", "u_kept", "z_mem", "diff_mem"]
    for memory in (*memories, "result_mem", "quotient_mem", "u_diagonals", "thread_mem", "request_mem"):
        assert any(memory in name for name in seen), memory
    assert any(".u_datapath." in name for name in seen)


def test_a_zeroize_leaves_nothing(tmp_path: Path) -> None:
    assert HISTORIES.difference(HISTORIES.zeroize, tmp_path) == []


@pytest.mark.parametrize("after", [1, 300, 1111, 2345, 4567])
def test_a_reset_in_mid_operation_leaves_nothing(tmp_path: Path, after: int) -> None:
    assert HISTORIES.difference(HISTORIES.reset(after), tmp_path) == []
