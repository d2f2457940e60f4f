# SPDX-License-Identifier: Apache-2.0
"""Which modules and generate blocks of a design exist for some parameters, by slang.

Code in a module or a generate block that no tested parameters instantiate is not in the simulated model, so
that its coverage does not show that it was never executed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from perle.flow.places import extra
from perle.flow.tools import ToolError, ToolMissing
from perle.trust.state import COMMENT, MODULE

BLOCK = re.compile(r"\bbegin\s*:\s*(gen_\w+)")


def written(files: Sequence[Path]) -> set[str]:
    """Return the modules and the named generate blocks (`gen_…`) of sources."""
    texts = [COMMENT.sub(" ", path.read_text(encoding="utf-8")) for path in files]
    return {found[1] for text in texts for pattern in (MODULE, BLOCK) for found in pattern.finditer(text)}


def elaborated(files: Sequence[Path], top: str, params: Mapping[str, int]) -> set[str]:
    """Return the names of modules and generate blocks that exist for these parameters of `top`."""
    try:
        driver = import_module("pyslang.driver").Driver()
    except ImportError:
        raise ToolMissing("pyslang", extra("trust"), "elaborating hardware") from None
    driver.addStandardArgs()
    words = [
        "slang",
        *map(str, files),
        "--top",
        top,
        *(f"-G{name}={value}" for name, value in params.items()),
    ]
    if not (
        driver.parseCommandLine(" ".join(words)) and driver.processOptions() and driver.parseAllSources()
    ):
        raise ToolError("pyslang", f"{top} cannot be read")
    found: set[str] = set()

    def visit(symbol: Any) -> None:  # noqa: ANN401 - pyslang has no type annotations
        kind = str(symbol.kind).rpartition(".")[2]
        if kind in ("InstanceBody", "GenerateBlockArray"):
            found.add(symbol.name)
        if kind == "GenerateBlock" and not symbol.isUninstantiated:
            found.add(symbol.name)

    driver.createCompilation().getRoot().visit(visit)
    return found
