# SPDX-License-Identifier: Apache-2.0
"""Cached Yosys netlists: of a core alone, and of the core, unchanged, in a harness."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from perle.flow.cache import cached, log_path
from perle.flow.yosys import Netlist

# Yosys derives private names from those of neighbours, so that they grow along a row of registers: with 1,025
# registers to a netlist of 1.4 GB, which nextpnr cannot read. Names with seven suffixes are replaced by
# numbers.
DEEP = "*" + 7 * "_Q_*"
SHORT_NAMES = (f"rename -hide w:{DEEP} c:{DEEP}", "rename -enumerate -pattern deep_%")


def inserted(names: Iterable[str], top: str) -> tuple[list[str], list[str]]:
    """Return commands before and after the synthesis of `top`, which instantiates modules of NAME.json."""
    listed = list(names)
    read = [f"read_json {name}.json" for name in listed]
    before = [*read, *(f"blackbox {name}" for name in listed)]
    after = [*(f"delete ={name}" for name in listed), *read, f"hierarchy -check -top {top}"]
    return before, [*after, "flatten -noscopeinfo", "clean"]


def renamed(core: Netlist, module: str, path: Path, name: str) -> None:
    """Copy a netlist, renaming its module: differently parametrized copies would have the same name."""
    text = json.loads(core.json.read_text(encoding="utf-8"))
    text["modules"][name] = text["modules"].pop(module)
    path.write_text(json.dumps(text), encoding="utf-8")


def kept(key: str, make: Callable[[Path], Netlist]) -> Netlist:
    """Return a netlist from the cache, made at the first call; after a failure the log remains."""

    def folder(path: Path) -> None:
        try:
            make(path)
        finally:
            if (path / "yosys.log").exists():
                shutil.copyfile(path / "yosys.log", log_path(path))

    return Netlist(cached(key, ".net", folder))
