# SPDX-License-Identifier: Apache-2.0
"""`perle cache` lists and sums up builds, and removes unused ones and nothing else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from perle.flow.cache import cache_root, cached, content_hash, locked
from perle.flow.cache_entries import DAY, chosen, entries
from tests.cli_run import answer, invoke, refused

HASHES = ("0123456789abcdef", "fedcba9876543210", "00ff00ff00ff00ff")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a cache with a board ten days old, a testbench two days old and a folder of today."""
    monkeypatch.setenv("PERLE_CACHE", str(tmp_path / "cache"))
    root = cache_root()
    keys = (f"board-orup-w64-{HASHES[0]}", f"bench-orup-{HASHES[1]}", f"exp-{HASHES[2]}")
    for key, suffix, days in zip(keys, (".so", ".so", "/top.v"), (10, 2, 0), strict=True):
        path = root / f"{key}{suffix}"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"x" * 40_000)
        (root / f"{key}.lock").touch()
        when = time.time() - days * DAY
        os.utime(path, (when, when))
    (root / "boards").mkdir()
    (root / "boards" / "orup-w64.so").symlink_to(root / f"{keys[0]}.so")
    (root / "status").mkdir()
    (root / "notes").write_text("mine")
    return root


def test_list_and_size(cache: Path) -> None:
    told = answer("cache", "list")
    assert told["cache"] == str(cache)
    assert [one["kind"] for one in told["entries"]] == ["board", "bench", "exp"]
    assert all(one["bytes"] >= 40_000 for one in told["entries"])
    assert f"board-orup-w64-{HASHES[0]}" in invoke("cache", "list").stdout
    assert {row["kind"]: row["entries"] for row in answer("cache", "size")["kinds"]} == {
        "board": 1, "bench": 1, "exp": 1,
    }  # fmt: skip
    assert "simulated board" in invoke("cache", "size").stdout


def test_prune_by_age(cache: Path) -> None:
    assert answer("cache", "prune")["removed"] == []
    dry = answer("cache", "prune", "--older-than", 5, "--dry-run")
    assert [one["kind"] for one in dry["removed"]] == ["board"]
    assert len(entries()) == 3
    assert answer("cache", "prune", "--older-than", 5)["removed"] == dry["removed"]
    assert [one.kind for one in entries()] == ["bench", "exp"]
    # The link to the board is removed too; other files and locks are kept.
    assert list((cache / "boards").iterdir()) == []
    assert (cache / "notes").read_text() == "mine"
    assert len(list(cache.glob("*.lock"))) == 3


def test_prune_by_size(cache: Path) -> None:
    invoke("cache", "prune", "--keep-size", 0.00006)
    assert [one.kind for one in entries()] == ["exp"]
    invoke("cache", "prune", "--keep-size", 0)
    assert entries() == []
    assert (cache / "status").is_dir()


def test_what_is_being_made_stays(cache: Path) -> None:
    key = f"board-orup-w64-{HASHES[0]}"
    with locked(key):
        told = answer("cache", "prune", "--older-than", 5)
        assert (told["removed"], [one["key"] for one in told["in_use"]]) == ([], [key])
        assert f"in use, kept: {key}" in invoke("cache", "prune", "--older-than", 5).stdout
    assert (cache / f"{key}.so").exists()


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="no /proc here")
def test_what_a_process_has_loaded_stays(cache: Path) -> None:
    library = cache / f"board-orup-w64-{HASHES[0]}.so"
    shutil.copy(_libc(), library)
    os.utime(library, (0, 0))
    code = f"import ctypes; ctypes.CDLL({str(library)!r}); print('loaded', flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "loaded\n"
        assert [one["kind"] for one in answer("cache", "prune", "--keep-size", 0)["in_use"]] == ["board"]
        other.communicate("\n")
    assert [one["kind"] for one in answer("cache", "prune", "--keep-size", 0)["removed"]] == ["board"]


def _libc() -> str:
    """Return the path of some shared object that this process has loaded."""
    lines = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    return next(line.split()[-1] for line in lines if "libc.so" in line or "libm.so" in line)


def test_what_was_cached_is_found_and_made_again(cache: Path) -> None:
    key = f"bench-thing-{content_hash([], 'thing')}"
    made = []

    def make(path: Path) -> None:
        made.append(path)
        path.write_text("built")

    cached(key, ".so", make)
    assert key in {one.key for one in entries()}
    assert (cache / f"{key}.so").exists()
    invoke("cache", "prune", "--keep-size", 0)
    assert cached(key, ".so", make).read_text() == "built"
    assert len(made) == 2


def test_wrong_limits() -> None:
    assert "--older-than -1" in refused(2, "cache", "prune", "--older-than", -1)
    assert "--keep-size nan" in refused(2, "cache", "prune", "--keep-size", "nan")
    with pytest.raises(ValueError, match="negative"):
        chosen([], older_than=-1.0, keep_bytes=None)


def test_an_entry_of_an_unnamed_configuration_can_be_a_target_of_make(cache: Path) -> None:
    """Its name contains `=`, which make would read as an assignment."""
    made = cached(f"board-orup-w64+RadixBits=16-{HASHES[0]}", ".so", Path.touch)
    assert made.parent == cache
    assert "=" not in made.name


@pytest.mark.parametrize("name", ["PERLE_CACHE", "XDG_CACHE_HOME"])
def test_a_relative_path_is_a_wrong_setting(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PERLE_CACHE", raising=False)
    monkeypatch.setenv(name, "here")
    for words in (("mul", "3", "5", "7"), ("cache", "list"), ("boards", "--no-ask")):
        told = refused(2, *words)
        assert f"{name} is no absolute path: here" in told
        assert f"give the whole path: {name}=$PWD/here" in told


def test_a_comma_in_the_path_is_told_before_a_board_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "a,b"
    monkeypatch.setenv("PERLE_CACHE", str(folder))
    told = refused(2, "mul", "3", "5", "7")
    assert f"{folder} has a comma, which separates options in a board's specification" in told
    assert "PERLE_CACHE=/FOLDER" in told
    assert list(folder.iterdir()) == []
