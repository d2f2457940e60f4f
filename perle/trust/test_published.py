# SPDX-License-Identifier: Apache-2.0
"""The families' own vectors: as the command writes them, computed by cores and models, and able to fail."""

from __future__ import annotations

import json
from math import inf
from pathlib import Path
from typing import Any

import pytest

from perle.cores.registry import Family, families
from perle.flow.tools import ToolError
from perle.trust import published
from perle.trust.published import KINDS, check_hardware, check_model, path, read
from perle.trust.vectors import measure_family

MOST_BYTES = 60_000
FAMILIES = [pytest.param(family, id=name) for name, family in families().items()]


def narrowest(family: Family) -> dict[str, Any]:
    """Return the set with the narrowest modulus."""
    found: dict[str, Any] = min(read(family), key=lambda one: one["width"])
    return found


@pytest.mark.parametrize("family", FAMILIES)
def test_files_are_what_the_command_writes(family: Family) -> None:
    assert published.current(family)
    assert path(family).stat().st_size <= MOST_BYTES


@pytest.mark.parametrize("family", FAMILIES)
def test_numbers_are_those_of_the_contract(family: Family) -> None:
    for one in read(family):
        r = 1 << one["r_exp"]
        for entry in one["moduli"]:
            m, limit = int(entry["m"], 16), int(entry["limit"], 16)
            rows = {kind: [[int(text, 16) for text in row] for row in entry[kind]] for kind in KINDS}
            assert all((x * y - z * r) % m == 0 and max(x, y) < limit for x, y, z in rows["multiply"])
            assert all((y - z * r) % m == 0 and y < limit for y, z in rows["reduce"])
            assert all((x * y - z) % m == 0 and max(x, y) < m for x, y, z in rows["product"])
            assert all(row[-1] < m for kind in KINDS for row in rows[kind])


@pytest.mark.parametrize("family", FAMILIES)
def test_edges_are_there(family: Family) -> None:
    for one in read(family):
        full = 1 << one["width"]
        moduli = [int(entry["m"], 16) for entry in one["moduli"]]
        assert {full - 1, full // 2 + 1, full // 2 - 1, 3} < set(moduli)
        assert {(m % 4, m >= full // 2) for m in moduli} == {(1, True), (3, True), (1, False), (3, False)}
        for entry, m in zip(one["moduli"], moduli, strict=True):
            used = {int(text, 16) for row in entry["multiply"] for text in row[:2]}
            assert {0, 1, m - 1, int(entry["limit"], 16) - 1} <= used


@pytest.mark.parametrize("family", FAMILIES)
def test_cores_and_models_compute_them(family: Family) -> None:
    """The narrowest set; `perle trust vectors` checks the others."""
    one = narrowest(family)
    config = family.config(one["configurations"][0])
    for done, times in ((check_hardware(config, one), 1), (check_model(config, one), 2)):
        assert done.failed == []
        assert done.values == times * published.values(one) > 50
    assert check_hardware(config, one).operations > published.values(one)


@pytest.mark.parametrize("kind", KINDS)
def test_a_wrong_number_is_seen(kind: str, tmp_path: Path) -> None:
    family = families()["orup"]
    whole = published.made(family)
    whole["sets"] = whole["sets"][:1]
    row = whole["sets"][0]["moduli"][0][kind][0]
    row[-1] = f"{int(row[-1], 16) ^ 1:x}"
    file = tmp_path / published.NAME
    file.write_text(json.dumps(whole), encoding="utf-8")
    one = measure_family(family, inf, 1, file)
    assert one.failures == 3  # of the hardware, and of the model's two formulas
    assert one.counts["checked"] == one.counts["planned"] > 50


def test_a_product_out_of_range_is_seen() -> None:
    family = families()["orup"]
    one = narrowest(family)
    one["moduli"] = [{**entry, "limit": "1"} for entry in one["moduli"]]
    failed = check_hardware(family.config(one["configurations"][0]), one).failed
    assert any("the product of" in text for text in failed)


@pytest.mark.parametrize(
    "content",
    [
        None,
        "",
        "{}",
        '{"sets": []}',
        '{"sets": [{}]}',
        '{"sets": [{"configurations": ["w64"], "moduli": []}]}',
    ],
)
def test_a_file_without_vectors_is_an_error(content: str | None, tmp_path: Path) -> None:
    file = tmp_path / published.NAME
    if content is not None:
        file.write_text(content, encoding="utf-8")
    with pytest.raises(ToolError, match=r"vectors\.json"):
        measure_family(families()["orup"], inf, 1, file)


def test_a_file_that_the_command_does_not_write_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(published, "text", lambda family: f"other vectors of {family.name}")
    one = measure_family(families()["orup"], 0, 1)
    assert one.failed == ["vectors.json is not what the command writes"]


def test_a_record_depends_on_the_file() -> None:
    one = measure_family(families()["orup"], 0, 1)
    assert "cores/orup/vectors.json" in one.files
    assert 0 < one.counts["checked"] < one.counts["planned"]
