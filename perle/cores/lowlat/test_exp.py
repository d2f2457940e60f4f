# SPDX-License-Identifier: Apache-2.0
"""Exponentiator and multiplier, above all forwarded products: results, cycles, zeroization."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random

import pytest

from perle.cores.lowlat import model
from perle.cores.lowlat.test_rtl import sized
from perle.cores.modexp.model import Command, Mode, cycles, early_cycles, select_wait
from perle.cores.registry import Config, resolve
from perle.verify.cases import edge_moduli, random_modulus
from perle.verify.exponents import ExponentSuite, try_commands
from perle.verify.state_leak import difference, interrupt, zeroize
from perle.verify.word import CONST, WordBench, X, Y

pytestmark = pytest.mark.proves("exact", "timed")


class TestExponents(ExponentSuite):
    family_name = "lowlat"

    def interrupted(self, config: Config) -> list[int]:
        """Return every cycle of a product."""
        return [1, 2, 50, 333, *range(600, 600 + model.mul_cycles(config.params))]


@pytest.mark.parametrize(("radix", "delay"), [(3, 3), (3, 4), (3, 5), (17, 4), (19, 4), (36, 5)])
def test_forwarded_products(radix: int, delay: int) -> None:
    """All modes, with their cycles; in digits of three bits saved carries of one and two are common."""
    rng = Random(radix * delay)
    width = 25 if radix == 3 else 64
    config = sized(width, radix, delay)
    with WordBench(config) as bench:
        for m in [*edge_moduli(width), *((1 << width) - 1 - 2 * rng.getrandbits(12) for _ in range(60))]:
            x, y, elen = rng.randrange(m), rng.choice([m - 1, rng.randrange(m)]), rng.randrange(1, width + 1)
            try_commands(bench, m, x, y, rng.getrandbits(elen), elen)


def test_a_response_that_comes_early_may_wait() -> None:
    """Reading 256 table entries takes longer than eight squarings: the response of the last one waits."""
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
    """The response is early; its product is not forwarded, stored or readable."""
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


def test_what_comes_while_busy_is_flagged_and_has_no_effect() -> None:
    """Also in the last two cycles, in which the exponentiator behind perle_modexp_port is already idle."""
    m, x, y = (1 << 64) - 59, 0x123456789, (1 << 63) + 5
    with WordBench(resolve("lowlat:w64")) as bench:
        lib, handle = bench.lib, bench.handle
        sent = {
            "start": partial(bench.start, Command.MONT),
            "write": partial(lib.word_write, handle, Y, 0, 1),
            "zeroize": partial(lib.word_zeroize, handle),
        }

        def begin() -> None:
            bench.load(m)
            bench.write(X, x)
            bench.write(Y, y)
            bench.start(Command.MULMOD)

        begin()
        started = bench.now
        bench.wait()
        takes, product = bench.now - started, bench.read()
        for name, send in sent.items():
            outcomes = []
            for when in (0, 20, *range(takes - 6, takes + 3)):
                begin()
                bench.lib.word_advance(handle, when)
                busy = bool(lib.word_busy(handle))
                send()
                bench.wait()
                first = bench.read()
                bench.start(Command.MULMOD)
                bench.wait()
                assert (first == product == bench.read()) == busy, (name, when)
                flag = "access_busy" if name == "write" else "start_busy"
                assert (flag in bench.errors()) == busy, (name, when)
                outcomes.append(busy)
            assert outcomes == [True] * 8 + [False] * 3


@pytest.mark.wide
@pytest.mark.parametrize(("radix", "delay"), [(18, 4), (18, 5), (36, 4), (36, 5)])
def test_a_zeroize_leaves_nothing(radix: int, delay: int, tmp_path: Path) -> None:
    assert difference(sized(64, radix, delay), zeroize, tmp_path) == []


def test_a_reset_leaves_nothing(tmp_path: Path) -> None:
    """The reset comes while the tail is shifted, the carries are resolved, or the response waits."""
    config = resolve("lowlat:w64")
    product = model.mul_cycles(config.params)
    for cycles_before_the_response in range(-1, 8):
        assert difference(config, interrupt(3 * product - cycles_before_the_response), tmp_path) == []
