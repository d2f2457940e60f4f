# SPDX-License-Identifier: Apache-2.0
"""Speed of a simulated board on this machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from perle.boards import driver, simulated
from perle.boards.build import SIM, build_board
from perle.boards.simulated import SimulatedBoard
from perle.cores.modexp.model import Command, Mode, cycles
from perle.cores.registry import Config
from perle.flow.cache import cached, content_hash, log_path
from perle.flow.tools import run, system_tool, version

# Approximate seconds for measuring each figure.
BUDGET = 1.0


@dataclass(frozen=True)
class SimBench:
    """Figures of one configuration, per second of wall time."""

    config: str
    word_bits: int
    accesses_c: float
    accesses_python: float
    idle_cycles: float
    busy_cycles: float
    exp_cycles: int

    @property
    def exp_seconds(self) -> float:
        """Wall time of one power of full width in constant time, without its operands' transfer."""
        return self.exp_cycles / self.busy_cycles


def bench_sim(
    config: Config,
    *,
    word_bits: int = 64,
    budget: float = BUDGET,
    progress: Callable[[str], None] | None = None,
) -> SimBench:
    """Measure the simulated board of a configuration; it is built first if necessary."""
    path = build_board(config, word_bits=word_bits, progress=progress)
    with SimulatedBoard(path) as board:
        return SimBench(
            config=config.spec,
            word_bits=word_bits,
            accesses_c=_accesses_c(path, budget),
            accesses_python=_rate(lambda count: _access(board, count), 1000, budget),
            idle_cycles=_rate(board.advance, 1000, budget),
            busy_cycles=_busy(board, config, budget),
            exp_cycles=cycles(config, Command.EXP, elen=config.width),
        )


def _rate(work: Callable[[int], None], count: int, budget: float) -> float:
    """Units per second of `work(units)`, with as many units as fill the budget."""
    while True:
        start = time.perf_counter()
        work(count)
        took = time.perf_counter() - start
        if took >= budget / 2:
            return count / took
        count = max(2 * count, int(count * budget / max(took, 1e-6)))


def _access(board: SimulatedBoard, count: int) -> None:
    for _ in range(count // 2):
        board.write(simulated.COMMAND, 0)
        board.read(simulated.COMMAND)


def _accesses_c(path: Path, budget: float) -> float:
    program = cached(
        f"bench-{content_hash([SIM / 'bench.cpp', SIM / 'perle_sim.h'], version('g++'))}", "", _compile
    )

    def work(count: int) -> float:
        return float(run([program, path, str(simulated.COMMAND), str(count)], timeout=600).stdout)

    return work(int(max(work(1000), 1000) * budget))


def _compile(out: Path) -> None:
    compiler = system_tool("g++", needed_for="the bench")
    source = SIM / "bench.cpp"
    run(
        [compiler, "-std=c++20", "-O2", f"-I{SIM}", source, "-o", out, "-ldl"], log=log_path(out), timeout=300
    )


def _busy(board: SimulatedBoard, config: Config, budget: float) -> float:
    """Cycles per second during powers, the longest operation."""
    m = (1 << config.width) - 1
    driver.load_modulus(board, config, m)
    board.write_line(driver.BANK_X, m // 3)
    board.write_line(driver.BANK_E, m)
    word = driver.command(Command.EXP, Mode.WINDOW, config.width)

    def work(count: int) -> None:
        """Advance that many cycles, with one power after the other."""
        last = board.cycles + count
        while board.cycles < last:
            if not board.read(simulated.STATUS) & simulated.BUSY:
                driver.start(board, word)
            board.advance(max(0, last - board.cycles), until_irq=True)

    return _rate(work, 1000, budget)
