# SPDX-License-Identifier: Apache-2.0
"""The one kind of table, on a terminal and as Markdown; `perle.report.pages` makes documents of several."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rich import box
from rich.table import Table as Shown
from rich.text import Text


@dataclass
class Table:
    """Rows of cells under the labels of their columns, a unit in its label: `product, µs`.

    Columns at the indices `right` hold numbers, rows at those of `marked` stand out in a document; remarks
    follow the table there; `head` stands above the rows: what is the same in all of them. A cell is shown as
    `str` has it; one that is a `Text` in its colour on a terminal.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[object]] = ()
    title: str = ""
    right: Collection[int] = ()
    marked: Collection[int] = ()
    remarks: Sequence[str] = ()
    head: Sequence[str] = ()

    def add(self, *cells: object) -> None:
        """Add a row."""
        self.rows = [*self.rows, cells]

    def markdown(self) -> str:
        """Return labels and rows as Markdown, a line each."""
        rule = ["---:" if index in self.right else "---" for index in range(len(self.columns))]
        return "".join(
            f"| {' | '.join(str(cell).replace('|', '&#124;') for cell in cells)} |\n"
            for cells in (self.columns, rule, *self.rows)
        )

    def __rich__(self) -> Shown:
        """Return title, labels and rows for a terminal; brackets are no markup."""
        title = Text(self.title, "bold") if self.title else Text()
        for line in self.head:
            title.append(f"\n{line}", "not bold")
        shown = Shown(box=box.SIMPLE_HEAD, title=title or None, title_justify="left", pad_edge=False)
        for index, name in enumerate(self.columns):
            shown.add_column(Text(name), justify="right" if index in self.right else "left", overflow="fold")
        for cells in self.rows:
            shown.add_row(*(cell if isinstance(cell, Text) else Text(str(cell)) for cell in cells))
        return shown
