# SPDX-License-Identifier: Apache-2.0
"""Wrapper and files of every kind of board: one lane, several over a multiplier, several over an engine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from perle.boards.sources import config_hash, kept_files, sources
from perle.boards.wrapper import MAX_LANES, engine, shape, wrapper
from perle.cores.registry import resolve
from perle.flow import verilator
from perle.flow.tools import ToolError

ALONE, SHARED, ENGINE, EARLY = ("orup:w64", 1), ("orup:w64", 3), ("stream:w64", 5), ("lowlat:w64", 1)
KINDS = {"alone": ALONE, "pair": ("orup:w64", 2), "shared": SHARED, "engine": ENGINE, "early": EARLY}


@pytest.mark.parametrize(("spec", "lanes"), KINDS.values(), ids=KINDS)
def test_all_ports_are_joined_in_their_widths(spec: str, lanes: int, tmp_path: Path) -> None:
    board = sources(resolve(spec), 32, tmp_path, lanes=lanes)
    verilator.lint(board.files, board.top, {}, [str(board.waivers)])


def test_a_join_that_is_lacking_is_seen(tmp_path: Path) -> None:
    board = sources(resolve("orup:w64"), 32, tmp_path, lanes=3)
    top = next(path for path in board.files if path.stem == board.top)
    text = top.read_text(encoding="utf-8")
    top.write_text(text.replace("    .req_ctx_o(req_ctx),\n", ""), encoding="utf-8")
    with pytest.raises(ToolError, match="PINMISSING"):
        verilator.lint(board.files, board.top, {}, [str(board.waivers)])


def text(kind: tuple[str, int], word_bits: int = 64) -> str:
    spec, lanes = kind
    return wrapper(resolve(spec), word_bits, 0x1234, lanes)


def test_it_says_what_it_is() -> None:
    assert "// orup:w64 on a 64-bit board: written by perle.boards.wrapper" in text(ALONE)
    assert "// orup:w64 on a 32-bit board of 3 lanes: written by perle.boards.wrapper" in text(SHARED, 32)
    assert "// stream:w64 on a 64-bit board of 5 lanes: " in text(ENGINE)


def test_a_lane_alone_has_no_dimension_of_lanes() -> None:
    assert re.search(r"^  logic \[2:0\]\[\d+:0\] modulus;$", text(ALONE), re.MULTILINE)
    assert re.search(r"^  logic \[4:0\]\[2:0\]\[\d+:0\] modulus;$", text(("orup:w64", 5)), re.MULTILINE)
    assert "req_ctx_i(1'b0)" in text(ALONE)
    assert "_lane_i" not in text(ALONE)
    assert "_lane_i" in text(("orup:w64", 2))


def test_an_answer_is_forwarded_where_one_exponentiator_has_the_multiplier() -> None:
    """Only by families that can."""
    early = resolve("lowlat:w64").family
    assert f"  {early.forwarding} #(" in text(EARLY)
    for kind, top in ((ALONE, "perle_orup_mul"), (("lowlat:w64", 2), early.top)):
        assert f"  {top} #(" in text(kind)
        assert "Forward(" not in text(kind)
        assert "Early(" not in text(kind)


def test_bits_that_choose_a_lane() -> None:
    config = resolve("orup:w64")
    forms = {lanes: shape(config, 64, lanes) for lanes in (1, 2, 3, 4, 5, 33, MAX_LANES)}
    assert [form.lane_bits for form in forms.values()] == [0, 1, 2, 2, 3, 6, 6]
    assert {lanes: form.tag_bits for lanes, form in forms.items() if lanes in (1, 33)} == {1: 4, 33: 6}
    for lanes in (0, MAX_LANES + 1):
        with pytest.raises(ValueError, match=f"1 to 64 lanes, not {lanes}"):
            shape(config, 64, lanes)


def test_lanes_and_engines_have_files_of_their_own() -> None:
    def names(kind: tuple[str, int]) -> set[str]:
        spec, lanes = kind
        return {path.stem for path in kept_files(resolve(spec), lanes)}

    assert "perle_board_lanes" not in names(ALONE)
    assert {"perle_board", "perle_orup_mul", "perle_modexp"} <= names(ALONE)
    assert names(SHARED) - names(ALONE) == {"perle_board_lanes", "perle_axil_demux", "perle_mul_share"}
    assert "perle_board_engine" in names(ENGINE)
    assert "perle_board" not in names(ENGINE)
    stream = resolve("stream:w64")
    assert (engine(stream, 1), engine(stream, 2)) == (None, stream.family.engine)


def test_the_hash_tells_boards_with_lanes_apart() -> None:
    hashes = [config_hash(resolve(spec), lanes) for spec in ("orup:w64", "stream:w64") for lanes in (1, 2, 3)]
    assert len(set(hashes)) == len(hashes)
