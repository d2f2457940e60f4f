# SPDX-License-Identifier: Apache-2.0
"""`perle soc` from the command line."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from perle.soc.design import RATES
from perle.soc.remote import MAGIC, Design, Uart
from tests.cli_run import answer, invoke, refused
from tests.house import ROOT

pytest.importorskip("litex", reason="needs LiteX: make setup")


def test_hosts_know_every_rate_of_a_serial_line() -> None:
    text = (ROOT / "host" / "src" / "link" / "link_uart.cpp").read_text(encoding="utf-8")
    known = {int(rate) for rate, code in re.findall(r"Rate\{(\d+), B(\d+)\}", text) if rate == code}
    assert known - set(RATES) == {300, 600}  # too slow for the time-out of a bridge
    assert set(RATES) <= known


def test_soc_writes_a_directory(tmp_path: Path) -> None:
    out = tmp_path / "design"
    assert invoke("soc", "ulx3s-85f", "--core", "orup:w64", "-o", out).stdout == f"{out}\n"
    for name in ("perle_soc.v", "perle_soc.lpf", "csr.csv", "README.md", "rtl/perle_soc_core.sv", "MANIFEST"):
        assert (out / name).is_file(), name
    assert "Enjoy-Digital" in (out / "LICENSE.litex").read_text(encoding="utf-8")
    assert "--force" in refused(3, "soc", "ulx3s-85f", "--core", "orup:w64", "-o", out)
    facts = answer("soc", "ulx3s-85f", "--core", "stream:w64,lanes=2", "-o", out, "--clock", 93, "--force")
    assert facts["core"] == "stream:w64,lanes=2"
    assert 90 < facts["core_mhz"] <= 93
    page = (out / "README.md").read_text(encoding="utf-8")
    assert f"{facts['core_mhz']:.3f} MHz" in page
    top = (out / "rtl" / "perle_soc_core.sv").read_text(encoding="utf-8")
    assert f"({round(1e6 * facts['core_mhz'])})" in top


def test_soc_refuses_what_makes_no_sense(tmp_path: Path) -> None:
    out = tmp_path / "design"
    assert "colorlight-i9" in refused(2, "soc", "arty", "-o", out)
    assert "iterative" in refused(2, "soc", "ulx3s-85f", "--core", "nobody:w64", "-o", out)
    assert "no clock" in refused(2, "soc", "ulx3s-85f", "--clock", 1, "-o", out)
    assert "--baud 1234567" in refused(2, "soc", "ulx3s-85f", "--baud", 1_234_567, "-o", out)
    assert "no serial port" in refused(2, "soc", "colorlight-i9", "--baud", 9600, "-o", out)
    assert "400" in refused(2, "soc", "ulx3s-85f", "--clock", 100e6, "-o", out)
    assert "243 of 156 multipliers" in refused(2, "soc", "ulx3s-85f", "--core", "orup:w4096", "-o", out)
    many = ("--core", "tile:w512,lanes=48")
    assert "73 of 72 multipliers" in refused(2, "soc", "colorlight-i9", *many, "-o", out)
    assert "--simulate" in refused(2, "soc", "ulx3s-85f")
    assert "--simulate" in refused(2, "soc", "ulx3s-85f", "-o", out, "--simulate")
    for address in ("foo", "localhost:1234", "127.0.0.2", "127.0.0.2:", "127.0.0.2:65536", "127.0.0.2:0"):
        said = refused(2, "soc", "colorlight-i9", "--simulate", "--address", address)
        assert f"--address {address}: must be an IPv4 address and a port" in said
    assert not out.exists()


# If a shell starts the tests in the background, they and their children ignore SIGINT.
COMMAND = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from perle.cli import main
main()
"""


def test_soc_simulates_until_it_is_interrupted() -> None:
    command = [sys.executable, "-c", COMMAND, "soc", "ulx3s-85f", "--core", "orup:w64", "--simulate"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as made:
        try:
            assert made.stdout is not None
            place = made.stdout.readline().strip()
            assert place.startswith("uart:/dev/pts/")
            with Uart(place.removeprefix("uart:")) as bus:
                assert Design(bus).control(0) == MAGIC
            made.send_signal(signal.SIGINT)
            assert made.wait(timeout=20) in (0, 130)
        finally:
            made.kill()
