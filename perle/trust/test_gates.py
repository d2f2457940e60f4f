# SPDX-License-Identifier: Apache-2.0
"""A netlist behaves as its source, and one that does not is told."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

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


LAST = "(count_q == CountBits'(reduce_q ? CarryMax : CarryMax - 3)) state_d"
LATER = "(count_q >= CountBits'(reduce_q ? CarryMax : CarryMax - 3) + CountBits'(rsp_z_o[0])) state_d"
"""When orup has its result, and with a cycle more if the last bit of the result is 1."""


@pytest.mark.slow
def test_a_time_that_depends_on_a_number_is_told(tmp_path: Path) -> None:
    """Its results are right, and none of them is early."""
    files = [Path(shutil.copy(path, tmp_path)) for path in family("orup").files]
    top = tmp_path / "perle_orup_mul.sv"
    text = top.read_text(encoding="utf-8")
    assert text.count(LAST) == 1
    top.write_text(text.replace(LAST, LATER), encoding="utf-8")
    config = Config(replace(family("orup"), files=tuple(files)), "w8", family("orup").complete({"Width": 8}))
    found = gates.compare(Case(config, "generic"), 1)
    assert found.failures > 100


def test_the_next_request_depends_on_no_number() -> None:
    alone = [[(5, 5), (4, 4), (0, 5)], [(4, 4), (5, 5), (5, 5), (0, 5)]]
    assert list(gates.unsteady(alone)) == []
    pipelined = [[(1, 5), (3, 5), (0, 5)], [(1, 5), (3, 5), (1, 5), (0, 5)]]
    assert list(gates.unsteady(pipelined)) == []
    assert list(gates.unsteady([*pipelined, [(1, 5), (4, 5), (0, 5)]])) == [
        "request 3 of a batch came after 3 or 4 cycles"
    ]
    assert list(gates.unsteady([*alone, [(6, 5), (0, 5)]])) == [
        "request 2 of a batch came after 4 or 5 or 6 cycles"
    ]


def test_a_broken_netlist_is_told() -> None:
    found = gates.compare(CASE, 1, broken=(" & ", " | "))
    assert found.failures > 0
    assert found.failed
