# SPDX-License-Identifier: Apache-2.0
"""A family's exponentiator is made of its multiplier's own header."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from perle.boards import exponentiator
from perle.cores.registry import families
from perle.flow import verible


@pytest.mark.parametrize("name", families())
def test_every_family_has_one(name: str) -> None:
    """Its style; that it elaborates without a warning is a rule of the house."""
    family = families()[name]
    made = exponentiator.source(family)
    assert made == exponentiator.source(family)
    assert made.read_text(encoding="utf-8") == exponentiator.text(family)
    verible.lint([made])


def test_its_text_is_written_to_the_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PERLE_CACHE", str(tmp_path))
    family = families()["orup"]
    made = exponentiator.source(family)
    assert made.is_relative_to(tmp_path)
    text = made.read_text(encoding="utf-8")
    assert text == exponentiator.text(family)
    assert text.endswith("\nendmodule\n")
    assert not re.search(r"\n\n\n|[ \t]\n|\(\n\n", text)


def test_a_new_parameter_of_the_multiplier_reaches_it(tmp_path: Path) -> None:
    family = families()["orup"]
    [source] = [one for one in family.files if one.stem == family.top]
    other = tmp_path / source.name
    line = "  parameter  int unsigned Contexts "
    text = source.read_text(encoding="utf-8")
    assert line in text
    other.write_text(text.replace(line, f"  parameter  bit          Extra = 1'b0,\n{line}"), encoding="utf-8")
    files = tuple(other if one == source else one for one in family.files)
    made = exponentiator.text(replace(family, files=files))
    assert "  parameter bit Extra = 1'b0,\n" in made
    assert "    .Extra(Extra),\n" in made
    other.write_text(text.replace("OperandBits", "Bits"), encoding="utf-8")
    with pytest.raises(ValueError, match="OperandBits"):
        exponentiator.text(replace(family, files=files))


HEADER = """
module perle_some_mul #(
  parameter  int unsigned Width = 64,
  parameter  bit          Extra = 1'b0,
  parameter  int unsigned Contexts = 1,
  parameter  int unsigned TagBits = 4,
  localparam int unsigned Guard = 2,
  localparam int unsigned OperandBits = Width + Guard,
  localparam int unsigned After = 3
) (
  parameter  int unsigned Inside = 5,
"""


def test_parameters_are_those_of_the_header_but_for_the_contracts(tmp_path: Path) -> None:
    source = tmp_path / "perle_some_mul.sv"
    source.write_text(HEADER, encoding="utf-8")
    own, derived = exponentiator.parameters(source)
    assert own == [("int unsigned", "Width", "64"), ("bit", "Extra", "1'b0")]
    assert derived == [("int unsigned", "Guard", "2"), ("int unsigned", "OperandBits", "Width + Guard")]


def test_its_name_and_its_files() -> None:
    family = families()["orup"]
    assert exponentiator.top(family) == "perle_orup_exp"
    assert exponentiator.source(family).name == "perle_orup_exp.sv"
    assert exponentiator.files(family)[-1] == exponentiator.source(family)
    assert set(family.files) < set(exponentiator.files(family))
