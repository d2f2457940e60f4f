# SPDX-License-Identifier: Apache-2.0
"""Sections of the families' READMEs as HTML: links lead inside the site or nowhere, pictures come along."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

COMMENT = re.compile(r"<!--.*?-->\n?", re.S)
HEADING = re.compile(r"^## (.+)$", re.M)


@dataclass(frozen=True)
class Readme:
    """A README: what stands before its first section, and its sections by title, as Markdown."""

    folder: Path
    intro: str
    sections: Mapping[str, str]

    def picture(self) -> Path | None:
        """Return its first picture."""
        found = re.search(r"!\[[^\]]*\]\(([^)]+\.svg)\)", self.intro)
        return None if found is None else self.folder / found[1]


def read(folder: Path) -> Readme:
    """Return a folder's README, its title and comments left out."""
    text = COMMENT.sub("", (folder / "README.md").read_text(encoding="utf-8"))
    parts = HEADING.split(re.sub(r"\A\s*# .+\n", "", text))
    return Readme(folder, parts[0], dict(zip(parts[1::2], parts[2::2], strict=True)))


def html(text: str, folder: Path, pages: Mapping[Path, str], pictures: dict[str, Path]) -> Markup:
    """Return Markdown of a file in `folder` as HTML.

    A link to one of `pages` leads there, one elsewhere in the project keeps its words alone. Pictures are
    added to `pictures`, by the name that the page has for them.
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


def picture_name(path: Path) -> str:
    """Return what a picture of a family is called in the site."""
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
    """Return where a link leads in the site; None where the site does not have it."""
    path, _, _ = href.partition("#")
    return pages.get((folder / path).resolve()) if path else None
