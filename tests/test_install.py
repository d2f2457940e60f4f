# SPDX-License-Identifier: Apache-2.0
"""`make -C host install` gives C programs a library that pkg-config finds, and the machine a manual page."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import perle
from perle.flow import host_make, tools
from perle.flow.tools import ToolMissing
from tests import house

SONAME = f"libperle.so.{perle.__version__.split('.')[0]}"
PERLE = Path(sys.executable).with_name("perle")


def make(goal: str, prefix: Path, **more: Path) -> None:
    settings = [f"{name}={value}" for name, value in {"PREFIX": prefix, "PERLE": PERLE, **more}.items()]
    tools.run(["make", "-C", house.ROOT / "host", goal, *settings], timeout=600)


def installed(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


@pytest.fixture
def prefix(tmp_path: Path) -> Path:
    """Return a folder into which libperle was installed."""
    make("install", tmp_path / "usr")
    return tmp_path / "usr"


def pkg_config(prefix: Path, *words: str) -> list[str]:
    try:
        program = tools.system_tool("pkg-config")
    except ToolMissing:
        pytest.skip("pkg-config is not installed")
    env = {"PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig")}
    return tools.run([program, *words, "perle"], env=env, timeout=60).stdout.split()


@pytest.mark.slow
def test_what_is_installed_and_removed(prefix: Path, tmp_path: Path) -> None:
    names = {f"include/perle/{path.name}" for path in (house.ROOT / "host" / "include").glob("*.h")}
    names |= {f"lib/{name}" for name in ("libperle.so", SONAME, f"libperle.so.{perle.__version__}")}
    names |= {"lib/pkgconfig/perle.pc", "lib/ossl-modules/perle.so", "share/man/man1/perle.1"}
    assert installed(prefix) == names
    # for a package: under another folder, with the paths that it will have
    make("install", Path("/opt/perle"), DESTDIR=tmp_path / "package")
    assert installed(tmp_path / "package" / "opt" / "perle") == names
    text = (tmp_path / "package/opt/perle/lib/pkgconfig/perle.pc").read_text(encoding="utf-8")
    assert "libdir=/opt/perle/lib\n" in text
    assert str(tmp_path) not in text
    make("uninstall", prefix)
    assert installed(prefix) == set()


@pytest.mark.slow
def test_a_program_is_built_by_pkg_config_and_runs(prefix: Path, tmp_path: Path) -> None:
    [source] = house.blocks("c", house.text_of(house.ROOT / "host" / "README.md"))
    (tmp_path / "example.c").write_text(source, encoding="utf-8")
    assert pkg_config(prefix, "--modversion") == [perle.__version__]
    flags = pkg_config(prefix, "--cflags", "--libs")
    command = ["gcc", "-std=c11", "-Wall", "-Werror", "-o", "example", "example.c", *flags]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=120)
    tools.run([tools.system_tool("openssl"), "genrsa", "-out", tmp_path / "key.pem", "1024"], timeout=60)
    spec = f"sim:{host_make.softboard()},boards=2"
    done = subprocess.run(
        [tmp_path / "example", spec, tmp_path / "key.pem"],
        env={**os.environ, "LD_LIBRARY_PATH": str(prefix / "lib")},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert "it is right" in done.stdout
    # What it asks for at run time is the name with the version of the interface.
    asked = tools.run(["readelf", "-d", tmp_path / "example"], timeout=60).stdout
    assert f"[{SONAME}]" in asked


def test_setup_installs_nothing_through_a_link(tmp_path: Path) -> None:
    """A worktree's `.venv` may lead to that of another checkout, which somebody uses: it stays as it is."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(house.ROOT / "scripts" / "setup", tmp_path / "scripts")
    other = tmp_path / "other"
    other.mkdir()
    (other / "kept").touch()
    (tmp_path / ".venv").symlink_to(other)
    done = subprocess.run(
        [tmp_path / "scripts" / "setup"], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 1
    assert f"is a link to {other}: nothing is installed through it" in done.stderr
    assert [path.name for path in other.iterdir()] == ["kept"]
