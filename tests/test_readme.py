# SPDX-License-Identifier: Apache-2.0
"""README.md is one screen, and the examples of docs/use.md run as they stand there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from perle.report.readme import MARKERS
from tests import house

README = house.text_of(house.ROOT / "README.md")
USE = house.text_of(house.ROOT / "docs" / "use.md")
MOST_LINES, MOST_ROWS, MOST_COLUMNS = 60, 10, 7


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a folder that looks to the examples like the repository: they leave their files in it."""
    for part in (".venv", "host", "perle", "build"):
        (tmp_path / part).symlink_to(house.ROOT / part)
    return tmp_path


def shell(script: str, place: Path) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=place,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
        timeout=1200,
    ).stdout


def test_the_readme_is_one_screen() -> None:
    [first] = house.blocks("sh", README)
    assert [line.split("#")[0].strip() for line in first.splitlines()] == ["make rsa", "make test"]
    assert len(README.splitlines()) <= MOST_LINES
    tables = [match["body"].splitlines() for match in MARKERS.finditer(README)]
    assert all(len(table) > 2 for table in tables)
    assert 0 < sum(len(table) - 2 for table in tables) <= MOST_ROWS
    assert all(line.count("|") <= 1 + MOST_COLUMNS for table in tables for line in table)


@pytest.mark.slow
def test_commands_in_the_readme(place: Path) -> None:
    commands = re.findall(r"`(perle [^`]+)`", README)
    assert len(commands) >= 3
    for command in commands:
        assert shell(command, place)
    assert (place / "ip" / "README.md").is_file()


@pytest.mark.slow
def test_shell_and_python_examples(place: Path) -> None:
    [first, second, _] = house.blocks("sh", USE)
    output = shell(first, place)
    m = 0xF123456789ABCDEF
    assert f"{pow(3, 0x10001, m):x}" in output
    assert "Verified OK" in output
    # place and route takes minutes, and stores what it finds
    lines = [line for line in second.splitlines() if not line.startswith("perle measure")]
    output = shell("\n".join(lines), place)
    assert "1000 decimals" in output
    assert "bits of product" in output

    [python] = house.blocks("python", USE)
    (place / "example.py").write_text(python)
    lines = shell(f"{sys.executable} example.py", place).splitlines()
    assert lines[0].split()[0] == "15"
    assert lines[1].split()[0] == "True"


@pytest.mark.slow
def test_c_example(place: Path) -> None:
    [program] = house.blocks("c", USE)
    (place / "example.c").write_text(program)
    output = shell(house.blocks("sh", USE)[2].replace("make -C host\n", "make -C host >&2\n"), place)
    assert f"{pow(3, 0x10001, 0xF123456789ABCDEF):016x} in " in output
