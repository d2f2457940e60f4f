# SPDX-License-Identifier: Apache-2.0
"""The engine in RTL, behind the registers of a board: results, and the cycle in which an operation ends."""

from __future__ import annotations

from random import Random

import pytest

from perle.boards import simulated
from perle.cores.modexp.model import Command, Mode, words
from perle.cores.stream.engine import model as engine
from perle.cores.stream.engine.conftest import SHAPES, Bench, shape
from perle.verify.cases import edge_moduli
from perle.verify.engines.board import Work

pytestmark = pytest.mark.proves("exact", "timed")


def test_edges(bench: Bench) -> None:
    """Every edge modulus, base and exponent, in every mode, on all lanes at once."""
    width, k = bench.width, bench.config.params["RadixBits"]
    moduli = [m for m in edge_moduli(width) if m >= 3]
    # a power of β plus 1: only the top digit of M differs from that of 1
    moduli += [(1 << k * j) + 1 for j in range(1, width // k + 1) if k * j < width]
    assert {m % 4 for m in moduli} == {1, 3}
    assert {(1 << width) - 1, (1 << (width - 1)) + 1} <= set(moduli)
    full = (1 << width) - 1
    cases = [
        Work(Command.EXP, m, x, e=e, elen=elen, mode=mode)
        for m in moduli
        for x in (0, 1, m - 1)
        for e, elen in ((1, 1), (2, 2), (full, width), (1, width), (0, 7), (17, 5))
        for mode in (Mode.WINDOW, list(Mode)[m % 3 + 1])
    ]
    cases += [Work(Command.MULMOD, m, x, y) for m in moduli for x in (0, 1, m - 1) for y in (0, 1, m - 1)]
    bench.run(cases)


def test_exponents_as_long_as_their_line() -> None:
    """Also for slots of 2^n bits: the bits of the highest window digit beyond the slot are zeros."""
    bench, rng = Bench(*SHAPES["w20-5"]), Random(7)
    line = 32 * words(bench.config, 32)
    assert (line, line % engine.window_bits(bench.config)) == (64, 4)
    bench.run(
        [
            Work(Command.EXP, m, rng.randrange(m), e=(1 << elen) - rng.randrange(1, 9), elen=elen, mode=mode)
            for m in ((1 << 20) - 3, (1 << 19) + 1)
            for elen in range(line - 4, line + 1)
            for mode in (Mode.WINDOW, Mode.BINARY, Mode.LADDER)
        ]
    )
    bench.close()


def test_the_last_digit_of_y_is_of_its_own_product() -> None:
    """With nine digits and few lanes, results are written while y of a product without y would be read."""
    bench = Bench(shape(95, 1, 16), 3, 64)
    bench.run_at_random(20)
    bench.close()


def test_a_thousand_at_random_times(bench: Bench) -> None:
    """Lanes start when free, each with its own modulus; some are read and loaded while others run."""
    bench.run_at_random(1000)


def test_the_status_around_an_end(bench: Bench) -> None:
    bench.poll_ends(300)


def test_montgomery_products_are_the_models(bench: Bench) -> None:
    """Redundant operands and results, bit for bit."""
    for lane in bench.run_products():
        assert lane.read(simulated.CYCLES_LO) == engine.product_cycles(bench.config.params)


def test_time_depends_on_widths_only(bench: Bench) -> None:
    """Cycles from start to end for extreme values; the model has no values as input."""
    rng, width = Random(5), bench.width
    for mode in (Mode.WINDOW, Mode.LADDER):
        seen = set()
        for e in (0, 1, (1 << width) - 1, 1 << (width - 1), rng.getrandbits(width)):
            for m in ((1 << width) - 1, 3, (1 << (width - 1)) + 1):
                work = Work(Command.EXP, m, rng.choice((0, 1, m - 1)), e=e, elen=width, mode=mode)
                bench.put(2, work)
                bench.start(2, work)
                bench.finish()
                seen.add(bench.lane[2].read(simulated.CYCLES_LO))
        assert len(seen) == 1
