# SPDX-License-Identifier: Apache-2.0
"""What ecppack and openFPGALoader refuse is told; perle/soc/test_build.py makes bitstreams."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.flow import ecppack
from perle.flow.tools import ToolError, ToolMissing, scripts_dir


def test_what_is_no_configuration_is_refused(tmp_path: Path) -> None:
    bad = tmp_path / "bad.config"
    bad.write_text("nothing of that kind\n", encoding="utf-8")
    with pytest.raises(ToolError, match="ecppack"):
        ecppack.pack(bad, tmp_path, "bad")


def test_without_the_loader_its_command_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(ecppack, "scripts_dir", lambda: tmp_path)
    with pytest.raises(ToolMissing, match="not found, needed for loading boards"):
        ecppack.load(ecppack.Bitstream(tmp_path / "a.bit", tmp_path / "a.svf"), ["-b", "ulx3s"])


def test_a_board_that_is_not_there_is_told(tmp_path: Path) -> None:
    if not (scripts_dir() / ecppack.LOADER).exists():
        pytest.skip("needs openFPGALoader: make setup")
    bit = tmp_path / "a.bit"
    bit.write_bytes(bytes(64))
    with pytest.raises(ToolError, match=r"connect the board|libusb") as told:
        ecppack.load(ecppack.Bitstream(bit, tmp_path / "a.svf"), ["-b", "ulx3s"])
    assert "ulx3s" in told.value.hint or "apt-get install" in told.value.hint
