# SPDX-License-Identifier: Apache-2.0
"""The lineage is in chronological order, and correctly states which later system is better."""

from __future__ import annotations

import tomllib
from dataclasses import replace

import pytest

from perle.cores.registry import resolve_any
from perle.papers import LINEAGE, keys
from perle.report import lineage, lineage_svg
from perle.report.lineage import System
from perle.results.view import View

OLD = System(1990, "A", "", "a:w1", 10, 10, 100.0, None, 100.0)
FASTER = replace(OLD, year=2000, name="B", core="b:w1", latency=5, luts=400.0)
SMALLER = replace(OLD, year=2010, name="C", core="c:w1", luts=50.0)


def test_what_overtook() -> None:
    found = [OLD, FASTER, SMALLER]
    assert lineage.overtaken(found, 0, lambda one: one.product_us) == "2000 B, b: 2 times"
    assert lineage.overtaken(found, 0, lambda one: one.lut_us) == "2010 C, c: 2 times"
    assert lineage.overtaken(found, 1, lambda one: one.product_us) == ""
    assert lineage.overtaken([replace(OLD, mhz=None), FASTER], 0, lambda one: one.lut_us) == ""


def test_every_paper_stands_in_the_order_of_time() -> None:
    read = tomllib.loads(LINEAGE.read_text(encoding="utf-8"))
    found = lineage.systems(View())
    assert {one["paper"] for one in read["system"]} == {*keys(), "Perle"}
    assert [one.year for one in found] == sorted(one.year for one in found)
    assert all(abs(resolve_any(one.core).width - read["bits"]) <= 2 for one in found)


@pytest.mark.recorded
def test_every_system_is_measured_and_the_picture_drawn() -> None:
    found = lineage.systems(View())
    assert all(one.lut_us and one.product_us for one in found)
    assert lineage_svg.draw(found) == lineage_svg.PICTURE.read_text(encoding="utf-8")
    assert lineage_svg.draw([*found[:-1], replace(found[-1], mhz=1.0)]) != lineage_svg.draw(found)
