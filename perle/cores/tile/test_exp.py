# SPDX-License-Identifier: Apache-2.0
"""The multiplier with its exponentiator: results, cycles, resets."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.cores.modexp.model import Command, Mode
from perle.cores.registry import resolve
from perle.cores.tile import model
from perle.verify.exponents import ExponentSuite
from perle.verify.state_leak import signals
from perle.verify.word import WordBench, X

pytestmark = pytest.mark.proves("exact", "timed")


QUEUE = ".u_results.result_mem["


class TestExponents(ExponentSuite):
    family_name = "tile"
    exponents = 3


def test_zeros_overwrite_the_queue_of_results(tmp_path: Path) -> None:
    """The whole queue, from any state, also after a reset while a result waits; no product is needed."""
    m = (1 << 64) - 59
    product = model.mul_cycles(resolve("tile:w64").params)
    with WordBench(resolve("tile:w64"), traced=True) as bench:
        for cycles in range(3 * product - 40, 3 * product - 25, 2):
            bench.load(m)
            bench.write(X, m - 1)
            bench.start(Command.EXP, Mode.WINDOW, 16)
            bench.lib.word_advance(bench.handle, cycles)
            bench.lib.word_reset(bench.handle)
            bench.wait()
            bench.lib.word_dump(bench.handle, str(tmp_path / "state.vcd").encode())
            words = {name: value for name, value in signals(tmp_path / "state.vcd").items() if QUEUE in name}
            assert len(words) == 16
            assert {int(value.lstrip("b"), 2) for value in words.values()} == {0}
