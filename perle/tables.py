# SPDX-License-Identifier: Apache-2.0
"""The one kind of table, on a terminal and as Markdown; `perle.report.pages` makes documents of several."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap

from rich import box
from rich.table import Table as Shown
from rich.text import Text


@dataclass
class Table:
    """Rows of cells under the labels of their columns, a unit in its label: `product, µs`.

    Columns at the indices `right` hold numbers, rows at those of `marked` stand out in a document; remarks
    follow the table there; `head` stands above the rows: what is the same in all of them. A cell is shown as
    `str` has it; one that is a `Text` in its colour on a terminal. In a `firm` table no number is folded. The
    columns of a `tight` one stand closer, and `within` keeps its cells whole. The first `keys` columns tell
    what a row is.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[object]] = ()
    title: str = ""
    right: Collection[int] = ()
    marked: Collection[int] = ()
    remarks: Sequence[str] = ()
    head: Sequence[str] = ()
    keys: int = 1
    firm: bool = False
    tight: bool = False

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
        shown = Shown(
            box=box.SIMPLE_HEAD,
            title=title or None,
            title_justify="left",
            pad_edge=False,
            padding=(0, int(not self.tight), 0, 1),
        )
        for index, name in enumerate(self.columns):
            number = index in self.right
            shown.add_column(
                Text(name),
                justify="right" if number else "left",
                overflow="fold",
                no_wrap=number and self.firm,
            )
        for cells in self.rows:
            shown.add_row(*(cell if isinstance(cell, Text) else Text(str(cell)) for cell in cells))
        return shown


TEXT, GAP, TIGHT = 26, 3, 2
"""Maximum width of a text column in characters (longer text is wrapped), and the gap between columns."""


def within(table: Table, width: int) -> list[Table]:
    """Return a table, in parts if its numbers do not fit `width` characters.

    Each part begins with the columns that tell what a row is. Title and head are above the first part,
    remarks below the last.
    """
    needs = [_need(table, index) for index in range(len(table.columns))]
    gap = TIGHT if table.tight else GAP
    if sum(needs) + gap * len(needs) <= width:
        return [table]
    keys = list(range(table.keys))
    parts = [keys]
    for index in range(table.keys, len(needs)):
        taken = sum(needs[each] + gap for each in (*parts[-1], index))
        if taken > width and len(parts[-1]) > table.keys:
            parts.append(keys)
        parts[-1] = [*parts[-1], index]
    last = len(parts) - 1
    return [
        replace(
            table,
            columns=[_lines(table.columns[each], needs[each]) for each in part],
            rows=[[row[each] for each in part] for row in table.rows],
            right=[place for place, each in enumerate(part) if each in table.right],
            title=table.title if number == 0 else "",
            head=table.head if number == 0 else (),
            remarks=table.remarks if number == last else (),
            firm=True,
        )
        for number, part in enumerate(parts)
    ]


def _need(table: Table, index: int) -> int:
    cells = max((len(str(row[index])) for row in table.rows), default=0)
    label = max(map(len, table.columns[index].split()), default=0)
    whole = table.tight or index in table.right
    return max(cells, label) if whole else min(TEXT, max(cells, label))


def _lines(label: str, width: int) -> str:
    """Return a label in lines of so many characters, or of its longest word."""
    return "\n".join(wrap(label, width or 1, break_long_words=False))  # 0: neither a label nor text
