# SPDX-License-Identifier: Apache-2.0
"""Snapshots and traces: what they show, and that plain builds show no operand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from perle.boards import driver, simulated
from perle.boards.build import build_board
from perle.boards.driver import command
from perle.boards.simulated import SimulatedBoard, SimulatorError, ffi
from perle.cores.modexp.model import Command
from perle.cores.registry import resolve
from perle.flow.tools import ToolMissing, has_header

W64 = resolve("orup:w64")
M = 0xF0E1D2C3B4A59687
SECRET = 0xC0FFEE1234567891


def power(board: SimulatedBoard) -> None:
    driver.load_modulus(board, W64, M)
    outcome = driver.run(board, command(Command.EXP, elen=64), x=SECRET % M, e=SECRET)
    assert outcome.result == pow(SECRET, SECRET, M)


def registers(board: SimulatedBoard) -> dict[str, int]:
    return {name: int(value, 16) for name, value in board.snapshot().items() if name != "snapshot"}


def holders(board: SimulatedBoard, value: int, bits: int = 64) -> list[str]:
    """Names of the registers in which `value` stands, at whatever bit position."""
    mask = (1 << bits) - 1
    values = registers(board).items()
    return [name for name, held in values if any(held >> i & mask == value for i in range(held.bit_length()))]


def test_plain_snapshot_shows_the_bus_only() -> None:
    with SimulatedBoard(build_board(W64)) as board:
        power(board)
        shown = board.snapshot()
        assert shown.pop("snapshot") == board.info["snapshot"] == "bus"
        flags = ("u_registers.done_shown", "u_registers.err_q")
        assert set(shown) == {f"u_board.{name}" for name in ("busy", "cycles", *flags)}
        assert int(shown["u_board.cycles"], 16) == board.read(simulated.CYCLES_LO)
        assert int(shown["u_board.u_registers.done_shown"], 16) == 1


def test_full_snapshot() -> None:
    with SimulatedBoard(build_board(W64, trace=True)) as board:
        power(board)
        assert board.snapshot()["snapshot"] == board.info["snapshot"] == "all"
        shown = registers(board)
        assert shown["u_board.u_modexp.mod_o"] & (1 << 64) - 1 == M
        assert shown["u_mul.rsp_z_o"] == pow(SECRET, SECRET, M)
        assert holders(board, SECRET) != []


def test_zeroize_leaves_no_operand() -> None:
    """No register of the whole design holds the operand, the exponent or the result after a zeroization."""
    with SimulatedBoard(build_board(W64, trace=True)) as board:
        power(board)
        result = pow(SECRET, SECRET, M)
        inside = W64.model.mont(W64.params, M, SECRET, 2 ** (2 * 85) % M)
        secrets = (SECRET, result, M, inside & 2**64 - 1)
        assert [] not in [holders(board, value) for value in secrets]
        board.write(simulated.CONTROL, simulated.ZEROIZE)
        while board.read(simulated.STATUS) & simulated.BUSY:
            pass
        assert [holders(board, value) for value in secrets] == [[]] * 4
        assert board.read_result() == 0


def test_snapshot_buffer() -> None:
    with SimulatedBoard(build_board(W64)) as board:
        snapshot = board.library.perle_sim_snapshot
        length = snapshot(board.handle, ffi.NULL, 0)
        whole = ffi.new("char[]", b"?" * (length + 8))
        assert snapshot(board.handle, whole, length) == length
        assert ffi.buffer(whole)[length - 2 : length + 1] == b"}\0?"
        part = ffi.new("char[]", b"?" * 20)
        assert snapshot(board.handle, part, 10) == length
        assert ffi.buffer(part)[:] == ffi.buffer(whole)[:9] + b"\0" + b"?" * 10 + b"\0"


def parse_vcd(text: str) -> tuple[dict[str, str], dict[str, list[tuple[int, str]]]]:
    """Code of the outermost variable of each name, changes of each code; fails on lines that are not VCD."""
    head, body = text.split("$enddefinitions $end")
    assert "$timescale" in head
    variable = r"\$var (?:wire|logic|parameter|bit|int|reg|integer) +\d+ (\S+) (\S+)(?: \[[^\]]*\])? \$end"
    codes = {name: code for code, name in reversed(re.findall(variable, head))}
    known = {code for code, _ in re.findall(variable, head)}
    assert head.count("$var") == len(re.findall(variable, head))
    assert head.count("$scope") == head.count("$upscope") > 2
    changes: dict[str, list[tuple[int, str]]] = {}
    time = -1
    for line in body.split("\n"):
        if match := re.fullmatch(r"#(\d+)", line):
            assert int(match[1]) > time
            time = int(match[1])
        elif match := re.fullmatch(r"([01xz])(\S+)|b([01xz]+) (\S+)", line):
            value, code = (match[1], match[2]) if match[1] else (match[3], match[4])
            assert code in known
            changes.setdefault(code, []).append((time, value))
        else:
            assert line in ("", "$dumpvars", "$end")
    return codes, changes


def test_vcd(tmp_path: Path) -> None:
    with SimulatedBoard(build_board(W64, trace="vcd")) as board:
        driver.load_modulus(board, W64, M)
        first, second = tmp_path / "first.vcd", tmp_path / "second.vcd"
        board.trace(first)
        started = board.cycles
        outcome = driver.run(board, command(Command.MULMOD), x=SECRET % M, y=5)
        cycles = board.cycles - started
        board.trace(second)
        board.advance(100)
        board.trace(None)
        board.advance(100)
        codes, changes = parse_vcd(first.read_text())
        assert len(changes[codes["clk_i"]]) == 2 * cycles
        assert [value for _, value in changes[codes["irq_o"]]] == ["0", "1"]
        assert format(outcome.result, "b") in [value.lstrip("0") for _, value in changes[codes["rsp_z_i"]]]
        codes, changes = parse_vcd(second.read_text())
        assert len(changes[codes["clk_i"]]) == 200
        for path in (tmp_path / "x.fst", tmp_path / "x", tmp_path / "nowhere" / "x.vcd"):
            with pytest.raises(SimulatorError) as error:
                board.trace(path)
            assert error.value.code == simulated.NO_TRACE
            assert not path.exists()


def test_plain_build_has_no_trace(tmp_path: Path) -> None:
    with SimulatedBoard(build_board(W64)) as board:
        board.trace(None)
        with pytest.raises(SimulatorError, match="trace") as error:
            board.trace(tmp_path / "x.vcd")
        assert error.value.code == simulated.NO_TRACE
        assert list(tmp_path.iterdir()) == []


@pytest.mark.wide
def test_fst(tmp_path: Path) -> None:
    if not has_header("lz4.h"):
        with pytest.raises(ToolMissing, match="liblz4-dev"):
            build_board(W64, trace="fst")
        return
    with SimulatedBoard(build_board(W64, trace="fst")) as board:
        assert board.info["trace"] == "fst"
        board.trace(tmp_path / "x.fst")
        power(board)
        board.trace(None)
        # an FST file begins with its header block: type 0, length 329
        assert (tmp_path / "x.fst").read_bytes()[:9] == b"\0" + (329).to_bytes(8, "big")
