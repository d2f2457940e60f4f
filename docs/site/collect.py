# SPDX-License-Identifier: Apache-2.0
"""All pages, laid out as in the repository, with their links leading to one another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from docs.site import contents, links, shown
from perle.flow.places import CHECKOUT

INDEX = PurePosixPath("index.md")


class Collection:
    """The pages of a site by their places in it; `moved` says of some files which page shows them."""

    def __init__(
        self, root: Path = CHECKOUT, moved: Mapping[PurePosixPath, PurePosixPath] | None = None
    ) -> None:
        self.root = root
        self.pages = set(contents.pages(root))
        self.moved = {contents.HOME: INDEX, **(moved or {})}
        self.shown: set[PurePosixPath] = set()

    def place(self, path: PurePosixPath) -> PurePosixPath:
        """Return where the site shows a file or folder of the repository, and see to it that it does."""
        if path / contents.README in self.pages:
            path /= contents.README
        if path in self.moved:
            return self.moved[path]
        if path in self.pages:
            return path
        self.shown.add(path)
        if (self.root / path).is_dir():
            self.shown |= {path / one.name for one in shown.listed(self.root / path)}
        return shown.place(path)

    def texts(self, sections: Iterable[contents.Section], generated: Mapping[str, str]) -> dict[str, str]:
        """Return all pages as Markdown; `generated` are those that are made from sources."""
        sections = list(sections)
        below = contents.children(sections, self.pages)
        found = dict(generated)
        for page in sorted(self.pages):
            text = (self.root / page).read_text(encoding="utf-8")
            trees = [tree("", [("", str(one)) for one in below.get(str(page), [])])]
            if page == contents.HOME:
                trees = [tree(one.title, one.pages) for one in sections]
            found[str(self.place(page))] = links.rewritten(text, page, self.place) + "".join(trees)
        for path in sorted(self.shown):
            found[str(shown.place(path))] = shown.page(self.root, path)
        return found


def tree(caption: str, pages: Iterable[tuple[str, str]]) -> str:
    """Return a part of the contents for Sphinx: places, with titles or ""."""
    lines = [
        f"{title} <{place}>" if title else place
        for title, place in ((title, f"/{place.removesuffix(links.PAGE)}") for title, place in pages)
    ]
    head = f":caption: {caption}\n" if caption else ""
    return (
        f"\n```{{toctree}}\n:hidden:\n:titlesonly:\n{head}\n" + "\n".join(lines) + "\n```\n" if lines else ""
    )
