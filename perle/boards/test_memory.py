# SPDX-License-Identifier: Apache-2.0
"""Active memories as simulated boards: stretched accesses, wide parameters, snapshots, time-outs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from perle.boards import simulated
from perle.boards.memory import build_memory, literal
from perle.boards.simulated import SimulatedBoard, SimulatorError
from perle.cores.registry import Config, load

# Address 2k stores data + K; a read of it gives that back 5 cycles later at the earliest; 6 hangs.
TOML = """
[core]
name = "adder"
id = 250
kind = "active_memory"
title = "adds a constant"
paper = "shand1990"
top = "perle_adder"
addr_bits = 3
files = ["perle_adder.sv"]
assertions = []
constants = []

[params.K]
default = "0x123456789abcdef0123"
range = [0, "0xffffffffffffffffffff"]
doc = "what is added"

[configs]
wide = {}
small = { K = 7 }
"""

RTL = """
module perle_adder #(
  parameter logic [79:0] K = 80'd3
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic access_i,
  input  logic write_i,
  input  logic [2:0] addr_i,
  input  logic [31:0] wdata_i,
  output logic ready_o,
  output logic [31:0] rdata_o,
  output logic busy_o
);
  logic [31:0] sum_q;
  logic [2:0] wait_q;
  assign busy_o = (wait_q != '0);
  assign ready_o = !busy_o && (addr_i != 3'd6);
  assign rdata_o = sum_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sum_q <= '0;
      wait_q <= '0;
    end else if (busy_o) wait_q <= wait_q - 3'd1;
    else if (access_i && ready_o && write_i) begin
      sum_q <= wdata_i + 32'(K) + 32'(K[79:32]);
      wait_q <= 3'd4;
    end
  end
endmodule
"""


K = 0x123456789ABCDEF0123
ADDED = K + (K >> 32)


@pytest.fixture(scope="module")
def configs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Config]:
    """Return the configurations of a family that is nobody's."""
    folder = tmp_path_factory.mktemp("adder")
    (folder / "core.toml").write_text(TOML, encoding="utf-8")
    (folder / "perle_adder.sv").write_text(RTL, encoding="utf-8")
    family = load(folder / "core.toml")
    return {name: family.config(name) for name in family.configs}


@pytest.fixture(scope="module")
def board(configs: dict[str, Config]) -> Iterator[SimulatedBoard]:
    """Yield a board with a parameter wider than any machine word."""
    with SimulatedBoard(build_memory(configs["wide"])) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _fresh(board: SimulatedBoard) -> None:
    board.reset()


def test_an_access_is_an_instruction_and_a_busy_board_lets_it_wait(board: SimulatedBoard) -> None:
    before = board.cycles
    board.write(0, 5)
    assert board.cycles == before + 1
    assert board.read(4) == (5 + ADDED) & 0xFFFFFFFF
    assert board.cycles == before + 1 + 4 + 1
    board.write(8, 1)
    board.advance(100, until_irq=True)
    assert board.cycles == before + 6 + 1 + 4
    board.advance(10)
    assert board.cycles == before + 21


def test_a_snapshot_shows_every_register(board: SimulatedBoard) -> None:
    board.write(0, 0)
    seen = board.snapshot()
    assert seen["u_core.sum_q"] == f"{ADDED & 0xFFFFFFFF:08x}"
    assert seen["u_core.wait_q"] == "4"
    board.advance(1)
    assert board.snapshot()["u_core.wait_q"] == "3"


def test_what_is_no_access(board: SimulatedBoard) -> None:
    for addr in (1, 2, 32, 1 << 20):
        with pytest.raises(SimulatorError, match="address"):
            board.read(addr)
    with pytest.raises(SimulatorError, match="address or data"):
        board.write(0, 1 << 32)


def test_an_access_that_is_never_taken_ends(board: SimulatedBoard) -> None:
    with pytest.raises(SimulatorError, match="does not answer"):
        board.read(24)
    board.write(0, 3)
    assert board.read(0) != 0


def test_another_configuration_is_another_build(configs: dict[str, Config]) -> None:
    with SimulatedBoard(build_memory(configs["small"])) as small:
        small.write(0, 1)
        assert small.read(0) == 8
        assert simulated.info(build_memory(configs["small"]))["params"] == {"K": 7}
    assert simulated.info(build_memory(configs["wide"]))["params"] == {"K": "0x123456789abcdef0123"}


@pytest.mark.parametrize(
    ("value", "text"), [(5, "5"), (1 << 31, "32'h80000000"), (1 << 64, "65'h10000000000000000")]
)
def test_literals(value: int, text: str) -> None:
    assert literal(value) == text
