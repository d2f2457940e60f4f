# SPDX-License-Identifier: Apache-2.0
"""The order of the house, read from the imports: one direction, nothing points back."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable
from pathlib import Path

# part → the parts it may import, besides itself. What is not named here has no place in the order.
ALLOWED: dict[str, set[str]] = {
    "spec": set(),
    "tables": set(),
    "papers": {"spec"},
    "cores": {"spec"},
    "pam": {"spec", "cores"},
    "flow": set(),
    "boards": {"spec", "cores", "pam", "flow"},
    "host": {"spec", "cores", "pam", "flow", "boards"},
    "apps": {"spec", "cores", "pam", "flow", "boards", "host"},
    "generate": {"spec", "cores", "pam", "flow", "boards"},
    "verify": {"spec", "cores", "pam", "flow", "boards", "host", "generate"},
    "measure": {"spec", "cores", "pam", "flow", "boards", "host", "generate", "verify", "results"},
    "results": {"spec", "cores", "pam", "flow", "boards"},
    "report": {"spec", "papers", "cores", "results"},
    "cli": {
        *("spec", "papers", "cores", "pam", "flow", "boards", "host", "generate", "verify"),
        *("apps", "measure", "results", "report"),
    },
}

# Tests sit beside what they test and use flows to do so; those of the lowest parts stay by themselves.
TESTS_MAY: set[str] = {"spec", "papers", "cores", "pam", "flow", "boards", "verify"}
TESTS_ALONE: set[str] = {"spec", "flow", "papers"}

# Anything may ask what is right and which cores there are, and make a table.
OPEN: set[str] = {"perle.spec", "perle.tables", "perle.cores.registry"}
OPEN_BUT_NOT_TO: set[str] = {"spec", "tables", "flow", "papers"}


def part_of(module: str) -> str:
    """Return the part of the house that a dotted module name belongs to; `` for the package itself."""
    names = module.split(".")
    return names[1] if len(names) > 1 else ""


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


def is_test(path: Path) -> bool:
    """Whether a file is part of the tests."""
    return path.name.startswith("test_") or path.name == "conftest.py"


def layering(paths: Iterable[Path], root: Path) -> list[str]:
    """Find imports that point back, and modules that have no place in the order."""
    found = []
    for path in paths:
        part = part_of(module_name(path, root))
        if part and part not in ALLOWED:
            found.append(f"{path}: {part} has no place in the order of the house")
            continue
        found += [f"{path}: {part or 'perle'} {why}" for why in _faults(path, part, root)]
    return found


def _faults(path: Path, part: str, root: Path) -> list[str]:
    allowed = {part, *ALLOWED.get(part, set())}
    if is_test(path) and part not in TESTS_ALONE:
        allowed |= TESTS_MAY
    faults = []
    for name in imports(path, root):
        if name.split(".")[0] != "perle":
            if part == "spec" and not is_test(path) and name.split(".")[0] not in sys.stdlib_module_names:
                faults.append(f"imports {name}: the oracle depends on nothing")
            continue
        is_open = any(name == free or name.startswith(f"{free}.") for free in OPEN)
        if is_open and part not in OPEN_BUT_NOT_TO:
            continue
        # `from perle import host` imports a part, `from perle import __version__` does not.
        if part_of(name) and part_of(name) not in allowed and part_of(name) != "__version__":
            faults.append(f"imports {name}, which is not below it")
    return faults
