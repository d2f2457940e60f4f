# SPDX-License-Identifier: Apache-2.0
"""The bench measures what it says."""

from __future__ import annotations

import pytest

from perle.boards.benchmark import bench_sim
from perle.cores.modexp.model import Command, cycles
from perle.cores.registry import resolve


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
