# SPDX-License-Identifier: Apache-2.0
"""Style and types, as their tools see them; each is also shown a file that breaks the rule."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from perle.flow import verible
from perle.flow.tools import ToolError, run, venv_tool
from tests import house

CPP = (".c", ".cpp", ".h", ".hpp")
CONFIG = house.ROOT / "pyproject.toml"


def ruff(*args: str | Path) -> None:
    run([venv_tool("ruff"), *args, "--config", CONFIG, "--no-cache"], cwd=house.ROOT)


def mypy(*args: str | Path) -> None:
    run([sys.executable, "-m", "mypy", "--config-file", CONFIG, *args], cwd=house.ROOT)


def clang_format(paths: list[Path]) -> None:
    run(
        [
            venv_tool("clang-format"),
            f"--style=file:{house.ROOT / '.clang-format'}",
            "--dry-run",
            "-Werror",
            *paths,
        ]
    )


def test_python_style() -> None:
    ruff("check", *house.files(".py"))


def test_python_format() -> None:
    ruff("format", "--check", *house.files(".py"))


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ('"""Doc."""\n\nimport os\n', "F401"),
        ('"""Doc."""\n\n\ndef public() -> None:\n    print(1)\n', "D103"),
        (f'"""Doc {"x" * 110}."""\n', "E501"),
    ],
)
def test_python_style_can_fail(tmp_path: Path, text: str, rule: str) -> None:
    bad = tmp_path / "a.py"
    bad.write_text(text)
    with pytest.raises(ToolError, match=rule):
        ruff("check", bad)


def test_python_format_can_fail(tmp_path: Path) -> None:
    bad = tmp_path / "a.py"
    bad.write_text("x = [ 1,2 ]\n")
    with pytest.raises(ToolError, match="would be reformatted"):
        ruff("format", "--check", bad)


def test_python_types() -> None:
    mypy(*house.files(".py"))


def test_python_types_can_fail(tmp_path: Path) -> None:
    bad = tmp_path / "a.py"
    bad.write_text("def f(x):\n    return x\n")
    with pytest.raises(ToolError, match="no-untyped-def"):
        mypy("--cache-dir", tmp_path, bad)


def test_cpp_format() -> None:
    clang_format(house.files(*CPP))


def test_cpp_format_can_fail(tmp_path: Path) -> None:
    bad = tmp_path / "a.cpp"
    bad.write_text("int f( ){return 1 ;}\n")
    with pytest.raises(ToolError, match="clang-format-violations"):
        clang_format([bad])


def test_systemverilog_style() -> None:
    verible.lint(house.files(".sv", ".svh"))


def test_systemverilog_style_can_fail(tmp_path: Path) -> None:
    bad = tmp_path / "a.sv"
    bad.write_text("module b (input logic clk);\nendmodule\n")
    with pytest.raises(
        ToolError, match=r"module-filename(.|\n)*port-name-suffix|port-name-suffix(.|\n)*module-filename"
    ):
        verible.lint([bad])


MERGED = {"perle_stream_digit_mux.sv", "perle_stream_mul.sv", "perle_stream_results.sv"}
"""Files whose copies synthesis merges: the NOTES.md of their family tells why."""
KEPT_VARIABLE = re.compile(r"\(\* keep \*\)\s*logic\b[^;]*_q\b")


def test_copies_of_registers_are_kept_at_their_process() -> None:
    """Synthesis passes the attribute of a process to its registers, but not that of a variable."""
    found = {path.name for path in house.files(".sv") if KEPT_VARIABLE.search(house.text_of(path))}
    assert found == MERGED


def test_the_search_for_kept_variables_can_fail() -> None:
    assert KEPT_VARIABLE.search("(* keep *) logic [3:0] first_q;")
    assert KEPT_VARIABLE.search("(* keep *) logic clear_q, step_q;")
    assert not KEPT_VARIABLE.search("(* keep *) always_ff @(posedge clk_i) first_q <= next;")
    assert not KEPT_VARIABLE.search("(* keep *) logic [3:0] base;\n  logic first_q;")
