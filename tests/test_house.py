# SPDX-License-Identifier: Apache-2.0
"""House rules that read text; each one is also shown a file that breaks it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import perle
from tests import house

SPDX = f"# {house.SPDX}\n"


def write(path: Path, text: str) -> list[Path]:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return [path]


def test_tree_is_seen() -> None:
    names = {str(path.relative_to(house.ROOT)) for path in house.tree()}
    assert {
        "Makefile",
        ".ci/run",
        "scripts/setup",
        "tests/house.py",
        "perle/cores/prim/perle_pkg.sv",
    } <= names
    assert not any(name.startswith(".venv") for name in names)


def test_tree_without_git(tmp_path: Path) -> None:
    kept = {write(tmp_path / name, "x")[0] for name in ("Makefile", ".ci/run", "perle/a.py", ".gitignore")}
    for name in (".venv/lib/b.py", "build/c.py", "perle/__pycache__/a.pyc", "perle.egg-info/d"):
        write(tmp_path / name, "x")
    assert set(house.tree(tmp_path)) == kept


def test_spdx() -> None:
    assert house.spdx(house.tree()) == []


@pytest.mark.parametrize("name", ["a.py", "a.sv", "a.h", "a.toml", "Makefile", "run", ".gitignore"])
def test_spdx_can_fail(tmp_path: Path, name: str) -> None:
    shebang = "#!/bin/sh\n" if name == "run" else ""
    assert house.spdx(write(tmp_path / name, shebang + SPDX + "x\n")) == []
    for text in ("", "x\n" + SPDX, "# SPDX-License-Identifier: MIT\n", SPDX.replace("# ", "#")):
        assert len(house.spdx(write(tmp_path / name, shebang + text))) == 1


def test_length() -> None:
    assert house.length(house.tree()) == []


def test_length_can_fail(tmp_path: Path) -> None:
    assert house.length(write(tmp_path / "a.sv", "\n" * 350)) == []
    assert len(house.length(write(tmp_path / "a.sv", "\n" * 351))) == 1


def test_words() -> None:
    assert house.words(house.tree()) == []


@pytest.mark.parametrize(
    "line",
    [
        "see /wor" + "k/main/x",
        "../share" + "d/pdk",
        "as in DESIG" + "N.md",
        "closes issue" + " #12",
        "an agen" + "t wrote",
        "in the next sessio" + "n",
        "# TOD" + "O",
        "the row is kept ful" + "l",
    ],
)
def test_words_can_fail(tmp_path: Path, line: str) -> None:
    good = "the work of agency, sessions of TLS, tmp/work/x, issues are welcome, XXXL\n"
    assert house.words(write(tmp_path / "a.md", good)) == []
    assert house.words(write(tmp_path / "a.md", f"{good}{line}\n"))[0].startswith(f"{tmp_path / 'a.md'}:2:")


def test_whitespace() -> None:
    assert house.whitespace(house.tree()) == []


@pytest.mark.parametrize("text", ["a \n", "a\r\n", "a\tb\n", "a", "a\n\n"])
def test_whitespace_can_fail(tmp_path: Path, text: str) -> None:
    assert house.whitespace(write(tmp_path / "a.py", "a\n\nb\n")) == []
    assert len(house.whitespace(write(tmp_path / "a.py", text))) == 1


def test_links() -> None:
    assert house.links(house.files(".md")) == []


def test_links_can_fail(tmp_path: Path) -> None:
    write(tmp_path / "sub/b.md", "# One Two: three\n## Same\n## Same\n")
    good = "# Here\n[h](#here) [b](sub/b.md#one-two-three) [c](sub/b.md#same-1) ![s](sub) `[n](no)`\n"
    assert house.links(write(tmp_path / "a.md", f"{good}[w](https://x.invalid)\n```\n[n](no)\n```\n")) == []
    for bad in (
        "[x](no.md)",
        "![x](sub/no.svg)",
        "[x](sub/b.md#no)",
        "[x]: no.md",
        '<img src="no.svg">',
        "[x](#no)",
    ):
        assert len(house.links(write(tmp_path / "a.md", f"{good}\n{bad}\n"))) == 1


def test_ci_runs_the_command_of_the_readme() -> None:
    commands = [
        line for line in house.text_of(house.ROOT / ".ci/run").splitlines() if not line.startswith("#")
    ]
    assert commands == ["set -euo pipefail", 'cd "$(dirname "$0")/.."', "make test"]
    readme = house.text_of(house.ROOT / "README.md")
    assert re.search(r"^ *make rsa\b", readme, re.MULTILINE)
    assert re.search(r"^ *make test\b", readme, re.MULTILINE)


def test_pinned_versions_are_the_locked_ones() -> None:
    project = tomllib.loads(house.text_of(house.ROOT / "pyproject.toml"))
    wanted = project["project"]["dependencies"] + project["project"]["optional-dependencies"]["dev"]
    lock = house.text_of(house.ROOT / "requirements.lock").splitlines()
    locked = {line.split(" ")[0] for line in lock if "==" in line}
    assert [pin for pin in wanted if "==" not in pin or pin not in locked] == []
    build_lock = house.text_of(house.ROOT / "requirements-build.lock")
    for pin in project["build-system"]["requires"] + project["dependency-groups"]["build"]:
        assert f"{pin} \\\n" in build_lock


def test_one_version() -> None:
    assert f"\nversion: {perle.__version__}\n" in house.text_of(house.ROOT / "CITATION.cff")
