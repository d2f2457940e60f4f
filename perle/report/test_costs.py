# SPDX-License-Identifier: Apache-2.0
"""The tables of costs, and the formats in which tables are written."""

from __future__ import annotations

from html.parser import HTMLParser
from io import StringIO
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.console import Console

from perle.cores.modexp.model import Command, cycles
from perle.cores.registry import family, resolve
from perle.report import costs, readme
from perle.report.pages import html, markdown, show
from perle.results import Store, metrics
from perle.results.view import View
from perle.tables import Table
from tests.stores import made_up, view

FPGA = {("orup:w512", "ecp5_8"): {"lut": 4000.0, "carry": 250.0, "dsp": 32.0, "fmax_mhz": 125.0}}


def cells(table: str, row: int = 0) -> list[str]:
    return [cell.strip() for cell in table.splitlines()[2 + row].strip("|").split("|")]


def test_a_row_of_the_fpga(tmp_path: Path) -> None:
    """74 cycles of 8 ns: 0.592 µs, times 4500 LUTs: 2664; RSA at 2 exponentiations of 8 ns cycles."""
    table = readme.fpga_table(view(tmp_path, FPGA))
    assert table.count("\n") == 3
    rate = 1e9 / (2 * metrics.exponentiation_cycles(resolve("orup:w512"), 512) * 8)
    assert cells(table)[1:] == ["`w512`", "512", "74", "4,500", "32", "125", "0.592", "2,664", f"{rate:,.0f}"]


def test_a_row_of_another_device(tmp_path: Path) -> None:
    both = view(tmp_path, FPGA | {("orup:w512", "lifcl40_9"): {"fmax_mhz": 250.0}})
    table = readme.fpga_table(both, "lifcl40_9")
    assert cells(table)[4:8] == ["–", "–", "250", "0.296"]


def test_a_clock_above_the_rating_counts_as_the_rating(tmp_path: Path) -> None:
    """At 250 MHz the multipliers are out of their rating: all figures are those of 200, which are shown."""
    fast, rated = ({"lut": 4000.0, "dsp": 61.0, "fmax_mhz": mhz} for mhz in (250.0, 200.0))
    table = [
        cells(readme.fpga_table(view(tmp_path / name, {("stream:w512", "ecp5_8"): given})))
        for name, given in (("fast", fast), ("rated", rated))
    ]
    assert table[0][6] == "200 (250)"
    assert table[1][6] == "200"
    assert table[0][7:] == table[1][7:]
    nothing = cells(
        readme.fpga_table(view(tmp_path / "c", {("iterative:w512", "ecp5_8"): {"fmax_mhz": 250.0}}))
    )
    assert nothing[6] == "250"  # no multipliers
    exponentiator = readme.exponentiator_table(view(tmp_path / "d", {("orup:w512", "ecp5_8/exp"): fast}))
    assert cells(exponentiator)[5:] == [
        "200 (250)",
        f"{readme.private_cycles(resolve('orup:w512')) / 200:.3g}",
    ]


def test_rsa_is_that_of_an_exponentiator_which_forwards(tmp_path: Path) -> None:
    """The rate by the cycles that `perle show lowlat:w512` prints for one board."""
    given = {("lowlat:w512", "ecp5_8"): {"fmax_mhz": 100.0}}
    found = cells(readme.fpga_table(view(tmp_path, given)))
    assert found[9] == f"{100e6 / (2 * cycles(resolve('lowlat:w512'), Command.EXP, elen=512)):,.0f}"


def test_every_table_with_area_and_time_says_what_it_is() -> None:
    for path in readme.tables():
        text = path.read_text(encoding="utf-8")
        if costs.AREA_TIME in text:
            plain = " ".join(text.split())
            assert "from one product to the next" in plain, path
            assert "multipliers are not counted" in plain, path
        assert "| LUT · µs |" not in text, path


def test_a_core_too_narrow_for_the_key_has_a_dash(tmp_path: Path) -> None:
    table = readme.fpga_table(view(tmp_path, {("orup:w256", "ecp5_8"): {"fmax_mhz": 125.0}}))
    assert cells(table)[4:] == ["–", "–", "125", "0.352", "–", "–"]


def test_a_pipelined_core_is_charged_its_interval(tmp_path: Path) -> None:
    given = {("karatsuba:w512", "ecp5_8"): {"lut": 50_000.0, "dsp": 243.0, "fmax_mhz": 100.0}}
    found = cells(readme.fpga_table(view(tmp_path, given)))
    latency = metrics.product_cycles(resolve("karatsuba:w512")) * 10 / 1000
    assert (found[7], found[8]) == (f"{latency:.3g}", "1,500")  # 50,000 LUTs by 3 cycles of 10 ns


def test_a_row_of_engines(tmp_path: Path) -> None:
    made = {"lut": 9000.0, "carry": 500.0, "ff": 8000.0, "bram": 40.0, "dsp": 154.0, "fmax_mhz": 100.0}
    given = {("stream:w512", "ecp5_8/engines"): made}
    found = cells(readme.engine_table(family("stream"), view(tmp_path, given)))
    assert found[:6] == ["`w512` + `w512` + `w512_f2`", "10,000", "8,000", "40", "154", "100"]
    # two and a half of them, 651 products of 31 cycles each half
    rate = 2.5 * 100e6 / (2 * 651 * 31)
    assert found[7] == "1,024"
    assert 0.99 * rate < float(found[8].replace(",", "")) <= rate


def test_a_row_of_silicon(tmp_path: Path) -> None:
    given = {
        ("scalable:r4_w16_p16_n256", "ihp130"): {
            "area_um2": 400_000.0,
            "period_ns_typ": 2.5,
            "energy_pj_per_product": 19_000.0,
        }
    }
    found = cells(readme.silicon_table(view(tmp_path, given)))
    taken = metrics.product_cycles(resolve("scalable:r4_w16_p16_n256"))
    assert found[2:] == ["256", f"{taken}", "400,000", "2.5", f"{taken * 0.0025:.3g}", "19"]


def test_a_row_of_placed_cells_has_the_share_of_its_wires(tmp_path: Path) -> None:
    given = {
        ("carry_save:w256", "ihp130-placed"): {
            "area_um2": 200_000.0,
            "period_ns_typ": 2.0,
            "period_ns_without_wires": 1.5,
            "wires_mm": 350.0,
            "energy_pj_per_product": 8_000.0,
            "energy_pj_per_product_wires": 1_000.0,
        }
    }
    found = cells(readme.placed_table(view(tmp_path, given)))
    assert found[4:] == ["200,000", "350", "2", "25%", "8", "12%"]
    assert readme.silicon_table(view(tmp_path, given)).count("\n") == 2


def test_a_row_beside_the_array(tmp_path: Path) -> None:
    given = {
        ("carry_save:w256", "ihp130"): {"area_um2": 2e5, "period_ns_typ": 2.0, "energy_pj_per_product": 7e3},
        ("scalable:r4_w16_p16_n256", "ihp130"): {"area_um2": 4e5, "energy_pj_per_product": 28e3},
    }
    taken = metrics.product_cycles(resolve("carry_save:w256"))
    found = cells(readme.beside_table(family("carry_save"), view(tmp_path / "a", given)))
    assert found == [
        "`w256`",
        "`scalable:r4_w16_p16_n256`",
        f"{0.4 * taken:.3g}",
        "–",
        "–",
        "7",
        "28",
        "0.25",
    ]
    given["scalable:r4_w16_p16_n256", "ihp130"]["period_ns_typ"] = 4.0
    found = cells(readme.beside_table(family("carry_save"), view(tmp_path / "b", given)))
    ratio = taken / (4 * metrics.product_cycles(resolve("scalable:r4_w16_p16_n256")))
    assert found[4] == f"{ratio:.3g}"


def test_stale_and_failed_measurements_have_no_row(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.put(replace(made_up("orup:w512", "ecp5_8", {"lut": 1.0}), files={}))
    store.put(made_up("orup:w256", "ecp5_8", {}, error="nextpnr: no"))
    assert readme.fpga_table(View(store)).count("\n") == 2


@pytest.mark.parametrize(("metric", "column"), [("lut", 4), ("dsp", 5), ("fmax_mhz", 6)])
def test_a_moved_digit_makes_the_readme_stale(tmp_path: Path, metric: str, column: int) -> None:
    [(point, metrics)] = FPGA.items()
    before = cells(readme.fpga_table(view(tmp_path / "a", FPGA)))
    after = cells(readme.fpga_table(view(tmp_path / "b", {point: metrics | {metric: metrics[metric] + 10}})))
    assert before[column] != after[column]


def test_numbers() -> None:
    shown = [costs.shown(value) for value in (None, 0.59249, 12.345, 999.4, 999.6, 1234.4, 17.0)]
    assert shown == ["–", "0.592", "12.3", "999", "1,000", "1,234", "17"]


TABLE = Table(["what", "n"], [["a|b <i>", "1"], ["[red]c", 2]], "A | B", {1}, {1}, ["so"])


def test_markdown() -> None:
    text = markdown("T", [TABLE])
    assert text.splitlines()[4:8] == [
        "| what | n |",
        "| --- | ---: |",
        "| a&#124;b <i> | 1 |",
        "| [red]c | 2 |",
    ]
    assert text.startswith("# T\n")
    assert "\nso\n" in text


class Tags(HTMLParser):
    """Counts tags and keeps the text of cells."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)
        if ("class", "marked") in attrs:
            self.cells.append("marked:")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in {"td", "th"}:
            self.cells.append(data)


def test_html_is_well_formed_and_escaped() -> None:
    seen = Tags()
    seen.feed(html("T & T", [TABLE]))
    assert seen.open == []
    assert seen.cells == ["what", "n", "a|b <i>", "1", "marked:", "[red]c", "2"]


def test_text_shows_brackets_as_they_are() -> None:
    file = StringIO()
    show([TABLE], Console(file=file, width=80))
    assert "[red]c" in file.getvalue()
    assert "so" in file.getvalue()
