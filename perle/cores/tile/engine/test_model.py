# SPDX-License-Identifier: Apache-2.0
"""Modelled cycles of batches against the hardware."""

from __future__ import annotations

from random import Random

import pytest

from perle.boards import simulated
from perle.boards.driver import BANK_E, BANK_X, command, load_modulus, start
from perle.cores.modexp.model import Command, Mode
from perle.cores.registry import family
from perle.cores.tile import schedule
from perle.cores.tile.engine import model
from perle.cores.tile.engine.conftest import Bench, shape
from perle.cores.tile.model import blocks

POLL = 20


def batch(bench: Bench, elen: int, operations: int, bits: int) -> int:
    """Return the cycles of that many exponentiations; each lane restarts as soon as it is found done."""
    rng = Random(elen)
    m = rng.getrandbits(bits) | 1 | 1 << bits - 1
    for lane in bench.lane:
        load_modulus(lane, bench.config, m)
        lane.write_line(BANK_X, rng.randrange(m))
        lane.write_line(BANK_E, rng.getrandbits(elen))
    begun, left, going = bench.board.cycles, operations, set[int]()
    while left or going:
        for index, lane in enumerate(bench.lane):
            if index in going and not lane.read(simulated.STATUS) & simulated.DONE:
                continue
            going.discard(index)
            if left:
                start(lane, command(Command.EXP, Mode.WINDOW, elen))
                going.add(index)
                left -= 1
        bench.board.advance(POLL)
    return bench.board.cycles - begun


@pytest.mark.parametrize(
    ("elen", "bits"), [(4, 512), pytest.param(128, 512, marks=pytest.mark.wide), (128, 234)]
)
def test_load_is_that_of_the_hardware(elen: int, bits: int) -> None:
    """Batches of short operations, in which loading dominates, and of longer ones; shorter moduli."""
    bench = Bench(shape(512, narrow=int(bits < 512)), 8, 64)
    operations = 40
    taken = batch(bench, elen, operations, bits)
    bench.close()
    products = model.products(bench.config, Command.EXP, elen=elen)
    found = model.load(bench.config, bench.lanes, operations, products, gap=2 * POLL, bits=bits)
    assert taken == pytest.approx(found.cycles, rel=model.LOAD_ERROR)


def test_turns_are_those_of_the_schedule() -> None:
    for width in (256, 512, 1024):
        params = family("tile").complete({"Width": width})
        assert schedule.rate(blocks(params)).cycles == pytest.approx(model.turns(params), rel=0.002)
