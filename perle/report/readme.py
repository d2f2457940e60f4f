# SPDX-License-Identifier: Apache-2.0
"""The tables in READMEs and docs, generated from registry, models, papers and measurements.

A table is between `<!-- NAME:begin -->` and `<!-- NAME:end -->`. `python -m perle.report.readme --write`
updates all of them, `--check` fails if one is out of date.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from textwrap import wrap

from perle.cores.modexp.lanes import between
from perle.cores.modexp.model import Command, Mode, cycles
from perle.cores.registry import CORES, Config, Family, families
from perle.papers import keys, load
from perle.report import costs, devices, headline
from perle.report.line import COLUMNS, NUMBERS_FROM, WIDTHS
from perle.report.papers import carter_figures
from perle.report.papers.table import Measured
from perle.results import DESIGNS, Store, metrics, names
from perle.results.parts import members
from perle.results.status import status
from perle.results.view import Point, View
from perle.tables import Table

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
MARKERS = re.compile(
    r"(?P<begin><!-- (?P<name>\w+):begin -->\n)(?P<body>.*?)(?P<end><!-- (?P=name):end -->)", re.S
)

Render = Callable[[], str]
LINE = 132
"""Longest line of a Markdown file."""
HELD = "\0+\0"
"""A plus between two words that stay on one line."""
RSA_SAID = "RSA-1024 per second: one operation at a time, one half after the other."


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, right: int) -> str:
    """Return a Markdown table; its columns from index `right` on are right-aligned."""
    return Table(columns, list(rows), right=range(right, len(columns))).markdown()


def _paragraph(*sentences: str) -> str:
    """Return a Markdown paragraph that follows a table; none of its lines begins with a plus, as a list."""
    text = " ".join(sentences).replace(" + ", HELD)
    return "\n" + "\n".join(wrap(text, LINE, break_on_hyphens=False)).replace(HELD, " + ") + "\n"


def _named(family: Family) -> list[Config]:
    return [family.config(name) for name in family.configs]


def _source(key: str) -> str:
    """Return a link to the paper with that key; any other name, such as Perle, is returned unchanged."""
    if key not in keys():
        return key
    paper = load(key)
    return f"[{paper.authors[0].split()[-1]} {paper.year}](../perle/papers/{paper.key}.toml)"


def private_cycles(config: Config) -> int:
    """Cycles of x^e mod M in constant time, with an exponent as wide as the modulus."""
    return cycles(config, Command.EXP, Mode.WINDOW, config.width)


def render() -> str:
    """Return the table of cores, one row per named configuration."""
    rows = []
    for family in families().values():
        source = _source(family.paper)
        for config in _named(family):
            model, params = config.model, config.params
            rows.append([
                f"[{family.name}](../perle/cores/{family.name}/README.md)",
                source,
                f"`{config.name}`",
                status(family),
                f"{config.width}",
                f"{model.multipliers(params)}",
                f"{model.mul_cycles(params):,}",
                f"{between(config):,}",
                f"{private_cycles(config):,}",
            ])  # fmt: skip
    columns = ["family", "paper", "config", "status", "widest M, bits", "device multipliers"]
    columns += ["latency, cycles", "initiation interval", "cycles of x^e mod M, constant time"]
    return _table(columns, rows, right=4)


def cycle_table(family: Family) -> str:
    """Return the cycles of a family's operations, one row per named configuration."""
    rows = []
    for config in _named(family):
        model, params = config.model, config.params
        half = (1 << config.width // 2) - 1
        counts = [
            model.multipliers(params),
            model.operand_bits(params),
            model.mul_cycles(params),
            model.reduce_cycles(params),
            cycles(config, Command.MULMOD),
            private_cycles(config),
            cycles(config, Command.EXP, Mode.BINARY, config.width, half),
            cycles(config, Command.EXP, Mode.PAPER, config.width, half),
        ]
        rows.append([f"`{config.name}`", *(f"{count:,}" for count in counts)])
    columns = [
        "config",
        "multipliers",
        "operand bits",
        "`OpMul`",
        "`OpReduce`",
        "x·y mod M",
        "window",
        "binary",
        "paper",
    ]
    return _table(columns, rows, right=1)


def headline_table(width: int, view: View | None = None) -> str:
    """Return the table of all systems of about that width, one row each, and the seeds of their clocks."""
    found = headline.by_width(headline.lines(view or View())).get(width, [])
    table = _table(COLUMNS, (one.cells() for one in found), right=NUMBERS_FROM)
    return table + _paragraph(headline.seeds_said(found))


def elements_table(view: View | None = None) -> str:
    """Return energy · delay of Carter's elements and multipliers, one row each."""
    table = carter_figures.elements_table(Measured(view or View()))
    return table.markdown() + _paragraph(*table.remarks)


def summary_table(width: int, view: View | None = None) -> str:
    """Return the summary for RSA keys twice as wide: published systems, and the fastest of each family."""
    found = headline.summary(headline.lines(view or View()), width)
    return _table(headline.SUMMARY, map(headline.summary_cells, found), right=NUMBERS_FROM)


def fpga_table(view: View | None = None, target: str = names.ECP5_FAST) -> str:
    """Return area, clock and speed of the configurations measured on an FPGA, one row each."""
    found = costs.rows(partial(costs.fpga_row, target=target), view or View())
    return _table(costs.FPGA, found, right=costs.NUMBERS_FROM)


def clock_table(family: Family) -> str:
    """Return the same table for one family's README, with the definitions of its columns."""
    found = [row[1:] for row in costs.rows(costs.fpga_row, View(), family)]
    said = _paragraph(costs.AREA_TIME_SAID, costs.CLOCK_SAID, RSA_SAID)
    return _table(costs.FPGA[1:], found, right=1) + said


def devices_table(view: View | None = None) -> str:
    """Return the systems that were measured on the smaller ECP5 devices, one row each."""
    return _table(devices.COLUMNS, devices.rows(view or View()), right=devices.NUMBERS_FROM)


def engine_table(family: Family, view: View | None = None) -> str:
    """Return area, clock and RSA rate of measured engines, alone and co-placed, one row each."""
    view = view or View()
    rows = []
    for config in _named(family):
        for part in ("engine", "engines"):
            point = Point(config.spec, headline.TARGET, part)
            areas = [view.metric(point, name) for name in (names.LUTS, names.FF, names.BRAM, names.DSP)]
            clock = costs.clock(config, view.metric(point, names.FMAX), headline.TARGET)
            engines = " + ".join(f"`{one.name}`" for one in members(config, part, headline.TARGET))
            for line in headline.engine_lines(config, view, part):
                figures = (line.eta, 2 * line.bits, line.rsa_per_second)
                rows.append([engines, *map(costs.shown, areas), clock, *map(costs.shown, figures)])
    columns = (
        "engines",
        "LUT",
        "flip-flops",
        "block memories",
        "multipliers",
        costs.CLOCK,
        "η",
        "RSA, bits",
        "per second",
    )
    return _table(columns, rows, right=1)


def exponentiator_table(view: View | None = None) -> str:
    """Return area and clock of measured multipliers with their exponentiator, one row each."""
    view = view or View()
    rows = []
    for config in (one for family in families().values() for one in _named(family)):
        point, alone = Point(config.spec, headline.TARGET, "exp"), Point(config.spec, headline.TARGET)
        found = [view.metric(point, name) for name in (names.LUTS, names.FF, names.DSP)]
        fmax, target = view.metric(point, names.FMAX), headline.TARGET
        if fmax is None:
            continue
        took = private_cycles(config) / metrics.rated(config, fmax, target)
        clocks = (costs.clock(config, each, target) for each in (view.metric(alone, names.FMAX), fmax))
        rows.append([f"`{config.spec}`", *map(costs.shown, found), *clocks, costs.shown(took)])
    columns = (
        "core",
        "LUT",
        "flip-flops",
        "multipliers",
        "MHz of the multiplier alone",
        costs.CLOCK,
        "x^e mod M, µs",
    )
    return _table(columns, rows, right=1) + _paragraph(costs.CLOCK_SAID)


def silicon_table(view: View | None = None) -> str:
    """Return area, clock period and energy of the configurations measured in silicon, one row each."""
    return _table(costs.SILICON, costs.rows(costs.silicon_row, view or View()), right=costs.NUMBERS_FROM)


def placed_table(view: View | None = None) -> str:
    """Return figures of the configurations whose cells were placed, one row each."""
    return _table(costs.PLACED, costs.rows(costs.placed_row, view or View()), right=costs.NUMBERS_FROM)


def beside_table(family: Family, view: View | None = None, *, target: str = names.SILICON) -> str:
    """Return a family's figures in silicon, compared with those of the papers' array, one row each."""
    found = costs.rows(partial(costs.beside_row, target=target), view or View(), family)
    return _table(costs.BESIDE, found, right=costs.NUMBERS_FROM)


def builds_table() -> str:
    """Return clocks and area of designs for FPGA boards, one row per build."""
    rows = []
    stored = Store(DESIGNS, None).load()
    for one in sorted(stored, key=lambda one: (one.target, one.core, one.part, one.seed)):
        clocks = (f"{one.metrics[name]:.1f}" for name in ("wanted_mhz", "reached_mhz", "bus_mhz"))
        cells = (f"{one.metrics[name]:,.0f}" for name in ("luts", "ff", "dsp", "bram"))
        outcome = "refused" if one.settings["missed"] else "made"
        rows.append(
            [f"`{one.target}`", one.core, one.part, f"{one.seed}", *clocks, *cells, outcome, one.date]
        )
    columns = ["board", "core", "what", "seed", "wanted, MHz", "reached, MHz", "bus reaches, MHz"]
    columns += ["LUTs and carries", "flip-flops", "multipliers", "block memories", "bitstream", "date"]
    return _table(columns, rows, right=3)


def tables() -> dict[Path, dict[str, Render]]:
    """Return every file with generated tables, and the functions that render them, by table name."""
    found: dict[Path, dict[str, Render]] = {
        ROOT / "README.md": {
            f"rsa{2 * width}": partial(summary_table, width) for width in headline.SUMMARY_WIDTHS
        },
        DOCS / "comparison.md": {
            **{f"bits{width}": partial(headline_table, width) for width in WIDTHS},
            "elements": elements_table,
        },
        DOCS / "cores.md": {
            "cores": render,
            "fpga": fpga_table,
            "devices": devices_table,
            "nexus": partial(fpga_table, target=names.NEXUS),
            "silicon": silicon_table,
            "placed": placed_table,
        },
        DOCS / "soc.md": {"builds": builds_table},
        CORES / "modexp" / "README.md": {"clock": exponentiator_table},
    }
    for family in families().values():
        found[family.folder / "README.md"] = {
            "cycles": partial(cycle_table, family),
            "fpga": partial(clock_table, family),
            **({"engines": partial(engine_table, family)} if family.engine else {}),
        }
        if family.name in costs.COMPARED:
            found[family.folder / "README.md"] |= {
                "beside": partial(beside_table, family),
                "beside_placed": partial(beside_table, family, target=names.SILICON_PLACED),
            }
    return found


def renewed(text: str, renders: dict[str, Render]) -> str:
    """Return a README's text with updated tables; ValueError unless it contains each table exactly once."""
    names = [match["name"] for match in MARKERS.finditer(text)]
    if sorted(names) != sorted(renders):
        raise ValueError(f"has tables {names}, wanted are {sorted(renders)}")
    return MARKERS.sub(lambda found: f"{found['begin']}{renders[found['name']]()}{found['end']}", text)


def main(arguments: list[str] | None = None) -> int:
    """Update the tables, or check that they are up to date."""
    parser = argparse.ArgumentParser(prog="python -m perle.report.readme", description=__doc__)
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("--write", action="store_true", help="write the tables")
    choice.add_argument("--check", action="store_true", help="fail if a table is out of date")
    write = bool(parser.parse_args(arguments).write)
    stale = 0
    for path, renders in tables().items():
        text = path.read_text(encoding="utf-8")
        fresh = renewed(text, renders)
        if fresh == text:
            continue
        if write:
            path.write_text(fresh, encoding="utf-8")
            continue
        stale += 1
        sys.stderr.write(f"{path} is out of date: run python -m perle.report.readme --write\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
