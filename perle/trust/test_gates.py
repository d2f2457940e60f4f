# SPDX-License-Identifier: Apache-2.0
"""A netlist behaves as its source, and one that does not is told."""

from __future__ import annotations

from perle.cores.registry import Config, family
from perle.trust import gates
from perle.trust.gates import Case

TINY = Config(family("iterative"), "w6", family("iterative").complete({"Width": 6}))
CASE = Case(TINY, "generic")


def test_a_netlist_is_its_source() -> None:
    found = gates.compare(CASE, 1)
    assert found.failures == 0
    assert found.counts["operations"] > 1000


def test_a_broken_netlist_is_told() -> None:
    found = gates.compare(CASE, 1, broken=(" & ", " | "))
    assert found.failures > 0
    assert found.failed
