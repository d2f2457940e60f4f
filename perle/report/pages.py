# SPDX-License-Identifier: Apache-2.0
"""Output of tables: to a terminal, as Markdown, and as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from rich.console import Console

from perle.tables import Table

FORMATS = ("text", "markdown", "html")

STYLE = """
body { font: 15px/1.45 sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
table { border-collapse: collapse; margin: 0.5rem 0 1.5rem; width: 100%; }
th, td { border-bottom: 1px solid #ccc; padding: 0.25rem 0.6rem; text-align: left; vertical-align: top; }
.number { text-align: right; white-space: nowrap; }
tr.marked td { background: #fff3d6; }
"""


def show(tables: Iterable[Table], console: Console) -> None:
    """Print the tables to a terminal."""
    for table in tables:
        console.print(table, crop=False)  # a long word of the head, such as an address, stays whole
        for remark in table.remarks:
            console.print(remark, markup=False)
        console.print()


def markdown(title: str, tables: Iterable[Table]) -> str:
    """Return the tables as a Markdown document."""
    lines = [f"# {title}", ""]
    for table in tables:
        lines += [f"## {table.title}", "", *_paragraph(table.head), table.markdown()]
        for remark in table.remarks:
            lines += [remark, ""]
    return "\n".join(lines)


def _paragraph(lines: Sequence[str]) -> list[str]:
    """Return a Markdown paragraph that keeps the line breaks; empty if there are no lines."""
    return ["\\\n".join(lines), ""] if lines else []


def html(title: str, tables: Iterable[Table]) -> str:
    """Return the tables as an HTML document that refers to no other file."""
    body = [f"<h1>{escape(title)}</h1>"]
    for table in tables:
        body += [f"<h2>{escape(table.title)}</h2>", *(f"<p>{escape(line)}</p>" for line in table.head)]
        body += ["<table>", _row("th", table.columns, table)]
        for index, cells in enumerate(table.rows):
            body.append(_row("td", cells, table, marked=index in table.marked))
        body += ["</table>", *(f"<p>{escape(remark)}</p>" for remark in table.remarks)]
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
    content = "\n".join(body)
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>\n{content}\n</body></html>\n'


def _row(tag: str, cells: Sequence[object], table: Table, *, marked: bool = False) -> str:
    shown = ""
    for index, cell in enumerate(cells):
        kind = ' class="number"' if index in table.right else ""
        shown += f"<{tag}{kind}>{escape(str(cell))}</{tag}>"
    return f'<tr class="marked">{shown}</tr>' if marked else f"<tr>{shown}</tr>"
