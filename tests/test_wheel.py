# SPDX-License-Identifier: Apache-2.0
"""The wheel has what a user needs, and works outside of a checkout."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import perle
from scripts.release import packages
from tests.house import ROOT


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the wheel's content, as it is installed."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "-w", folder, ROOT], check=True, timeout=300)
    [wheel] = folder.glob("perle-*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder / "site")
    return folder / "site"


def run(site: Path, home: Path, *words: str) -> str:
    """Run Python with the installed package, far from the checkout."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PERLE", "XDG"))}
    env |= {"PYTHONPATH": str(site), "HOME": str(home)}
    done = subprocess.run(
        [sys.executable, *words], cwd=home, env=env, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_is_in_it(site: Path) -> None:
    package = site / "perle"
    for name in ("py.typed", "cores/orup/perle_orup_mul.sv", "boards/board.rdl", "shipped/host/Makefile"):
        assert (package / name).is_file(), name
    assert not list(package.glob("[!s]*/**/test_*.py"))
    kept = (ROOT / "results" / "status.json").read_text(encoding="utf-8")
    assert (package / "shipped" / "results" / "status.json").read_text(encoding="utf-8") == kept


def test_it_can_be_built_again(tmp_path: Path) -> None:
    """A release has the same bytes wherever it is built, here from its own sources in another folder."""
    first = packages.make(ROOT, tmp_path / "first", perle.__version__, 1_700_000_000)
    folder = packages.unpacked(first[0], tmp_path)
    (folder / "PKG-INFO").unlink()  # what the build itself adds
    again = packages.make(folder, tmp_path / "again", perle.__version__, 1_700_000_000)
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in again]


def test_it_looks_around(site: Path, tmp_path: Path) -> None:
    """The catalogue with its statuses is that of the checkout."""
    found = json.loads(run(site, tmp_path, "-m", "perle.cli", "cores", "--json"))
    here = subprocess.run(
        [sys.executable, "-m", "perle.cli", "cores", "--json"], cwd=ROOT, capture_output=True, check=True
    )
    assert found == json.loads(here.stdout)


@pytest.mark.wide
def test_the_containers_commands_work(site: Path, tmp_path: Path) -> None:
    """Those of docs/Containerfile, and one of every kind that a user tries first; no container is run."""
    recipe = (ROOT / "docs" / "Containerfile").read_text(encoding="utf-8")
    commands = re.findall(r"^RUN perle (.*)$", recipe, re.MULTILINE)
    more = ["reproduce shand1990.section2", "results check", "gen orup:w64 --out ip", "cache list"]
    assert len(commands) == 3
    said = {command: run(site, tmp_path, "-m", "perle.cli", *command.split()) for command in commands + more}
    assert re.search(r"^r +f$", said[commands[0]], re.MULTILINE)
    assert Path(said["provider path"].strip()).is_relative_to(tmp_path)
    assert (tmp_path / "ip" / "README.md").is_file()


def test_it_builds_its_library(site: Path, tmp_path: Path) -> None:
    code = (
        "import perle.host as host; from perle.flow.places import INSTALLED, build_folder; assert INSTALLED;"
        "key = host.Key.generate(1024); print(key.bits, (build_folder() / 'libperle.so').is_file())"
    )
    assert run(site, tmp_path, "-c", code).split() == ["1024", "True"]
