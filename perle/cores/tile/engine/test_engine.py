# SPDX-License-Identifier: Apache-2.0
"""Tiles in RTL, behind the registers of a board: results of every command and mode on all lanes."""

from __future__ import annotations

from random import Random

import pytest

from perle.boards import simulated
from perle.cores.modexp.model import Command, Mode
from perle.cores.tile.engine import model
from perle.cores.tile.engine.conftest import READY, Bench, shape
from perle.cores.tile.model import CONTEXTS
from perle.verify.cases import edge_moduli, random_modulus
from perle.verify.engines.board import EngineBoard, Work

pytestmark = pytest.mark.proves("exact")


def edges(bench: Bench) -> list[Work]:
    """Return every edge modulus with edges of base and exponent, in every mode."""
    width = bench.width
    moduli = [m for m in edge_moduli(width) if m >= 3]
    assert {m % 4 for m in moduli} == {1, 3}
    assert {(1 << width) - 1, (1 << (width - 1)) + 1} <= set(moduli)
    full = (1 << width) - 1
    cases = [
        Work(Command.EXP, m, x, e=e, elen=elen, mode=mode)
        for m in moduli
        for x in (0, 1, m - 1)
        for e, elen in ((1, 1), (full, width), (1, width), (0, 7), (17, 5))
        for mode in (Mode.WINDOW, list(Mode)[m % 3 + 1])
    ]
    return cases + [
        Work(Command.MULMOD, m, x, y) for m in moduli for x in (0, 1, m - 1) for y in (0, 1, m - 1)
    ]


def test_edges(bench: Bench) -> None:
    """Edges on all lanes at once."""
    bench.run(edges(bench))


def test_many_at_random_times(bench: Bench) -> None:
    """Lanes start when free, each with its own modulus; some are read and loaded while others run."""
    bench.run_at_random(300)


def test_moduli_of_every_size_in_one_tile() -> None:
    """Each context has as many blocks as its modulus needs, whatever the others have; zeroized in between."""
    rng, config = Random(8), shape(128, narrow=1, powers=4)
    bench = Bench(config, CONTEXTS, 64)
    sizes = [
        bits for b in range(3) for bits in (54 * b + 2, 54 * b + 51, 54 * b + 52, 54 * b + 53) if bits <= 128
    ]
    for turn, bits in enumerate(sizes * 3):
        lane = turn % CONTEXTS
        if lane in bench.going:
            bench.finish(only=lane)
        m = (1 << bits) - 1 if turn % 2 else random_modulus(rng, bits)
        op = Command.MULMOD if turn % 5 == 4 else Command.EXP
        elen = rng.randrange(1, 129)
        e = rng.getrandbits(elen)
        work = Work(op, m, rng.randrange(m), rng.randrange(m), e, elen, list(Mode)[turn % 4])
        bench.put(lane, work)
        bench.start(lane, work)
    bench.finish()
    bench.close()


@pytest.mark.wide
def test_primes_of_rsa_4096() -> None:
    """The widest tile: exponents of 2,048 bits in all contexts, modulo edges and one at random."""
    rng, width = Random(6), 2048
    bench = EngineBoard(shape(width), CONTEXTS, 64)
    zeroized = model.zeroize_products(bench.config) * model.product_cycles(bench.config.params)
    bench.board.advance(2 * zeroized)
    assert not any(one.read(simulated.STATUS) for one in bench.lane)
    moduli = [(1 << width) - 1, (1 << (width - 1)) + 1, (1 << (width - 1)) - 1, random_modulus(rng, width)]
    for lane, m in enumerate(moduli):
        e = (1 << width) - 1 if lane == 0 else rng.getrandbits(width)
        work = Work(Command.EXP, m, m - 1 if lane == 1 else rng.randrange(m), e=e, elen=width)
        bench.put(lane, work)
        bench.start(lane, work)
    bench.finish()
    bench.close()


def test_the_status_around_an_end(bench: Bench) -> None:
    bench.poll_ends(300)


def test_montgomery_products_are_the_models(bench: Bench) -> None:
    """Redundant operands and results, bit for bit."""
    assert sum(1 for _ in bench.run_products()) >= 3


def test_time_depends_on_widths_only(bench: Bench) -> None:
    """Cycles from start to end for extreme values; other lanes are idle, polling is in the same phase.

    With Narrow the time depends on the blocks that the modulus needs.
    """
    rng, width = Random(5), bench.width
    least = 1 << width - 3 | 1 if bench.config.params["Narrow"] else 3
    for mode in (Mode.WINDOW, Mode.LADDER):
        seen = set()
        for e in (0, 1, (1 << width) - 1, 1 << (width - 1), rng.getrandbits(width)):
            for m in ((1 << width) - 1, least, (1 << (width - 1)) + 1):
                work = Work(Command.EXP, m, rng.choice((0, 1, m - 1)), e=e, elen=width, mode=mode)
                bench.board.reset()
                begun = bench.board.cycles
                bench.board.advance(READY)
                bench.put(2, work)
                bench.board.advance(begun + 2 * READY - bench.board.cycles)
                bench.start(2, work)
                bench.finish()
                seen.add(bench.lane[2].read(simulated.CYCLES_LO))
        assert len(seen) == 1
