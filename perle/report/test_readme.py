# SPDX-License-Identifier: Apache-2.0
"""The tables in the READMEs match the data, and an outdated one is detected."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from perle.cores.registry import families, resolve
from perle.papers import load
from perle.report import readme
from perle.results import Store, names
from perle.results.view import Point, View
from tests.stores import made_up


def test_tables_are_up_to_date() -> None:
    for path, renders in readme.tables().items():
        text = path.read_text(encoding="utf-8")
        assert readme.renewed(text, renders) == text, f"{path}: run python -m perle.report.readme --write"


def test_every_family_and_configuration_has_a_row() -> None:
    table = readme.render()
    for family in families().values():
        for config in family.configs:
            assert f"`{config}`" in table
    assert table.count("\n") == 2 + sum(len(family.configs) for family in families().values())


@pytest.mark.parametrize("width", [512, 1024])
def test_cycles_are_those_of_the_paper(width: int) -> None:
    """The paper's mode on an exponent with half its bits set: slide 25 without loading and unloading."""
    paper = load("tang2003")
    cells = next(
        row for row in readme.cycle_table(families()["orup"]).splitlines() if f"`w{width}`" in row
    ).split("|")
    assert int(cells[4].replace(",", "")) == paper[f"mul_{width}"].number
    printed = paper[f"prepost_{width}"].number + paper[f"exp_{width}"].number
    assert int(cells[9].replace(",", "")) == printed


def test_constant_time_is_cheaper_than_the_paper() -> None:
    assert readme.private_cycles(resolve("orup:w512")) < load("tang2003")["exp_512"].number


def test_a_stale_or_missing_table_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "README.md"
    monkeypatch.setattr(readme, "tables", lambda: {page: {"cores": lambda: "| new |\n"}})
    fresh = "a\n<!-- cores:begin -->\n| new |\n<!-- cores:end -->\nb\n"
    page.write_text(fresh.replace("new", "old"))
    assert readme.main(["--check"]) == 1
    assert readme.main(["--write"]) == 0
    assert page.read_text() == fresh
    assert readme.main(["--check"]) == 0
    page.write_text("no table\n")
    with pytest.raises(ValueError, match="cores"):
        readme.main(["--check"])


def test_a_build_that_missed_its_clock_was_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path)
    cells = {"luts": 1234.0, "ff": 5.0, "dsp": 6.0, "bram": 7.0}
    for seed, reached, missed in ((1, 91.26, []), (2, 88.0, ["clkout1 reaches 88.0 MHz"])):
        clocks = {"wanted_mhz": 90.0, "reached_mhz": reached, "bus_mhz": 120.0}
        one = made_up("orup:w64", "ulx3s-85f", clocks | cells, part="1 lane", seed=seed)
        store.put(replace(one, settings={"missed": missed}))
    monkeypatch.setattr(readme, "Store", lambda *_: store)
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in readme.builds_table().splitlines()[2:]]
    assert rows[0][3:] == ["1", "90.0", "91.3", "120.0", "1,234", "5", "6", "7", "made", "2026-01-01"]
    assert [row[3] + " " + row[-2] for row in rows] == ["1 made", "2 refused"]


def luts(core: str, target: str = names.ECP5_FAST, metric: str = names.LUTS) -> float:
    found = View().metric(Point(core, target), metric)
    assert found is not None
    return found


@pytest.mark.recorded
def test_areas_in_the_text_of_a_readme_are_the_recorded_ones() -> None:
    page = " ".join((families()["karatsuba"].folder / "README.md").read_text(encoding="utf-8").split())
    assert f"81 multipliers and {round(luts('karatsuba:w256'), -3):,.0f} LUTs" in page
    page = " ".join((families()["scalable"].folder / "README.md").read_text(encoding="utf-8").split())
    more = luts("scalable:b4_w16_p32_n1024") / luts("scalable:r4_w16_p32_n1024") - 1
    assert f"at 1024 bits on an ECP5 it takes {100 * more:.0f} % more LUTs" in page
    assert "It is smaller than R4 in silicon, and at 256 bits on an ECP5" in page
    for size in ("w16_p8_n256", "w16_p16_n256", "w16_p32_n1024"):
        where = [(names.SILICON, names.AREA), *([(names.ECP5_FAST, names.LUTS)] if "256" in size else [])]
        for place in where:
            assert luts(f"scalable:b4_{size}", *place) < luts(f"scalable:r4_{size}", *place)
