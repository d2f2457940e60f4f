# SPDX-License-Identifier: Apache-2.0
"""Boards of another version are not listed as built; work beside the main thread is cleaned up after."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from perle.cli import boards
from perle.cli.machine import built
from perle.flow.tools import run, system_tool


def test_boards_of_before_are_not_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, library = tmp_path / "board.c", tmp_path / "board-orup-w64-0123456789abcdef.so"
    source.write_text("void *perle_sim_open(void) { return 0; }\n", encoding="utf-8")
    run([system_tool("gcc"), "-shared", "-fPIC", "-o", library, source])
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "orup-w64.so").symlink_to(library)
    monkeypatch.setenv("PERLE_CACHE", str(tmp_path))
    assert built() == []


def test_an_interrupt_while_the_thread_starts_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """`start` waits for the thread, which may be far into its work by then."""

    class Thread(threading.Thread):
        def start(self) -> None:
            super().start()
            while not (tmp_path / "tool").exists():
                time.sleep(0.01)
            raise KeyboardInterrupt

    def work() -> None:
        try:
            run(["sh", "-c", "touch tool; sleep 60"], cwd=tmp_path)
        finally:
            time.sleep(0.1)
            (tmp_path / "cleaned").touch()

    monkeypatch.setattr(threading, "Thread", Thread)
    with pytest.raises(KeyboardInterrupt):
        boards.in_background(work)
    assert (tmp_path / "cleaned").exists()
