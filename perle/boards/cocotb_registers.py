# SPDX-License-Identifier: Apache-2.0
"""Registers and bus: reset values, access rights, every address, strobes, back-pressure."""

from __future__ import annotations

import os
from typing import Any

import cocotb
from systemrdl.compiler import RDLCompiler
from systemrdl.node import FieldNode, MemNode, RegNode

from perle.boards import simulated
from perle.boards.cocotb_testbench import OKAY, SLVERR, Bench, Dut, flags
from perle.boards.regs import RDL
from perle.cores.modexp.model import WINDOW_BITS


def described(bench: Bench) -> tuple[dict[int, RegNode], list[MemNode]]:
    """Return registers by address, and the banks, from board.rdl for this board."""
    compiler = RDLCompiler()
    compiler.compile_file(str(RDL))
    parameters: dict[str, Any] = {"DataWidth": bench.word_bits, "Constants": bench.shape.const_count}
    top = compiler.elaborate(parameters=parameters).top
    nodes = list(top.children(unroll=True))
    registers = {node.absolute_address: node for node in nodes if isinstance(node, RegNode)}
    return registers, [node for node in nodes if isinstance(node, MemNode)]


def hardware_value(bench: Bench, field: FieldNode) -> int:
    """Return an idle board's value of a field without a reset value in board.rdl."""
    name = field.get_path().removeprefix("perle_regs.")
    known = {
        "family.id": bench.config.family.id,
        "config_hash.hash": int(os.environ["PERLE_CONFIG_HASH"]),
        "widths.width": bench.shape.width,
        "widths.operand_bits": bench.shape.operand_bits,
        "lanes.count": 1,
        "shape.word_bits": bench.word_bits,
        "shape.window_bits": WINDOW_BITS,
        "shape.const_count": bench.shape.const_count,
    }
    return known.get(name, 0)


def mask(field: FieldNode) -> int:
    """Return the bits that a field occupies."""
    return (1 << field.width) - 1 << field.lsb


def expected(bench: Bench, register: RegNode) -> int:
    """Return the value of a register after reset."""
    total = 0
    for field in register.fields():
        reset = field.get_property("reset")
        total |= (reset if isinstance(reset, int) else hardware_value(bench, field)) << field.lsb
    return total


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def reset_values_and_rights(dut: Dut) -> None:
    """Check every register: its value after reset, and SLVERR for the access it does not allow."""
    bench = await Bench.started(dut)
    registers, _ = described(bench)
    assert len(registers) == 11
    ones = (1 << bench.word_bits) - 1
    for addr, register in registers.items():
        value, resp = await bench.read(addr)
        if not register.has_sw_readable:
            assert (value, resp) == (0, SLVERR), register.inst_name
            continue
        assert (value, resp) == (expected(bench, register), OKAY), register.inst_name
        writable = sum(mask(field) for field in register.fields() if field.is_sw_writable)
        assert await bench.write(addr, ones) == (OKAY if writable else SLVERR), register.inst_name
        assert (await bench.read(addr))[0] == (value & ~writable | ones & writable), register.inst_name
        if writable:
            assert await bench.write(addr, 0) == OKAY
            assert (await bench.read(addr))[0] == 0


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def every_address(dut: Dut) -> None:
    """Check all of the address space: OKAY exactly where the map has something, SLVERR elsewhere."""
    bench = await Bench.started(dut)
    registers, banks = described(bench)
    readable = {addr for addr, register in registers.items() if register.has_sw_readable}
    writable = {addr for addr, register in registers.items() if register.has_sw_writable}
    for window in banks:
        span = range(window.absolute_address, window.absolute_address + window.size, bench.word_bits // 8)
        (readable if window.is_sw_readable else writable).update(span)
    for addr in range(0, 1 << 14, bench.word_bits // 8):
        value, resp = await bench.read(addr)
        assert resp == (OKAY if addr in readable else SLVERR), hex(addr)
        assert resp == OKAY or value == 0, hex(addr)
        assert await bench.write(addr, 0) == (OKAY if addr in writable else SLVERR), hex(addr)
    # the words beyond the end of each line
    assert flags(await bench.status()) == {"command"}


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def strobes_of_command(dut: Dut) -> None:
    """Check that a register takes the bytes whose strobes are set, and only those."""
    bench = await Bench.started(dut)
    await bench.write(simulated.COMMAND, 0x1FFF0033)
    await bench.write(simulated.COMMAND + 2, 0x55, 1)
    assert (await bench.read(simulated.COMMAND))[0] == 0x1F550033
    await bench.write(simulated.COMMAND, 0x00, 1)
    assert (await bench.read(simulated.COMMAND))[0] == 0x1F550000
    assert flags(await bench.status()) == set()


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def strobes_of_control(dut: Dut) -> None:
    """Check that a write to CONTROL without the strobe of its bits is no command right after one."""
    bench = await Bench.started(dut)
    word = simulated.ZEROIZE.to_bytes(bench.word_bits // 8, "little")
    both = [
        bench.master.init_write(simulated.CONTROL, word),
        bench.master.init_write(simulated.CONTROL + 2, b"\0"),
    ]
    for write in both:
        await write.wait()
    assert flags(await bench.status()) == set()
    await bench.ready()


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def back_pressure(dut: Dut) -> None:
    """Write and read at once, all five channels held up at random: nothing is lost, doubled or reordered."""
    bench = await Bench.started(dut)
    registers, _ = described(bench)
    values = {addr: expected(bench, reg) for addr, reg in registers.items() if addr < simulated.COMMAND}
    bench.pause()
    for _ in range(60):
        wanted = bench.rng.choices(list(values), k=6)
        last = bench.rng.getrandbits(13) << 16 | bench.rng.getrandbits(2)
        accesses = [bench.write(simulated.COMMAND, last), bench.write(simulated.ID, 0), bench.write(0x100, 0)]
        writes = [cocotb.start_soon(access) for access in accesses]
        reads = [cocotb.start_soon(bench.read(addr)) for addr in wanted]
        assert [await task for task in writes] == [OKAY, SLVERR, SLVERR]
        assert [await task for task in reads] == [(values[addr], OKAY) for addr in wanted]
        assert (await bench.read(simulated.COMMAND))[0] == last
