# SPDX-License-Identifier: Apache-2.0
"""Every family's exponentiator is what the frame makes of its multiplier."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from perle.cores.modexp import frame
from perle.cores.registry import families


@pytest.mark.parametrize("name", families())
def test_exponentiators_are_up_to_date(name: str) -> None:
    family = families()[name]
    assert frame.path(family).read_text(encoding="utf-8") == frame.text(family), (
        "run python -m perle.cores.modexp.frame --write"
    )


def test_a_new_parameter_of_the_multiplier_reaches_it(tmp_path: Path) -> None:
    family = families()["orup"]
    [source] = [one for one in family.files if one.stem == family.top]
    other = tmp_path / source.name
    line = "  parameter  int unsigned Contexts "
    text = source.read_text(encoding="utf-8")
    assert line in text
    other.write_text(text.replace(line, f"  parameter  bit          Extra = 1'b0,\n{line}"), encoding="utf-8")
    files = tuple(other if one == source else one for one in family.files)
    made = frame.text(replace(family, files=files))
    assert "  parameter bit Extra = 1'b0,\n" in made
    assert "    .Extra(Extra),\n" in made
    other.write_text(text.replace("OperandBits", "Bits"), encoding="utf-8")
    with pytest.raises(ValueError, match="OperandBits"):
        frame.text(replace(family, files=files))
