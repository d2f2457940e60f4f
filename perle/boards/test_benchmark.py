# SPDX-License-Identifier: Apache-2.0
"""The bench measures what it says."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from perle.boards import benchmark, driver, simulated
from perle.boards.benchmark import bench_sim
from perle.boards.build import build_board
from perle.boards.simulated import SimulatedBoard
from perle.cores.modexp.model import Command, cycles
from perle.cores.registry import Config, resolve


def test_bench() -> None:
    config = resolve("orup:w64")
    figures = bench_sim(config, budget=0.1)
    assert figures.config == "orup:w64"
    assert figures.exp_cycles == cycles(config, Command.EXP, elen=64)
    assert figures.exp_seconds == pytest.approx(figures.exp_cycles / figures.busy_cycles)
    # an idle machine does twenty times as much; a busy one must not fail
    assert figures.accesses_c > 50_000
    assert figures.accesses_c > figures.accesses_python > 5_000
    assert figures.idle_cycles > 100_000
    # an access takes two cycles, so that cycles are counted at least twice as fast
    assert figures.busy_cycles > figures.accesses_python


def test_a_rate_is_that_of_enough_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half the budget is enough; what takes less is done again, as much as would take all of it."""
    now = [0.0]
    monkeypatch.setattr(benchmark, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    asked: list[int] = []

    def work(count: int) -> None:
        """Take 1/1024 second a unit."""
        asked.append(count)
        now[0] += count / 1024

    assert benchmark._rate(work, 8, 1.0) == 1024
    assert asked == [8, 1024]
    asked.clear()
    assert benchmark._rate(work, 512, 1.0) == 1024
    assert asked == [512]


def test_an_access_is_a_write_or_a_read() -> None:
    done: list[str] = []
    board = SimpleNamespace(
        write=lambda addr, data: done.append(f"write {addr} {data}"),
        read=lambda addr: done.append(f"read {addr}"),
    )
    benchmark._access(board, 4)  # type: ignore[arg-type]
    assert done == [f"write {simulated.COMMAND} 0", f"read {simulated.COMMAND}"] * 2


@pytest.mark.parametrize(("rate", "asked"), [(80_000, 20_000), (10, 250)])
def test_accesses_in_c_are_as_many_as_last(rate: int, asked: int, monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[str] = []

    def run(command: list[object], timeout: float) -> SimpleNamespace:
        assert timeout > 0
        counts.append(str(command[-1]))
        return SimpleNamespace(stdout=f"{rate}\n")

    monkeypatch.setattr(benchmark, "run", run)
    monkeypatch.setattr(benchmark, "cached", lambda *_: Path("bench"))
    assert benchmark._accesses_c(Path("board.so"), 0.25) == rate
    assert counts == ["1000", str(asked)]


def test_powers_are_of_the_largest_modulus(monkeypatch: pytest.MonkeyPatch) -> None:
    """One after the other, without an error."""
    config = resolve("orup:w64")
    moduli: list[int] = []
    load = driver.load_modulus

    def noted(board: SimulatedBoard, one: Config, m: int) -> None:
        moduli.append(m)
        load(board, one, m)

    monkeypatch.setattr(driver, "load_modulus", noted)
    with SimulatedBoard(build_board(config)) as board:
        assert benchmark._busy(board, config, 0.01) > 0
        assert moduli == [2**64 - 1]
        board.advance(10**9, until_irq=True)
        assert board.read(simulated.STATUS) == simulated.DONE
        assert board.read_result() == pow(moduli[0] // 3, moduli[0], moduli[0])
