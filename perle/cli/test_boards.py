# SPDX-License-Identifier: Apache-2.0
"""Cached boards with another version of the interface are not listed as built."""

from __future__ import annotations

from pathlib import Path

import pytest

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
