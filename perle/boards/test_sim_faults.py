# SPDX-License-Identifier: Apache-2.0
"""The C ABI over hardware that misbehaves, and the C++ sources under all warnings."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.boards import simulated
from perle.boards.build import FLAGS_ALL, FLAGS_CHECKS, SIM, SIM_CPP, Variant, write_headers
from perle.boards.simulated import SimulatedBoard, SimulatorError
from perle.boards.sources import config_hash, sources
from perle.boards.wrapper import wrapper
from perle.cores.registry import resolve
from perle.flow import verilator
from perle.flow.tools import run, system_tool

W64 = resolve("orup:w64")

# A bus that takes addresses only, answers reads with their address, and never writes; reading address 8
# breaks an assertion.
BODY = """
  logic valid_q, hung_q;
  logic [13:0] addr_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      hung_q <= 1'b0;
    end else begin
      valid_q <= axil_arvalid_i && !valid_q && !hung_q;
      addr_q <= axil_araddr_i;
      if (axil_awvalid_i) hung_q <= 1'b1;
      if (axil_arvalid_i) assert (axil_araddr_i != 14'h8);
    end
  end
  assign axil_arready_o = !valid_q && !hung_q;
  assign axil_rvalid_o = valid_q;
  assign axil_rdata_o = 64'(addr_q & 14'h3ff0);
  assign axil_rresp_o = 2'b00;
  assign axil_awready_o = 1'b1;
  assign axil_wready_o = 1'b0;
  assign axil_bvalid_o = 1'b0;
  assign axil_bresp_o = 2'b00;
  assign irq_o = 1'b0;
endmodule
"""


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a board with the right ports and that body."""
    folder = tmp_path_factory.mktemp("broken")
    ports = wrapper(W64, 64, config_hash(W64)).split(");\n")[0]
    top = folder / "perle_top.sv"
    top.write_text(f"{ports});\n{BODY}", encoding="utf-8")
    extra = [*FLAGS_ALL, *FLAGS_CHECKS, *write_headers(W64, Variant(checks=True), folder)]
    return verilator.build_so("perle_top", [top], SIM_CPP, {}, folder / "broken.so", extra=extra)


def test_hanging_bus(broken: Path) -> None:
    with SimulatedBoard(broken) as board:
        assert board.read(simulated.COMMAND) == 0x20
        before = board.cycles
        with pytest.raises(SimulatorError) as error:
            board.write(simulated.COMMAND, 1)
        assert error.value.code == simulated.TIMEOUT
        assert 100 < board.cycles - before < 10_000
        with pytest.raises(SimulatorError) as error:
            board.read(simulated.COMMAND)
        assert error.value.code == simulated.TIMEOUT
        board.reset()
        assert board.read(simulated.COMMAND) == 0x20


def test_failed_assertion(broken: Path) -> None:
    with SimulatedBoard(broken) as board, SimulatedBoard(broken) as other:
        for access in (
            lambda: board.read(simulated.FAMILY),
            lambda: board.read(simulated.ID),
            lambda: board.advance(9),
        ):
            with pytest.raises(SimulatorError) as error:
                access()
            assert error.value.code == simulated.FAILED
        assert other.read(simulated.COMMAND) == 0x20
        board.reset()
        assert board.read(simulated.COMMAND) == 0x20


@pytest.mark.parametrize("variant", [Variant(), Variant(32), Variant(trace="vcd")], ids=str)
def test_cpp_without_warnings(variant: Variant, tmp_path: Path) -> None:
    """The project's own C++ with every warning an error; Verilator's headers are not ours to judge."""
    board = sources(W64, variant.word_bits, tmp_path)
    write_headers(W64, variant, tmp_path)
    root = verilator.verilator_root()
    trace = verilator.TRACE_ARGS[variant.trace]
    cmd = [
        root / "bin" / "verilator_bin",
        "--cc",
        *trace,
        "-Wno-fatal",
        "--Mdir",
        tmp_path,
        "--top-module",
        board.top,
    ]
    run([*map(str, cmd), board.waivers, *board.files], env=verilator.verilator_env())
    defines = [f"-DVM_TRACE={int(bool(trace))}", f"-DVM_TRACE_VCD={int(bool(trace))}", "-DVM_TRACE_FST=0"]
    system = [word for folder in (tmp_path, root / "include") for word in ("-isystem", folder)]
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]
    for file in (*SIM_CPP, SIM / "bench.cpp"):
        run(
            [
                system_tool("g++"),
                "-std=c++20",
                "-fsyntax-only",
                *warnings,
                *defines,
                *system,
                f"-I{SIM}",
                file,
            ]
        )
    run([system_tool("gcc"), "-std=c11", "-fsyntax-only", *warnings, "-x", "c", SIM / "perle_sim.h"])
