# SPDX-License-Identifier: Apache-2.0
"""Nothing points back: the contracts of pyproject.toml for sources, and two rules that they cannot state.

import-linter names modules, not files: that a test may use more than what it tests is no rule of its own, nor
is that a module has the standard library alone.
"""

from __future__ import annotations

import shutil
import sys
import tomllib
from pathlib import Path

import pytest

from perle.flow.tools import ToolError, run, venv_tool
from tests import house
from tests.imports import imports, module_name

CONFIG = house.ROOT / "pyproject.toml"
LAYERS = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"][0]["layers"]
ORDER = {part: place for place, layer in enumerate(reversed(LAYERS)) for part in layer.split(" | ")}
"""The place of every part, the lowest first."""

ALONE = {"spec", "tables", "flow", "papers"}
"""The lowest parts: their tests use nothing above them. Those of others have testbenches, boards, flows."""


def is_test(path: Path) -> bool:
    return path.name.startswith("test_") or path.name == "conftest.py"


def modules(*, tests: bool) -> list[Path]:
    return [
        one
        for one in house.files(".py")
        if one.is_relative_to(house.ROOT / "perle") and is_test(one) is tests
    ]


def lint(folder: Path) -> None:
    run([venv_tool("lint-imports"), "--config", CONFIG, "--no-cache", "--no-logo"], cwd=folder)


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """Return a folder with the package, without its tests."""
    for path in modules(tests=False):
        copy = tmp_path / path.relative_to(house.ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    return tmp_path


def test_layers(sources: Path) -> None:
    lint(sources)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("cores/orup/model.py", "from perle.flow import verilator"),
        ("cores/orup/model.py", "from ...flow import verilator"),
        ("cores/orup/model.py", "def f() -> None:\n    from perle.papers import load"),
        ("flow/yosys.py", "from perle.cores import registry"),
        ("flow/yosys.py", "from perle.tables import Table"),
        ("pam/reg_mul/model.py", "import perle.flow.verilator"),
        ("boards/build.py", "from perle.host import Boards"),
        ("host/_lib.py", "from perle.cli import main"),
        ("host/_lib.py", "from perle.verify import word"),
        ("apps/rsa.py", "from perle.results import Store"),
        ("report/costs.py", "from perle.flow import tools"),
        ("papers/__init__.py", "from perle.cores.registry import families"),
        ("__init__.py", "from perle.cli import main"),
        ("misc.py", "import os"),
    ],
)
def test_layers_can_fail(sources: Path, name: str, line: str) -> None:
    with (sources / "perle" / name).open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
    with pytest.raises(ToolError, match=r"is not allowed to import|Illegal imports|perle\.misc"):
        lint(sources)


def beyond(path: Path, root: Path) -> list[str]:
    """Return what a test imports that is above both what it tests and the testbenches."""
    part = module_name(path, root).split(".")[1]
    highest = ORDER[part] if part in ALONE else max(ORDER[part], ORDER["verify"])
    used = (name.split(".")[1] for name in imports(path, root) if name.startswith("perle."))
    return [one for one in used if ORDER.get(one, 0) > highest]


def test_tests_use_nothing_above_them() -> None:
    paths = modules(tests=True)
    assert len(paths) > 10
    assert {path: found for path in paths if (found := beyond(path, house.ROOT))} == {}


@pytest.mark.parametrize(
    ("name", "line", "found"),
    [
        ("cores/orup/test_rtl.py", "from perle.flow import verilator\nfrom perle.verify import word", []),
        ("cores/orup/test_rtl.py", "from perle.host import Boards", ["host"]),
        ("boards/test_board.py", "import cocotb\nfrom perle.papers import load", []),
        ("cli/test_cli.py", "from perle import __version__\nfrom perle.measure import check", []),
        ("flow/test_flow.py", "from perle.verify import word", ["verify"]),
    ],
)
def test_tests_can_fail(tmp_path: Path, name: str, line: str, found: list[str]) -> None:
    path = tmp_path / "perle" / name
    path.parent.mkdir(parents=True)
    path.write_text(line, encoding="utf-8")
    assert beyond(path, tmp_path) == found


def test_the_oracle_depends_on_nothing() -> None:
    used = {name.partition(".")[0] for name in imports(house.ROOT / "perle" / "spec.py", house.ROOT)}
    assert used <= sys.stdlib_module_names
