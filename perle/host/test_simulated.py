# SPDX-License-Identifier: Apache-2.0
"""Simulated boards of another version of their interface are refused by libperle and Python and made anew."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from perle.boards import build, memory, simulated
from perle.boards.simulated import SimulatedBoard, SimulatorVersionError
from perle.cores.registry import resolve, resolve_memory
from perle.flow.tools import run, system_tool
from perle.host import Boards, PerleError
from perle.host.pam.system import System

pytest_plugins = ["perle.host.fixtures"]

HEADER = build.SIM / "perle_sim.h"
VERSIONS = {"no version": "", "version 2": "unsigned perle_sim_abi(void) { return 2; }"}


@pytest.fixture(params=VERSIONS)
def stranger(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str]:
    """Return a board that must not be opened, and what is said of its version."""
    source, out = tmp_path / "board.c", tmp_path / "board.so"
    # Whoever opens it ends the process.
    source.write_text(
        f"{VERSIONS[request.param]}\nvoid *perle_sim_open(void) {{ __builtin_trap(); }}\n", encoding="utf-8"
    )
    run([system_tool("gcc"), "-shared", "-fPIC", "-o", out, source])
    return out, request.param


def test_strangers_are_refused(stranger: tuple[Path, str]) -> None:
    path, version = stranger
    with pytest.raises(SimulatorVersionError) as python:
        SimulatedBoard(path)
    with pytest.raises(PerleError) as library:
        Boards(f"sim:{path}")
    with pytest.raises(PerleError) as system:
        System([(path, 40)], "vme68020")
    for error in (python, library, system):
        text = str(error.value)
        assert str(path) in text
        assert f"speaks {version} of perle_sim.h" in text
        assert f"version {simulated.ABI}" in text.split("perle_sim.h", 1)[1]
        assert ("perle build" in text) == (version == "no version")
    assert library.value.name == system.value.name == "PERLE_ERR_BOARD_LOAD"


def test_what_is_no_board(tmp_path: Path) -> None:
    source, out = tmp_path / "other.c", tmp_path / "other.so"
    source.write_text("int other;\n", encoding="utf-8")
    run([system_tool("gcc"), "-shared", "-fPIC", "-o", out, source])
    with pytest.raises(PerleError, match="not a simulated board: it has no perle_sim_abi"):
        Boards(f"sim:{out}")


def test_this_version_is_spoken(softboard: Path) -> None:
    assert re.findall(r"^#define PERLE_SIM_ABI (\d+)$", HEADER.read_text(), re.MULTILINE) == [
        str(simulated.ABI)
    ]
    with SimulatedBoard(softboard) as board:
        assert board.read(simulated.ID) == 0x5045524C


def key_of_board() -> str:
    return build._key(resolve("orup:w64"), build.Variant())


def key_of_memory() -> str:
    names: list[str] = []

    def note(name: str, *_: object) -> Path:
        names.append(name)
        return Path("unused")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(memory, "cached", note)
        patch.setattr(memory, "point", lambda *_: None)
        memory.build_memory(resolve_memory("reg_mul:booth"))
    return names[0]


@pytest.mark.parametrize("key", [key_of_board, key_of_memory])
def test_boards_are_made_anew_for_another_interface(
    key: Callable[[], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = key()
    changed = tmp_path / HEADER.name
    changed.write_text(HEADER.read_text().replace("PERLE_SIM_ABI 1", "PERLE_SIM_ABI 2"))
    for module, name in ((build, "SIM_FILES"), (memory, "SIM_HEADERS")):
        files = tuple(changed if file == HEADER else file for file in getattr(module, name))
        monkeypatch.setattr(module, name, files)
    assert key() != before
