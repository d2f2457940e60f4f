# SPDX-License-Identifier: Apache-2.0
"""`perle gen` from the command line."""

from __future__ import annotations

from pathlib import Path

from tests.cli_run import answer, invoke, refused


def test_gen_writes_a_directory(tmp_path: Path) -> None:
    out = tmp_path / "ip"
    assert invoke("gen", "orup:w64", "-o", out, "--bus", "none").stdout == f"{out}\n"
    assert (out / "rtl" / "perle_orup_w64.sv").is_file()
    assert "--force" in refused(3, "gen", "orup:w64", "-o", out)
    facts = answer("gen", "orup:w64", "-o", out, "--word-bits", 32, "--force")
    assert facts["path"] == str(out)
    assert facts["top"] == "perle_orup_w64_axil"
    found = {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()}
    assert {*facts["files"], "here.mk"} == found  # the latter is of this machine
    assert f"sources {facts['sources']}" in (out / "README.md").read_text(encoding="utf-8")
    assert "[31:0] axil_wdata_i" in (out / "rtl" / "perle_orup_w64_axil.sv").read_text(encoding="utf-8")


def test_gen_refuses_what_makes_no_sense(tmp_path: Path) -> None:
    out = tmp_path / "ip"
    assert "iterative" in refused(2, "gen", "nobody:w64", "-o", out)
    assert "w4096" in refused(2, "gen", "orup:x", "-o", out)
    assert "FAMILY:CONFIG" in refused(2, "gen", "orup", "-o", out)
    assert "32 or 64" in refused(2, "gen", "orup:w64", "-o", out, "--word-bits", 16)
    assert "no data bus" in refused(2, "gen", "orup:w64", "-o", out, "--word-bits", 32, "--bus", "none")
    assert "pci" in refused(2, "gen", "orup:w64", "-o", out, "--bus", "pci")
    refused(2, "gen", "orup:w64")
    assert not out.exists()
    out.touch()
    assert "no directory" in refused(3, "gen", "orup:w64", "-o", out, "--force")


def test_gen_takes_lanes_buses_and_a_prefix(tmp_path: Path) -> None:
    made = answer("gen", "orup:w64", "-o", tmp_path / "a", "--bus", "apb", "--lanes", 3, "--prefix", "left")
    assert made["top"] == "left_perle_orup_w64_l3_apb"
    assert "[15:0] s_apb_paddr" in (tmp_path / "a" / f"rtl/{made['top']}.sv").read_text(encoding="utf-8")
    assert answer("gen", "stream:w64,lanes=5", "-o", tmp_path / "b", "--bus", "exp")["top"] == (
        "perle_stream_w64_l5_exp"
    )


def test_gen_refuses_lanes_and_buses_that_do_not_go_together(tmp_path: Path) -> None:
    out = tmp_path / "ip"
    assert "share a multiplier" in refused(2, "gen", "orup:w64", "-o", out, "--bus", "axis", "--lanes", 2)
    assert "no lanes" in refused(2, "gen", "orup:w64", "-o", out, "--bus", "none", "--lanes", 2)
    assert "32 bits" in refused(2, "gen", "orup:w64", "-o", out, "--bus", "apb", "--word-bits", 64)
    assert "has lanes=3" in refused(2, "gen", "orup:w64,lanes=3", "-o", out, "--lanes", 2)
    assert "64" in refused(2, "gen", "orup:w64", "-o", out, "--lanes", 65)
    assert "a letter first" in refused(2, "gen", "orup:w64", "-o", out, "--prefix", "9")
    assert not out.exists()
