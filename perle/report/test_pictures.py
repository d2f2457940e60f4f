# SPDX-License-Identifier: Apache-2.0
"""Pictures are up to date with their sources, well-formed, described, and have a dark colour scheme."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from perle.cores.registry import resolve
from perle.report import array_svg, figure5_svg, timeline_svg, wavedrom_svg
from perle.report.papers import carter_figures, chow_figure5
from perle.report.papers.table import Measured
from perle.report.readme import ROOT
from perle.results.view import View

PICTURES = sorted([*ROOT.glob("docs/*.svg"), *ROOT.glob("perle/**/*.svg")])
DRAWN = [path for path in PICTURES if not path.with_suffix(".json").exists()]


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("source", wavedrom_svg.sources(), ids=name)
def test_timing_diagram_is_its_source_rendered(source: Path) -> None:
    assert wavedrom_svg.render(source) == source.with_suffix(".svg").read_text(encoding="utf-8")


def test_time_line_is_its_measurement_drawn(tmp_path: Path) -> None:
    picture = timeline_svg.SOURCE.with_suffix(".svg")
    assert timeline_svg.render(timeline_svg.SOURCE) == picture.read_text(encoding="utf-8")
    other = tmp_path / timeline_svg.SOURCE.name
    rows = json.loads(timeline_svg.SOURCE.read_text(encoding="utf-8"))
    rows[0]["busy"][0][0][1] += 500
    other.write_text(json.dumps(rows), encoding="utf-8")
    assert timeline_svg.render(other) != picture.read_text(encoding="utf-8")


def test_the_array_is_its_schedule_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    assert array_svg.draw() == array_svg.PICTURE.read_text(encoding="utf-8")
    monkeypatch.setattr(array_svg, "works_in", lambda cell: cell[0] + cell[1])
    assert array_svg.draw() != array_svg.PICTURE.read_text(encoding="utf-8")


@pytest.mark.recorded
@pytest.mark.parametrize("number", carter_figures.FIGURES)
def test_figures_of_carter_are_drawn_from_measurements(number: int) -> None:
    drawn = carter_figures.draw(Measured(View()), number)
    assert drawn == carter_figures.picture(number).read_text(encoding="utf-8")
    assert "nan" not in drawn


def test_figure_5_is_its_measurements_drawn() -> None:
    values = figure5_svg.measured()
    if values is None:
        pytest.skip("a core of the figure has no measurement of today's sources")
    assert figure5_svg.render(values) == figure5_svg.PICTURE.read_text(encoding="utf-8")


def test_figure_5_draws_bars_by_what_was_measured_and_lines_by_what_is_printed() -> None:
    """Twice the area, a bar twice as tall; lines only where the paper prints a number."""
    values = {(width, what): 100.0 for what in chow_figure5.RESOURCES for width in ("128", "256", "512")}
    drawn = ET.fromstring(figure5_svg.render(values | {("256", "flip-flops"): 50.0}))
    svg = "{http://www.w3.org/2000/svg}"
    bars = [float(one.get("height", 0)) for one in drawn.iter(f"{svg}rect") if one.get("class") == "bar"]
    assert bars[3] == pytest.approx(2 * bars[4])
    assert bars[3] == bars[5] == pytest.approx(figure5_svg.TALL)
    texts = [one.text or "" for one in drawn.iter(f"{svg}text")]
    assert [text for text in texts if text.startswith("printed")] == ["printed: 62,557", "printed: 324"]


def test_a_stale_timing_diagram_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "timing.json"
    orup = next(path for path in wavedrom_svg.sources() if path.parent.name == "orup")
    text = orup.read_text(encoding="utf-8")
    source.write_text(text, encoding="utf-8")
    monkeypatch.setattr(wavedrom_svg, "sources", lambda: [source])
    assert wavedrom_svg.main(["--check"]) == 1
    assert wavedrom_svg.main(["--write"]) == 0
    assert wavedrom_svg.main(["--check"]) == 0
    source.write_text(text.replace("local carry", "local step"), encoding="utf-8")
    assert wavedrom_svg.main(["--check"]) == 1


@pytest.mark.parametrize("picture", PICTURES, ids=name)
def test_picture_is_well_formed(picture: Path) -> None:
    root = ET.fromstring(picture.read_text(encoding="utf-8"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert len(root.get("viewBox", "").split()) == 4
    assert "prefers-color-scheme: dark" in "".join(root.itertext())


@pytest.mark.parametrize("picture", DRAWN, ids=name)
def test_drawn_picture_says_what_it_shows(picture: Path) -> None:
    root = ET.fromstring(picture.read_text(encoding="utf-8"))
    named = root.get("aria-labelledby", "").split()
    texts = {element.get("id"): element.text for element in root if element.get("id")}
    assert named == ["title", "desc"]
    assert all(texts[part] for part in named)


@pytest.mark.parametrize("width", [64, 512, 1024])
def test_timing_diagram_of_orup_shows_the_latency_of_its_model(width: int) -> None:
    """The response is drawn in the cycle that the model gives, together with the next request."""
    config = resolve(f"orup:w{width}")
    drawn = json.loads((config.family.folder / "timing.json").read_text(encoding="utf-8"))
    lanes = {lane["name"]: lane for lane in drawn["signal"] if lane}
    column = lanes["rsp_valid_o"]["wave"].index("1")
    assert lanes["req_ready_o"]["wave"][column] == "1"
    label = lanes["cycle"]["data"][lanes["cycle"]["wave"][:column].count("2")]
    model, params = config.model, config.params
    times, rest = label.split("N+")  # N digits, a multiplier each
    assert int(times) * model.multipliers(params) + int(rest) == model.mul_cycles(params)
