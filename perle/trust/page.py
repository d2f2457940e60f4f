# SPDX-License-Identifier: Apache-2.0
"""docs/trust.md and the summary of the last recorded runs: claims, figures, and how to repeat them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from perle.flow.places import CHECKOUT
from perle.tables import Table
from perle.trust import drawn
from perle.trust.cells import without_proof
from perle.trust.enough import lacking
from perle.trust.every import PARTS, SOFTWARE, missing, stale
from perle.trust.formal import FORMAL
from perle.trust.parameters import PARAMETERS
from perle.trust.parts import Part
from perle.trust.records import Record, Records

PAGE = CHECKOUT / "docs" / "trust.md"
NUMBER = re.compile(r"[\d,.]+%?( of [\d,]+)?$|–$")
"""Cells of right-aligned columns: a number, a number of a total, or a dash for none."""

HEAD = f"""\
<!-- SPDX-License-Identifier: Apache-2.0 -->
# Evidence

What is claimed about the hardware and the host library, the results of testing each claim, and the command
that repeats the test. `perle trust --page` generates this page from the records in `results/trust`; no number
is typed by hand. A run that finds a failure exits with code 1 and names it. A test of each part shows that
the part can fail.

`make trust` runs all parts. `--seconds N` sets the time of a part, and `--family NAME` selects one family of
cores, or one of {", ".join(SOFTWARE)}. `--again` repeats what is already recorded. Results are valid
only for the sources that they were made from: `perle trust --summary` tells which are stale. A run that did
less than is wanted, or none, is named here as incomplete.
"""


def never_drawn() -> str:
    """Return in words which legal parameters are never drawn."""
    narrower = ", ".join(f"{name} {bits}" for name, bits in sorted(drawn.WIDEST_OF.items()))
    values = ", ".join(f"{name} above {most}" for name, most in sorted(drawn.MOST.items()))
    deep = ", ".join(
        f"products of {name} of more than {most} cycles" for name, most in sorted(drawn.DEEPEST.items())
    )
    return f"Never drawn are moduli of more than {drawn.WIDEST} bits (of {narrower}), {values}, and {deep}."


def alone() -> str:
    """Return in words which leaf cells have no proof of their own."""
    return f"Without a proof of their own: {without_proof()}."


LEFT_OUT = {PARAMETERS.name: never_drawn, FORMAL.name: alone}
"""Functions that tell what a part does not cover, after its claim."""


def table(part: Part, found: Iterable[Record]) -> Table:
    """Return the figures of a part, one row per case."""
    columns = ("case", *part.columns, "failures", "date")
    rows = [(one.case, *part.row(one), f"{one.failures}", one.date) for one in found]
    numbers = [at for at in range(1, len(columns) - 1) if all(NUMBER.match(row[at]) for row in rows)]
    return Table(columns, rows, title=part.title, right=numbers)


def of(part: Part, records: Records) -> list[Record]:
    """Return the records of a part."""
    return [one for one in records.load(part.name) if one.part == part.name]


def render(records: Records | None = None) -> str:
    """Return the page."""
    store, sections = records or Records(), [HEAD]
    for part in PARTS:
        found = of(part, store)
        claim = " ".join([part.claim, *(tell() for name, tell in LEFT_OUT.items() if name == part.name)])
        lines = [f"## {part.title}", "", claim, "", f"    perle trust {part.name}", ""]
        named = [f"- {one.case}: {text}" for one in found for text in (*one.failed, *part.remarks(one))]
        named += [f"- {one.case}: incomplete: {', '.join(lacks)}" for one in found if (lacks := lacking(one))]
        named += [f"- {case}: not run" for _, case in missing(found, [part])]
        sections.append("\n".join([*lines, table(part, found).markdown()] if found else lines))
        if named:
            sections.append("\n".join([*named, ""]))
    return "\n".join(sections)


def write(records: Records | None = None, path: Path = PAGE) -> None:
    """Write the page."""
    path.write_text(render(records), encoding="utf-8")


def summary(found: Iterable[Record]) -> list[dict[str, Any]]:
    """Return the figures of runs for JSON, with the reasons why they are stale, and what they lack."""
    names = ("part", "case", "date", "seconds", "seed", "counts", "failures", "failed")
    return [
        {**{name: getattr(one, name) for name in names}, "stale": stale(one), "lacking": lacking(one)}
        for one in found
    ]
