# SPDX-License-Identifier: Apache-2.0
"""Zeroization leaves nothing in tiles: afterwards no register or memory depends on a secret."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from perle.boards.simulated import SimulatedBoard
from perle.cores.modexp.model import Command, Mode
from perle.cores.tile.engine.conftest import READY, shape
from perle.verify.engines.board import Work, put, start
from perle.verify.engines.zeroized import Histories

pytestmark = pytest.mark.proves("exact")


@dataclass(frozen=True)
class WideThenNarrow(Histories):
    """Operations with moduli of full width, then with some that need fewer blocks."""

    def work(self, board: SimulatedBoard, seed: int) -> None:
        """Finish the first operation of every lane, and start its second one."""
        super().work(board, seed)
        self.drain(board)
        rng, width = Random(seed), self.config.width - 54
        for index in range(self.lanes):
            m = rng.getrandbits(width) | 1 | 1 << width - 1
            mode = Mode.LADDER if index % 2 else Mode.WINDOW
            work = Work(Command.EXP, m, rng.randrange(m), e=rng.getrandbits(width), elen=width, mode=mode)
            put(board.lane(index), self.config, work)
            start(board.lane(index), work)


HISTORIES = {
    "equal": Histories(shape(20), 5, 32, READY, rested=True),
    "narrow": WideThenNarrow(shape(128, narrow=1, powers=4), 5, 32, 3 * READY, rested=True),
}
EVERY = pytest.mark.parametrize("histories", HISTORIES.values(), ids=HISTORIES)


@EVERY
def test_without_a_zeroize_it_would_be_seen(histories: Histories, tmp_path: Path) -> None:
    """Without a zeroization the comparison finds differences in every memory and in the data path."""
    seen = histories.difference(lambda board: board.advance(READY), tmp_path)
    seen += histories.difference(lambda board: board.advance(1500), tmp_path)
    memories = ["u_memory_x.mem", "u_memory_y.mem", "u_words.u_words.mem"]
    memories += ["u_moduli.mem", "mprime_mem", "u_kept", "z_mem", "diff_mem"]
    for memory in (*memories, "result_mem", "quotient_mem", "u_diagonals", "thread_mem", "request_mem"):
        assert any(memory in name for name in seen), memory
    assert any(".u_datapath." in name for name in seen)


@EVERY
def test_a_zeroize_leaves_nothing(histories: Histories, tmp_path: Path) -> None:
    assert histories.difference(histories.zeroize, tmp_path) == []


@EVERY
@pytest.mark.parametrize("after", [1, 300, 1111, 2345, 4567])
def test_a_reset_in_mid_operation_leaves_nothing(histories: Histories, tmp_path: Path, after: int) -> None:
    assert histories.difference(histories.reset(after), tmp_path) == []
