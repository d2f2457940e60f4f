# SPDX-License-Identifier: Apache-2.0
"""The one look of tables on a terminal."""

from __future__ import annotations

from collections.abc import Collection

from rich import box
from rich.table import Table


def plain_table(*columns: str, title: str | None = None, right: Collection[int] = ()) -> Table:
    """Return a table with these columns; those at the indices `right` hold numbers."""
    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", title_style="bold", pad_edge=False)
    for index, name in enumerate(columns):
        table.add_column(name, justify="right" if index in right else "left", overflow="fold")
    return table


def quantity(value: float) -> str:
    """Return a number with about three significant digits, thousands separated."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def seconds(value: float) -> str:
    """Return a time in the unit that reads best."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"
