# SPDX-License-Identifier: Apache-2.0
"""Pictures drawn from models and recorded measurements: `python -m perle.report.pictures --write`.

A test checks that the committed pictures are up to date. Timing diagrams are drawn by WaveDrom instead
(perle.report.wavedrom_svg).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from perle.report import array_svg, figure5_svg, lineage, lineage_svg, timeline_svg
from perle.report.papers import carter_figures
from perle.report.papers.table import Measured
from perle.results.view import View


def _lineage() -> str:
    return lineage_svg.draw(lineage.systems(View()))


def _figure5() -> str | None:
    values = figure5_svg.measured()
    return None if values is None else figure5_svg.render(values)


def _carter(number: int) -> str:
    return carter_figures.draw(Measured(View()), number)


PICTURES: Mapping[Path, Callable[[], str | None]] = {
    array_svg.PICTURE: array_svg.draw,
    timeline_svg.SOURCE.with_suffix(".svg"): partial(timeline_svg.render, timeline_svg.SOURCE),
    lineage_svg.PICTURE: _lineage,
    figure5_svg.PICTURE: _figure5,
    **{carter_figures.picture(number): partial(_carter, number) for number in carter_figures.FIGURES},
}
"""Function that draws each picture; it returns None if a measurement that the picture shows is missing."""


def main(arguments: list[str]) -> int:
    """Draw all pictures. A picture that lacks a measurement is not changed; the exit status is then 1."""
    if arguments != ["--write"]:
        sys.stderr.write("usage: python -m perle.report.pictures --write\n")
        return 2
    drawn = {path: draw() for path, draw in PICTURES.items()}
    for path, text in drawn.items():
        if text is None:
            sys.stderr.write(f"{path}: not everything is measured\n")
        else:
            path.write_text(text, encoding="utf-8")
    return 1 if None in drawn.values() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
