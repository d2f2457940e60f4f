# SPDX-License-Identifier: Apache-2.0
"""The multiplier with its exponentiator: results, cycles, resets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from perle.cores.karatsuba import model
from perle.cores.karatsuba.test_rtl import shaped
from perle.cores.modexp.model import Command
from perle.cores.registry import Config, resolve
from perle.verify.exponents import ExponentSuite
from perle.verify.state_leak import difference
from perle.verify.word import WordBench

pytestmark = pytest.mark.proves("exact", "timed")


class TestExponents(ExponentSuite):
    family_name = "karatsuba"
    ports = (resolve("karatsuba:w128"), shaped(100, 17, 32, 1, 1))
    exponents = 6

    def interrupted(self, config: Config) -> range:
        """Return cycles in all passes."""
        return range(1, 3 * model.mul_cycles(config.params), 17)


@pytest.mark.parametrize(("half", "fold"), [(0, 0), (1, 0), (1, 1)])
def test_an_idle_core_holds_nothing(half: int, fold: int, tmp_path: Path) -> None:
    """Without a zeroization: in the time of an operation free slots carry zeros through all stages.

    The registers behind the ports are excepted, as they follow the ports.
    """
    config = shaped(64, 17, 33, 0, half, Fold=fold)
    product = model.mul_cycles(config.params)
    words = model.places(config.params) + 1  # of the memory of results, where a result stays that long
    for idle, empty in ((0, False), (words, True), (product, True), (-product // 2, False)):

        def rest(bench: WordBench, idle: int = idle) -> None:
            if idle < 0:  # in the middle of a product instead
                bench.start(Command.MULMOD)
            bench.lib.word_advance(bench.handle, abs(idle))

        seen = [name for name in difference(config, rest, tmp_path) if ".u_mul." in name]
        held = [name for name in seen if re.search(r"(_q|_mem\[\d+\]|\.p_o)(\[\d+:\d+\])?$", name)]
        held = [name for name in held if not re.search(r"\.u_mul\.req_[xy]_q\[", name)]
        assert (held == []) == empty, held
