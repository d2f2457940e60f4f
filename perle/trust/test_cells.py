# SPDX-License-Identifier: Apache-2.0
"""Leaf cells without a proof are named: those that contain no module and are not among the proved ones."""

from __future__ import annotations

from pathlib import Path

from perle.cores.registry import families
from perle.trust import cells


def test_leaves_contain_no_other_module(tmp_path: Path) -> None:
    texts = {
        "perle_a": "module perle_a; perle_b #(.N(1)) u_b (.x); perle_c u_c (.x); endmodule",
        "perle_b": "module perle_b; // perle_c u_c (.x)\n endmodule",
        "perle_c": "module perle_c import perle_pkg::*; (); endmodule",
        "perle_pkg": "package perle_pkg; endpackage",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.sv").write_text(text, encoding="utf-8")
    assert cells.leaves(sorted(tmp_path.iterdir())) == ["perle_b", "perle_c"]


def test_a_cell_is_proved_or_named() -> None:
    proved = {Path(cell.file).stem for cell in cells.CELLS}
    left = cells.unproved()
    for name, family in families().items():
        leaves = set(cells.leaves(family.files))
        assert set(left[name]) == leaves - proved
        assert all((family.folder / f"{leaf}.sv").is_file() for leaf in leaves & proved)
    assert "perle_orup_chain" in left["orup"]
    assert "orup (" in cells.without_proof()
