# SPDX-License-Identifier: Apache-2.0
"""What of a source decides: the same for comments and layout, another for everything else."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.cores.registry import CORES
from perle.results.canonical import fingerprint

SV = """// what it is
`define WIDE 18
module leaf #(parameter int unsigned N = 4) (input logic [N-1:0] a_i, output logic [N-1:0] z_o);
  localparam logic [7:0] K = 8'hA5; // why
  always_comb z_o = a_i ^ (K[N-1:0] & ~a_i); /* over
    two lines */
  initial $display("// no comment: %d", K);
  always @(*) ;
endmodule
"""

C = """#include <x.h>
#define TWICE(a) \\
  ((a) + (a))
// why
static int f(int a) { return a == '"' ? TWICE(a) : 0; }
"""

PYTHON = '''"""What it is."""
def cycles(width: int) -> int:
    """Return the cycles."""
    return 2 * width + 3  # two passes
NOTE = """kept"""
"""What the note is for."""
'''


def of(folder: Path, suffix: str, text: str) -> str:
    path = folder / f"file{suffix}"
    path.write_text(text)
    return fingerprint(path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("// what it is", ""),
        ("// why", "/* a reason */"),
        ("a_i ^ (K", "a_i^(\n    K"),
        ("  always_comb", '(* src = "leaf.sv:5" *) always_comb'),
        ("`define WIDE 18", "`define WIDE \\\n  18"),
        ("endmodule\n", "endmodule"),
    ],
)
def test_hardware_that_reads_otherwise_is_the_same(tmp_path: Path, old: str, new: str) -> None:
    assert old in SV
    assert of(tmp_path, ".sv", SV.replace(old, new)) == of(tmp_path, ".sv", SV)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a_i ^ (", "a_i | ("),
        ("& ~", "~& "),
        ("N = 4", "N = 5"),
        ("8'hA5", "8'hA4"),
        ("K = ", "L = "),
        ("`define WIDE 18", "`define WIDE 17"),
        ("`define WIDE 18\n", "`define WIDE 18 "),
        ("// no comment", "//  no comment"),
        ("  always_comb", "(* keep *) always_comb"),
        ("// why", "// synthesis translate_off"),
        ("@(*)", "@(a_i)"),
    ],
)
def test_hardware_that_is_otherwise_is_another(tmp_path: Path, old: str, new: str) -> None:
    assert old in SV
    assert of(tmp_path, ".sv", SV.replace(old, new)) != of(tmp_path, ".sv", SV)


def test_c_by_its_tokens(tmp_path: Path) -> None:
    base = of(tmp_path, ".cpp", C)
    for old, new in (("// why\n", ""), ("a) { ", "a)\n{\n"), ("\\\n  ((a)", "((a)")):
        assert of(tmp_path, ".cpp", C.replace(old, new)) == base, old
    for old, new in (("<x.h>\n", "<x.h> "), ("'\"'", "'/'"), ("(a) + (a)", "(a) * (a)"), (": 0", ": 1")):
        assert of(tmp_path, ".cpp", C.replace(old, new)) != base, old


def test_python_by_its_tree(tmp_path: Path) -> None:
    base = of(tmp_path, ".py", PYTHON)
    for old, new in (
        ("  # two passes", ""),
        ('"""Return the cycles."""\n    ', ""),
        ("What it is", "That"),
        ("note is", "text is"),
    ):
        assert of(tmp_path, ".py", PYTHON.replace(old, new)) == base, old
    for old, new in (
        ("2 * width", "3 * width"),
        ("kept", "lost"),
        ("+ 3", "- 3"),
        ("width: int", "width: float"),
    ):
        assert of(tmp_path, ".py", PYTHON.replace(old, new)) != base, old


def test_anything_else_by_its_bytes(tmp_path: Path) -> None:
    assert of(tmp_path, ".lib", "a b") != of(tmp_path, ".lib", "a  b")


@pytest.mark.parametrize("path", sorted(CORES.parent.rglob("*.sv")), ids=lambda path: path.stem)
def test_every_file_of_ours_without_its_comments_is_the_same(path: Path, tmp_path: Path) -> None:
    """Comments of whole lines go, layout goes; a token of each file changed is seen."""
    lines = path.read_text().splitlines()
    bare = "\n".join(" ".join(line.split()) for line in lines if not line.lstrip().startswith("//"))
    copy = tmp_path / path.name
    copy.write_text(bare)
    assert fingerprint(copy) == fingerprint(path)
    copy.write_text(f"{bare}\nwire")
    assert fingerprint(copy) != fingerprint(path)
