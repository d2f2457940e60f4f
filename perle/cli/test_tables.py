# SPDX-License-Identifier: Apache-2.0
"""`perle reproduce` with recorded measurements: tables, pages of a paper, and formats."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO
from itertools import cycle
from pathlib import Path
from types import SimpleNamespace

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from rich.console import Console

from perle.cli import rendering, reproduce_tables
from perle.cli.rsa import software
from perle.flow.tools import ToolMissing
from perle.measure import software as gmp
from perle.papers import keys, load
from perle.papers.peers import load_peers
from perle.report.pages import show
from perle.report.papers.table import Compared, Figure, Page, Row
from perle.results.view import View
from perle.tables import Table, once, within
from tests.cli_run import answer, invoke, refused
from tests.stores import Given, view

GIVEN: Given = {
    ("orup:w512", "ecp5_8/exp_pair"): {"fmax_mhz": 90.0},
    ("iterative:w512_paper", "xcve"): {"clbs_min": 209.0},
    ("iterative:w512_paper", "ecp5_6"): {"fmax_mhz": 1000 / 199},
    ("bit_systolic:w512_paper", "xcve"): {"clbs_min": 900.0},
    ("bit_systolic:w512_paper", "ecp5_6"): {"fmax_mhz": 1000 / 76},
    ("orup:w256", "ecp5_6"): {"lut": 2000.0, "dsp": 17.0, "fmax_mhz": 100.0},
}
SOFTWARE = {"openssl": Figure(0.5, "made up"), "gmp_128": Figure(14.0, "made up")}
ROW = {"label", "printed", "measured", "unit", "note", "printed_on", "measured_on", "ratio"}


@pytest.fixture(autouse=True)
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use made-up measurements, and measure no software."""
    seen = view(tmp_path / "store", GIVEN)
    monkeypatch.setattr(reproduce_tables, "View", lambda: seen)
    monkeypatch.setattr(reproduce_tables, "timed_software", lambda: SOFTWARE)
    monkeypatch.setattr(reproduce_tables, "private_rate", lambda bits: ("made up", 4e6 / bits))


def test_what_there_is() -> None:
    listed = invoke("reproduce").stdout
    for name in (*reproduce_tables.TABLES, "shand1990.table1", "peers", "headline", "lineage", "all"):
        assert name in listed
    assert "tang2003.cycles" in refused(2, "reproduce", "tang2003.table9")
    assert "markdown" in refused(2, "reproduce", "tang2003", "--format", "pdf")
    assert "--json" in refused(2, "reproduce", "tang2003", "--format", "html", "--json")
    assert "numbered rows" in refused(2, "reproduce", "tang2003.cycles", "--rows", "1")
    assert "nowhere" in refused(3, "reproduce", "tang2003.cycles", "--format", "html", "--out", "/nowhere/x")


def test_every_paper_has_tables() -> None:
    with_tables = {name.partition(".")[0] for name in (*reproduce_tables.TABLES, "shand1990.table1")}
    assert with_tables == set(keys())


def test_a_table_for_programs() -> None:
    found = answer("reproduce", "tang2003.resources")
    assert found["table"] == "tang2003.resources"
    assert all(set(row) == ROW for row in found["rows"])
    rows = {row["label"]: row for row in found["rows"]}
    time = rows["RSA-1024 private operation by CRT: the paper's method, two cores"]
    assert time["printed"] == load("tang2003")["rsa_time"].value
    assert time["measured"] == pytest.approx(59469 / 90e3)
    assert time["ratio"] == pytest.approx(59469 / 90e3 / 0.66)
    assert (time["printed_on"], time["measured_on"]) == (
        "XC2V4000-6",
        "the device ecp5_8",
    )
    absent = rows["slices used"]
    assert (absent["measured"], absent["ratio"]) == (None, None)
    assert "perle measure orup:w1024 --target xc2v --part exp" in absent["note"]


def test_a_conclusion_that_differs_says_why() -> None:
    found = {one["what"]: one for one in answer("reproduce", "nedjah2002.table11")["conclusions"]}
    turned = found["area × period, 512 bits"]
    assert (turned["printed"], turned["measured"], turned["same"]) == ("SM < IM", "IM < SM", False)
    assert turned["reason"].startswith("ours orders IM < SM, the paper SM < IM: ")
    assert "mostly by area" in turned["reason"]
    assert found["area × period, 128 bits"]["same"] is None
    shown = invoke("reproduce", "nedjah2002.table11").stdout
    assert "differs" in shown
    assert "ours orders IM < SM" in shown


def test_a_page_of_a_paper(tmp_path: Path) -> None:
    pages = answer("reproduce", "carter2012")["tables"]
    assert [page["table"] for page in pages] == [
        *(f"carter2012.table{number}" for number in (1, 2, 3)),
        *("carter2012.figure9", "carter2012.figure10"),
    ]
    text = invoke("reproduce", "carter2012", "--format", "markdown").stdout
    assert text.startswith(f"# {load('carter2012').title}")
    assert "perle measure scalable:r4_w16_p8_n256 --target ihp130 --part pe" in text
    for form in ("text", "markdown", "html"):
        out = tmp_path / f"page.{form}"
        assert invoke("reproduce", "carter2012", "--format", form, "--out", out).stdout == ""
        assert "table I: area of R4B" in " ".join(out.read_text(encoding="utf-8").split())
    assert out.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_software_comes_with_the_tables_that_have_it() -> None:
    rows = {row["label"]: row for row in answer("reproduce", "tang2003.comparison")["rows"]}
    assert rows["OpenSSL on that Pentium 4: decryption"]["measured"] == 0.5
    rows = {row["label"]: row for row in answer("reproduce", "chow2010.table1")["rows"]}
    assert rows["table I: products per second in software, 128 bits"]["measured_on"] == "made up"


def test_software_is_measured_once_and_only_where_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def timed() -> dict[str, Figure]:
        asked.append(1)
        return SOFTWARE

    monkeypatch.setattr(reproduce_tables, "timed_software", timed)
    reproduce_tables.pages("nedjah2002")
    assert asked == []
    reproduce_tables.pages("all")
    assert asked == [1]


def test_software_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """One real run each; without gmpy2 the rows say how to install it."""
    monkeypatch.undo()
    monkeypatch.setattr(reproduce_tables, "SECONDS", 0.01)
    monkeypatch.setattr(gmp, "single", lambda bits, _: 1e6 * bits)
    monkeypatch.setattr(gmp, "rate", lambda bits, _: 2e6 * bits)
    found = reproduce_tables.timed_software()
    one, every = found["gmp_512"], found["gmp_all_512"]
    assert (one.value, every.value) == (512, 1024)
    assert "one thread" in one.device
    assert "all" in every.device
    openssl = found["openssl"]
    assert openssl.value is not None
    assert 0 < openssl.value < 1000
    assert "OpenSSL" in openssl.device

    def absent(_: int, __: float) -> float:
        raise ToolMissing("gmpy2", "pip install gmpy2")

    monkeypatch.setattr(gmp, "single", absent)
    assert "pip install gmpy2" in reproduce_tables.timed_software()["gmp_128"].missing[0]


def test_gmp() -> None:
    pytest.importorskip("gmpy2")
    narrow, wide = gmp.worker(128, 0.05, 1), gmp.worker(2048, 0.05, 1)
    assert narrow > 4 * wide > 0


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every call take 0.8 seconds, 0.2 of which are this thread's."""
    clock, used = cycle((5.0, 5.8, 6.6)), cycle((2.0, 2.4))
    stub = SimpleNamespace(perf_counter=lambda: next(clock), thread_time=lambda: next(used))
    monkeypatch.setattr(gmp, "time", stub)


@pytest.mark.usefixtures("busy")
def test_squarings_are_counted_over_the_time_that_they_took(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gmp, "import_module", lambda _: SimpleNamespace(mpz=int, powmod=lambda x, *_: x))
    assert gmp.worker(128, 1.0, 1) == pytest.approx(2 * gmp.SQUARINGS / 0.4)


@pytest.mark.usefixtures("busy")
def test_openssl_is_timed_without_what_others_do() -> None:
    key = generate_private_key(65537, 1024)
    found = software.rates(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()), 1.0)
    assert (found.private, found.public) == pytest.approx((2 / 0.4, 2 / 0.4))


def test_peers() -> None:
    rows = {row["label"]: row for row in answer("reproduce", "peers")["rows"]}
    assert rows["orup:w256"]["us"] == pytest.approx(0.44)
    assert rows["FIOS on DSP48 blocks"]["origin"].startswith("measured elsewhere: https://")
    assert "measured elsewhere" in invoke("reproduce", "peers", "--format", "markdown").stdout
    assert {"iterative:w256", "orup:w256"} <= rows.keys()
    text = invoke("reproduce", "peers").stdout
    assert text.count("measured here") == 1
    assert "\norup:w256 " in text.replace("\n ", "\n")
    *_, absent = text.split("not measured: perle measure ")
    assert "iterative:w256" in absent
    assert absent.split()[-1] == "ecp5_6"
    assert all(one.url in text.split() for one in load_peers().cores)


@pytest.mark.parametrize("width", [80, 100])
def test_no_name_is_broken(width: int) -> None:
    """The longest names of cores, beside a text that could take all there is."""
    name = "scalable:r4_w16_p8_n256_paper"
    table = Table(("year", "text", "core", "ns"), [("1990", "word " * 60, name, "1")], right=(3,), keys=2)
    page = StringIO()
    show(within(table, width), Console(file=page, width=width))
    assert name in page.getvalue().split()
    assert max(map(len, page.getvalue().splitlines())) <= width
    labels = within(Table(("core", "nJ · ns, 130 nm"), [(name, "1")], right=(1,)), 34)[0].columns
    assert labels[1].splitlines() == ["nJ · ns,", "130 nm"]


def test_headline() -> None:
    rows = {row["core"]: row for row in answer("reproduce", "headline")["rows"] if row["core"] != "made up"}
    assert rows["Tang 2003, two cores"]["rsa_ms"] == load("tang2003")["rsa_time"].value
    page = invoke("reproduce", "headline", "--format", "markdown").stdout
    assert page.count("measured now") == len(reproduce_tables.HEADLINE_KEYS)
    assert "| 0.256 |" in page  # ms: 2^10/4e6 s
    assert rows["Tang 2003, two cores"]["derived"] == ["rsa_per_second"]
    assert "| R2 | 16 | 256 | 7,141 † |\n" in page  # elements; nothing of them is measured
    assert "not known of any: measured: elements only; measured: whole multiplier\n" in page
    assert set(reproduce_tables.BESIDE) == {"headline", "lineage", "peers"}  # what goes with `all`


def test_numbers_and_ratios() -> None:
    shown = [rendering.number(value) for value in (None, 0.0126, 4.74, 80.5, 999.94, 1234.5, 594)]
    assert shown == ["–", "0.0126", "4.74", "80.5", "999.9", "1,234", "594"]
    huge = [rendering.number(value) for value in (999_999_999.0, 4.8e10, 162_167_114_277.0, -1e9)]
    assert huge == ["999,999,999", "48·10⁹", "162.2·10⁹", "-1·10⁹"]
    assert rendering.number(1.2e13) == "12,000·10⁹"
    assert rendering.ratio(Compared("", 2.0, 3.0, "", "")) == 1.5
    assert rendering.ratio(Compared("", 0.0, 3.0, "", "")) is None
    assert rendering.ratio(Compared("", 2.0, None, "", "")) is None
    assert rendering.ratio(Compared("", 0.8, -6.7, "", "")) is None


def test_json_is_the_table_that_is_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A changed digit in the store changes the row."""
    before = json.dumps(answer("reproduce", "nedjah2002.table11"))
    place = "bit_systolic:w512_paper", "xcve"
    moved: View = view(tmp_path / "moved", GIVEN | {place: {"clbs_min": 901.0}})
    monkeypatch.setattr(reproduce_tables, "View", lambda: moved)
    assert json.dumps(answer("reproduce", "nedjah2002.table11")) != before


def test_a_wide_table_comes_in_parts_that_fit() -> None:
    columns = ("core", "kind", *(f"some figure {n}" for n in range(8)))
    rows = [[f"core {r}", "made up", *(f"{10**n + r:,}" for n in range(8))] for r in range(3)]
    table = Table(columns, rows, "title", range(2, 10), remarks=("remark",), head=("head",), keys=2)
    for width in (60, 80):
        parts = within(table, width)
        assert len(parts) > 1
        assert [one for part in parts for one in part.rows[1][2:]] == rows[1][2:]
        assert all(list(part.rows[2][:2]) == rows[2][:2] for part in parts)
        assert [part.title for part in parts] == ["title", *[""] * (len(parts) - 1)]
        assert [bool(part.head) for part in parts] == [part is parts[0] for part in parts]
        assert [bool(part.remarks) for part in parts] == [part is parts[-1] for part in parts]
        text = StringIO()
        show(parts, Console(file=text, width=width))
        assert max(map(len, text.getvalue().splitlines())) <= width
        assert all(cell in text.getvalue() for row in rows for cell in row)  # none is folded
    assert within(table, 200) == [table]
    # a column without a label and without text
    empty = Table(("what", "", "of ten letters"), [("a" * 20, "", "1" * 20)], right=(2,))
    assert [part.columns[1] for part in within(empty, 40)] == ["", "of ten letters"]


def test_what_is_the_same_in_all_rows_stands_above_them() -> None:
    def compared(label: str, unit: str, printed_on: str, measured_on: str) -> Row:
        return Row(label, 2.0, 1.0, unit, "", printed_on, measured_on)

    rows = (compared("a", "ns", "XC2V", "ECP5"), compared("b", "ns", "", "130 nm"))
    [table] = rendering.tables(Page("p.t", "title", rows))
    assert table.columns == ["row", "printed", "measured", "ratio", "measured on"]
    assert table.head == ["unit: ns", "printed on: XC2V"]
    [table] = rendering.tables(Page("p.t", "title", rows), narrow=True)
    assert table.columns[4] == "on"
    assert [row[4] for row in table.rows] == ["a", "b"]
    assert table.head[-1] == "measured on: a ECP5; b 130 nm"
    told = [replace(one, note=note) for one, note in zip(rows, ("why", "why"), strict=True)]
    [table] = rendering.tables(Page("p.t", "title", tuple(told)))
    assert ("note" in table.columns, table.head[-1]) == (False, "why")
    [table] = rendering.tables(Page("p.t", "title", (told[0], rows[1])))
    assert [row[-1] for row in table.rows] == ["why", ""]  # what one row alone says stays there


def test_only_what_differs_has_a_column() -> None:
    rows = [["a", "one", "7", "", "–", "5 bits"], ["b", "one", "8", "", "–", "5 bits"]]
    columns = ("core", "kind", "ns", "note", "energy,\nnJ", "size")
    table = once(Table(columns, rows, "title", right=(2, 4), head=("head",)))
    assert (table.columns, table.rows) == (["core", "ns"], [["a", "7"], ["b", "8"]])
    assert table.head == ["head", "kind: one", "size: 5 bits", "not known of any: energy, nJ"]
    assert list(table.right) == [1]
    single = once(Table(columns, rows[:1]))
    assert single.columns == ["core", "kind", "ns", "energy,\nnJ", "size"]  # one row tells of itself
    assert once(Table(("core", "bits", "ns"), [["a", "8", "1"], ["b", "8", "2"]], "8 bits")).head == []


@pytest.mark.parametrize("page", ["peers", "tang2003.cycles", "carter2012.figure9", "chow2010.claim"])
def test_nothing_is_said_in_every_row(page: str) -> None:
    beside = reproduce_tables.BESIDE.get(page)
    shown = (
        [part for made in reproduce_tables.pages(page) for part in rendering.tables(made, narrow=True)]
        if beside is None
        else beside({}, True).tables
    )
    for table in shown:
        for name, *cells in zip(table.columns, *table.rows, strict=True):
            assert any(map(str, cells)), name
            assert len({*cells}) > 1 or name not in {"note", "origin", "from", "reason"}, name


def test_a_conclusion_without_a_reason_has_no_column_for_it() -> None:
    _, conclusions = rendering.tables(*reproduce_tables.pages("carter2012.figure9"))
    assert conclusions.columns[-1] == ""  # the same, or not
    _, conclusions = rendering.tables(*reproduce_tables.pages("nedjah2002.table11"))
    assert conclusions.columns[-1] == "reason"


@pytest.mark.parametrize("what", ["carter2012", "tang2003.resources", "nedjah2002", "lineage", "peers"])
def test_text_that_no_terminal_shows_fits(what: str) -> None:
    lines = invoke("reproduce", what).stdout.splitlines()
    assert len(lines) > 5
    assert max(map(len, lines)) <= rendering.TEXT_WIDTH


@pytest.mark.parametrize("width", [63, 80])
def test_a_tight_table_keeps_its_cells_whole(width: int) -> None:
    cells = ["scalable:r4_w16_p8_n256_paper", "engines", "47,180,939", "29,197", "226"]
    table = Table(("core", "part", "rate,\n1/s", "LUT", "MHz"), [cells], right=(2, 3, 4), tight=True)
    page = StringIO()
    show(within(table, width), Console(file=page, width=width))
    assert set(cells) <= set(page.getvalue().split())
    assert page.getvalue().count("MHz") == 1
