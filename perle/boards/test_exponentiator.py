# SPDX-License-Identifier: Apache-2.0
"""A family's exponentiator is made of its multiplier's own header."""

from __future__ import annotations

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
