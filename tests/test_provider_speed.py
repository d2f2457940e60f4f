# SPDX-License-Identifier: Apache-2.0
"""`perle speed --provider`: three rates, and where each of them comes from."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.cli.io.errors import Code
from perle.cli.provider_speed import measured_clock
from perle.cores import registry
from perle.cores.modexp.model import Command, Mode, cycles
from perle.results import Store, names
from perle.results.view import Point, View
from tests.cli_run import answer, invoke, refused

pytest_plugins = ["perle.host.fixtures"]

SPEED = ("speed", "--provider", "--seconds", 1, "--bits")
BLINDING = 64


@pytest.mark.slow
def test_a_board_without_a_core(softboard: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Every operation waits at least so long, which no software does
    monkeypatch.setenv("SOFTBOARD", "width=512,delay=20")
    [alone] = answer(*SPEED, 1024, "--board", f"sim:{softboard}")["rows"]
    [pair] = answer(*SPEED, 1024, "--board", f"sim:{softboard},boards=2")["rows"]
    # One board does one half after the other
    assert alone["cycles"] == 2 * pair["cycles"] > 0
    for row in (alone, pair):
        assert row["operations"] > 0
        assert row["simulator_ops_per_second"] <= 50 < row["software_ops_per_second"]
        assert row["software"].startswith("OpenSSL ")
        assert row["clock_mhz"] is None
        assert row["device_ops_per_second"] is None


@pytest.mark.slow
def test_a_core() -> None:
    [row] = answer(*SPEED, 1024)["rows"]
    assert row["board"] == "sim:orup:w512,boards=2"
    config = registry.resolve("orup:w512")
    assert row["cycles"] == cycles(config, Command.EXP, Mode.WINDOW, 512 + BLINDING, bits=512)
    clock = View().metric(Point("orup:w512", names.ECP5_FAST), names.FMAX)
    assert row["clock_mhz"] == clock
    if clock is not None:
        assert row["device_ops_per_second"] == pytest.approx(clock * 1e6 / row["cycles"])
        assert f"orup:w512 at {clock:.1f} MHz" in row["clock"]
    table = invoke(*SPEED, 1024).stdout
    for said in ("RSA-1024", f"{row['cycles']:,.0f}", "perle measure orup:w512"):
        assert said in table


@pytest.mark.slow
def test_boards_that_are_too_narrow(softboard: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOFTBOARD", "width=256")
    assert "no board is 512 bits wide" in refused(Code.BOARD, *SPEED, 1024, "--board", f"sim:{softboard}")


def test_refused() -> None:
    assert "15360" in refused(Code.USAGE, *SPEED, 768)
    assert "--clock" in refused(Code.USAGE, *SPEED, 1024, "--clock", 100)
    assert "only runs private RSA operations" in refused(
        Code.USAGE, *SPEED, 1024, "--board", "system:reg_straight"
    )
    refused(Code.USAGE, *SPEED, 1024, "--board", "sim:nothing:w1")


def test_a_clock_that_was_not_measured(tmp_path: Path) -> None:
    clock, words = measured_clock("sim:orup:w512,boards=2", View(Store(tmp_path)))
    assert clock is None
    assert "perle measure orup:w512 --target ecp5_8" in words
