# SPDX-License-Identifier: Apache-2.0
"""RTL of the exponentiator with `orup`, through its word port: results, cycles, faults, zeroization."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from perle.boards import test_lanes as lanes
from perle.cores.modexp.model import Command, Mode, cycles, run
from perle.cores.registry import Config, resolve
from perle.verify.cases import edge_moduli, edge_operands, operand_limit, random_modulus
from perle.verify.state_leak import difference, interrupt, zeroize
from perle.verify.word import CONST, E, WordBench, X, Y

BEYOND = -1
"""For the least length of an exponent that does not fit into its words."""


@pytest.fixture(scope="module", params=["orup:w64", "lowlat:w64"])
def bench(request: pytest.FixtureRequest) -> Iterator[WordBench]:
    """Yield a 64-bit exponentiator: without and with early requests, forwarded products and a port."""
    with WordBench(resolve(request.param)) as opened:
        yield opened


@pytest.fixture
def plain() -> Iterator[WordBench]:
    """Yield that of `orup`, whose model is the fastest."""
    with WordBench(resolve("orup:w64")) as opened:
        yield opened


def flags(bench: WordBench) -> set[str]:
    """Return the error flags so far, also those that the registers of a port delay by up to two cycles."""
    bench.lib.word_advance(bench.handle, 2)
    return bench.errors()


def exponentiate(bench: WordBench, m: int, x: int, e: int, mode: Mode, elen: int) -> None:
    """Run one exponentiation; compare the result with the oracle and the cycle counter with the model."""
    z = bench.command(Command.EXP, x, e=e, mode=mode, elen=elen)
    expected = run(bench.config, Command.EXP, m, x, e=e, mode=mode, elen=elen)
    assert z == expected
    assert z % m == pow(x, e, m)
    assert mode is Mode.PAPER or z < m
    assert bench.cycles == cycles(bench.config, Command.EXP, mode, elen, e)
    assert not bench.errors()


def test_every_command_and_mode_on_edges(plain: WordBench) -> None:
    bench = plain
    for m in edge_moduli(64):
        bench.load(m)
        for x in edge_operands(m, m):
            for y in (0, 1, m - 1):
                assert bench.command(Command.MULMOD, x, y) == x * y % m
                assert bench.cycles == cycles(bench.config, Command.MULMOD)
            limit = operand_limit(bench.config, m)
            assert bench.command(Command.MONT, limit - 1, x) == run(
                bench.config, Command.MONT, m, limit - 1, x
            )
            assert bench.cycles == cycles(bench.config, Command.MONT)
            for e, elen in ((0, 1), (1, 1), (2, 2), (65537, 17), (m - 1, 64)):
                for mode in Mode:
                    exponentiate(bench, m, x, e, mode, elen)


@pytest.mark.parametrize("spec", ["iterative:w3+Segment=0", "orup:w3+RadixBits=18+ChainSegments=1"])
def test_products_that_are_shorter_than_the_plan(spec: str) -> None:
    """Products of six and eleven cycles, for the smallest moduli: preparing the next one takes twelve."""
    with WordBench(resolve(spec)) as bench:
        for m in (3, 5, 7):
            bench.load(m)
            for x in range(m):
                assert bench.command(Command.MULMOD, x, m - 1) == x * (m - 1) % m
                assert bench.cycles == cycles(bench.config, Command.MULMOD)
                assert bench.command(Command.MONT, x, x) == run(bench.config, Command.MONT, m, x, x)
                assert bench.cycles == cycles(bench.config, Command.MONT)
                for e, elen in ((0, 1), (1, 1), (3, 2), (6, 3)):
                    for mode in Mode:
                        exponentiate(bench, m, x, e, mode, elen)


def test_random_exponentiations(plain: WordBench) -> None:
    random_exponentiations(plain, 150)


def test_some_exponentiations(bench: WordBench) -> None:
    random_exponentiations(bench, 3)


def random_exponentiations(bench: WordBench, count: int) -> None:
    """Run each mode with random moduli of all lengths, and a Montgomery product of the largest operands."""
    rng = Random(1)
    for _ in range(count):
        m = random_modulus(rng, 64)
        bench.load(m)
        most = operand_limit(bench.config, m) - 1
        assert bench.command(Command.MONT, most, most) == run(bench.config, Command.MONT, m, most, most)
        assert not bench.errors()
        for mode in Mode:
            elen = rng.randrange(1, 65)
            exponentiate(bench, m, rng.randrange(m), rng.getrandbits(elen), mode, elen)


@pytest.mark.parametrize("mode", [Mode.WINDOW, Mode.LADDER])
def test_time_depends_on_widths_only(bench: WordBench, mode: Mode) -> None:
    """Clock cycles from start to done are equal for very different moduli, bases and exponents."""
    seen = set()
    for m in (3, (1 << 64) - 1, (1 << 63) + 1):
        bench.load(m)
        for x in (0, 1, m - 1):
            for e in (0, 1, (1 << 64) - 1, 1 << 63):
                bench.write(X, x)
                bench.write(E, e)
                begin = bench.now
                bench.start(Command.EXP, mode, 64)
                bench.wait()
                seen.add(bench.now - begin)
                assert bench.read() == pow(x, e, m)
    assert len(seen) == 1


def test_binary_time_does_depend_on_the_exponent(bench: WordBench) -> None:
    bench.load((1 << 64) - 59)
    times = []
    for e in (1, (1 << 64) - 1):
        bench.command(Command.EXP, 3, e=e, mode=Mode.BINARY, elen=64)
        times.append(bench.cycles)
    assert times[0] < times[1]


@pytest.mark.parametrize(
    ("m", "flag"),
    [(0, "modulus_even"), (4, "modulus_even"), (1, "modulus_small"), ((1 << 64) + 1, "modulus_wide")],
)
@pytest.mark.parametrize("command", list(Command))
def test_illegal_moduli_are_flagged(bench: WordBench, m: int, flag: str, command: Command) -> None:
    bench.load(m, check=False)
    assert bench.command(command, m, e=1, elen=4) == 0
    assert bench.errors() == {flag}  # alone: comparing operands with such a modulus means nothing


def test_operands_out_of_range_are_flagged_and_leave_no_result(bench: WordBench) -> None:
    m = (1 << 64) - 59
    bench.load(m)
    assert bench.command(Command.MULMOD, m - 1, 5) == (m - 1) * 5 % m
    for x, y in ((m, 0), (0, m), (1 << 80, 1), (1, 1 << 84)):
        assert bench.command(Command.MULMOD, x, y) == 0
        assert bench.errors() == {"operand_range"}
    assert bench.command(Command.EXP, m, e=3, elen=4) == 0
    assert bench.errors() == {"operand_range"}
    assert bench.command(Command.EXP, m - 1, e=3, elen=4) == m - 1
    assert not bench.errors()


@pytest.mark.parametrize(
    ("op", "mode", "elen"),
    [(3, 0, 4), (2, 3, 0), (2, 0, 0), (2, 1, 0), (2, 0, BEYOND), (2, 3, BEYOND), (2, 1, 8191)],
)
def test_undefined_commands_are_flagged(bench: WordBench, op: int, mode: int, elen: int) -> None:
    bench.load((1 << 64) - 59)
    bench.start(op, mode, 64 * bench.words + 1 if elen == BEYOND else elen)
    bench.wait()
    assert bench.errors() == {"command"}
    assert bench.read() == 0


def test_the_longest_exponent_is_legal(bench: WordBench) -> None:
    m, elen = (1 << 64) - 59, 64 * bench.words
    bench.load(m)
    for mode in (Mode.WINDOW, Mode.BINARY, Mode.LADDER):
        e = (1 << elen) - 3
        assert bench.command(Command.EXP, 5, e=e, mode=mode, elen=elen) == pow(5, e, m)
        assert not bench.errors()


def test_a_multiply_waits_for_its_table_entry() -> None:
    """Reading 256 entries takes longer than the squarings of a digit of eight bits."""
    narrow = resolve("iterative:w16+Segment=0")
    config = Config(narrow.family, "window of 8", {**narrow.params, "WindowBits": 8})
    assert 8 * config.model.mul_cycles(config.params) < 256
    rng = Random(8)
    with WordBench(config) as bench:
        for m in (random_modulus(rng, 16) for _ in range(20)):
            bench.load(m)
            x, e = rng.randrange(m), rng.getrandbits(24)
            assert bench.command(Command.EXP, x, e=e, mode=Mode.WINDOW, elen=24) == pow(x, e, m)
            assert bench.cycles == cycles(config, Command.EXP, Mode.WINDOW, 24, window_bits=8)


def test_a_refused_command_asks_for_no_product(bench: WordBench) -> None:
    """A command takes the same time with and without a refused one before it, whatever the distance."""
    m, x, e = (1 << 64) - 59, 12345, 0xBEEF
    bench.load(m)
    taken = set()
    for refused in ((), (0,), (0, 300)):
        bench.write(X, x)
        bench.write(E, e)
        bench.lib.word_advance(bench.handle, 20)
        for elen in refused:
            bench.start(Command.EXP, Mode.WINDOW, elen)
            bench.wait()
            assert bench.errors() == {"command"}
        begin = bench.now
        bench.start(Command.EXP, Mode.WINDOW, 16)
        bench.wait()
        taken.add((bench.now - begin, bench.cycles))
        assert bench.read() == pow(x, e, m)
        assert not bench.errors()
    assert len(taken) == 1


def test_a_command_may_follow_any_operand_at_once(bench: WordBench) -> None:
    """The word written last differs from its old value, so that a stale operand would be noticed."""
    rng = Random(3)
    m = (1 << 64) - 59
    bench.load(m)
    for last in (X, Y, E):
        for idle in range(12):
            given = {window: rng.randrange(m) for window in (X, Y, E)}
            for window, value in given.items():
                bench.write(window, value ^ (window == last))
            bench.lib.word_advance(bench.handle, 20)
            bench.lib.word_write(bench.handle, last, 0, ctypes.c_uint64(given[last]))
            bench.lib.word_advance(bench.handle, idle)
            bench.start(Command.MULMOD if last == Y else Command.EXP, Mode.WINDOW, 64)
            bench.wait()
            assert bench.read() == (given[X] * given[Y] % m if last == Y else pow(given[X], given[E], m))


def test_writes_outside_the_banks_are_flagged(bench: WordBench) -> None:
    first = CONST + 1 + len(bench.config.family.constants)
    for window, word in ((first, 0), (15, 0), (X, bench.words), (X, 511)):
        bench.lib.word_write(bench.handle, window, word, 1)
        assert flags(bench) == {"command"}
    bench.lib.word_write(bench.handle, X, bench.words - 1, 0)
    bench.lib.word_write(bench.handle, first - 1, 0, 1)
    assert not flags(bench)


def test_beyond_the_result_there_are_zeros(bench: WordBench) -> None:
    m = (1 << 64) - 59
    bench.load(m)
    z = bench.command(Command.MULMOD, m - 1, 1)
    data = (ctypes.c_uint64 * 40)()
    bench.lib.word_read(bench.handle, data, len(data), bench.config.family.port_cycles)
    assert data[0] == z == m - 1
    assert not any(data[bench.words :])


def test_busy_refuses_everything_and_the_operation_survives(bench: WordBench) -> None:
    m, x, e = (1 << 64) - 59, 12345, 0xDEADBEEF
    bench.load(m)
    bench.write(X, x)
    bench.write(E, e)
    bench.start(Command.EXP, Mode.WINDOW, 32)
    bench.lib.word_advance(bench.handle, 100)
    assert not bench.errors()
    bench.start(Command.MONT)
    assert flags(bench) == {"start_busy"}
    bench.write(X, 1)
    bench.write(CONST, 9)
    assert flags(bench) == {"access_busy"}
    assert bench.read() == 0
    assert flags(bench) == {"access_busy"}
    bench.lib.word_zeroize(bench.handle)
    assert flags(bench) == {"start_busy"}
    bench.wait()
    assert bench.read() == pow(x, e, m)


def test_zeroize_and_reset_leave_nothing(bench: WordBench) -> None:
    m = (1 << 64) - 59
    for clear in (bench.lib.word_zeroize, bench.lib.word_reset):
        bench.load(m)
        assert bench.command(Command.MULMOD, 7, 9) == 63
        clear(bench.handle)
        bench.wait()
        assert bench.read() == 0
        bench.start(Command.MULMOD)  # M is gone: zero
        bench.wait()
        assert "modulus_even" in bench.errors()
        bench.load(m)
        bench.start(Command.MULMOD)  # X and Y are gone: zero
        bench.wait()
        assert bench.read() == 0
        bench.write(X, 5)
        bench.start(Command.EXP, Mode.WINDOW, 64)  # E is gone: 5^0
        bench.wait()
        assert bench.read() == 1


@pytest.mark.parametrize("spec", ["orup:w64", "lowlat:w64"])
def test_no_register_or_memory_keeps_a_secret(spec: str, tmp_path: Path) -> None:
    config = resolve(spec)
    for after in (zeroize, interrupt(3 * config.model.mul_cycles(config.params) + 3)):
        assert difference(config, after, tmp_path) == []


@pytest.mark.parametrize("spec", ["orup:w64", "lowlat:w64"])
def test_after_power_up_and_a_reset_it_is_ready_without_a_flag(spec: str) -> None:
    """Whatever registers and memories held: the reset has set all that matters."""
    begun = set()
    for seed in range(1, 9):
        with WordBench(resolve(spec), seed=seed) as bench:
            assert (bench.errors(), bench.cycles) == (set(), 0)
            begun.add(bench.now)
            bench.load((1 << 64) - 59)
            before = bench.now
            assert bench.command(Command.MULMOD, seed, 3) == 3 * seed
            begun.add(bench.now - before)
            assert not bench.errors()
    assert len(begun) == 2


def test_reset_in_mid_operation(bench: WordBench) -> None:
    m = (1 << 64) - 59
    bench.load(m)
    for when in (1, 2, 50, 333):
        bench.write(X, 5)
        bench.write(E, 99)
        bench.start(Command.EXP, Mode.WINDOW, 64)
        bench.lib.word_advance(bench.handle, when)
        bench.lib.word_reset(bench.handle)
        bench.wait()
        bench.load(m)
        exponentiate(bench, m, 5, 99, Mode.WINDOW, 64)


def test_lanes_that_share_a_multiplier() -> None:
    """It is not always ready, and its result is soon that of another lane."""
    rng, shared = Random(4), lanes.Lanes("orup:w64", 3)
    for _ in range(8):
        moduli = [random_modulus(rng, 64) for _ in range(3)]
        lanes.run(shared, [lanes.job(rng, shared.config, m) for m in moduli], moduli)
    shared.board.close()


def test_unused_operand_is_not_checked(bench: WordBench) -> None:
    """Only CmdMulMod checks Y: an exponentiation runs whatever Y holds."""
    m = (1 << 64) - 59
    bench.load(m)
    bench.write(Y, 1 << 80)
    exponentiate(bench, m, 3, 5, Mode.WINDOW, 4)
