# SPDX-License-Identifier: Apache-2.0
"""The RTL is bit-exact to the model: exhaustive for tiny sizes, edges, 10,000 random products, chains."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from perle.cores.lowlat import model
from perle.cores.lowlat.test_model import THREE_UNITS
from perle.cores.modexp.model import Command, Mode, cycles, early_cycles, run, select_wait
from perle.cores.registry import Config, family, resolve
from perle.verify.cases import edge_moduli, edge_operands, operand_limit, random_modulus
from perle.verify.contract import ContractSuite
from perle.verify.state_leak import difference, interrupt, zeroize
from perle.verify.testbench import MUL, REDUCE, ContractBench, Op
from perle.verify.word import CONST, WordBench

pytestmark = pytest.mark.proves("exact", "timed")

DELAYS = [3, 4, 5]


def sized(width: int, radix: int, delay: int) -> Config:
    """Return a row of any size, small enough for exhaustive tests."""
    chosen = {"Width": width, "RadixBits": radix, "QuotientDelay": delay}
    return Config(family("lowlat"), f"any{width}", family("lowlat").complete(chosen))


class TestContract(ContractSuite):
    family_name = "lowlat"
    wide = tuple(name for name in family("lowlat").configs if name not in {"w64", "w128"})
    mixed = (sized(64, 17, 5), sized(64, 18, 3))

    def reduced(self, config: Config, m: int) -> list[int]:
        """OpReduce takes any operand below R."""
        return [*edge_operands(m, operand_limit(config, m)), (1 << model.r_exp(config.params)) - 1]

    def chained(self, config: Config) -> list[int]:
        return edge_moduli(config.width)[-6 if config.width < 256 else -1 :]

    def interrupted(self, config: Config) -> list[int]:
        """Every cycle of a product."""
        return [1, 2, 50, 333, *range(600, 600 + model.mul_cycles(config.params))]


run_and_check = TestContract().check


@pytest.mark.parametrize("delay", DELAYS)
def test_small_digits_carry_far(delay: int) -> None:
    """Radix 8: digits of all ones are common, so carries ripple through many of them.

    Eight bits: every odd modulus with operands across its range, and OpReduce across the redundant range for
    two moduli. 40 bits: edges and random operands, requests and responses at random times.
    """
    rng = Random(delay)
    with ContractBench(sized(8, 3, delay)) as bench:
        r = 1 << model.r_exp(bench.config.params)
        for m in range(3, 256, 2):
            limit = operand_limit(bench.config, m)
            values = [*range(0, m, 1 + m // 24), m - 1, limit - 1, rng.randrange(limit)]
            run_and_check(bench, [m], [Op(MUL, x, y) for x in values for y in values])
        for m in (3, 255):
            run_and_check(bench, [m], [Op(REDUCE, 0, y) for y in range(0, r, 1 + r // 5_000)])
    with ContractBench(sized(40, 3, delay)) as bench:
        r = 1 << model.r_exp(bench.config.params)
        for m in [*edge_moduli(40), *(random_modulus(rng, 40) for _ in range(60))]:
            limit = operand_limit(bench.config, m)
            values = [*edge_operands(m, limit), *(rng.randrange(limit) for _ in range(30))]
            ops = [Op(MUL, x, rng.choice(values)) for x in values for _ in range(5)]
            ops += [Op(REDUCE, 0, y) for y in [*values, m, r - 1, rng.randrange(r)]]
            rng.shuffle(ops)
            run_and_check(bench, [m], ops, seed=rng.choice([0, 1 + rng.getrandbits(20)]))


def test_the_first_digit_saves_a_carry_of_three() -> None:
    with ContractBench(sized(24, 3, 3)) as bench:
        for m, x, y in THREE_UNITS:
            run_and_check(bench, [m], [Op(MUL, x, y), Op(MUL, y, x)])


def test_every_operand_of_every_modulus_of_five_bits() -> None:
    """Width 5, radix 8: every odd M, every x and y below it, and 1,000 operands of the redundant range."""
    with ContractBench(sized(5, 3, 3)) as bench:
        for m in range(3, 32, 2):
            limit = operand_limit(bench.config, m)
            run_and_check(bench, [m], [Op(MUL, x, y) for x in range(m) for y in range(m)])
            values = range(0, limit, limit // 1000 | 1)
            run_and_check(bench, [m], [Op(MUL, x, limit - 1 - x // 7) for x in values])
            run_and_check(bench, [m], [Op(REDUCE, y & 7, y) for y in values])


@pytest.mark.parametrize(("radix", "delay"), [(3, 3), (3, 4), (3, 5), (17, 4)])
def test_forwarded_products(radix: int, delay: int) -> None:
    """Digits of three bits, where saved carries of one and two are common: all modes, with their cycles."""
    rng = Random(radix * delay)
    width = 25 if radix == 3 else 64
    config = sized(width, radix, delay)
    with WordBench(config) as bench:
        for m in [*edge_moduli(width), *((1 << width) - 1 - 2 * rng.getrandbits(12) for _ in range(60))]:
            bench.load(m)
            x, y, elen = rng.randrange(m), rng.choice([m - 1, rng.randrange(m)]), rng.randrange(1, width + 1)
            e = rng.getrandbits(elen)
            assert bench.command(Command.MONT, x, y) == run(config, Command.MONT, m, x, y)
            assert bench.cycles == model.mul_cycles(config.params)
            assert bench.command(Command.MULMOD, x, y) == x * y % m
            assert bench.cycles == cycles(config, Command.MULMOD)
            for mode in Mode:
                z = bench.command(Command.EXP, x, e=e, mode=mode, elen=elen)
                assert z == run(config, Command.EXP, m, x, e=e, mode=mode, elen=elen)
                assert z % m == pow(x, e, m)
                assert bench.cycles == cycles(config, Command.EXP, mode, elen, e)


def test_a_response_that_comes_early_may_wait() -> None:
    """Reading a table of 256 entries takes longer than eight squarings: the last one waits in the row."""
    rng = Random(8)
    narrow = sized(25, 3, 3)
    config = Config(narrow.family, "window of 8", {**narrow.params, "WindowBits": 8})
    assert select_wait(early_cycles(config), 8) > 50
    with WordBench(config) as bench:
        for _ in range(40):
            m = random_modulus(rng, 25)
            bench.load(m)
            x, e = rng.randrange(m), rng.getrandbits(24)
            assert bench.command(Command.EXP, x, e=e, mode=Mode.WINDOW, elen=24) == pow(x, e, m)
            assert bench.cycles == cycles(config, Command.EXP, Mode.WINDOW, 24, window_bits=8)


def test_a_faulty_command_ends_with_its_first_product() -> None:
    """Its response is early, and nothing of it is forwarded, stored or readable."""
    m, e = (1 << 64) - 59, 0xDEADBEEF
    config = resolve("lowlat:w64")
    with WordBench(config) as bench:
        bench.load(m)
        for command in (Command.MULMOD, Command.EXP):
            begin = bench.now
            assert bench.command(command, m, 1, e=e, elen=32) == 0
            assert bench.errors() == {"operand_range"}
            assert bench.now - begin < 3 * model.mul_cycles(config.params)
            assert bench.command(Command.EXP, 5, e=e, elen=32) == pow(5, e, m)
            assert not bench.errors()
        bench.write(CONST, m - 1)
        bench.start(Command.EXP, Mode.WINDOW, 32)
        bench.wait()
        assert bench.errors() == {"modulus_even"}
        assert bench.read() == 0


@pytest.mark.parametrize("delay", [pytest.param(delay, marks=pytest.mark.wide) for delay in (4, 5)])
def test_a_zeroize_leaves_nothing(delay: int, tmp_path: Path) -> None:
    assert difference(sized(64, 18, delay), zeroize, tmp_path) == []


def test_a_reset_leaves_nothing(tmp_path: Path) -> None:
    """At any time: while the tail is shifted, the carries are resolved, or the result waits."""
    config = resolve("lowlat:w64")
    product = model.mul_cycles(config.params)
    for cycles_before_the_response in range(-1, 8):
        assert difference(config, interrupt(3 * product - cycles_before_the_response), tmp_path) == []
