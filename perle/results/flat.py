# SPDX-License-Identifier: Apache-2.0
"""Recorded measurements as one flat table: a row per run, a column for every metric and parameter."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from perle.results import Measurement, names
from perle.results.view import counted

Cell = str | int | float | bool | None

CURRENT = "current"
HEAD = (
    *("core", "family", "part", "target", "device", "seed", "date", "seconds", "tools", "identity"),
    *("not_compared", "renamed", "error"),
)
"""Columns of every run. `identity` is "current", or the reason why the run is stale; `not_compared` is the
reason why the settings of a current run could not be compared, such as a missing library; names of metrics
contain their units."""
PARAMETER = "param."
"""Prefix of the columns of parameters; columns of metrics have the metric's own name."""


def rows(found: Iterable[tuple[Measurement, Sequence[str], str]]) -> list[dict[str, Cell]]:
    """Return runs with the same columns, each given with why it is stale (empty: current), and not compared.

    In addition to the measured metrics there is `luts`, which includes cells that occupy LUTs. Missing values
    are None.
    """
    runs = [_row(counted(one), why, unseen) for one, why, unseen in found]
    extra = {name for one in runs for name in one} - set(HEAD)
    columns = [*HEAD, *sorted(extra, key=lambda name: (not name.startswith(PARAMETER), name))]
    long = {name for one in runs for name, value in one.items() if isinstance(value, int) and value >> 63}
    return [{name: _cell(one.get(name), long=name in long) for name in columns} for one in runs]


def _cell(value: Cell, *, long: bool) -> Cell:
    """Return a cell; a column with a number of more than 63 bits is all hexadecimal, as in core.toml."""
    return hex(value) if long and isinstance(value, int) else value


def _row(one: Measurement, why: Sequence[str], unseen: str) -> dict[str, Cell]:
    family, _, _ = one.core.partition(":")
    return {
        "core": one.core,
        "family": family,
        "part": one.part,
        "target": one.target,
        "device": one.device,
        "seed": one.seed,
        "date": one.date,
        "seconds": float(one.seconds),
        "tools": "; ".join(f"{name} {version}" for name, version in sorted(one.tools.items())),
        "identity": "; ".join(why) or CURRENT,
        "not_compared": unseen,
        "renamed": one.renamed,
        "error": one.error,
        **{f"{PARAMETER}{name}": value for name, value in one.params.items()},
        **{name: float(value) for name, value in one.metrics.items()},
    }


def as_csv(table: Sequence[dict[str, Cell]]) -> str:
    """Return the table in the format of RFC 4180, with line feeds only; missing values are empty cells."""
    text = StringIO()
    writer = csv.DictWriter(text, list(table[0]) if table else [*HEAD, names.LUTS], lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return text.getvalue()
