# SPDX-License-Identifier: Apache-2.0
"""`make check-changed`: the tests that a change reaches.

A file has changed if it says something else than it did at a commit: a comment, a docstring or a reflow
changes nothing. A test is reached if its module is, or imports, what changed, however indirectly; by anything
else than Python in the folder of a module that it imports; and by a core's family if it names it. The house
rules are always run. What is common to all cores, and what starts all tests, reaches everything.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from perle.results.canonical import fingerprint_of
from tests.house import ROOT, files
from tests.imports import imports
from tests.quick import keep

CORES = Path("perle/cores")
FOLDERS = CORES, Path("perle/pam")
COMMON = (CORES / "prim", CORES / "modexp", FOLDERS[1] / "mod_product", Path("perle/verify"))
STARTS_ALL = {"conftest.py", "pyproject.toml", "Makefile", "requirements.lock", "requirements-build.lock"}
ALWAYS = "tests/test_house"
# Whose tests are those of what lies in another folder than the modules that use it.
SITE = Path("docs/site/build.py")
USED_BY = {
    Path("docs/site"): SITE,
    Path("host"): Path("perle/flow/host_make.py"),
    Path("results"): Path("perle/results/__init__.py"),
    Path("docs"): Path("tests/test_readme.py"),
    Path("README.md"): Path("tests/test_readme.py"),
}


def _git(*words: str) -> bytes:
    return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, check=True).stdout


def changed_since(commit: str) -> set[Path]:
    """Return the files that say something else than they did at a commit, new and removed ones too."""
    names = _git("diff", "--name-only", "--no-renames", "-z", commit)
    names += _git("ls-files", "--others", "--exclude-standard", "-z")
    return {Path(name) for name in names.decode().split("\0") if name and _differs(Path(name), commit)}


def _differs(path: Path, commit: str) -> bool:
    before = subprocess.run(
        ["git", "-C", str(ROOT), "show", f"{commit}:{path}"], capture_output=True, check=False
    )
    now = ROOT / path
    if before.returncode != 0 or not now.is_file():
        return True
    return fingerprint_of(path.suffix, before.stdout) != fingerprint_of(path.suffix, now.read_bytes())


@cache
def _modules() -> dict[str, Path]:
    """Every module of the checkout by its dotted name."""
    found = {}
    for path in files(".py"):
        place = path.relative_to(ROOT)
        parts = place.parent.parts if place.name == "__init__.py" else place.with_suffix("").parts
        found[".".join(parts)] = place
    return found


@cache
def _imports(module: Path) -> frozenset[Path]:
    """Return what a module imports of the checkout, the packages on the way too."""
    found: set[Path] = set()
    for name in imports(ROOT / module, ROOT):
        parts = name.split(".")
        dotted = (".".join(parts[:end]) for end in range(1, len(parts) + 1))
        found |= {_modules()[one] for one in dotted if one in _modules()}
    return frozenset(found)


@cache
def reach(module: Path) -> frozenset[Path]:
    """Return a module and all that it imports, however indirectly."""
    found, waiting = set(), [module]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += _imports(one)
    return frozenset(found)


def reached(tests: Iterable[str], changed: Iterable[Path]) -> set[str]:
    """Return the tests (node ids) that changed files reach."""
    every, found = set(tests), set(changed)
    if not found:
        return set()
    if any(str(one) in STARTS_ALL or any(one.is_relative_to(common) for common in COMMON) for one in found):
        return every
    families = {one.parent.name for one in found if one.parent.parent in FOLDERS}
    data = {user for one in found if one.suffix != ".py" for user in _users(one)}
    return {test for test in every if test.startswith(ALWAYS) or _is_reached(test, found, families, data)}


def _users(path: Path) -> set[Path]:
    """Return where the modules are that use a file: its folder, or what stands for it; of a page, two."""
    user = next((user for folder, user in USED_BY.items() if path.is_relative_to(folder)), path.parent)
    return {user, SITE} if path.suffix == ".md" else {user}


def _is_reached(test: str, changed: set[Path], families: set[str], data: set[Path]) -> bool:
    module, _, case = test.partition("::")
    used = reach(Path(module))
    named = any(
        family in case or any(Path(module).is_relative_to(folder / family) for folder in FOLDERS)
        for family in families
    )
    return named or bool(used & changed) or any(one in data or one.parent in data for one in used)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--changed", metavar="COMMIT", help="only what the changes since a commit reach")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what no change reaches, after --quick has chosen among all tests."""
    commit = config.getoption("--changed")
    if commit is None:
        return
    wanted = reached((item.nodeid for item in items), changed_since(commit))
    keep(wanted, config, items)
