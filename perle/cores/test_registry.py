# SPDX-License-Identifier: Apache-2.0
"""The catalogue: ids and names are one family's, and what is of another kind is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from perle.cores.registry import UnknownCoreError, catalogue, every, resolve, resolve_memory


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
