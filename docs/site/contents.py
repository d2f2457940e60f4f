# SPDX-License-Identifier: Apache-2.0
"""The table of contents: every page, what it is called beside the others, and under which heading it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from perle.cores.registry import FOLDERS, every
from perle.flow.places import CHECKOUT
from perle.papers import keys

README = "README.md"
HOME = PurePosixPath(README)
"""The first page of the repository and of the site."""
PLACES = ("docs", "host", "perle")
"""Folders that have pages."""

COMMANDS = "reference/commands.md"
C_HEADERS = "reference/c/{}.md"
PYTHON = "reference/python/{}.md"
REGISTERS = "reference/registers.md"
PAPER = "papers/{}.md"
ERRATA = "papers/errata.md"
"""Pages that are made from sources: a page a header, a part of the package, a paper."""


@dataclass(frozen=True)
class Section:
    """A heading of the contents, and its pages: what each is called, and where it is."""

    title: str
    pages: tuple[tuple[str, str], ...]


class NoPlaceError(ValueError):
    """A page is not in the contents, or one that is there does not exist; the message names it."""


def pages(root: Path = CHECKOUT) -> tuple[PurePosixPath, ...]:
    """Return every page of the repository, by its place in it."""
    found = [*root.glob("*.md"), *(page for name in PLACES for page in (root / name).rglob("*.md"))]
    return tuple(sorted(PurePosixPath(page.relative_to(root).as_posix()) for page in found))


def _families(folder: Path) -> Iterator[tuple[str, str]]:
    for one in every().values():
        if one.folder.parent == folder:
            yield one.name, (one.folder / README).relative_to(CHECKOUT).as_posix()


def sections(headers: Iterable[str], parts: Iterable[str]) -> tuple[Section, ...]:
    """Return the contents; with the C headers and the parts of the Python package that have a reference."""
    multipliers, memories = FOLDERS
    return (
        Section(
            "Start",
            (
                ("Shell, Python, C", "docs/use.md"),
                ("Signing farms", "docs/farm.md"),
                ("More Python", "docs/python.md"),
                ("Limits", "docs/limits.md"),
                ("Glossary", "docs/glossary.md"),
            ),
        ),
        Section(
            "Choose a core",
            (
                ("By numbers", "docs/choose.md"),
                ("All cores", "docs/cores.md"),
                ("Comparison", "docs/comparison.md"),
                ("Metrics", "docs/metrics.md"),
                ("Measuring", "perle/measure/README.md"),
                ("Many configurations", "docs/explore.md"),
                ("The report", "docs/report.md"),
            ),
        ),
        Section(
            "Cores",
            (
                ("The contract", "perle/cores/contract.md"),
                *_families(multipliers),
                ("Exponentiator", "perle/cores/modexp/README.md"),
                ("Leaf cells", "perle/cores/prim/README.md"),
                ("Active memories", "perle/pam/memory.md"),
                *_families(memories),
            ),
        ),
        Section(
            "IP and boards",
            (
                ("IP directories", "perle/generate/README.md"),
                ("The board", "perle/boards/README.md"),
                ("Designs for FPGA boards", "docs/soc.md"),
                ("Behind a cable", "docs/boards.md"),
            ),
        ),
        Section(
            "Software",
            (
                ("OpenSSL", "docs/openssl.md"),
                ("The provider", "host/provider/README.md"),
                ("Other programs", "host/preload/README.md"),
                ("The library", "host/README.md"),
                ("Microcontrollers", "host/freestanding/README.md"),
                ("Long multiplication", "perle/apps/README.md"),
            ),
        ),
        Section(
            "Papers",
            (
                ("The papers as data", "perle/papers/README.md"),
                ("Notation", "perle/papers/notation.md"),
                ("Errata", ERRATA),
                *((key, PAPER.format(key)) for key in keys()),
            ),
        ),
        Section(
            "Reference",
            (
                ("Commands", COMMANDS),
                *((name, C_HEADERS.format(name)) for name in headers),
                *((part, PYTHON.format(part)) for part in parts),
                ("Registers", REGISTERS),
            ),
        ),
        Section(
            "The project",
            (
                ("Add a core", "CONTRIBUTING.md"),
                ("Design decisions", "docs/design.md"),
                ("Evidence", "docs/trust.md"),
                ("Security", "SECURITY.md"),
                ("Changes", "CHANGELOG.md"),
            ),
        ),
    )


def children(
    contents: Iterable[Section], every_page: Iterable[PurePosixPath]
) -> dict[str, list[PurePosixPath]]:
    """Return the pages that are not in the contents, below the README of a folder that they are in.

    Raises NoPlaceError for a page without one, and for a page of the repository that the contents invent.
    """
    every_page = set(every_page)
    listed = {place for section in contents for _, place in section.pages}
    if lost := {one for one in listed if one.startswith(PLACES)} - {str(one) for one in every_page}:
        raise NoPlaceError(f"the contents name {', '.join(sorted(lost))}: no such page")
    found: dict[str, list[PurePosixPath]] = {}
    for page in sorted(every_page - {HOME} - {PurePosixPath(one) for one in listed}):
        homes = (str(folder / README) for folder in page.parents)
        home = next((one for one in homes if one in listed and one != str(page)), None)
        if home is None:
            raise NoPlaceError(f"{page} is nowhere in the contents (docs/site/contents.py)")
        found.setdefault(home, []).append(page)
    return found
