# SPDX-License-Identifier: Apache-2.0
"""The page of a family: picture, parameter ranges, cycles, waveform, and costs by target and width."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from perle.cores.registry import Config, Family, families
from perle.report.choose.candidates import Basis
from perle.report.choose.question import LATENCY, RATE, Operation
from perle.report.costs import CLOCK, CLOCK_SAID, apply, clock, shown
from perle.report.site import laws, markup, provenance, waveform
from perle.report.site.points import Drawn
from perle.results import metrics, names
from perle.results.view import Point, View
from perle.tables import Table

SHOWN = ("Interface", "Ranges", "Cycles")
"""Sections of the README that are shown on the page, below the README's introduction and picture."""
FPGA = {
    names.LUTS: "LUT",
    names.FF: "flip-flops",
    names.DSP: "multipliers",
    names.BRAM: "block memories",
    names.LEVELS: "LUT levels",
    names.FMAX: "MHz",
}
SILICON = {names.AREA: "µm²", names.PERIOD: "clock period, ns", names.PRODUCT_ENERGY: "product, pJ"}
RATES = ("operations per second", "latency, ms", "LUT", "µm²")
PRODUCT = ("latency, cycles", "latency, µs")
MULTIPLIERS = ("mul", "mul_pair")


@dataclass(frozen=True)
class Around:
    """Data shared by the pages of all families: pages by README, and pictures to be copied."""

    pages: Mapping[Path, str]
    pictures: dict[str, Path]


@dataclass(frozen=True)
class Wave:
    """The waveform of a product: its picture's name in the site, and its record."""

    picture: str
    record: Mapping[str, Any]

    @property
    def svg(self) -> str:
        """The picture."""
        return waveform.draw(self.record)

    @property
    def across(self) -> int:
        """Its width in pixels."""
        return waveform.across(self.record)

    @property
    def left_out(self) -> bool:
        """Whether cycles are left out."""
        columns = self.record["columns"]
        return bool(columns[-1] - columns[0] >= len(columns))


def page_name(family: str) -> str:
    """Return the file name of a family's page."""
    return f"core-{family}.html"


def context(family: Family, view: View, drawn: Sequence[Drawn], around: Around) -> dict[str, Any]:
    """Return the variables of the template of a family's page."""
    readme = markup.read(family.folder)

    def html(text: str) -> Markup:
        return markup.html(text, family.folder, around.pages, around.pictures)

    timing = family.folder / "timing.svg"
    if timing.is_file():
        around.pictures[markup.picture_name(timing)] = timing
    multiplier = family.name in families()
    record = waveform.read(family.folder)
    return {
        "family": family,
        "intro": html(readme.intro),
        "use": html(readme.sections.get("When to use it", "")),
        "sections": [(name, html(readme.sections[name])) for name in SHOWN if name in readme.sections],
        "timing": markup.picture_name(timing) if timing.is_file() else "",
        "waveform": record and Wave(f"pictures/{family.name}-waveform.svg", record),
        "params": parameters(family),
        "costs": costs(family, view),
        "rsa": rsa(family, drawn),
        "loose": 1 + laws.LOOSE,
        "charts": list(laws.charts(family, view)) if multiplier else [],
    }


def parameters(family: Family) -> Table:
    """Return the parameters of the hardware with their ranges."""
    table = Table(("parameter", "default", "range", "meaning"), right=(1,))
    for name, one in family.params.items():
        table.add(name, _short(one.default), f"{_short(one.lo)} … {_short(one.hi)}", one.doc)
    return table


def _short(value: int) -> str:
    return f"{value:,}" if value.bit_length() < 64 else f"a number of {value.bit_length()} bits"


def costs(family: Family, view: View) -> list[Table]:
    """Return one table per target with all measurements of the family."""
    points = [one for one in view.points() if one.core.partition(":")[0] == family.name]
    found = []
    for target in sorted({one.target for one in points}):
        there = sorted((one for one in points if one.target == target), key=lambda one: _order(family, one))
        found.append(_costs(family, view, there))
    return found


def _order(family: Family, point: Point) -> tuple[int, str, str]:
    config = family.config(point.core.partition(":")[2])
    return config.params.get("Width", 0), point.core, point.part


def _costs(family: Family, view: View, points: Sequence[Point]) -> Table:
    multiplier = family.name in families()
    kinds = {**FPGA, **SILICON, **({names.FMAX: CLOCK} if multiplier else {})}
    used = [name for name in kinds if any(view.metric(one, name) is not None for one in points)]
    more = PRODUCT if multiplier else ()
    columns = ["configuration", "part", *(["widest M, bits"] if multiplier else [])]
    columns += [*(kinds[name] for name in used), *more, "runs"]
    rows = []
    for point in points:
        config = family.config(point.core.partition(":")[2])
        width = [f"{config.width:,}"] if multiplier else []
        cells = [_figure(config, point, name, view) for name in used]
        rows.append(
            [
                Markup('<span id="{}">{}</span>').format(provenance.anchor(point), config.name),
                *(point.part, *width, *cells),
                *(_product(config, point, view) if multiplier else ()),
                provenance.link(point, _runs(point, view)),
            ]
        )
    title = f"{points[0].target}: {view.device(points[0])}"
    remarks = (CLOCK_SAID,) if CLOCK in columns else ()
    return markup.filled(Table(columns, rows, title, range(2, len(columns) - 1), remarks=remarks))


def _figure(config: Config, point: Point, name: str, view: View) -> str:
    """Return a metric; of a multiplier's clock also what its rating leaves of it."""
    value = view.metric(point, name)
    limited = name == names.FMAX and config.family.name in families()
    return clock(config, value, point.target) if limited else shown(value)


def _runs(point: Point, view: View) -> str:
    fault, count = view.fault(point), len(view.runs(point))
    return "failed" if fault else "1 run" if count == 1 else f"{count} seeds"


def _product(config: Config, point: Point, view: View) -> tuple[str, str]:
    """Return the latency of a product in cycles and in µs; dashes unless the point is a multiplier."""
    if point.part not in MULTIPLIERS:
        return shown(None), shown(None)
    cycles = metrics.product_cycles(config)
    fmax, period = view.metric(point, names.FMAX), view.metric(point, names.PERIOD)
    counts = apply(lambda mhz: metrics.rated(config, mhz, point.target), fmax)
    time = apply(lambda mhz: cycles / mhz, counts) or apply(lambda ns: cycles * ns / 1000, period)
    return shown(cycles), shown(time)


def rsa(family: Family, drawn: Iterable[Drawn]) -> list[Table]:
    """Return one table per key size with measured systems and multipliers alone, without predictions."""
    tables: dict[int, list[Drawn]] = {}
    for one in drawn:
        ours = one.candidate.config.family.name == family.name
        known = not one.predicted and RATE in one.candidate.figures
        if ours and known and one.size.operation is Operation.rsa_crt:
            tables.setdefault(one.size.bits, []).append(one)
    return [_rsa(bits, sorted(rows, key=_rate)) for bits, rows in sorted(tables.items())]


def _rate(one: Drawn) -> float:
    return -one.candidate.figures[RATE]


def _rsa(bits: int, rows: Sequence[Drawn]) -> Table:
    columns = ("configuration", "part", "target", *RATES, "what")
    cells = [
        [
            *(one.candidate.config.name, one.candidate.point.part, one.candidate.point.target),
            *(shown(one.candidate.figures.get(name)) for name in (RATE, LATENCY, names.LUTS, names.AREA)),
            provenance.link(one.candidate.point, _what(one)),
        ]
        for one in rows
    ]
    return markup.filled(Table(columns, cells, f"RSA-{bits} private operation", range(3, 7)))


def _what(one: Drawn) -> str:
    alone = one.candidate.basis is Basis.alone
    return "multiplier alone: area without its exponentiator" if alone else "whole system, measured"
