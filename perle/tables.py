# SPDX-License-Identifier: Apache-2.0
"""The one kind of table, on a terminal and as Markdown; `perle.report.pages` makes documents of several."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap
from typing import Any

from rich import box
from rich.console import Console, ConsoleOptions
from rich.table import Table as Shown
from rich.text import Text


@dataclass
class Table:
    """Rows of cells under the labels of their columns, a unit in its label: `product, µs`.

    Columns at the indices `right` hold numbers, rows at those of `marked` stand out in a document; remarks
    follow the table there; `head` stands above the rows: what is the same in all of them. A cell is shown as
    `str` has it; one that is a `Text` in its colour on a terminal. In a `firm` table no number is folded. The
    columns of a `tight` one stand closer, and `within` keeps its cells whole. The first `keys` columns tell
    what a row is. `widths` are those of the columns in characters; without them each takes what it needs.
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
    widths: Sequence[int] = ()

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

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> Iterator[Text | Shown]:
        """Yield title, labels and rows for a terminal; brackets are no markup, and no word is broken."""
        for line, style in [(self.title, "bold")] * bool(self.title) + [(each, "") for each in self.head]:
            folded = "\n".join(wrap(line, options.max_width, subsequent_indent=FURTHER, **WORDS))
            yield Text(folded, style, no_wrap=True, overflow="ignore")
        shown = Shown(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, int(not self.tight), 0, 1))
        for index, name in enumerate(self.columns):
            number = index in self.right
            shown.add_column(
                Text(name),
                justify="right" if number else "left",
                overflow="fold",
                no_wrap=number and self.firm,
                width=self.widths[index] if self.widths else None,
            )
        for cells in self.rows:
            shown.add_row(*(cell if isinstance(cell, Text) else Text(str(cell)) for cell in cells))
        yield shown


WORDS: dict[str, Any] = {"break_long_words": False, "break_on_hyphens": False}
FURTHER = "   "
"""What the further lines of a long line begin with."""
NOTHING = "–"
"""What stands for a figure that is not known."""


def once(table: Table, among: Collection[int] | None = None, loose: Collection[int] = ()) -> Table:
    """Return a table with what is the same in all its rows above them, unless the title says it.

    This is about the columns at the indices `among`; by default about all that do not tell what a row is, if
    there are several rows. In those of `loose`, an empty cell agrees with any other. A column without text is
    left out, and one of figures none of which is known is only named.
    """
    several = len(table.rows) > 1 or among is not None
    head, unknown, left = [], [], list(range(table.keys))
    for index in range(table.keys, len(table.columns)):
        said = {str(row[index]) for row in table.rows}
        values = said - {""} if index in loose else said
        if len(values) > 1 or not (several or values <= {""}) or index not in (among or range(index + 1)):
            left.append(index)
        elif NOTHING in values:
            unknown.append(" ".join(table.columns[index].split()))
        elif (value := "".join(values)) and value not in table.title.split():
            head.append(f"{table.columns[index]}: {value}")
    return replace(
        table,
        columns=[table.columns[index] for index in left],
        rows=[[row[index] for index in left] for row in table.rows],
        right=[place for place, index in enumerate(left) if index in table.right],
        head=[*table.head, *head, *([f"not known of any: {'; '.join(unknown)}"] if unknown else [])],
    )


TEXT, GAP, TIGHT = 26, 3, 2
"""Width in characters from which a text column is wrapped between words, and the gap between columns."""
JOINED = "\N{NO-BREAK SPACE}·\N{NO-BREAK SPACE}"
"""A product in a label, which stays on one line."""


def within(table: Table, width: int) -> list[Table]:
    """Return a table, in parts if its numbers do not fit `width` characters.

    Each part begins with the columns that tell what a row is. Title and head are above the first part,
    remarks below the last. Texts are wrapped between words: the name of a core is never broken.
    """
    wants = [_want(table, index) for index in range(len(table.columns))]
    gap = TIGHT if table.tight else GAP
    if sum(wants) + gap * len(wants) <= width:
        return [table]
    needs = [_need(table, index) for index in range(len(table.columns))]
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
            columns=[_lines(table.columns[each], widths[each]) for each in part],
            rows=[[row[each] for each in part] for row in table.rows],
            right=[place for place, each in enumerate(part) if each in table.right],
            title=table.title if number == 0 else "",
            head=table.head if number == 0 else (),
            remarks=table.remarks if number == last else (),
            firm=True,
            widths=[widths[each] for each in part],
        )
        for number, part in enumerate(parts)
        for widths in [_shared(part, needs, wants, width - gap * len(part))]
    ]


def _shared(part: Sequence[int], needs: Sequence[int], wants: Sequence[int], room: int) -> dict[int, int]:
    """Return the widths of a part's columns: what they need, and of what is left as much as they want."""
    widths = {index: needs[index] for index in part}
    room -= sum(widths.values())
    modest = sorted(part, key=lambda index: wants[index] - needs[index])
    for place, index in enumerate(modest):
        more = max(0, min(wants[index] - needs[index], room // (len(part) - place)))
        widths[index] += more
        room -= more
    return widths


def _want(table: Table, index: int) -> int:
    """Return the width of a column that wraps nothing."""
    texts = (table.columns[index], *(str(row[index]) for row in table.rows))
    return max((len(line) for text in texts for line in text.splitlines()), default=0)


def _need(table: Table, index: int) -> int:
    """Return the least width of a column: numbers are whole, texts and labels are wrapped between words."""
    cells = [str(row[index]) for row in table.rows]
    longest = max(map(len, cells), default=0)
    label = max(map(len, table.columns[index].replace(" · ", JOINED).split(" ")), default=0)
    if table.tight or index in table.right:
        return max(longest, label)
    word = max((len(word) for cell in cells for word in cell.split()), default=0)
    return max(min(TEXT, max(longest, label)), word)


def _lines(label: str, width: int) -> str:
    """Return a label in lines of so many characters, or of its longest word."""
    lines = wrap(
        label.replace(" · ", JOINED), width or 1, break_long_words=False
    )  # 0: neither a label nor text
    return "\n".join(lines).replace(JOINED, " · ")
