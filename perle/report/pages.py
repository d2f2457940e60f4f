# SPDX-License-Identifier: Apache-2.0
"""Tables for reading: on a terminal, as Markdown and as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from rich.console import Console
from rich.markup import escape as plain

from perle.report.tables import plain_table

FORMATS = ("text", "markdown", "html")

STYLE = """
body { font: 15px/1.45 sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
table { border-collapse: collapse; margin: 0.5rem 0 1.5rem; width: 100%; }
th, td { border-bottom: 1px solid #ccc; padding: 0.25rem 0.6rem; text-align: left; vertical-align: top; }
.number { text-align: right; white-space: nowrap; }
tr.marked td { background: #fff3d6; }
"""


@dataclass(frozen=True)
class Grid:
    """A table of texts; columns at the indices `right` hold numbers, rows at those of `marked` stand out."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: frozenset[int] = frozenset()
    marked: frozenset[int] = frozenset()
    remarks: Sequence[str] = ()


def show(grids: Iterable[Grid], console: Console) -> None:
    """Print the tables to a terminal."""
    for grid in grids:
        shown = plain_table(*grid.columns, title=plain(grid.title), right=grid.right)
        for cells in grid.rows:
            shown.add_row(*map(plain, cells))
        console.print(shown)
        for remark in grid.remarks:
            console.print(plain(remark))
        console.print()


def markdown(title: str, grids: Iterable[Grid]) -> str:
    """Return the tables as a Markdown document."""
    lines = [f"# {title}", ""]
    for grid in grids:
        rule = ["---:" if index in grid.right else "---" for index in range(len(grid.columns))]
        lines += [f"## {grid.title}", ""]
        for cells in (grid.columns, rule, *grid.rows):
            line = " | ".join(cell.replace("|", "&#124;") for cell in cells)
            lines.append(f"| {line} |")
        lines.append("")
        for remark in grid.remarks:
            lines += [remark, ""]
    return "\n".join(lines)


def html(title: str, grids: Iterable[Grid]) -> str:
    """Return the tables as an HTML document that needs no other file."""
    body = [f"<h1>{escape(title)}</h1>"]
    for grid in grids:
        body += [f"<h2>{escape(grid.title)}</h2>", "<table>", _row("th", grid.columns, grid)]
        for index, cells in enumerate(grid.rows):
            body.append(_row("td", cells, grid, marked=index in grid.marked))
        body += ["</table>", *(f"<p>{escape(remark)}</p>" for remark in grid.remarks)]
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
    content = "\n".join(body)
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>\n{content}\n</body></html>\n'


def _row(tag: str, cells: Sequence[str], grid: Grid, *, marked: bool = False) -> str:
    shown = ""
    for index, cell in enumerate(cells):
        kind = ' class="number"' if index in grid.right else ""
        shown += f"<{tag}{kind}>{escape(cell)}</{tag}>"
    return f'<tr class="marked">{shown}</tr>' if marked else f"<tr>{shown}</tr>"
