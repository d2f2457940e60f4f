# SPDX-License-Identifier: Apache-2.0
"""The catalogue: ids and names are unique, and a family of the wrong kind is reported as such."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from perle.cores.registry import (
    CORES,
    UnknownCoreError,
    catalogue,
    every,
    load,
    resolve,
    resolve_memory,
)


def test_the_families_there_are_have_ids_of_their_own() -> None:
    assert list(catalogue(every().values())) == list(every())


@pytest.mark.parametrize("what", ["id", "name"])
def test_what_two_families_share_is_refused_with_both(what: str) -> None:
    orup, stream = every()["orup"], every()["stream"]
    same = replace(stream, **{what: getattr(orup, what)})
    with pytest.raises(ValueError, match=f"orup.*stream.*{what} {getattr(orup, what)}"):
        catalogue([orup, same])


def test_a_family_of_the_other_kind_is_told() -> None:
    with pytest.raises(UnknownCoreError, match=r"reg_mul is an active memory.*perle show reg_mul"):
        resolve("reg_mul:booth")
    with pytest.raises(UnknownCoreError, match="orup is a multiplier"):
        resolve_memory("orup:w64")
    with pytest.raises(UnknownCoreError, match="no core family"):
        resolve("nothing:w64")


TOML = (CORES / "orup" / "core.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('title = "', 'tittle = "', "`tittle`.*core"),
        ("id = 1\n", 'id = "one"\n', r"Expected `int`, got `str`.*\$\.core\.id"),
        ("id = 1\n", "", "missing required field `id`"),
        ("default = 1024", "defaults = 1024", r"`defaults`.*\$\.params"),
        ("[configs]", "[configurations]", "`configurations`"),
        ("id = 1\n", "id = 1 1\n", "line"),
    ],
)
def test_a_faulty_core_toml_is_told(old: str, new: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "core.toml"
    path.write_text(TOML, encoding="utf-8")
    assert load(path).configs == every()["orup"].configs
    assert old in TOML
    path.write_text(TOML.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ValueError, match=f"(?s)core.toml: .*{told}"):
        load(path)
