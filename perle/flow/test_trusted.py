# SPDX-License-Identifier: Apache-2.0
"""What Python loads and writes to: nothing that another user can change, or has chosen."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from perle.flow.cache import cache_root
from perle.flow.tools import ToolError, run
from perle.flow.trusted import trusted_path

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
SOMEBODY = 12345


@pytest.fixture
def board(tmp_path: Path) -> Path:
    """A file two folders down."""
    folder = tmp_path / "one" / "two"
    folder.mkdir(parents=True)
    board = folder / "board.so"
    board.write_bytes(b"no shared object")
    return board


@pytest.mark.parametrize("mode", [0o770, 0o707])
@pytest.mark.parametrize("open_to_others", ["one", "one/two", "one/two/board.so"])
def test_what_others_can_write_to_is_not_loaded(
    open_to_others: str, mode: int, board: Path, tmp_path: Path
) -> None:
    link = tmp_path / "link.so"
    link.symlink_to(board)
    assert trusted_path(link) == board
    (tmp_path / open_to_others).chmod(mode)
    for path in (board, link):
        with pytest.raises(ToolError, match=f"{open_to_others} can be written by others") as caught:
            trusted_path(path)
        assert caught.value.hint == f"chmod go-w {tmp_path / open_to_others}"


def test_a_link_in_a_folder_of_everybody_is_not_followed(board: Path, tmp_path: Path) -> None:
    """Also where it stands for a folder, and what it leads to is well kept."""
    everybody = tmp_path / "everybody"
    everybody.mkdir()
    (everybody / "link").symlink_to(board.parent)
    (tmp_path / "near").symlink_to("everybody/../everybody/link")
    for path in (everybody / "link" / board.name, tmp_path / "near" / board.name):
        assert trusted_path(path) == board
    everybody.chmod(0o777)
    for path in (everybody / "link" / board.name, tmp_path / "near" / board.name):
        with pytest.raises(ToolError, match="everybody can be written by others"):
            trusted_path(path)


@needs_root
@pytest.mark.parametrize("given_away", ["one", "one/two/board.so", "link.so"])
def test_what_belongs_to_others_is_not_loaded(given_away: str, board: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.so"
    link.symlink_to(board)
    os.lchown(tmp_path / given_away, SOMEBODY, 0)
    with pytest.raises(ToolError, match=f"{given_away} belongs to user {SOMEBODY}") as caught:
        trusted_path(link)
    assert caught.value.hint == f"chown 0 {tmp_path / given_away}"


def test_what_is_no_file_is_not_loaded(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    for name in (".", "none", "a"):
        with pytest.raises(ToolError, match="no file that can be loaded"):
            trusted_path(tmp_path / name)


@needs_root
def test_a_cache_of_somebody_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERLE_CACHE", str(tmp_path / "cache"))
    os.chown(cache_root(), SOMEBODY, 0)
    with pytest.raises(ToolError, match=f"cache belongs to user {SOMEBODY}"):
        cache_root()


def test_logs_follow_no_links(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.write_text("!")
    (tmp_path / "log").symlink_to(mine)
    with pytest.raises(OSError, match="symbolic link"):
        run(["true"], log=tmp_path / "log")
    assert mine.read_text() == "!"


@pytest.mark.parametrize("mode", [0o1777, 0o2775])
def test_a_folder_for_many_is_no_cache_and_stays_as_it_is(
    mode: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(mode)
    monkeypatch.setenv("PERLE_CACHE", str(shared))
    with pytest.raises(ToolError, match="meant for others") as caught:
        cache_root()
    assert caught.value.hint == f"name a folder in it: {shared}/perle"
    assert shared.stat().st_mode & 0o7777 == mode
