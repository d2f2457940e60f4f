# SPDX-License-Identifier: Apache-2.0
"""Every command line and every file of the documents is one that `perle` accepts.

Other tests run those that take seconds; here nothing is run.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from perle.cores.registry import UnknownCoreError
from perle.explore import space, stages
from perle.report import prices
from perle.results import Store
from tests import house
from tests.command_lines import check, commands

PAGES = {one.relative_to(house.ROOT).as_posix(): house.text_of(one) for one in house.files(".md")}
SCRIPTS = {
    f"{name}, {number}": script
    for name, text in PAGES.items()
    for number, script in enumerate((*house.blocks("sh", text), *house.blocks("console", text)), 1)
    if "perle " in script
}
FILES = {
    f"{name}, {n}": text
    for name, page in PAGES.items()
    for n, text in enumerate(house.blocks("toml", page), 1)
}


@pytest.mark.parametrize("where", SCRIPTS)
def test_the_commands_of_a_script_are_accepted(where: str) -> None:
    found = commands(SCRIPTS[where])
    assert len(found) >= len(re.findall(r"^ *perle ", SCRIPTS[where], re.MULTILINE))
    for words in found:
        check(words)


def test_what_is_not_accepted() -> None:
    script = (
        "A=1 perle soc ulx3s-85f \\\n  --core orup:w64 | tee x  # perle x\nperle cores && make\nsrun perle"
    )
    assert commands(script) == [["soc", "ulx3s-85f", "--core", "orup:w64"], ["cores"]]
    for words, said in (
        (["sock", "ulx3s-85f"], "No such command 'sock'"),
        (["soc", "ulx3s-85f", "--baude", "9600"], "No such option: --baude"),
        (["rsa", "sign", "--padding", "pss2"], "'pss2' is not one of"),
        (["soc"], "Missing parameter: name"),
    ):
        with pytest.raises(Exception, match=said):
            check(words)
    with pytest.raises(UnknownCoreError):
        check(["gen", "orup:nothing", "--out", "x"])
    with pytest.raises(UnknownCoreError):
        check(["mul", "--board", "sim:orup:nothing", "1", "2", "3"])


def _space(path: Path) -> object:
    planned = stages.plan(space.read(path), Store(path.parent / "store"))
    assert not planned.infeasible
    return planned.runs


LOADERS: dict[str, Callable[[Path], Any]] = {"docs/explore.md": _space, "docs/metrics.md": prices.read}


@pytest.mark.parametrize("where", FILES)
def test_a_file_is_read(where: str, tmp_path: Path) -> None:
    path = tmp_path / "example.toml"
    path.write_text(FILES[where])
    assert LOADERS[where.partition(",")[0]](path)


def test_the_pages_that_no_other_test_reads_are_among_them() -> None:
    names = {where.partition(",")[0] for where in SCRIPTS}
    assert {
        *("docs/soc.md", "docs/report.md", "docs/explore.md", "docs/choose.md", "host/preload/README.md"),
        *("perle/measure/README.md", "perle/generate/README.md"),
    } <= names
    assert {where.partition(",")[0] for where in FILES} == set(LOADERS)


def test_the_papers_from_python() -> None:
    """A comment beside an expression begins with its value."""
    [program] = house.blocks("python", PAGES["perle/papers/README.md"])
    known: dict[str, Any] = {}
    values = 0
    for line in filter(None, program.splitlines()):
        code, mark, said = line.partition("  # ")
        if mark:
            values += 1
            value = repr(eval(code, known))
            assert re.match(rf"{re.escape(value)}(?!\w)", said), line
        else:
            exec(code, known)
    assert values == 4
