# SPDX-License-Identifier: Apache-2.0
"""Flips of bits hit the state of a board, are seen, and would be told if a wrong result were released."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.boards.build import Variant
from perle.boards.sources import kept_files, sources
from perle.cores.registry import Config, families, resolve
from perle.flow import yosys
from perle.host import Boards, PerleError
from perle.trust import fault_board, faults, state
from perle.trust.fault_board import MEMORIES, REGISTERS, Upsets
from perle.trust.fault_cases import Case, cases

W64 = resolve("orup:w64")

TEXT = """
module perle_a (input logic clk_i);  // always_ff @(posedge clk_i) no_q <= 1;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {a_q, b_q} <= '0;
    else if (c <= d) begin
      memory[address] <= data;
      s_q.field <= 1'b1;
    end else wide_q[7:0] <= x <= y;
  end
  always_comb e = f <= g;
  always_ff @(posedge clk_i) if (x) last_q <= z;
  assign h = i <= j;
endmodule
"""


def test_what_clocked_blocks_assign() -> None:
    found = {name for module, name in state.clocked(TEXT) if module == "perle_a"}
    assert found == {"a_q", "b_q", "memory", "s_q", "wide_q", "last_q"}


def test_every_register_of_a_board_is_found() -> None:
    """Of sources in this style a register is what ends in _q; others that are clocked come besides."""
    for path in kept_files(W64):
        text = path.read_text(encoding="utf-8")
        names = {name for _, name in state.clocked(text)}
        clocked = {
            word for word in text.replace("(", " ").split() if word.endswith("_q") and f"{word} <= " in text
        }
        assert clocked <= names, path.name


@pytest.mark.parametrize(("config", "lanes"), [(W64, 1), (resolve("tile:w64"), 4)])
def test_every_bit_of_a_board_can_be_flipped(config: Config, lanes: int, tmp_path: Path) -> None:
    """Registers and memories, those of the register block too, beside Yosys's count."""
    path = fault_board.build(config, lanes)
    with Boards(path):
        reached = sum(Upsets(path).bits(kind) for kind in (REGISTERS, MEMORIES))
    board = sources(config, Variant().word_bits, tmp_path, lanes=lanes)
    there = yosys.state_bits(board.files, board.top, {})
    assert there <= reached <= 1.1 * there


def test_a_flip_changes_what_is_computed() -> None:
    """A bit of an operand's memory: the raw product is another one, and the next one is right again."""
    path = fault_board.build(W64)
    m = (1 << 64) - 59
    with Boards(path, check=False) as boards:
        upsets = Upsets(path)
        assert upsets.bits(REGISTERS) > 2000
        assert upsets.bits(MEMORIES) > 4000
        right = boards.mulmod(3, 5, m).value
        changed = 0
        for bit in range(0, upsets.bits(REGISTERS), 23):
            upsets.arm(upsets.cycles + 90, REGISTERS, bit)
            try:
                changed += boards.mulmod(3, 5, m).value != right
            except PerleError:
                changed += 1
            upsets.disarm()
        assert right == 15
        assert changed > 4


def test_no_wrong_result_is_released() -> None:
    found = faults.run(Case(W64, "rsa"), 60, 7)
    assert found.failures == 0
    assert found.counts["refused"] > 0
    assert found.counts["trials"] == found.counts["after: at once"] + found.counts.get(
        "after: once refused", 0
    )
    again = faults.run(Case(W64, "rsa"), 60, 7)
    assert again.counts == found.counts


def test_a_wrong_result_would_be_told() -> None:
    """Without the check by software, products in range are released however wrong they are."""
    found = faults.run(Case(W64, "mulmod"), 150, 7, check=False)
    assert found.counts["wrong"] > 0
    assert found.failures >= found.counts["wrong"]
    assert found.failed[0].startswith("wrong")
    assert "perle_top" in found.failed[0]


def test_all_families_and_operations_are_cases() -> None:
    names = [case.name for case in cases()]
    assert len(names) == len(set(names)) == 8 * len(families())
    assert {case.config.family.name for case in cases("stream")} == {"stream"}
