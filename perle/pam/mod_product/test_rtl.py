# SPDX-License-Identifier: Apache-2.0
"""The unit in RTL against its model: the data and the clock cycle of every access, for many moduli."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Self

import pytest

from perle.boards.memory import build_memory
from perle.boards.simulated import SimulatedBoard
from perle.cores.registry import Config, memories, resolve_memory
from perle.pam.mod_product import driving, model
from perle.pam.mod_product.driving import Access, Method
from perle.pam.mod_product.model import MULT_B1, MULT_B3, READ_P, SQUARE, WRITE_B, WRITE_B_ALIGN

pytestmark = pytest.mark.proves("exact", "timed")

RANDOM_PRODUCTS = 10_000
PRODUCTS = (SQUARE, MULT_B1, MULT_B3)


class Pair:
    """Hardware and model side by side; every access is compared."""

    def __init__(self, config: Config, *, exact_steps: bool = False) -> None:
        self.params = config.params
        self.board = SimulatedBoard(build_memory(config, checks=True))
        self.model = model.Board(self.params, exact_steps=exact_steps)
        self.start = self.board.cycles

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.board.close()

    def access(self, write: bool, addr: int, data: int = 0) -> int:
        expected, got = self.model.access(write, addr, data), 0
        if write:
            self.board.write(4 * addr, data)
        else:
            got = self.board.read(4 * addr)
        passed = self.board.cycles - self.start
        assert (got, passed) == (expected, self.model.cycles), (write, addr, data, hex(self.model.a))
        return got

    def play(self, accesses: list[Access]) -> list[int]:
        return driving.play(self, accesses)

    def advance(self, cycles: int) -> None:
        self.board.advance(cycles)
        self.model.advance(cycles)

    def reset(self) -> None:
        self.board.reset()
        self.model.cycles = self.board.cycles - self.start
        self.model.reset()

    def same_registers(self) -> None:
        self.advance(max(0, self.model.free_at - self.model.cycles))
        seen = self.board.snapshot()
        for name in ("a", "s", "b1", "b3", "p"):
            assert int(seen[f"u_core.{name}_q"], 16) == getattr(self.model, name), name


def shaped(**chosen: int) -> Config:
    """Return a configuration of any shape."""
    fam = memories()["mod_product"]
    name = "_".join(f"{key}{value:x}"[:24] for key, value in chosen.items())
    return Config(fam, name.lower(), fam.complete(chosen))


# Besides the fixed prime: all ones (15 modulo 16, the smallest range), the least of full width, 1 modulo 16
# (the largest quotient constant), and a much shorter one that is 3 modulo 4.
NAMED = ("w254", "fast", "fast_spread", "ripple", "radix2", "radix2_ripple")
CONFIGS = {
    **{name: resolve_memory(f"mod_product:{name}") for name in NAMED},
    "ones": shaped(Modulus=(1 << 254) - 1),
    "least": shaped(Modulus=(1 << 253) + 1, Fast=1, DetectLatency=3),
    "sparse": shaped(Modulus=(1 << 254) - (1 << 127) + 1, RadixBits=1, ResolveBits=64),
    "short": shaped(Modulus=(1 << 200) + 0x1233, RadixBits=1, Fast=1),
}


# Each needs its own simulator build; the others are left to `make wide`.
QUICK = ("w254", "fast", "ripple", "least")


@pytest.fixture(
    params=[pytest.param(name, marks=() if name in QUICK else pytest.mark.wide) for name in CONFIGS]
)
def pair(request: pytest.FixtureRequest) -> Iterator[Pair]:
    """Yield each configuration in turn."""
    with Pair(CONFIGS[request.param]) as opened:
        yield opened


def edges(params: model.Params) -> list[int]:
    """Words for B1 and B3: in the field, and others that fit."""
    m, bits = params["Modulus"], 32 * model.operand_words(params)
    one = driving.to_montgomery(params, 1)
    return [0, 1, 2, 3, m - 1, m, one, m - one, (1 << bits) - 1, 1 << (bits - 1), (1 << bits) // 3]


def test_edges(pair: Pair) -> None:
    """Products of edges in all pairs: loaded through A = one, then multiplied, squared and read."""
    values = edges(pair.params)
    for b3 in values:
        for b1 in values:
            pair.play(driving.load(pair.params, b1, b3))
            reads = pair.play([(True, MULT_B3, 0), (True, MULT_B1, 0), *driving.read(pair.params)])
            if max(b1, b3) < pair.params["Modulus"]:
                z = driving.result(pair.params, reads)
                assert z == model.product_value(pair.params, b3, b1)
            pair.play(driving.load(pair.params, b1, b3))
            pair.play([(True, MULT_B1, 0), (True, SQUARE, 0), *driving.read(pair.params)])
    pair.same_registers()


def test_random_products(pair: Pair) -> None:
    """10,000 random products in chains of random lengths, with fresh operands and idle gaps between them."""
    rng, done = Random(1990), 0
    while done < RANDOM_PRODUCTS:
        m = pair.params["Modulus"]
        pair.play(driving.load(pair.params, rng.randrange(m), rng.randrange(m), align=rng.random() < 0.9))
        length = rng.choice([1, 2, 50, 400])
        for _ in range(length):
            pair.access(True, rng.choice(PRODUCTS))
            if rng.random() < 0.05:
                pair.advance(rng.randrange(400))
        done += length
        reads = pair.play(driving.read(pair.params))
        assert driving.within_limit(pair.params, driving.result(pair.params, reads))


def test_squaring_chain(pair: Pair) -> None:
    params, m = pair.params, pair.params["Modulus"]
    x = m - 2
    pair.play([*driving.load(params, driving.to_montgomery(params, x)), (True, MULT_B1, 0)])
    pair.play([(True, SQUARE, 0)] * 1200)
    pair.same_registers()
    pair.play([*driving.load_b1(params, 1), (True, MULT_B1, 0)])
    z = driving.result(params, pair.play(driving.read(params)))
    assert driving.reduce_constant_time(params, z) == pow(x, 1 << 1200, m)


def test_any_sequence_of_instructions(pair: Pair) -> None:
    """Any access at any time, undefined ones too: the registers are always defined."""
    rng = Random(4)
    for _ in range(4000):
        write = rng.random() < 0.8
        kind = rng.choice([WRITE_B, WRITE_B, WRITE_B_ALIGN, *PRODUCTS, *range(8)])
        addr = kind if write or rng.random() < 0.2 else READ_P
        pair.access(write, addr, rng.choice([0, (1 << 32) - 1, rng.getrandbits(32)]))
        if rng.random() < 0.2:
            pair.advance(rng.randrange(1, 200))
        if rng.random() < 0.02:
            pair.same_registers()


@pytest.mark.parametrize("method", Method)
def test_exponentiation(pair: Pair, method: Method) -> None:
    rng, m = Random(254), pair.params["Modulus"]
    for exponent in (0, 1, 2, 3, 65537, rng.getrandbits(254) | 1 << 253):
        x = rng.randrange(m)
        assert driving.power(pair.params, pair, x, exponent, method) == pow(x, exponent, m)


def test_two_exponentiations_of_a_key_length_take_the_same_time() -> None:
    rng, taken = Random(2), set()
    with Pair(CONFIGS["w254"]) as pair:
        for exponent in (1, (1 << 254) - 1, rng.getrandbits(254)):
            pair.advance(model.read_cycles(pair.params))
            before = pair.board.cycles
            pair.play(driving.exponentiation(pair.params, 5, exponent, Method.REGULAR, bits=254))
            taken.add(pair.board.cycles - before)
    assert len(taken) == 1


def test_reset_in_mid_operation(pair: Pair) -> None:
    rng, params = Random(5), pair.params
    for _ in range(20):
        pair.play([*driving.load(params, rng.randrange(params["Modulus"])), (True, MULT_B1, 0)])
        pair.access(rng.random() < 0.5, rng.choice([READ_P, SQUARE]))
        pair.advance(rng.randrange(model.product_cycles(params)))
        pair.reset()
        seen = pair.board.snapshot()
        for name in ("s", "b1", "b3", "p", "u", "v", "queue", "count"):
            assert int(seen[f"u_core.{name}_q"], 16) == 0, name
        pair.same_registers()
        assert driving.power(params, pair, 7, 5) == pow(7, 5, params["Modulus"])


def test_a_chosen_operand_shows_in_the_time_of_the_detector_only() -> None:
    """2^-5 mod M is 2^255 in the domain, for which carries propagate through the whole length."""
    taken = {}
    for name in ("fast", "w254"):
        with Pair(CONFIGS[name]) as pair:
            m = pair.params["Modulus"]
            for x in (3, pow(2, -5, m)):
                pair.play([*driving.load(pair.params, driving.r2(pair.params), x), (True, MULT_B3, 0)])
                pair.access(True, MULT_B1)
                before = pair.board.cycles
                pair.access(False, READ_P)
                taken[name, x == 3] = pair.board.cycles - before - 1 - model.steps(pair.params)
    assert taken["fast", False] == 253 > 30 > taken["fast", True]
    assert taken["w254", False] == taken["w254", True] == 9


TINY = [
    shaped(Width=width, Modulus=m, RadixBits=k, Fast=fast, ResolveBits=bits)
    for width, m, k, fast, bits in [
        (3, 7, 2, 0, 2),
        (3, 7, 2, 0, 1),
        (5, 17, 1, 0, 1),
        (4, 9, 1, 0, 3),
        (5, 17, 2, 1, 32),
        (5, 31, 1, 1, 32),
        (4, 3, 2, 0, 64),
    ]
]


@pytest.mark.parametrize(
    "config",
    [pytest.param(config, marks=pytest.mark.wide if i > 3 else ()) for i, config in enumerate(TINY)],
    ids=lambda config: str(config.name),
)
def test_all_redundant_operands_of_a_tiny_modulus(config: Config) -> None:
    """Every B1 of the redundant range with every smaller A, reached through A = one, squares included."""
    params = config.params
    limit = model.operand_limit(params)
    with Pair(config, exact_steps=True) as pair:
        for b3 in range(min(limit, 256)):
            for b1 in range(0, limit, 1 if limit < 150 else 3):
                pair.play([*driving.load(params, b1, b3), (True, MULT_B3, 0), (True, MULT_B1, 0)])
                z = pair.model.a
                assert (z << model.r_exp(params)) % params["Modulus"] == b1 * b3 % params["Modulus"]
                assert driving.within_limit(params, z)
                pair.play([(True, SQUARE, 0), (False, READ_P, 0), (False, READ_P, 0)])


@pytest.mark.wide
@pytest.mark.parametrize("name", ["w512", "w1024"])
def test_wider(name: str) -> None:
    """512 and 1024 bits: edges, a chain, and an exponentiation with all bits."""
    config = resolve_memory(f"mod_product:{name}")
    with Pair(config) as pair:
        test_edges(pair)
        test_squaring_chain(pair)
        rng, m = Random(config.width), config.params["Modulus"]
        x, exponent = rng.randrange(m), rng.getrandbits(config.width) | 1 << (config.width - 1)
        assert driving.power(config.params, pair, x, exponent) == pow(x, exponent, m)
