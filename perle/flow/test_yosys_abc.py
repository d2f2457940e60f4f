# SPDX-License-Identifier: Apache-2.0
"""ABC out of Yosys: what holds, what does not, what it gives up, and what it cannot read."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.flow import yosys, yosys_abc

COUNTER = """
module counter(input clk_i, input up_i, input rst_i);
  reg [3:0] q = 0;
  always @(posedge clk_i) q <= rst_i ? 0 : (up_i && q < 9) ? q + 1 : q;
  always @* assert (q < LIMIT);
endmodule
"""
"""It counts to nine."""
SCRIPT = (
    *("read_verilog -formal -sv counter.v", "prep -top counter", "chformal -lower", "formalff -clk2ff"),
    *("opt -full", "techmap", "simplemap", "dffunmap", "aigmap", "opt_clean"),
    "write_aiger -I -B -zinit -no-startoffset counter.aig",
)
READ = "read_aiger counter.aig; fold; strash; "


def counter(folder: Path, limit: int) -> None:
    (folder / "counter.v").write_text(COUNTER.replace("LIMIT", str(limit)), encoding="utf-8")
    yosys.execute(SCRIPT, folder, timeout=60)


def test_what_holds_and_what_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    counter(tmp_path, 10)
    assert yosys_abc.verdict(READ + "pdr", tmp_path) == "Property proved."
    assert yosys_abc.verdict(READ + "bmc3 -F 12", tmp_path) == "No output asserted in 12 frames."
    counter(tmp_path, 9)
    assert yosys_abc.verdict(READ + "bmc3 -F 9", tmp_path) == "No output asserted in 9 frames."
    for command in ("pdr", "bmc3 -F 12"):
        found = yosys_abc.verdict(f"{READ}{command}; write_cex -a trace.aiw", tmp_path)
        assert found == yosys_abc.WORDS["snl_SAT"]
        assert (tmp_path / "trace.aiw").read_text(encoding="utf-8").endswith("# DONE\n")
        (tmp_path / "trace.aiw").unlink()
    assert yosys_abc.main(["-c", READ + "pdr"]) == 0
    assert capsys.readouterr().out.strip() == yosys_abc.WORDS["snl_SAT"]
    assert sorted(path.name for path in tmp_path.glob("abc-*")) == []


def test_what_was_not_asked_is_not_proved(tmp_path: Path) -> None:
    counter(tmp_path, 10)
    assert yosys_abc.verdict(READ.rstrip("; "), tmp_path) == "Property undecided."


def test_what_abc_cannot_read_is_no_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert yosys_abc.main(["-c", READ + "pdr"]) == 1
    assert "no verdict" in capsys.readouterr().err
