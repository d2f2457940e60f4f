# SPDX-License-Identifier: Apache-2.0
"""`perle report`, and its site in a real browser: no errors, and filters that work."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from perle.cli import report
from perle.report.site import build
from tests.browser import Browser, browser
from tests.cli_run import invoke, refused
from tests.stores import Given, store

pytest.importorskip("plotly", reason="no plotly: make setup")

ECP5 = {"carry": 0.0, "lutram": 0.0, "bram": 0.0, "ff": 900.0}
GIVEN: Given = {
    ("orup:w512", "ecp5_8/exp"): {**ECP5, "lut": 9000.0, "dsp": 32.0, "fmax_mhz": 130.0},
    ("lowlat:w512", "ecp5_8/exp"): {**ECP5, "lut": 16_001.0, "dsp": 64.0, "fmax_mhz": 180.0},
    ("stream:w512", "ecp5_8/engine"): {**ECP5, "lut": 7000.0, "dsp": 61.0, "fmax_mhz": 190.0},
    **{
        (f"iterative:w{n}", "ecp5_6"): {**ECP5, "lut": 9.0 * n, "dsp": 0.0, "fmax_mhz": 200.0}
        for n in (256, 512, 1024)
    },
    ("scalable:r2_w16_p8_n256", "ihp130"): {
        "area_um2": 5e4,
        "period_ns_typ": 2.0,
        "energy_pj_per_product": 300.0,
    },
}
DRAWN = "return document.getElementById('pareto').data.slice(1).flatMap((one) => one.x).length"
ROWS = "return document.querySelectorAll('#points tbody tr').length"
CHOOSE = """
    const one = document.getElementById(arguments[0]);
    one.value = arguments[1];
    one.dispatchEvent(new Event("change", {bubbles: true}));
"""
PLOTS = "return [...document.querySelectorAll('.plot')].every((one) => one.querySelector('.plot-container'))"
ORUP = "return document.getElementById('pareto').data.find((one) => one.name === 'orup')"
CLICK = "document.getElementById('pareto').emit('plotly_click', {points: [{customdata: arguments[0]}]})"
OVERFLOW = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    kept = store(tmp_path_factory.mktemp("store"), GIVEN)
    out = tmp_path_factory.mktemp("report") / "site"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(report, "Store", lambda: kept)
        assert f"{out / 'index.html'}: " in invoke("report", "-o", out).stdout
    return out


@pytest.fixture(scope="module")
def opened() -> Iterator[Browser]:
    with browser() as found:
        yield found


def test_a_folder_of_others_is_left_alone(site: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert "not empty" in refused(3, "report", "-o", tmp_path)
    copy = shutil.copytree(site, tmp_path / "copy")
    (copy / "index.html").write_text("changed")
    assert "changed since" in refused(3, "report", "-o", copy, "--force")


def test_the_package_that_it_needs_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(build, "PLOTLY", "no_such_package")
    message = refused(5, "report", "-o", tmp_path / "x")
    assert "make setup" in message
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)], ids=["laptop", "phone"])
def test_no_page_has_anything_to_complain_of(opened: Browser, site: Path, width: int, dark: bool) -> None:
    opened.screen(width, 800, dark=dark)
    for page in sorted(site.glob("*.html")):
        opened.open(page)
        assert opened.said() == [], page.name
        assert opened.run(OVERFLOW) <= 0, page.name
        assert opened.driver.title.endswith(" · Perle"), page.name
        assert opened.run(PLOTS), page.name
        back = opened.run("return getComputedStyle(document.body).backgroundColor")
        assert (back == "rgb(13, 17, 23)") is dark


def test_filters_change_what_is_drawn(opened: Browser, site: Path) -> None:
    opened.screen(1280, 800)
    opened.open(site / "explorer.html")
    assert (opened.run(DRAWN), opened.run(ROWS)) == (4, 4)  # iterative as a multiplier alone
    box = "document.querySelector(`#${arguments[0]} input[value='${arguments[1]}']`).click()"
    opened.run(box, "families", "orup")
    assert (opened.run(DRAWN), opened.run(ROWS)) == (3, 3)
    assert "orup" not in opened.run("return document.getElementById('points').textContent")
    opened.run(box, "basis", "multiplier alone")
    assert opened.run(DRAWN) == 2
    for drawn in (0, 2):
        opened.run(box, "targets", "ecp5_8")
        assert opened.run(DRAWN) == drawn
    opened.run("document.getElementById('none').click()")
    assert opened.run(DRAWN) == 0
    opened.run("document.getElementById('all').click()")
    assert opened.run(DRAWN) == 3
    opened.run(CHOOSE, "view", "energy")
    assert "product of 256 bits on the device ihp130" in opened.run(
        "return document.getElementById('summary').textContent"
    )
    assert opened.said() == []


def test_a_choice_holds_again_when_it_is_offered_again(opened: Browser, site: Path) -> None:
    opened.screen(1280, 800)
    opened.open(site / "explorer.html")
    said = "return document.getElementById('summary').textContent"
    box = "document.querySelector(`#${arguments[0]} input[value='${arguments[1]}']`).click()"
    opened.run(CHOOSE, "size", "mul-512")
    before = opened.run(said)
    assert before.startswith("product of 512 bits on ")
    opened.run(box, "basis", "measured")
    opened.run(box, "basis", "multiplier alone")
    assert opened.run(said).endswith("no basis is chosen that has a point.")
    opened.run(box, "basis", "measured")
    assert opened.run(said) == before
    opened.run(CHOOSE, "view", "energy")
    assert "ihp130" in opened.run(said)
    opened.run(CHOOSE, "view", "latency")
    assert opened.run(said) == before
    families = "return [...document.querySelectorAll('#families label')].map((one) => one.textContent)"
    assert opened.run(families) == ["iterative"]  # the only one with a multiplier of 512 bits
    counts = "return [...document.querySelectorAll('#basis label')].map((one) => one.textContent)"
    assert opened.run(counts)[0] == "measured (1)"


def test_counts_are_exact(opened: Browser, site: Path) -> None:
    opened.open(site / "explorer.html")
    row = "return [...document.querySelectorAll('#points td.number')].map((one) => one.textContent)"
    assert "16,001" in opened.run(row)


def test_the_legend_is_clear_of_buttons_and_chart(opened: Browser, site: Path) -> None:
    """On a laptop it is below the buttons; on a phone there are none."""
    box = """
        const box = (name) => document.querySelector(`.plot ${name}`)?.getBoundingClientRect();
        const [legend, buttons, grid] = ['.legend', '.modebar', '.xgrid'].map(box);
        return [legend.top - (buttons?.bottom ?? 0), grid.top - legend.bottom];
    """
    for width in (1366, 390):
        opened.screen(width, 800)
        for page in ("rsa.html", "core-iterative.html"):
            opened.open(site / page)
            above, below = opened.run(box)
            assert above >= 0, (width, page)
            assert below >= -1, (width, page)


def test_the_front_is_what_no_other_beats(opened: Browser, site: Path) -> None:
    opened.open(site / "explorer.html")
    best = "return [...document.querySelectorAll('#points tr.marked a')].map((one) => one.textContent)"
    # of area and latency stream is smallest, lowlat fastest, and orup neither
    assert set(opened.run(best)) >= {"stream:w512", "lowlat:w512"}
    opened.run(CHOOSE, "view", "rate")
    assert "orup:w512" not in opened.run(best)


def test_a_point_leads_to_its_core(opened: Browser, site: Path) -> None:
    opened.open(site / "explorer.html")
    place = "core-orup.html#ecp5_8-orup-w512-exp"
    assert opened.run(f"{ORUP}.customdata") == [place]
    assert "perle measure orup:w512 --target ecp5_8 --part exp" in opened.run(f"{ORUP}.text")[0]
    opened.run(CLICK, place)
    assert opened.driver.current_url.endswith(place)
    assert opened.run("return document.querySelector(':target') !== null")


def test_the_button_changes_the_colours(opened: Browser, site: Path) -> None:
    opened.screen(1280, 800)
    opened.open(site / "rsa.html")
    paper = "return document.querySelector('.plot').layout.paper_bgcolor"
    assert opened.run(paper) == "#ffffff"
    opened.run("document.getElementById('theme').click()")
    assert opened.run(paper) == "#151b23"
    opened.run("document.getElementById('theme').click()")
    assert opened.run(paper) == "#ffffff"
