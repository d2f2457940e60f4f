# SPDX-License-Identifier: Apache-2.0
"""Build the site: collect its pages, write those that are made from sources, and run Sphinx over them."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path, PurePosixPath

import typer

from docs.site import (
    c_page,
    collect,
    commands_page,
    contents,
    paper_pages,
    python_pages,
    registers_page,
)
from perle.cli.app import app
from perle.flow.places import CHECKOUT, HOST
from perle.flow.tools import run
from perle.papers import PAPERS, keys

INCLUDE = HOST / "include"
HERE = Path(__file__).resolve().parent
REPORT = "report"
"""The folder in the site where the report of the measurements is."""


def headers() -> list[Path]:
    """Return libperle's headers."""
    return sorted(INCLUDE.glob("*.h"))


def texts() -> dict[str, str]:
    """Return every page as Markdown, by its place in the site."""
    generated = {
        contents.COMMANDS: commands_page.page(typer.main.get_command(app)),
        contents.REGISTERS: registers_page.page(),
        contents.ERRATA: paper_pages.errata(),
        **{contents.C_HEADERS.format(one.name): c_page.page(one.name, one.read_text()) for one in headers()},
        **{contents.PYTHON.format(part): python_pages.page(part) for part in python_pages.PAGES},
        **{contents.PAPER.format(key): paper_pages.page(key) for key in keys()},
    }
    moved = {_place(one): PurePosixPath(contents.C_HEADERS.format(one.name)) for one in headers()}
    moved |= {_place(PAPERS / f"{key}.toml"): PurePosixPath(contents.PAPER.format(key)) for key in keys()}
    sections = contents.sections([one.name for one in headers()], python_pages.PAGES)
    return collect.Collection(moved=moved).texts(sections, generated)


def _place(path: Path) -> PurePosixPath:
    return PurePosixPath(path.relative_to(CHECKOUT).as_posix())


def write(folder: Path) -> None:
    """Write all pages and pictures into an empty folder, for Sphinx."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in texts().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for name in contents.PLACES:
        for picture in (CHECKOUT / name).rglob("*.svg"):
            path = folder / picture.relative_to(CHECKOUT)
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(picture, path)


def site(out: Path, pages: Path) -> None:
    """Build the site in `out` from nothing, by way of `pages`; what Sphinx warns of raises ToolError."""
    write(pages)
    render(pages, out)


def render(pages: Path, out: Path) -> None:
    """Build the site in `out` from nothing, of the pages in a folder."""
    shutil.rmtree(out, ignore_errors=True)
    sphinx = [sys.executable, "-m", "sphinx", "-b", "html", "-W", "--keep-going", "-q", "-E"]
    folders: list[str | Path] = ["-d", pages / ".doctrees", "-c", HERE, pages, out]
    run([*sphinx, *folders], env={"PYTHONPATH": str(CHECKOUT)}, timeout=600)


def report(out: Path) -> None:
    """Write the report of all recorded measurements beside the pages."""
    run([sys.executable, "-m", "perle.cli", "report", "-o", out / REPORT], timeout=600)
