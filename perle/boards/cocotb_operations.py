# SPDX-License-Identifier: Apache-2.0
"""Operations over the bus: right results in exactly the model's cycles, and the interrupt."""

from __future__ import annotations

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge

from perle.boards import simulated
from perle.boards.cocotb_testbench import Bench, Dut
from perle.cores.modexp import model
from perle.cores.modexp.model import Command, Mode


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def operations(dut: Dut) -> None:
    """Run every command and mode with all five channels held up at random."""
    bench = await Bench.started(dut)
    bench.pause()
    width = bench.config.width
    for bits in (width, width, width // 2, 2):
        m = bench.modulus(bits)
        x, y, e = bench.rng.randrange(m), bench.rng.randrange(m), bench.rng.getrandbits(bits)
        await bench.load(m=m, x=x, y=y, e=e)
        runs = [
            (Command.MONT, Mode.WINDOW),
            (Command.MULMOD, Mode.WINDOW),
            *((Command.EXP, mode) for mode in Mode),
        ]
        for command, mode in runs:
            assert await bench.run(command, mode, bits) == set()
            result = await bench.result()
            assert result == model.run(bench.config, command, m, x, y, e, mode, bits), (command, mode)
            if command is Command.EXP:
                assert result % m == pow(x, e, m)
            expected = model.cycles(bench.config, command, mode, bits, e)
            assert await bench.cycles() == expected, (command, mode)


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def interrupt(dut: Dut) -> None:
    """Watch the interrupt: down from a start to its end, up afterwards; refused starts raise it too."""
    bench = await Bench.started(dut)
    m = bench.modulus()
    await bench.load(m=m, x=3, e=5)
    assert dut.irq_o.value == 0
    for _ in range(2):
        await bench.start(Command.EXP, elen=8)
        # low when the response to the write arrives: a host would otherwise see the previous interrupt
        assert dut.irq_o.value == 0
        taken = 0
        while not dut.irq_o.value:
            await RisingEdge(dut.clk_i)
            taken += 1
        expected = model.cycles(bench.config, Command.EXP, elen=8)
        assert abs(taken - expected) < 8
        await ClockCycles(dut.clk_i, 5)
        assert dut.irq_o.value == 1
        assert await bench.status() == simulated.DONE
        assert await bench.result() == pow(3, 5, m)
    await bench.start(Command.EXP, elen=0)
    await ClockCycles(dut.clk_i, 2)
    assert dut.irq_o.value == 1
    assert await bench.status() == simulated.DONE | 1 << 14
