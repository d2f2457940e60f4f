# SPDX-License-Identifier: Apache-2.0
"""The site's pages: every link leads somewhere, figures are those of the records, sizes are not mixed."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from perle.cores.registry import every, resolve
from perle.report.choose.cost_model import Law
from perle.report.papers.table import Compared, Page
from perle.report.site import build, family_page, laws, markup, provenance, story, waveform
from perle.report.site.figures import style
from perle.report.site.paper_page import Shown
from perle.results import Store, metrics
from perle.results.view import View
from perle.tables import Table
from tests.asked import T, cells
from tests.stores import Given, made_up, store

pytest.importorskip("plotly", reason="no plotly: make setup")

GIVEN: Given = {
    ("orup:w256", T): cells(2000, 150, dsp=17.0),
    ("orup:w512", T): cells(4000, 140, dsp=32.0),
    ("orup:w1024", T): cells(8000, 120, dsp=62.0),
    ("orup:w512", f"{T}/exp"): cells(9000, 130, dsp=32.0),
    ("orup:w1024", f"{T}/exp"): cells(18_000, 120, dsp=62.0),
    ("stream:w512", f"{T}/engine"): cells(7000, 190, dsp=61.0, bram=38.0),
    ("scalable:r2_w16_p8_n256", "ihp130"): {
        "area_um2": 5e4,
        "period_ns_typ": 2.0,
        "energy_pj_per_product": 300.0,
    },
    ("bus_mul:fixed512", "xc3k/board"): {"lut": 900.0, "ff": 800.0},
}
TABLE = Page("tang2003.cycles", "Cycles", (Compared("a product", 74, 74, "cycles", ""),))
SHOWN = (Shown(TABLE, [Table(("row", "printed"), [["a product", "74"]])]),)


class Read(HTMLParser):
    """Names, links and sources of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, _: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids += [str(found["id"])] if "id" in found else []
        self.links += [str(found[name]) for name in ("href", "src") if name in found]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Store:
    found = store(tmp_path_factory.mktemp("store"), GIVEN)
    found.put(replace(made_up("orup:w256", T, cells(1, 1)), seed=9, files={"gone": "x"}))
    return found


@pytest.fixture(scope="module")
def files(kept: Store) -> Mapping[str, str]:
    return build.build(kept, SHOWN, {"shand1990.table1": "rates"})


def data(page: str, place: str) -> Any:  # noqa: ANN401
    found = re.search(rf'<script type="application/json" {re.escape(place)}>(.*?)</script>', page, re.S)
    assert found is not None, place
    return json.loads(found[1])


def test_every_link_leads_somewhere(files: Mapping[str, str]) -> None:
    pages = {name: Read(text) for name, text in files.items() if name.endswith(".html")}
    assert len(pages) == 6 + len(every()) + 5
    for name, page in pages.items():
        assert len(page.ids) == len(set(page.ids)), name
        for link in page.links:
            path, _, place = link.partition("#")
            assert link == "data:," or path == "" or path in files, (name, link)
            target = pages.get(path or name)
            assert not place or (target is not None and place in target.ids), (name, link)


def test_a_point_is_of_one_size(files: Mapping[str, str]) -> None:
    found = data(files["explorer.html"], 'id="data"')["points"]
    for one in found:
        bits, width = int(one["size"].rpartition("-")[2]), resolve(one["core"]).width
        assert bits == (2 * width if one["size"].startswith("rsa") else width)
    drawn = {(one["size"], one["core"], one["part"]): one for one in found}
    one = drawn["rsa-crt-1024", "orup:w512", "exp"]
    cycles = metrics.rsa_cycles(resolve("orup:w512"), 1024, metrics.Halves.ONE, forwarded=True)
    assert (one["lut"], one["dsp"], one["basis"]) == (9000, 32, "measured")
    assert one["us"] == pytest.approx(cycles / 130)
    assert one["command"] == "perle measure orup:w512 --target ecp5_8 --part exp"
    assert drawn["mul-256", "scalable:r2_w16_p8_n256", "mul"]["nj"] == pytest.approx(0.3)
    # the stale run with its one LUT is nowhere
    assert all(one["lut"] != 1 for one in found)


def test_charts_of_rsa_have_one_size_each(files: Mapping[str, str]) -> None:
    page = files["rsa.html"]
    shown = {name for name in Read(page).ids if name.startswith("rate-")}
    assert {"rate-1024", "rate-2048"} <= shown
    for name in shown:
        labels = [label for trace in data(page, f'data-plot="{name}"')["data"] for label in trace["y"]]
        cores = [resolve(label.partition(",")[0]).width for label in labels if ":" in label]
        assert set(cores) <= {int(name.partition("-")[2]) // 2}


def test_every_family_has_a_colour_and_a_symbol_of_its_own(files: Mapping[str, str]) -> None:
    looks = data(files["explorer.html"], 'id="data"')["families"].values()
    assert len(looks) == len(every())
    assert len({colour for colour, _ in looks}) == len({symbol for _, symbol in looks}) == len(looks)
    assert len({style(index) for index in range(100)}) == 100


def test_markers_mean_the_same_in_every_chart_of_rsa(files: Mapping[str, str]) -> None:
    """A multiplier alone is hollow: it is no system yet."""
    page, seen = files["rsa.html"], dict[str, str]()
    for name in (one for one in Read(page).ids if re.match(r"(rate|latency)-\d", one)):
        figure = data(page, f'data-plot="{name}"')
        assert figure["layout"]["showlegend"]
        for trace in figure["data"]:
            marker = f"{trace['marker']['color']} {trace['marker']['symbol']}"
            assert seen.setdefault(trace["name"], marker) == marker
            alone = [", " not in label for label in trace["y"] if ":" in label]
            assert set(alone) <= {trace["name"] == "multiplier alone"}
    assert len(set(seen.values())) == len(seen) == 3


def test_no_chart_of_rsa_is_empty(files: Mapping[str, str]) -> None:
    """Shand's paper prints a rate for keys of 508 bits, and no latency."""
    page = files["rsa.html"]
    shown = {name for name in Read(page).ids if re.match(r"(rate|latency)-\d", name)}
    assert "rate-508" in shown
    assert "latency-508" not in shown
    assert all(any(trace["x"] for trace in data(page, f'data-plot="{name}"')["data"]) for name in shown)


def test_pages_say_what_figures_are(files: Mapping[str, str]) -> None:
    """A printed rate that is computed is marked; of the families the fastest are shown, not every one."""
    overview, rsa = (" ".join(files[name].split()) for name in ("index.html", "rsa.html"))
    assert "every family's" not in overview
    assert "of the fastest families" in overview
    assert "where it says so, derived or predicted" in overview
    for page in (overview, rsa):
        assert "1,515 †" in page
        assert "computed from printed ones" in page
        assert "LUTs times the time from one product to the next" in page
    labels = data(files["rsa.html"], 'data-plot="rate-1024"')["data"]
    said = {name: text for trace in labels for name, text in zip(trace["y"], trace["text"], strict=True)}
    assert said["Tang 2003, two cores"] == "computed from what is printed, XC2V4000-6"


def test_a_family_page_has_the_clock_that_counts(tmp_path: Path) -> None:
    given: Given = {("stream:w512", T): cells(7000, 250, dsp=61.0)}
    page = build.build(store(tmp_path, given), SHOWN, {})["core-stream.html"]
    assert "200 (250)" in page
    assert "in brackets what place and route reached" in page
    assert f"{metrics.product_cycles(resolve('stream:w512')) / 200:.3g}" in page


def test_a_stale_run_is_told_with_its_origin(files: Mapping[str, str], kept: Store) -> None:
    page = files[provenance.PAGE]
    origins = {one.anchor: one for one in provenance.origins(kept.load())}
    assert origins["ecp5_8-orup-w512-exp"].command == "perle measure orup:w512 --target ecp5_8 --part exp"
    for one in kept.load():
        assert provenance.source_hash(one) in page
    assert "Stale: " in page
    assert page.count('class="stale"') == 1


def test_the_hash_is_of_all_that_was_measured() -> None:
    one = made_up("orup:w256", T, cells(1, 1))
    other = replace(one, files={**one.files, "x": "y"})
    assert len({provenance.source_hash(each) for each in (one, other, replace(one, settings={}))}) == 3


def test_sizes_are_in_the_order_of_their_widths(files: Mapping[str, str]) -> None:
    found = list(data(files["explorer.html"], 'id="data"')["sizes"])
    kinds = [one.rpartition("-") for one in found]
    assert [int(bits) for kind, _, bits in kinds if kind == "mul"] == [256, 512, 1024]
    assert [int(bits) for kind, _, bits in kinds if kind == "rsa-crt"] == [512, 1024, 2048]


def test_a_point_has_the_clock_of_its_times(tmp_path: Path) -> None:
    given: Given = {("stream:w512", T): cells(7000, 250, dsp=61.0), ("orup:w512", T): cells(4000, 140)}
    page = build.build(store(tmp_path, given), SHOWN, {})["explorer.html"]
    found = {one["core"]: one for one in data(page, 'id="data"')["points"] if one["size"] == "mul-512"}
    assert (found["stream:w512"]["mhz"], found["stream:w512"]["placed"]) == (200, 250)
    assert found["stream:w512"]["us"] == pytest.approx(found["stream:w512"]["cycles"] / 200)
    assert (found["orup:w512"]["mhz"], found["orup:w512"]["placed"]) == (140, None)


def test_a_multiplier_alone_is_the_same_on_all_pages(files: Mapping[str, str]) -> None:
    """It is drawn where no system with it was measured, with one rate, whatever is predicted."""
    points = data(files["explorer.html"], 'id="data"')["points"]
    alone = {
        (one["size"].rpartition("-")[2], one["core"]): one["rate"]
        for one in points
        if one["size"].startswith("rsa") and one["basis"] == "multiplier alone" and one["target"] == T
    }
    drawn: dict[tuple[str, str], float] = {}
    for bits in ("512", "1024", "2048"):
        for trace in data(files["rsa.html"], f'data-plot="rate-{bits}"')["data"]:
            if trace["name"] == "multiplier alone":
                drawn |= {(bits, core): rate for core, rate in zip(trace["y"], trace["x"], strict=True)}
    assert ("512", "orup:w256") in drawn
    assert ("1024", "orup:w512") not in drawn
    assert alone == pytest.approx(drawn)
    assert "orup-w256-mul" in files["core-orup.html"].split('id="rsa"')[1].split("RSA-1024")[0]


def test_columns_and_remarks_have_something_to_say(files: Mapping[str, str]) -> None:
    assert "µm²" not in files["core-orup.html"].split('id="rsa"')[1].split("</h2>")[1].split("<h2")[0]
    shown = re.findall(r"<h3>RSA-(\d+)</h3>(.*?)(?=<h2|<h3|</main)", files["rsa.html"], re.S)
    assert {"508", "512", "1024"} <= {bits for bits, _ in shown}
    said = {bits: ("no paper prints" in rest, " †</td>" in rest) for bits, rest in shown}
    assert {True, False} == {derived for derived, _ in said.values()}
    assert all(remark == derived for remark, derived in said.values())
    bare = Table(("a", "b", "c"), [["x", "–", "1"], ["–", "–", "–"]], right=(1, 2))
    assert (markup.filled(bare).columns, markup.filled(bare).right) == (["a", "c"], [1])


def test_labels_of_engines_are_short() -> None:
    lanes = "tile:w8, engines w8 (24 lanes) + w8 (20 lanes)"
    assert story.short(lanes) == "tile:w8, 2 engines of 24+20 lanes"
    assert story.short("stream:w5, engines w5 + w5 + w5_f2") == "stream:w5, engines: 2 × w5, w5_f2"
    assert story.short("tile:w5, engines w5 + w5") == "tile:w5, 2 engines"
    assert story.short("stream:w5, engine") == "stream:w5, engine"


def test_a_law_that_does_not_fit_is_not_drawn(tmp_path: Path) -> None:
    luts = {128: 1000.0, 256: 8000.0, 512: 8100.0, 1024: 200_000.0}
    given: Given = {(f"orup:w{n}", T): cells(value, 100) for n, value in luts.items()}
    charts = {one.id: one for one in laws.charts(every()["orup"], View(store(tmp_path, given)))}
    assert [trace["mode"] for trace in charts["law-luts"].data] == ["markers"]
    assert "no power law fits" in charts["law-luts"].remarks[0]
    assert [trace["mode"] for trace in charts["law-product_us"].data] == ["markers", "lines"]
    assert charts["law-product_us"].remarks == []


def test_nothing_recorded_is_a_site_too(tmp_path: Path) -> None:
    files = build.build(Store(tmp_path / "nothing"), SHOWN, {})
    assert data(files["explorer.html"], 'id="data"')["points"] == []
    assert build.SYSTEMS not in files
    assert "Nothing of it is measured" in files["core-orup.html"]


def test_a_law_is_found_again(tmp_path: Path) -> None:
    given: Given = {(f"orup:w{n}", T): cells(3.0 * n**1.5, 100) for n in (128, 256, 512)}
    [one] = laws.series(every()["orup"], View(store(tmp_path, given)))
    found = laws.law(one.points["luts"])
    assert found is not None
    assert found.factor == pytest.approx(3)
    assert found.exponent == pytest.approx(1.5)
    assert laws.text(found, one.points["luts"]).startswith("3 · n^1.50")
    assert laws.law(one.points["luts"][:2]) is None
    assert found.at(64) == pytest.approx(Law(3, 1.5).at(64))


def test_paper_rows_are_drawn_as_ratios(files: Mapping[str, str]) -> None:
    figure = data(files["paper-tang2003.html"], 'data-plot="tang2003-cycles"')
    assert figure["data"][0]["x"] == [1.0]
    assert "perle reproduce shand1990.table1" in files["paper-shand1990.html"]


def test_a_page_has_the_waveform_of_a_simulation(files: Mapping[str, str]) -> None:
    for name, family in every().items():
        record, page = waveform.read(family.folder), files[family_page.page_name(name)]
        assert record is not None
        assert record["command"] in page
        assert f"pictures/{name}-waveform.svg" in page
        picture = ET.fromstring(files[f"pictures/{name}-waveform.svg"])
        said = [one.text for one in picture.iter("{http://www.w3.org/2000/svg}text")]
        assert [one["name"] for one in record["signals"]] == [
            text.strip() for text in said if text and text.strip() in {s["name"] for s in record["signals"]}
        ]
        assert {str(column) for column in record["columns"]} <= set(said)


def test_a_waveform_is_cut_where_cycles_are_left_out() -> None:
    signals = [
        {"name": "valid", "bits": 1, "values": ["0", "1", "0"]},
        {"name": "word", "bits": 40, "values": ["123456789a", None, "3"]},
    ]
    drawn = waveform.draw({"board": "a:b", "cycles": 9, "columns": [0, 1, 9], "signals": signals})
    assert ">1234…<" in drawn
    assert ">7</text>" in drawn
    assert drawn.count('class="nothing"') == 1
    first, second, third = re.findall(r'<polyline[^>]*points="([^"]*)"', drawn)
    assert [len(one.split()) for one in (first, second, third)] == [2, 3, 2]


def test_links_of_a_readme(tmp_path: Path) -> None:
    pictures: dict[str, Path] = {}
    pages = {(tmp_path / "b" / "README.md").resolve(): "b.html"}
    text = "[b](../b/README.md) [**c**](c.py) ![p](p.svg) <b>x</b>\n"
    shown = markup.html(text, tmp_path / "a", pages, pictures)
    assert '<a href="b.html">b</a> <strong>c</strong> <img' in shown
    assert "&lt;b&gt;" in shown
    assert pictures == {"pictures/a-p.svg": (tmp_path / "a" / "p.svg").resolve()}


def test_nothing_is_asked_of_a_network(files: Mapping[str, str]) -> None:
    for name, text in files.items():
        if name.endswith((".html", ".css")) or (name.endswith(".js") and "plotly" not in name):
            assert not re.search(r'(src|href)="(https?:)?//|@import|url\(|fetch\(|XMLHttpRequest', text), name
