# SPDX-License-Identifier: Apache-2.0
"""RSA on whole designs: simulated from the sources, and from the routed netlist."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from perle.cores.registry import resolve
from perle.flow.tools import ToolError, system_tool
from perle.soc import build, directory, modules, pll, routed, simulation
from perle.soc.boards import Link, board
from perle.soc.core import Core, IllegalSocError
from perle.soc.directory import Directory
from perle.soc.pll import SYS_HZ, Clocks
from perle.soc.test_simulation import CORE_HZ, HOST, LINKS, M, X, Y, free_port
from tests.house import ROOT
from tests.open_wires import without_a_factor_bit

pytest.importorskip("litex", reason=modules.INSTALL)

BOARD = board("ulx3s-85f")
PERLE = (sys.executable, "-m", "perle.cli")


def ran(*words: str | Path, env: dict[str, str] | None = None) -> str:
    """Run a program, which must succeed; return what it prints."""
    env = {**os.environ, **(env or {})}
    done = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


CLIENTS = ("program", "provider")


def signs(client: str, spec: str, soc: simulation.SimulatedSoc, folder: Path) -> None:
    """Sign with RSA-512 by `perle` or by OpenSSL with the provider; verify with OpenSSL in software."""
    openssl = system_tool("openssl")
    key, public, message, signature = (
        folder / name for name in ("key.pem", "public.pem", "message", "signed")
    )
    message.write_bytes(b"signed over a link")
    ran(openssl, "genrsa", "-out", key, "512")
    ran(openssl, "rsa", "-in", key, "-pubout", "-out", public)
    before = soc.cycles
    if client == "program":
        sign = (*PERLE, "rsa", "sign", "--board", spec, "--padding", "pkcs1", "--key", key)
        ran(*sign, "--in", message, "--out", signature)
    else:
        conf = (*PERLE, "provider", "conf", "--board", spec, "--fallback", "fail", "--timeout", "600000")
        (folder / "openssl.cnf").write_text(ran(*conf), encoding="utf-8")
        env = {"OPENSSL_CONF": str(folder / "openssl.cnf")}
        ran(openssl, "dgst", "-sha256", "-sign", key, "-out", signature, message, env=env)
    assert soc.cycles > before
    ran(openssl, "dgst", "-sha256", "-verify", public, "-signature", signature, message)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("link", "client"),
    # Takes a minute through a simulated network; test_simulation.py tests its parts one by one.
    [
        pytest.param(*one, marks=pytest.mark.wide if one[0] == "ethernet" else ())
        for one in zip(LINKS, CLIENTS, strict=True)
    ],
)
def test_a_simulated_design_signs(link: Link, client: str, tmp_path: Path) -> None:
    check_simulated(link, client, tmp_path)


@pytest.mark.wide
@pytest.mark.parametrize(("link", "client"), list(zip(LINKS, reversed(CLIENTS), strict=True)))
def test_a_simulated_design_signs_for_the_other_client(link: Link, client: str, tmp_path: Path) -> None:
    check_simulated(link, client, tmp_path)


def check_simulated(link: Link, client: str, folder: Path) -> None:
    path = simulation.build(Core(resolve("orup:w256"), 1, round(CORE_HZ), link))
    address = f"{HOST}:{free_port()}"
    with simulation.SimulatedSoc(path, Clocks(SYS_HZ[link], CORE_HZ), address) as soc:
        spec = f"uart:{soc.place},baud=4000000" if link == "uart" else f"etherbone:{address}"
        signs(client, spec, soc, folder)


def built(spec: str, folder: Path) -> Directory:
    """Return the directory of a design whose serial line is fast, with its bitstream."""
    clocks = pll.clocks(BOARD, 80e6)
    core = Core(resolve(spec), 1, round(clocks.core), BOARD.link)
    made = directory.generate(BOARD, core, clocks, folder, baud=3_000_000)
    done = build.build(made.folder, made.sources, BOARD)
    assert done.timing.missed == []
    assert "LFE5U-85F" in done.bitstream.bit.read_bytes()[:200].decode("latin-1")
    assert min(one.stat().st_size for one in (done.bitstream.bit, done.bitstream.svf)) > 100_000
    return made


def simulated(netlist: Path, folder: Path) -> simulation.SimulatedSoc:
    design = directory.read(folder, BOARD)
    path = simulation.build_routed(netlist, BOARD)
    return simulation.SimulatedSoc(path, design.clocks, cycles_per_bit=design.cycles_per_bit)


def product(soc: simulation.SimulatedSoc) -> str:
    """Return the program's output for X·Y mod M."""
    spec = f"uart:{soc.place},baud={simulation.NETLIST_BAUD}"
    words = (*PERLE, "mul", "--json", "--board", spec, f"{X:x}", f"{Y:x}", f"{M:x}")
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False).stdout


@pytest.mark.wide
def test_a_bitstreams_netlist_multiplies(tmp_path: Path) -> None:
    """A small configuration passes synthesis, place and route, ecppack; simulates its routed netlist."""
    made = built("orup:w64", tmp_path / "design")
    with simulated(made.folder / build.WORK / build.ROUTED, made.folder) as soc:
        assert json.loads(product(soc))["r"] == f"{X * Y % M:x}"


@pytest.mark.wide
def test_a_netlist_with_open_wires_does_not_multiply(tmp_path: Path) -> None:
    made = built("orup:w64", tmp_path / "design")
    netlist = made.folder / build.WORK / build.ROUTED
    other = without_a_factor_bit(netlist, tmp_path)
    with simulated(other, made.folder) as soc:
        assert "PERLE_ERR_FAULT" in json.loads(product(soc))["error"]["message"]


@pytest.mark.wide
def test_a_routed_netlist_signs(tmp_path: Path) -> None:
    made = built("orup:w256", tmp_path / "design")
    with simulated(made.folder / build.WORK / build.ROUTED, made.folder) as soc:
        for client in CLIENTS:
            signs(client, f"uart:{soc.place},baud={simulation.NETLIST_BAUD}", soc, tmp_path)


def verilog_of(folder: Path, kind: str, **parameters: str) -> str:
    """Return the text for a routed netlist with one cell."""
    netlist = folder / "routed.json"
    cell = {"type": kind, "parameters": parameters, "connections": {}}
    text = {"modules": {"top": {"ports": {}, "cells": {"one": cell}}}}
    netlist.write_text(json.dumps(text), encoding="utf-8")
    return routed.verilog(netlist, BOARD)


def test_write_modes_of_a_block_memory(tmp_path: Path) -> None:
    text = verilog_of(tmp_path, "DP16KD", WRITEMODE_A="WRITETHROUGH", WRITEMODE_B="NORMAL")
    assert ".ThroughA(1), .ThroughB(0)" in text
    with pytest.raises(ToolError, match="READBEFOREWRITE"):
        verilog_of(tmp_path, "DP16KD", WRITEMODE_A="READBEFOREWRITE")
    with pytest.raises(ToolError, match="WRITETHROUGH"):
        verilog_of(tmp_path, "DP16KD", WRITEMODE_A="WRITETHROUGH", DATA_WIDTH_A="100100")


def test_what_cannot_be_simulated_is_named(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="IDDRX1F"):
        verilog_of(tmp_path, "IDDRX1F")
    with pytest.raises(IllegalSocError, match="no design of perle soc"):
        directory.read(tmp_path, BOARD)
    facts = {"board": "trellisboard", "core": "orup:w64", "core_hz": 8e7, "bus_hz": 5e7, "baud": 115200}
    (tmp_path / directory.FACTS).write_text(json.dumps(facts), encoding="utf-8")
    with pytest.raises(IllegalSocError, match="is for trellisboard"):
        directory.read(tmp_path, BOARD)
