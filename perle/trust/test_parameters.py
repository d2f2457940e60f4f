# SPDX-License-Identifier: Apache-2.0
"""Boards are drawn from all legal parameters, and whatever is wrong with one of them is told."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from perle.boards.driver import CYCLE_LIMIT
from perle.boards.simulated import SimulatedBoard
from perle.cores.modexp.model import Command, Mode
from perle.cores.registry import Config, families, family
from perle.trust import drawn, parameters
from perle.trust.drawn import Drawn, draw
from perle.trust.records import Run
from perle.verify.engines.board import Work, put, start

NARROW = Drawn(Config(family("iterative"), "w13", family("iterative").complete({"Width": 13})), 32, 2)


def broken(old: str, new: str, folder: Path) -> Drawn:
    """Return the board with its multiplier's file broken."""
    family = NARROW.config.family
    [source] = [path for path in family.files if path.stem == "perle_iterative_mul"]
    text = source.read_text(encoding="utf-8")
    assert text.count(old) == 1
    changed = folder / source.name
    changed.write_text(text.replace(old, new), encoding="utf-8")
    files = tuple(changed if path == source else path for path in family.files)
    return replace(NARROW, config=replace(NARROW.config, family=replace(family, files=files)))


def tried(one: Drawn) -> Run:
    run = Run(parameters.NAME, one.name, 1)
    parameters.trial(one, Random(1), run)
    return run


@pytest.mark.parametrize("name", families())
def test_what_is_drawn(name: str) -> None:
    """Both ends of every parameter, either bus, lanes and none."""
    boards = [draw(families()[name], Random(number)) for number in range(200)]
    for key, param in families()[name].params.items():
        values = {one.config.params[key] for one in boards}
        assert {param.lo, min(param.hi, drawn.MOST.get(key, param.hi))} <= values or key == "Width"
    assert {one.word_bits for one in boards} == {32, 64}
    assert {1, drawn.LANES} <= {one.lanes for one in boards}


def test_every_family_has_boards_with_one_lane_and_with_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cycles are compared on those with one lane only."""
    seen: list[int] = []

    def trial(one: Drawn, _rng: Random, _run: Run) -> Counter[str]:
        seen.append(one.lanes)
        return Counter(boards=1, lanes=one.lanes)

    monkeypatch.setattr(parameters, "trial", trial)
    for seed in range(10):
        one = parameters.campaign("orup", seed, 0.0)
        assert seen[-2] == 1 < seen[-1]
        assert one.counts["boards"] == 2 > one.counts["one lane"]


def test_operands_that_fill_their_words_are_drawn() -> None:
    boards = [draw(family("iterative"), Random(number)) for number in range(200)]
    assert sum(one.config.operand_bits % one.word_bits == 0 for one in boards) > 30


def test_a_right_board_has_no_failures() -> None:
    run = Run(parameters.NAME, "iterative", 1)
    assert parameters.trial(NARROW, Random(1), run) == Counter(boards=1, lanes=2, operations=24)
    assert run.failed == []


def test_what_is_left_is_told() -> None:
    """Without a zeroization; with one there is nothing."""
    histories = NARROW.histories()
    assert parameters.left(histories, histories.zeroize) == []
    assert any(".u_store." in name for name in parameters.left(histories, histories.drain))


def test_wrong_hardware_is_told(tmp_path: Path) -> None:
    """All lanes compute with the modulus of the first: the other is wrong, and an assertion fails."""
    failed = tried(broken("mod_i[req_ctx_i][ConstM]", "mod_i[0][ConstM]", tmp_path)).failed
    *wrong, last = failed
    assert wrong
    assert all(text.startswith(f"{NARROW.name}, lane 1: 0x") for text in wrong)
    assert last == f"{NARROW.name}: advance: an assertion of the hardware failed"


def test_a_wrong_result_is_told() -> None:
    """A power of another exponent, and one in the cycles of another mode."""
    with SimulatedBoard(NARROW.build()) as board:
        lane, work = NARROW.each(board)[1], Work(Command.EXP, 8191, 3, 1, 5, 13, Mode.WINDOW)
        put(lane, NARROW.config, work)
        start(lane, work)
        lane.advance(CYCLE_LIMIT, until_irq=True)
        assert parameters.right(NARROW, lane, work) == ""
        assert parameters.right(NARROW, lane, replace(work, e=6)) == "0xf3, not 0x2d9"
        alone = replace(NARROW, lanes=1)
        assert "cycles, not" in parameters.right(alone, lane, replace(work, mode=Mode.LADDER))


def test_what_cannot_be_built_is_told(tmp_path: Path) -> None:
    failed = tried(broken("endmodule", "", tmp_path)).failed
    assert len(failed) == 1
    assert "verilator" in failed[0]
