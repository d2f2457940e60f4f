# SPDX-License-Identifier: Apache-2.0
"""What the README says is so: its table is the generated one, its programs run."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from perle.boards.build import SIM, board_link, build_board
from perle.boards.memory import build_memory
from perle.boards.register_table import TABLE_BEGIN, readme_with_table
from perle.cores.registry import resolve, resolve_any
from perle.flow.tools import run, system_tool

README = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
ROOT = Path(__file__).resolve().parents[2]


def program(language: str, path: Path, index: int = 0) -> Path:
    texts = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    path.write_text(texts[index], encoding="utf-8")
    return path


def test_register_table() -> None:
    assert readme_with_table(README) == README
    assert README.count(TABLE_BEGIN) == 1
    assert "| 0x0038 | STATUS | r |" in README


def test_python_program(tmp_path: Path) -> None:
    build_board(resolve("orup:w64"))  # or the program would tell that it builds
    script = program("python", tmp_path / "power.py")
    output = run([sys.executable, script], cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}).stdout
    expected = pow(0x123456789ABCDEF, 65537, 0xF0E1D2C3B4A59687)
    assert re.fullmatch(rf"{expected:#x} in \d+ cycles\n", output)


def test_python_program_of_active_memory(tmp_path: Path) -> None:
    build_memory(resolve_any("reg_mul:booth"))
    script = program("python", tmp_path / "product.py", 1)
    output = run([sys.executable, script], cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}).stdout
    assert re.fullmatch(rf"{(3**160 * 5**110).bit_length()} bits in \d+ cycles\n", output)


def test_c_program(tmp_path: Path) -> None:
    config = resolve("orup:w64")
    build_board(config)
    source = program("c", tmp_path / "mul.c")
    flags = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", f"-I{SIM}"]
    run([system_tool("gcc"), *flags, source, board_link(config), "-o", tmp_path / "mul"])
    expected = 0x123456789ABCDEF * 0xFEDCBA987654321 % 0xF0E1D2C3B4A59687
    assert run([tmp_path / "mul"]).stdout == f"{expected:#x}\n"
