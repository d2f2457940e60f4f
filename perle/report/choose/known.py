# SPDX-License-Identifier: Apache-2.0
"""Whether the figures that a question is about are measured at all on its targets."""

from __future__ import annotations

from perle.cores.registry import families
from perle.report.choose.question import ENERGY, LATENCY, RATE, Question
from perle.results import names
from perle.results.view import Point, View

CLOCKS = ("clock", "clocks", (names.FMAX, names.PERIOD))
MEASURED = {
    RATE: CLOCKS,
    LATENCY: CLOCKS,
    ENERGY: ("energy", "energies", (names.PRODUCT_ENERGY,)),
    names.LUTS: ("number of LUTs", "numbers of LUTs", (names.LUTS,)),
    names.FF: ("number of flip-flops", "numbers of flip-flops", (names.FF,)),
    names.DSP: ("number of multipliers", "numbers of multipliers", (names.DSP,)),
    names.BRAM: ("number of block memories", "numbers of block memories", (names.BRAM,)),
    names.AREA: ("area in µm²", "areas in µm²", (names.AREA,)),
}
"""What each figure needs, in the singular and in the plural, and the metrics that have it."""


class UnknownFigureError(ValueError):
    """The question is about a figure that is not measured on its targets."""


def check(question: Question, view: View) -> None:
    """Raise UnknownFigureError if a limit or the stated objective is a figure that no point there has."""
    cores = (one for one in view.points() if one.core.partition(":")[0] in families())
    points = [one for one in cores if not view.fault(one)]
    there = [one for one in points if one.target in question.targets]
    for figure in question.figures if there else ():
        one, several, metrics = MEASURED[figure]
        if not _with(there, metrics, view):
            devices = dict.fromkeys(names.device(each.target) for each in _with(points, metrics, view))
            have = f": {', '.join(sorted(devices))} {'has' if len(devices) == 1 else 'have'} {several}"
            raise UnknownFigureError(f"no {one} is known on {question.place}{have if devices else ''}")


def _with(points: list[Point], metrics: tuple[str, ...], view: View) -> list[Point]:
    return [one for one in points if any(view.metric(one, name) is not None for name in metrics)]
