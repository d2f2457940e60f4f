# SPDX-License-Identifier: Apache-2.0
"""The multiplier with its exponentiator: results, cycles, resets."""

from __future__ import annotations

import pytest

from perle.cores.bit_systolic.test_rtl import sized
from perle.cores.modexp.model import Command
from perle.cores.registry import resolve
from perle.verify.exponents import ExponentSuite
from perle.verify.word import WordBench

pytestmark = pytest.mark.proves("exact", "timed")


class TestExponents(ExponentSuite):
    family_name = "bit_systolic"
    ports = (resolve("bit_systolic:w64"), sized(64, paper=1))


def test_zeroize_after_an_operation() -> None:
    """In idle time the assertions check that nothing stays in the row."""
    m = (1 << 64) - 59
    with WordBench(resolve("bit_systolic:w64")) as bench:
        bench.load(m)
        assert bench.command(Command.MULMOD, m - 1, m - 2) == 2
        bench.lib.word_zeroize(bench.handle)
        bench.wait()
        bench.lib.word_advance(bench.handle, 500)
        assert bench.read() == 0
