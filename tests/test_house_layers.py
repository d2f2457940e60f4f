# SPDX-License-Identifier: Apache-2.0
"""Nothing points back: the order of the parts, read from their imports."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import house, layers


def test_layering() -> None:
    paths = [path for path in house.files(".py") if path.is_relative_to(house.ROOT / "perle")]
    assert len(paths) > 10
    assert layers.layering(paths, house.ROOT) == []


def test_order_has_no_circle() -> None:
    below: dict[str, set[str]] = {}
    while len(below) < len(layers.ALLOWED):
        ready = {part for part, uses in layers.ALLOWED.items() if part not in below and uses <= below.keys()}
        assert ready, f"a circle among {layers.ALLOWED.keys() - below.keys()}"
        below |= {part: layers.ALLOWED[part] for part in ready}


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("cores/orup/model.py", "from perle.flow import verilator"),
        ("cores/orup/model.py", "import perle.flow.verilator"),
        ("cores/orup/model.py", "from perle import boards"),
        ("cores/orup/model.py", "from ...flow import verilator"),
        ("cores/orup/model.py", "def f() -> None:\n    from perle.papers import load"),
        ("flow/yosys.py", "from perle.cores import registry"),
        ("flow/test_flow.py", "from perle.cores import registry"),
        ("flow/yosys.py", "from perle import papers"),
        ("boards/build.py", "from perle.host import Boards"),
        ("host/_lib.py", "from perle.cli import main"),
        ("report/table.py", "from perle.flow import run"),
        ("report/table.py", "from perle.host import Boards"),
        ("papers/__init__.py", "from perle.cores.registry import families"),
        ("spec.py", "import rich"),
        ("spec.py", "from perle.cores.registry import families"),
        ("__init__.py", "from perle.cli import main"),
        ("misc.py", "import os"),
    ],
)
def test_layering_can_fail(tmp_path: Path, name: str, line: str) -> None:
    path = tmp_path / "perle" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(line)
    assert len(layers.layering([path], tmp_path)) == 1


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("cores/orup/model.py", "from perle.spec import mont\nfrom perle.cores import registry\nimport os"),
        ("cores/orup/test_rtl.py", "from perle.flow import verilator\nfrom perle.verify import bench"),
        ("cores/orup/model.py", "from . import model\nfrom ..registry import Config"),
        ("report/table.py", "from perle.cores.registry import families\nfrom perle import spec"),
        ("host/key.py", "from perle.host._lib import library\nfrom perle.boards import build"),
        ("cli/main.py", "from perle import __version__\nfrom perle.host import Boards"),
        ("__init__.py", "import os"),
        ("boards/test_board.py", "import cocotb\nfrom perle.papers import load"),
    ],
)
def test_layering_lets_pass(tmp_path: Path, name: str, line: str) -> None:
    path = tmp_path / "perle" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(line)
    assert layers.layering([path], tmp_path) == []
