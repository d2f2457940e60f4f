# SPDX-License-Identifier: Apache-2.0
"""A netlist behaves as its source, and one that does not is told."""

from __future__ import annotations

import pytest

from perle.cores.registry import Config, families, family
from perle.trust import gates
from perle.trust.gates import Case
from perle.trust.parts import Wanted

TINY = Config(family("iterative"), "w6", family("iterative").complete({"Width": 6}))
CASE = Case(TINY, "generic")


def test_a_netlist_is_its_source() -> None:
    found = gates.compare(CASE, 1)
    assert found.failures == 0
    assert found.counts["operations"] > 1000


def test_real_ones_are_those_of_the_own_families_with_the_blocks_of_the_device() -> None:
    found = [one.case for one in gates.tasks(Wanted(seed=1))]
    real = [name for name in found if "w512" in name]
    own = "stream", "lowlat", "tile", "carry_save"
    assert real == [f"{name}:w512 in ecp5 cells and blocks" for name in own]
    assert len(found) == 2 * len(families()) + len(real)


@pytest.mark.wide
def test_blocks_of_the_device_are_simulated() -> None:
    """Results are wrong if one of the multipliers never takes new factors."""
    case = Case(gates.small("stream"), gates.BLOCKS)
    assert "MULT18X18D" in {path.stem for path in case.blocks}
    assert gates.compare(case, 1).failures == 0
    assert gates.compare(case, 1, broken=(".CE0(1'h1)", ".CE0(1'h0)")).failures > 0


def test_a_broken_netlist_is_told() -> None:
    found = gates.compare(CASE, 1, broken=(" & ", " | "))
    assert found.failures > 0
    assert found.failed
