# SPDX-License-Identifier: Apache-2.0
"""The page of a paper: printed and measured figures, as charts and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from perle.papers import load
from perle.report.papers.table import Page
from perle.report.quantities import quantity
from perle.report.site.figures import Chart, ratios
from perle.tables import Table


@dataclass(frozen=True)
class Shown:
    """A table of a paper, and the tables that show it."""

    page: Page
    tables: Sequence[Table]

    @property
    def paper(self) -> str:
        """The paper's key."""
        return self.page.name.partition(".")[0]

    @property
    def chart(self) -> Chart | None:
        """The chart of the rows with both numbers; None if there are none."""
        rows = [
            (
                _short(one.label),
                one.measured / one.printed,
                f"printed {quantity(one.printed)}, measured {quantity(one.measured)} {one.unit}",
            )
            for one in self.page.rows
            if one.printed and one.measured
        ]
        if not rows:
            return None
        return ratios(self.page.name.replace(".", "-"), f"{self.page.title}: measured over printed", rows)


MOST = 66
"""Maximum number of characters of a row's label in a chart; the table has the whole label."""


def _short(label: str) -> str:
    return label if len(label) <= MOST else label[: MOST - 1].rstrip() + "…"


def page_name(key: str) -> str:
    """Return the file name of a paper's page."""
    return f"paper-{key}.html"


def context(key: str, shown: Sequence[Shown], elsewhere: Mapping[str, str]) -> dict[str, Any]:
    """Return the variables of the template of a paper's page; `elsewhere`: tables made on demand only."""
    return {
        "paper": load(key),
        "tables": [one for one in shown if one.paper == key],
        "elsewhere": {name: what for name, what in elsewhere.items() if name.partition(".")[0] == key},
    }
