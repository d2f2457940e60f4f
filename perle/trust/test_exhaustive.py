# SPDX-License-Identifier: Apache-2.0
"""Simulations of every operand: all are covered, a fault is found and named, a part of them is incomplete."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from perle.cores.registry import families
from perle.trust import exhaustive
from perle.trust.enough import lacking
from perle.trust.exhaustive import MUL, REDUCE, Multiplier, Range, first_wrong, measure, ranges
from perle.trust.proofs import Proof, Twin, proofs, simulated, tiny

LOWLAT = next(one for one in simulated() if one.family == "lowlat")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Multiplier:
    """Lowlat at a width of 3 bits."""
    return Multiplier(LOWLAT, tmp_path_factory.mktemp("sound"))


def test_a_family_is_proved_or_simulated() -> None:
    proved = {one.family for one in proofs() if one.name == f"{one.family} algebra"}
    assert proved.isdisjoint(one.family for one in simulated())
    assert proved | {one.family for one in simulated()} == set(families())


@pytest.mark.parametrize("proof", simulated(), ids=lambda proof: proof.name)
def test_ranges_have_every_operand_once(proof: Proof) -> None:
    config = tiny(proof.family)
    for m in range(3, 1 << config.width, 2):
        limit = config.model.operand_limit(config.params, m)
        mine = [one for one in ranges(config) if one.m == m]
        assert {one.y_end for one in mine} == {limit}
        assert [(one.first, one.end) for one in mine if one.op == REDUCE] == [(0, 1)]
        found = [x for one in mine if one.op == MUL for x in range(one.first, one.end)]
        assert found == list(range(limit))
        assert limit > 2 * m  # the redundant range
    assert {one.m for one in ranges(config)} == set(range(3, 1 << config.width, 2))


@pytest.mark.parametrize("m", [3, 5, 7])
def test_products_of_each_modulus(sound: Multiplier, m: int) -> None:
    for one in (Range(m, REDUCE, 0, 1, 2000), Range(m, MUL, 8180, 8190, 500)):
        assert not sound.run(one)


def test_a_modulus_without_constants_is_wrong(sound: Multiplier) -> None:
    assert "modulo 4" in sound.run(Range(4, MUL, 0, 1, 8))


@pytest.mark.parametrize("proof", simulated(), ids=lambda proof: proof.name)
def test_a_fault_is_found_and_named(proof: Proof, tmp_path: Path) -> None:
    wanted = [one for one in ranges(tiny(proof.family)) if one.op == MUL]
    _, wrong = first_wrong(Multiplier(proof, tmp_path, twin=True), wanted)
    assert wrong.startswith("OpMul of x = ")


def test_a_response_that_never_comes_is_late(tmp_path: Path) -> None:
    silent = Twin("perle_lowlat_core.sv", "assign rsp_valid_o = done_q", "assign rsp_valid_o = 1'b0")
    stuck = Multiplier(replace(LOWLAT, twin=silent), tmp_path, twin=True)
    assert stuck.run(Range(3, MUL, 1, 2, 8)).startswith("OpMul of x = 1, y = ")


def test_part_of_the_operands_is_incomplete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exhaustive, "ranges", lambda _: [Range(3, MUL, 1, 2, 16), Range(3, MUL, 2, 3, 16)])
    whole = measure(LOWLAT)
    assert whole.counts["operations"] == whole.counts["planned"] == 32
    for twin, operations, lacks in (
        (1, 32, []),
        (0, 32, ["0 of 1 twin refuted"]),
        (1, 16, ["16 of 32 operations"]),
    ):
        counts = {**whole.counts, "operations": operations, "twin refuted": twin}
        assert lacking(msgspec.structs.replace(whole, counts=counts, failures=0)) == lacks
