# SPDX-License-Identifier: Apache-2.0
"""Systems from Python: boards of real hardware on a bus, in modelled time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from perle.cores.registry import resolve_memory
from perle.host import PerleError
from perle.host.pam.driver import boards, names
from perle.host.pam.system import Access, System, Timing
from perle.pam.reg_mul.model import charge, mult, mult_cycles, read_register, write_register

BOOTH = resolve_memory("reg_mul:booth")
PARAMS = BOOTH.params
CLOCK_NS = 40


@pytest.fixture
def system() -> Iterator[System]:
    """Yield two register multipliers on the paper's bus."""
    with System([(BOOTH, CLOCK_NS), (BOOTH, CLOCK_NS)]) as opened:
        yield opened


def load(board: int, n: int, value: int) -> list[Access]:
    return [Access(board, 4 * one.addr, one.data) for one in write_register(PARAMS, n, value)]


def multiply(board: int) -> list[Access]:
    program = (charge(1, None, None), mult(2, None, 3), charge(None, None, 4))
    return [Access(board, 4 * one.addr, one.data) for one in program]


def product(system: System, board: int) -> int:
    reads = [Access(board, 4 * one.addr) for n in (3, 4) for one in read_register(PARAMS, n)]
    return sum(word << 32 * i for i, word in enumerate(system.run(reads)))


def test_boards_work_side_by_side(system: System) -> None:
    x, y = (1 << 254) - 3, (1 << 253) + 7
    system.run([*load(0, 1, x), *load(0, 2, y), *load(1, 1, y), *load(1, 2, y)])
    assert system.time.waited_ps == 0
    assert system.time.now_ps == 32 * 700_000
    system.run([one for pair in zip(multiply(0), multiply(1), strict=True) for one in pair])
    assert (product(system, 0), product(system, 1)) == (x * y, y * y)


def test_a_busy_board_stretches_the_bus_and_an_idle_one_does_not(system: System) -> None:
    system.run(load(0, 1, 3) + load(0, 2, 5))
    system.reset_time()
    system.run(multiply(0)[:2])
    before = system.time
    system.run(multiply(0)[2:])  # waits for the product
    assert system.time.waited_ps > before.waited_ps
    assert system.time.bus_ps >= mult_cycles(PARAMS) * CLOCK_NS * 1000
    alone = system.time.now_ps
    system.compute(10**6)
    assert system.time.host_ps == 10**6 * Timing.preset("vme68020").instruction_ps
    assert system.time.now_ps == alone + system.time.host_ps


def test_snapshots_and_steps(system: System) -> None:
    system.write(0, 0, 0xABCD)
    first = json.loads(system.snapshot(0))
    assert first["snapshot"] == "all"
    system.step(0)
    assert json.loads(system.snapshot(0)).keys() == first.keys()
    assert system.time.writes == 1


def test_what_is_refused(system: System, tmp_path: Path) -> None:
    with pytest.raises(PerleError, match="no board"):
        system.read(2, 0)
    with pytest.raises(PerleError, match="refused"):
        system.read(0, 1)
    with pytest.raises(PerleError, match="vme68020"):
        System([(BOOTH, CLOCK_NS)], "scsi")
    with pytest.raises(PerleError, match="no file"):
        System([(tmp_path / "none.so", CLOCK_NS)])
    system.close()
    with pytest.raises(ValueError, match="closed"):
        system.read(0, 0)


def test_drivers_name_their_boards() -> None:
    for name in names():
        assert all(board.partition(":")[0] in ("bus_mul", "reg_mul", "mod_product") for board in boards(name))
    with pytest.raises(KeyError, match="no driver"):
        boards("none")


def test_a_log_tells_when_boards_were_busy(system: System) -> None:
    system.run(load(0, 1, 3))
    system.record(4)
    system.run(multiply(0))
    system.read(1, 0)
    system.read(1, 0)
    log = system.log()
    assert [(one.board, one.write) for one in log] == [(0, True)] * 3 + [(1, False)]
    assert log[1].busy_cycles + 1 == mult_cycles(PARAMS)
    assert all(one.begin_ps < one.taken_ps <= one.end_ps for one in log)
    assert [one.begin_ps for one in log[1:]] == [one.end_ps for one in log[:-1]]
