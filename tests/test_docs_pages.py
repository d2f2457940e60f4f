# SPDX-License-Identifier: Apache-2.0
"""What the documentation's site is made of: its contents, its links, and the pages that sources give."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
import typer
from markdown_it import MarkdownIt

from docs.site import (
    __main__,
    build,
    c_page,
    collect,
    commands_page,
    contents,
    docstrings,
    links,
    paper_pages,
    plain,
)
from perle.cli import reproduce_tables
from perle.cli.app import app
from perle.cli.manual import commands, options
from perle.cores.registry import every
from perle.flow.c_headers import declarations
from perle.flow.tools import ToolError
from perle.papers import keys, load
from tests import house

SECTIONS = contents.sections(["perle.h"], ["perle.host"])
PAGE = PurePosixPath("perle/cores/orup/README.md")


def test_every_page_is_in_the_contents_once() -> None:
    below = contents.children(SECTIONS, contents.pages())
    found = [place for section in SECTIONS for _, place in section.pages]
    found += [str(one) for those in below.values() for one in those]
    assert len(found) == len(set(found))
    pages = {one.relative_to(house.ROOT).as_posix() for one in house.files(".md")}
    assert pages - {contents.README} == {one for one in found if one in pages}
    assert {f"{one.folder.relative_to(house.ROOT)}/README.md" for one in every().values()} <= set(found)
    assert below["perle/cores/stream/README.md"] == [
        PurePosixPath("perle/cores/stream/NOTES.md"),
        PurePosixPath("perle/cores/stream/engine/README.md"),
    ]


def test_a_page_without_a_place_is_refused() -> None:
    with pytest.raises(contents.NoPlaceError, match=r"docs/new\.md is nowhere"):
        contents.children(SECTIONS, [*contents.pages(), PurePosixPath("docs/new.md")])
    without = [one for one in contents.pages() if one != PurePosixPath("docs/soc.md")]
    with pytest.raises(contents.NoPlaceError, match=r"docs/soc\.md: no such page"):
        contents.children(SECTIONS, without)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("[c](../contract.md#ports)", "[c](../contract.md#ports)"),
        ("[m](model.py)", "[m](../../../source/perle/cores/orup/model.py.md)"),
        ("[r](../../../README.md)", "[r](../../../index.md)"),
        ("[t](../../papers/tang2003.toml)", "[t](../../../papers/tang2003.md)"),
        ("[`f`](../modexp)", "[`f`](../modexp/README.md)"),
        ("[e](../prim/ecp5)", "[e](../../../source/perle/cores/prim/ecp5.md)"),
        ("[p](row.svg)", "[p](../../../source/perle/cores/orup/row.svg.md)"),
        *[
            (same, same)
            for same in ("![r](row.svg)", "`[m](model.py)`", "[h](#here)", "[x](https://x.invalid)")
        ],
        ("```\n[m](model.py)\n```\n", "```\n[m](model.py)\n```\n"),
    ],
)
def test_links_lead_to_pages_of_the_site(written: str, shown: str) -> None:
    moved = {PurePosixPath("perle/papers/tang2003.toml"): PurePosixPath("papers/tang2003.md")}
    found = collect.Collection(moved=moved)
    assert links.rewritten(written, PAGE, found.place) == shown


def test_what_is_linked_is_shown() -> None:
    found = collect.Collection()
    for name in ("perle/cores/prim/ecp5", "perle/cores/orup/row.svg", "LICENSE"):
        found.place(PurePosixPath(name))
    texts = found.texts(SECTIONS, {})
    assert "[perle_ram.sv](ecp5/perle_ram.sv.md)" in texts["source/perle/cores/prim/ecp5.md"]
    assert "code-block} systemverilog" in texts["source/perle/cores/prim/ecp5/perle_ram.sv.md"]
    assert "](../../../../perle/cores/orup/row.svg)" in texts["source/perle/cores/orup/row.svg.md"]
    assert "Apache License" in texts["source/LICENSE.md"]
    assert "toctree" in texts["index.md"]


def test_commands_are_those_of_the_program() -> None:
    program: Any = typer.main.get_command(app)
    page = commands_page.page(program)
    leaves = [leaf for name, one in program.commands.items() for leaf in commands(name, one)]
    assert len(leaves) > 40
    for name, command in leaves:
        section = page.partition(f"### perle {name}\n")[2].partition("\n### ")[0]
        for names, value, _ in options(command):
            shown = ", ".join(f"{name} {value}".strip() for name in names)
            assert f"{{option}} {shown}\n" in section
    assert "| `PERLE_CACHE` |" in page


def test_no_cell_of_a_table_ends_in_its_code() -> None:
    """A bar in code ends the cell, and leaves the marks of the code as text."""
    pages = {one.as_posix(): house.text_of(one) for one in house.files(".md")}
    pages["commands"] = commands_page.page(typer.main.get_command(app))
    pages |= {key: paper_pages.page(key) for key in keys()} | {"errata": paper_pages.errata()}
    assert {name: cells for name, page in pages.items() if (cells := _stray(page))} == {}
    for command in ("trace", "step"):
        assert f"### perle {command}\n" in pages["commands"]
    assert pages["commands"].count(r"| `mul\|exp` | mul X Y M or exp") == 2
    assert r"| `SPACE.toml \| CORE …` | A file, or families and cores" in pages["commands"]
    assert _stray("| | |\n|---|---|\n| `a|b` | c |\n") == ["`a", "b`"]
    assert _stray("| | |\n|---|---|\n| `a\\|b` | `c` |\n") == []


def _stray(page: str) -> list[str]:
    """Return the cells of a page's tables that begin or end with a mark of code that is none."""
    tokens = MarkdownIt().enable("table").parse(page)
    cells = (two for one, two in pairwise(tokens) if one.type in {"td_open", "th_open"})
    shown = (
        "".join(part.content if part.type == "text" else " " for part in one.children or []) for one in cells
    )
    return [text for text in shown if text != text.strip("`")]


def test_the_page_of_a_header_has_all_that_it_declares() -> None:
    for header in build.headers():
        page = c_page.page(header.name, house.text_of(header))
        code = re.sub(r"/\*.*?\*/", "", house.text_of(header), flags=re.DOTALL)
        functions = re.findall(r"^PERLE_API [^;]*?(\w+)\(", code, re.MULTILINE)
        types = re.findall(r"^(?:typedef [^;{]*?|\} )\(?\*?(perle_\w+)\)?(?:\([^;]*\))?;", code, re.MULTILINE)
        for name in functions:
            assert re.search(rf"^:::::\{{c:function\}} .*\b{name}\(", page, re.MULTILINE), name
        for name in types:
            assert f"{{c:type}} {name}\n" in page, name
        assert functions
    assert "perle_modexp(" in declarations(build.INCLUDE / "perle.h")


def test_comments_go_with_what_follows_them() -> None:
    text = "\n/* Both. */\nint a(void);\nint b(void);\n\nint c(void); /* Alone. */\n"
    first, second = c_page.groups(text)
    assert (first.comment, first.declarations) == ("Both.", ["int a(void);", "int b(void);"])
    assert second.declarations == ["int c(void); /* Alone. */"]
    page = c_page.page("x.h", "/* SPDX-License-Identifier: Apache-2.0\n *\n * What.\n */" + text)
    assert "{c:function} int c(void)\nAlone.\n" in page
    assert "{c:function} int b(void)\nBoth.\n" in page
    with pytest.raises(ValueError, match="does not begin with a comment"):
        c_page.page("x.h", text)


def test_text_is_shown_as_it_stands() -> None:
    assert plain.coded("a_b `c_d` <e>") == r"a\_b `c_d` \<e\>"
    assert plain.paragraphs("a\nb\n\nc    d") == "a\nb\n\n```\nc    d\n```"
    assert docstrings.as_text(["A `b` *c d_.", "", "    x = 1"]) == [
        r"A ``b`` \*c d\_.",
        "",
        "::",
        "",
        "    x = 1",
        "",
    ]


def test_papers() -> None:
    errata = paper_pages.errata()
    assert "| `59468` | `59469` |" in errata
    assert "(/perle/cores/bit_systolic/README.md#differences-from-the-paper)" in errata
    assert [one.id for one in paper_pages.contradictions(load("shand1990"))] == []
    for key in keys():
        page = paper_pages.page(key)
        assert all(f"`{name}`" in page for name in load(key).claims)
        assert f"`perle reproduce {key}`" in page
        assert reproduce_tables.named(key)


def test_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    made: list[Path] = []
    monkeypatch.setattr(build, "site", lambda out, _: made.append(out))
    monkeypatch.setattr(build, "report", made.append)
    assert __main__.main() == 0
    assert made == [__main__.OUT, __main__.OUT]
    assert capsys.readouterr().out == f"open {house.ROOT / 'build/site/index.html'}\n"

    def fail(_: Path) -> None:
        raise ToolError("sphinx", "a warning")

    monkeypatch.setattr(build, "report", fail)
    assert __main__.main() == 1
    assert "a warning" in capsys.readouterr().err
