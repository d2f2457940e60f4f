# SPDX-License-Identifier: Apache-2.0
"""What a module imports, read from its text."""

from __future__ import annotations

import ast
from pathlib import Path


def module_name(path: Path, root: Path) -> str:
    """Return the dotted name of a file below `root`, the folder that holds the package."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path, root: Path) -> list[str]:
    """Return the dotted names that a file imports, `a.b.c` for `from a.b import c`."""
    found: list[str] = []
    here = module_name(path, root).split(".")
    if path.name != "__init__.py":
        here = here[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            near = here[: len(here) - node.level + 1] if node.level else []
            base = ".".join([*near, *([node.module] if node.module else [])])
            found += [f"{base}.{alias.name}" for alias in node.names]
    return found
