# SPDX-License-Identifier: Apache-2.0
"""What libperle's public headers list is what there is: functions, statuses, boards, names, tests."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from perle.boards.build import Variant, board_link
from perle.cores.registry import resolve
from perle.flow.tools import system_tool
from perle.host import _lib
from perle.host._headers import ffi
from tests import house

HOST = house.ROOT / "host"
HEADERS = sorted((HOST / "include").glob("*.h"))
PERLE_H = HOST / "include" / "perle.h"


@cache
def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def without_comments(source: str) -> str:
    return re.sub(r"/\*.*?\*/", " ", source, flags=re.DOTALL)


def functions() -> dict[str, str]:
    """Return the parameters of every function of the headers, by its name."""
    pattern = r"PERLE_API [\w\s*]*?\b(perle_\w+)\((.*?)\);"
    return {
        name: " ".join(parameters.split())
        for header in HEADERS
        for name, parameters in re.findall(pattern, without_comments(text(header)), re.DOTALL)
    }


def statuses() -> dict[str, int]:
    return dict(ffi.typeof("perle_status").relements)


def comment_before(function: str) -> str:
    """Return the last comment before a function of perle.h."""
    return text(PERLE_H).split(f" {function}(")[0].rsplit("/*", 1)[1].split("*/")[0]


def refused(function: str, *args: object) -> str:
    with pytest.raises(_lib.PerleError) as error:
        _lib.library().call(function, *args)
    return error.value.message


def test_functions_are_those_of_the_library() -> None:
    listing = subprocess.run(
        [system_tool("nm"), "-D", "--defined-only", _lib.library_path()],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    bound = {name for name in dir(_lib.library().dll) if name.startswith("perle_")}
    assert set(re.findall(r" T (perle_\w+)", listing)) == set(functions()) == bound
    assert len(bound) > 60


def test_perle_h_includes_the_others() -> None:
    includes = re.findall(r'^#include "(.*)"', text(PERLE_H), re.MULTILINE)
    assert sorted(includes) == [path.name for path in HEADERS if path != PERLE_H]


def test_statuses_have_names_and_uses() -> None:
    library, listed = _lib.library(), statuses()
    names = {code: library.text("perle_status_name", code) for code in range(1000)}
    assert {name: code for code, name in names.items() if name != "?"} == listed
    sources = "".join(text(path) for path in (HOST / "src").rglob("*.?pp") if path.name != "error.cpp")
    sources += text(HOST / "src" / "api" / "error.cpp").split("last_error")[1]  # the table of names apart
    assert [name for name in listed if name != "PERLE_OK" and name not in sources] == []
    assert set(range(10, 20)) <= set(listed.values())  # "board errors (10 to 19)"


@pytest.mark.parametrize("header", HEADERS, ids=lambda path: path.name)
def test_errors_of_functions_are_statuses(header: Path) -> None:
    comments = " ".join(re.findall(r"/\*.*?\*/", text(header), re.DOTALL))
    named = set(re.findall(r"(?<![\w])_([A-Z]{2}[A-Z_]+)", comments))
    assert named
    assert {f"PERLE_ERR_{name}" for name in named} <= set(statuses())


def test_the_list_of_boards() -> None:
    """perle.h, the README and the library's own message have the same forms, each on a line of its own."""
    comment = comment_before("perle_boards_open")
    form = r"(?:sim|uart|etherbone|uio):[FDH/][^\s;`]+"
    listed = re.findall(rf"^ \*   ({form})$", comment, re.MULTILINE)
    message = refused("perle_spec_check", b"sim")
    assert listed == [one.rstrip(",") for one in re.findall(form, message.split("; it is ")[1])]
    assert listed == re.findall(rf"^\| `({form})` \|", text(HOST / "README.md"), re.MULTILINE)
    assert len(listed) == 5
    files = re.findall(r"boards/(FAMILY-CONFIG\S*?\.so)", comment)
    config = resolve("orup:w64")
    built = [board_link(config).name, board_link(config, Variant(lanes=2)).name]
    assert [f.replace("FAMILY-CONFIG", "orup-w64").replace("lT", "l2") for f in files] == built
    looked_at = {
        name
        for source in (HOST / "src").rglob("*.cpp")
        for name in re.findall(r'"(PERLE_\w+|XDG_\w+)"', text(source))
    }
    assert set(re.findall(r"\$(\w+)", comment)) == looked_at


def test_names_of_hosts_and_drivers() -> None:
    name, timing = b"nobody's", ffi.new("perle_timing*")
    comment = text(HOST / "include" / "perle_system.h").split(" perle_timing_preset(")[0].rsplit("/*", 1)[1]
    known = refused("perle_timing_preset", name, timing).split("there are: ")[1].split(", ")
    assert re.findall(r'"(\w+)"', comment) == known
    header = text(HOST / "include" / "perle_driver.h")
    driver, boards = re.findall(r'called \("(\w+)"\).*?order \("([\w,]+)"', header, re.DOTALL)[0]
    assert _lib.library().text("perle_driver_boards", driver.encode()) == boards


def overlaps(parameters: str) -> bool:
    """Whether a function has something to read and something to write, handles apart."""
    handles = "perle_(boards|mod|key|batch|system|bignum)"
    arrow = [re.sub(r"\w+$", "", one.strip()).strip() for one in parameters.split(",")]
    reads = [one for one in arrow if one.startswith("const") and one.endswith("*")]
    reads = [one for one in reads if not re.fullmatch(rf"const {handles}\*", one)]
    writes = [one for one in arrow if one.endswith("*") and not one.startswith("const")]
    writes = [one for one in writes if not re.fullmatch(rf"{handles}\*", one) and one != "void*"]
    return bool(reads and writes)


def test_every_function_is_tried_with_results_over_inputs() -> None:
    """Functions that read and write through pointers are in the tables of host/tests/test_overlap*.cpp."""
    wanted = {name for name, parameters in functions().items() if overlaps(parameters)}
    tables = "".join(text(path) for path in sorted((HOST / "tests").glob("test_overlap*.cpp")))
    assert wanted == set(re.findall(r'"(perle_\w+)"', tables))
    assert len(wanted) > 20
