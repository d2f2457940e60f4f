# SPDX-License-Identifier: Apache-2.0
"""Sections of the families' READMEs as HTML, and tables as pages have them.

Links out of the site are removed, pictures are copied.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from perle.report.costs import NOTHING
from perle.tables import Table

COMMENT = re.compile(r"<!--.*?-->\n?", re.S)
HEADING = re.compile(r"^## (.+)$", re.M)


@dataclass(frozen=True)
class Readme:
    """A README in Markdown: the text before its first section, and its sections by title."""

    folder: Path
    intro: str
    sections: Mapping[str, str]

    def picture(self) -> Path | None:
        """Return the path of its first picture, if there is one."""
        found = re.search(r"!\[[^\]]*\]\(([^)]+\.svg)\)", self.intro)
        return None if found is None else self.folder / found[1]


def read(folder: Path) -> Readme:
    """Return a folder's README without its title and comments."""
    text = COMMENT.sub("", (folder / "README.md").read_text(encoding="utf-8"))
    parts = HEADING.split(re.sub(r"\A\s*# .+\n", "", text))
    return Readme(folder, parts[0], dict(zip(parts[1::2], parts[2::2], strict=True)))


def html(text: str, folder: Path, pages: Mapping[Path, str], pictures: dict[str, Path]) -> Markup:
    """Return Markdown of a file in `folder` as HTML.

    Links to READMEs in `pages` lead to those pages; other links are replaced by their text. Pictures are
    added to `pictures`, by their names in the site.
    """
    engine = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = engine.parse(text)
    for block in tokens:
        if block.children:
            block.children = _inside(block.children, folder, pages, pictures)
    # Rendered from the project's own files, whose HTML is escaped.
    shown = engine.renderer.render(tokens, engine.options, {})
    shown = shown.replace("<table>", '<div class="wide" tabindex="0"><table>')
    return Markup(shown.replace("</table>", "</table></div>"))  # noqa: S704


def filled(table: Table) -> Table:
    """Return a table without the columns of figures in which every cell is a dash."""
    kept = [
        index
        for index in range(len(table.columns))
        if index not in table.right or any(str(row[index]) != NOTHING for row in table.rows)
    ]
    return replace(
        table,
        columns=[table.columns[index] for index in kept],
        rows=[[row[index] for index in kept] for row in table.rows],
        right=[place for place, index in enumerate(kept) if index in table.right],
    )


def picture_name(path: Path) -> str:
    """Return the name in the site of a family's picture."""
    return f"pictures/{path.parent.name}-{path.name}"


def _inside(
    tokens: list[Token], folder: Path, pages: Mapping[Path, str], pictures: dict[str, Path]
) -> list[Token]:
    found, dropped = [], 0
    for token in tokens:
        if token.type == "image":
            path = (folder / str(token.attrs["src"])).resolve()
            pictures[picture_name(path)] = path
            token.attrs["src"] = picture_name(path)
        elif token.type == "link_open":
            target = _target(str(token.attrs["href"]), folder, pages)
            if target is None:
                dropped += 1
                continue
            token.attrs["href"] = target
        elif token.type == "link_close" and dropped:
            dropped -= 1
            continue
        found.append(token)
    return found


def _target(href: str, folder: Path, pages: Mapping[Path, str]) -> str | None:
    """Return the target of a link in the site; None if the site does not contain it."""
    path, _, _ = href.partition("#")
    return pages.get((folder / path).resolve()) if path else None
