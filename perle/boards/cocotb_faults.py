# SPDX-License-Identifier: Apache-2.0
"""Everything a host can do wrong: errors are flagged, flags are sticky, and nothing else is affected."""

from __future__ import annotations

from collections.abc import Awaitable
from contextlib import suppress
from typing import TypeVar

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge

from perle.boards import driver, simulated
from perle.boards.cocotb_testbench import OKAY, Bench, Dut, flags
from perle.cores.modexp.model import Command, Mode, cycles

T = TypeVar("T")


async def clear(bench: Bench) -> None:
    """Clear the flags."""
    await bench.write(simulated.CONTROL, simulated.CLEAR_ERRORS)
    assert flags(await bench.status()) == set()


async def after(dut: Dut, cycles: int, access: Awaitable[T]) -> T:
    """Begin an access some clock cycles from now."""
    if cycles:
        await ClockCycles(dut.clk_i, cycles)
    return await access


async def loaded(bench: Bench) -> tuple[int, int, int]:
    """Load a random modulus, base and exponent."""
    m = bench.modulus()
    x, e = bench.rng.randrange(m), bench.rng.getrandbits(bench.config.width)
    await bench.load(m=m, x=x, e=e)
    return m, x, e


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def while_busy(dut: Dut) -> None:
    """Start, zeroize, write and read while busy: flagged; result and cycle count are as without them."""
    bench = await Bench.started(dut)
    m, x, e = await loaded(bench)
    banks = range(4 + bench.shape.const_count)
    attempts = [
        (simulated.CONTROL, simulated.START, "start_busy"),
        (simulated.CONTROL, simulated.ZEROIZE, "start_busy"),
    ]
    attempts += [(simulated.BANKS + i * simulated.BANK_BYTES, 1, "access_busy") for i in banks]
    await bench.start(Command.EXP, elen=bench.config.width)
    assert await bench.status() == simulated.BUSY
    for addr, data, flag in attempts:
        assert await bench.write(addr, data) == OKAY
        assert await bench.status() == simulated.BUSY | 1 << (8 + ["start_busy", "access_busy"].index(flag))
        await bench.write(simulated.CONTROL, simulated.CLEAR_ERRORS)
        assert await bench.status() == simulated.BUSY
    assert await bench.read(simulated.RESULT) == (0, OKAY)
    assert flags(await bench.status()) == {"access_busy"}
    # the command register may be written while busy: it affects the next start only
    await bench.write(simulated.COMMAND, driver.command(Command.MONT))
    await bench.ready()
    assert flags(await bench.status()) == {"access_busy"}
    assert await bench.result() == pow(x, e, m)
    expected = cycles(bench.config, Command.EXP, elen=bench.config.width)
    assert await bench.cycles() == expected


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def right_behind_a_start(dut: Dut) -> None:
    """Write in the very cycle after a start, as a host that awaits no answer may: it is after the start."""
    bench = await Bench.started(dut)
    m, x, e = await loaded(bench)
    for bank in range(4 + bench.shape.const_count):
        await bench.write(simulated.COMMAND, driver.command(Command.EXP, elen=bench.config.width))
        start = cocotb.start_soon(bench.write(simulated.CONTROL, simulated.START))
        write = cocotb.start_soon(bench.write(simulated.BANKS + bank * simulated.BANK_BYTES, 5))
        assert (await start, await write) == (OKAY, OKAY)
        await bench.ready()
        assert flags(await bench.status()) == {"access_busy"}, bank
        assert await bench.result() == pow(x, e, m)
        await clear(bench)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def reads_around_a_start(dut: Dut) -> None:
    """Read the result at every distance from a start: the old result before it, a flagged zero after it."""
    bench = await Bench.started(dut)
    await loaded(bench)
    assert await bench.run(Command.EXP, elen=1) == set()
    seen = set()
    for lead in range(-4, 5):
        old = (await bench.read(simulated.RESULT))[0]
        assert old != 0
        await bench.write(simulated.COMMAND, driver.command(Command.EXP, elen=lead + 6))
        read = cocotb.start_soon(after(dut, max(0, lead), bench.read(simulated.RESULT)))
        start = cocotb.start_soon(after(dut, max(0, -lead), bench.write(simulated.CONTROL, simulated.START)))
        value, resp = await read
        assert (await start, resp) == (OKAY, OKAY)
        found = flags(await bench.status())
        assert (value, found) in [(old, set()), (0, {"access_busy"})], lead
        seen.add(value != 0)
        await bench.ready()
        await clear(bench)
    assert seen == {True, False}


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def reads_around_an_end(dut: Dut) -> None:
    """Read words of the result at every distance from the end: flagged zeros before it, the result after."""
    bench = await Bench.started(dut)
    await loaded(bench)
    assert await bench.run(Command.EXP, elen=1) == set()
    places = [simulated.RESULT + word * bench.word_bits // 8 for word in range(2)]
    words = [(await bench.read(place))[0] for place in places]
    cycles = await bench.cycles()
    seen = set()
    for place, word in zip(places, words, strict=True):
        for lead in range(-16, 5):
            await bench.write(simulated.COMMAND, driver.command(Command.EXP, elen=1))
            await bench.write(simulated.CONTROL, simulated.START)
            value, resp = await after(dut, cycles + lead, bench.read(place))
            assert resp == OKAY
            await bench.ready()
            found = flags(await bench.status())
            assert (value, found) in [(word, set()), (0, {"access_busy"})], (place, lead)
            seen.add(bool(found))
            await clear(bench)
    assert seen == {True, False}


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def illegal_moduli(dut: Dut) -> None:
    """Try even, zero, one and too wide moduli: flagged, no result, and done all the same."""
    bench = await Bench.started(dut)
    m, x, e = await loaded(bench)
    wide = 1 << bench.config.width
    cases = {m + 1: {"modulus_even"}, 0: {"modulus_even"}, 1: {"modulus_small"}, m + wide: {"modulus_wide"}}
    cases |= {m + 1 + (1 << (bench.shape.operand_bits - 1)): {"modulus_even", "modulus_wide"}}
    for modulus, fault in cases.items():
        for command in Command:
            await bench.load(m=m, x=0, y=0)
            await bench.write_line(driver.BANK_CONST, modulus)
            # an operand of zero is not below a modulus of zero or one, but the modulus error has priority
            found = await bench.run(command, elen=8)
            assert found - {"operand_range"} == fault, (modulus, command, found)
            assert await bench.result() == 0
            await clear(bench)
    await bench.load(m=m, x=x, e=e)
    assert await bench.run(Command.EXP, elen=bench.config.width) == set()
    assert await bench.result() == pow(x, e, m)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def operands_out_of_range(dut: Dut) -> None:
    """Try X or Y at or above M: flagged where the command needs them below."""
    bench = await Bench.started(dut)
    m = bench.modulus()
    top = (1 << bench.shape.operand_bits) - 1
    await bench.load(m=m, e=3)
    for bad in (m, m + 1, m + (1 << bench.config.width), top):
        for command, x, y, fault in (
            (Command.MULMOD, bad, 1, {"operand_range"}),
            (Command.MULMOD, 1, bad, {"operand_range"}),
            (Command.EXP, bad, 1, {"operand_range"}),
            (Command.EXP, 1, bad, set()),
            (Command.MULMOD, m - 1, m - 1, set()),
        ):
            await bench.load(x=x, y=y)
            assert await bench.run(command, elen=2) == fault, (hex(bad), command, x == bad)
            assert await bench.result() == (0 if fault else 1)
            await clear(bench)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def undefined_commands(dut: Dut) -> None:
    """Try undefined operations, modes and exponent lengths: refused at once."""
    bench = await Bench.started(dut)
    m, x, e = await loaded(bench)
    longest = bench.shape.words * bench.word_bits
    good = driver.command(Command.EXP, Mode.BINARY, bench.config.width)
    scanned = (Mode.WINDOW, Mode.BINARY, Mode.LADDER)
    bad = [3, *(driver.command(Command.EXP, mode, elen) for mode in scanned for elen in (0, longest + 1))]
    for word in bad:
        await bench.write(simulated.COMMAND, word)
        await bench.write(simulated.CONTROL, simulated.START)
        assert await bench.status() == simulated.DONE | 1 << 14, hex(word)
        assert await bench.result() == 0
        # the flag remains set after the next, valid operation
        await bench.write(simulated.COMMAND, good)
        await bench.write(simulated.CONTROL, simulated.START)
        await bench.ready()
        assert flags(await bench.status()) == {"command"}
        assert await bench.result() == pow(x, e, m)
        await clear(bench)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def partial_and_overlong_writes(dut: Dut) -> None:
    """Write to banks with some strobes off, or beyond the line: flagged, the line keeps what it held."""
    bench = await Bench.started(dut)
    m, x, e = await loaded(bench)
    for bank in range(4 + bench.shape.const_count):
        addr = simulated.BANKS + bank * simulated.BANK_BYTES
        for offset, size in ((0, 1), (0, bench.word_bits // 8 - 1), (1, bench.word_bits // 8 - 1), (2, 2)):
            assert await bench.write(addr + offset, 0x5A, size) == OKAY
            assert flags(await bench.status()) == {"command"}, (bank, offset, size)
            await clear(bench)
        for word in (bench.shape.words, 0x400 // (bench.word_bits // 8) - 1):
            assert await bench.write(addr + word * bench.word_bits // 8, 0x5A) == OKAY
            assert flags(await bench.status()) == {"command"}, (bank, word)
            await clear(bench)
    assert await bench.run(Command.EXP, elen=bench.config.width) == set()
    assert await bench.result() == pow(x, e, m)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def zeroize(dut: Dut) -> None:
    """Zeroize: the result is zero afterwards and every operand has to be loaded again."""
    bench = await Bench.started(dut)
    m, x, e = await loaded(bench)
    assert await bench.run(Command.EXP, elen=bench.config.width) == set()
    assert await bench.result() == pow(x, e, m) != 0
    await bench.write(simulated.CONTROL, simulated.ZEROIZE)
    assert await bench.status() & simulated.BUSY
    await bench.ready()
    assert await bench.result() == 0
    assert await bench.run(Command.EXP, elen=bench.config.width) == {"modulus_even"}
    await clear(bench)
    # with only the modulus loaded again, X and E are zero: 0^0 = 1
    await bench.load(m=m)
    assert await bench.run(Command.EXP, elen=bench.config.width) == set()
    assert await bench.result() == 1


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def reset_in_mid_operation(dut: Dut) -> None:
    """Reset at any time: ends the operation, forgets the operands, and leaves a board that works."""
    bench = await Bench.started(dut)
    for wait in (1, 2, 40, 41, 333):
        m, x, e = await loaded(bench)
        await bench.start(Command.EXP, elen=bench.config.width)
        await ClockCycles(dut.clk_i, wait)
        assert await bench.status() == simulated.BUSY
        await bench.reset()
        assert dut.irq_o.value == 0
        await bench.ready()
        assert await bench.status() == 0
        assert await bench.result() == 0
        assert await bench.run(Command.MONT) == {"modulus_even"}
        await clear(bench)
        await bench.load(m=m, x=x, e=e)
        assert await bench.run(Command.EXP, elen=bench.config.width) == set()
        assert await bench.result() == pow(x, e, m)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def reset_when_done(dut: Dut) -> None:
    """Reset with the interrupt up, flags set and COMMAND written: nothing of it is left."""
    bench = await Bench.started(dut)
    await loaded(bench)
    await bench.load(y=0)
    assert await bench.run(Command.MULMOD, Mode.PAPER, 77) == set()
    await bench.write(simulated.BANKS, 1, 1)
    assert await bench.status() & 0x4003 == 0x4000 | simulated.DONE
    await bench.reset()
    assert dut.irq_o.value == 0
    await bench.ready()
    assert [await bench.read(addr) for addr in (simulated.STATUS, simulated.COMMAND)] == [(0, OKAY)] * 2
    assert (await bench.cycles(), await bench.result()) == (0, 0)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def reset_in_mid_read(dut: Dut) -> None:
    """Reset in every cycle of a read: its word, which no one waits for any more, is not returned."""
    bench = await Bench.started(dut)

    async def forgotten() -> None:
        with suppress(AttributeError):  # a reset leaves the master's accesses without an answer
            await bench.read(simulated.RESULT)

    for wait in range(7):
        cocotb.start_soon(forgotten())
        await ClockCycles(dut.clk_i, wait)
        dut.rst_ni.value = 0
        # released as soon as possible: later, what the reset has left out is overwritten
        await ClockCycles(dut.clk_i, 1)
        dut.rst_ni.value = 1
        for _ in range(6):
            await RisingEdge(dut.clk_i)
            assert dut.axil_rvalid_o.value == 0, wait
        await bench.ready()
        assert await bench.read(simulated.RESULT) == (0, OKAY)
