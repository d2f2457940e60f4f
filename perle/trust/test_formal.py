# SPDX-License-Identifier: Apache-2.0
"""A proof holds, its twin is refuted; a proof without a working twin is a failure."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from perle.cores.registry import families
from perle.flow import yosys
from perle.flow.tools import scripts_dir
from perle.trust import formal
from perle.trust.formal import FORMAL
from perle.trust.proofs import Proof, Twin, not_proved, proofs

KINDS = ("handshake", "algebra")

LANES = next(one for one in proofs() if one.name == "bus lanes")
TILE = next(one for one in proofs() if one.name == "tile handshake")
CELL = next(one for one in proofs() if one.name == "cell scalable_csa")

needs_z3 = pytest.mark.skipif(
    shutil.which("z3", path=str(scripts_dir())) is None, reason="z3-solver is not installed"
)


@needs_z3
@pytest.mark.parametrize("name", ["cell scalable_csa", "iterative handshake", "bit_systolic handshake"])
def test_a_proof_and_its_twin(name: str) -> None:
    found = formal.prove(next(one for one in proofs() if one.name == name))
    assert found.counts["proved"] == found.counts["twin refuted"] == 1
    assert found.failures == 0


def test_a_twin_that_is_not_refuted_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formal, "check", lambda *_, **__: "PASS")
    found = formal.prove(CELL)
    assert found.failures == 1
    assert found.failed[0].endswith("PASS")


def test_what_is_not_proved_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formal, "check", lambda *_, twin=False, **__: "FAIL" if twin else "not decided: late")
    found = formal.prove(CELL)
    assert found.failed == [f"{CELL.claim}: not decided: late"]


@needs_z3
def test_the_assertion_that_fails_is_named(tmp_path: Path) -> None:
    broken = Twin("perle_axil_demux.sv", "DecErr = 2'b11", "DecErr = 2'b10")
    found = formal.check(replace(LANES, twin=broken), tmp_path / "broken", twin=True)
    assert found == formal.FAIL  # without a trace, which takes its time
    source = LANES.files[-1].read_text(encoding="utf-8")
    wrong = tmp_path / LANES.files[-1].name
    wrong.write_text(source.replace(broken.old, broken.new), encoding="utf-8")
    found = formal.check(replace(LANES, files=(*LANES.files[:-1], wrong)), tmp_path / "named")
    assert re.match(r"FAIL perle_trust_demux\.AssertNo(Read|Write) ", found)


@needs_z3
def test_a_state_at_rest_need_not_be_one_after_a_reset(tmp_path: Path) -> None:
    """What earlier requests leave behind is arbitrary: a fault that needs it is refuted at once."""
    fault = Twin("perle_tile_leave.sv", "if (go_i) state_q", "if (go_i || index_q != '0) state_q")
    short = replace(TILE, depth=2, twin=fault)
    assert formal.check(short, tmp_path / "sound") == formal.PASS
    assert formal.check(short, tmp_path / "broken", twin=True) == formal.FAIL
    after_reset = replace(short, macros={**short.macros, "START": 1})
    assert formal.check(after_reset, tmp_path / "reset", twin=True) == formal.PASS


def test_families_without_a_proof_are_named() -> None:
    proved = {kind: {one.family for one in proofs() if one.name == f"{one.family} {kind}"} for kind in KINDS}
    assert proved["handshake"] == set(families())
    named = set(not_proved().removeprefix("the algebra of ").split(", "))
    assert len(proved["algebra"]) >= 5
    assert proved["algebra"] | named == set(families())
    assert not proved["algebra"] & named
    assert not_proved() in FORMAL.claim


def test_the_testbench_has_every_odd_modulus_with_its_constants() -> None:
    """A modulus without a case would have constants and limit 0, so that nothing is proved for it."""
    one = next(one for one in proofs() if one.name == "karatsuba handshake")
    cases = [text.strip() for text in str(one.macros["TABLE"]).split(";") if text.strip()]
    assert [int(text.partition(":")[0]) for text in cases] == list(range(3, 16, 2))
    assert cases[1] == "5: {limit, constants} = {7'ha, 6'h33, 6'h5}"  # 5·51 = 4·64 − 1


@pytest.mark.parametrize("proof", proofs(), ids=lambda proof: proof.name)
def test_every_proof_has_all_its_sources(proof: Proof, tmp_path: Path) -> None:
    names = formal.written(proof, tmp_path)
    yosys.execute([yosys.read(names, proof.top, {}, proof.free)], tmp_path, timeout=300)


@pytest.mark.parametrize("proof", proofs(), ids=lambda proof: proof.name)
def test_every_twin_is_somewhere(proof: Proof, tmp_path: Path) -> None:
    names = yosys.copied(proof.sources, tmp_path)
    before = {name: (tmp_path / name).read_text(encoding="utf-8") for name in names}
    formal.broken(proof, tmp_path, names)
    changed = [name for name in names if (tmp_path / name).read_text(encoding="utf-8") != before[name]]
    assert len(changed) == 1
    assert changed[0].endswith(proof.twin.file)


def test_a_twin_whose_place_is_gone_is_told(tmp_path: Path) -> None:
    names = yosys.copied(CELL.sources, tmp_path)
    with pytest.raises(ValueError, match="0 times: gone"):
        formal.broken(replace(CELL, twin=Twin("perle_scalable_csa.sv", "gone", "")), tmp_path, names)
