# SPDX-License-Identifier: Apache-2.0
"""Netlists of Yosys that a target keeps: a core by itself, and put as it is into something around it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from perle.flow.cache import cached, log_path
from perle.flow.yosys import Netlist

# Yosys names what is private after a neighbour, so that names along a row of registers grow with each column:
# to a netlist of 1.4 GB at 1,025 of them, which nextpnr cannot read. After seven registers a number will do.
DEEP = "*" + 7 * "_Q_*"
SHORT_NAMES = (f"rename -hide w:{DEEP} c:{DEEP}", "rename -enumerate -pattern deep_%")


def inserted(names: Iterable[str], top: str) -> tuple[list[str], list[str]]:
    """Return commands for before and after the synthesis of `top`, which instantiates NAME.json's modules."""
    listed = list(names)
    read = [f"read_json {name}.json" for name in listed]
    before = [*read, *(f"blackbox {name}" for name in listed)]
    after = [*(f"delete ={name}" for name in listed), *read, f"hierarchy -check -top {top}"]
    return before, [*after, "flatten -noscopeinfo", "clean"]


def renamed(core: Netlist, module: str, path: Path, name: str) -> None:
    """Copy a netlist whose module gets another name: parametrised forms of one source have the same."""
    text = json.loads(core.json.read_text(encoding="utf-8"))
    text["modules"][name] = text["modules"].pop(module)
    path.write_text(json.dumps(text), encoding="utf-8")


def kept(key: str, make: Callable[[Path], Netlist]) -> Netlist:
    """Return the netlist of the cache, made at the first call; of a failure the log stays."""

    def folder(path: Path) -> None:
        try:
            make(path)
        finally:
            if (path / "yosys.log").exists():
                shutil.copyfile(path / "yosys.log", log_path(path))

    return Netlist(cached(key, ".net", folder))
