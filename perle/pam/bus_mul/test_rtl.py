# SPDX-License-Identifier: Apache-2.0
"""The RTL against the model: the data and the clock cycles of every access, with all assertions bound."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from perle.boards.memory import build_memory
from perle.boards.simulated import SimulatedBoard
from perle.cores.registry import Config, memories, resolve_memory
from perle.pam.bus_mul import model
from perle.pam.bus_mul.model import READ_P, WRITE_A, WRITE_B, WRITE_S, Carry, Product

pytestmark = pytest.mark.proves("exact", "timed")

RANDOM_PRODUCTS = 10_000


class Pair:
    """Hardware and model side by side; every access is compared."""

    def __init__(self, config: Config) -> None:
        self.params = config.params
        self.board = SimulatedBoard(build_memory(config, checks=True))
        self.reset()

    def reset(self) -> None:
        self.board.reset()
        self.model = model.Board(self.params)
        self.start = self.board.cycles

    def access(self, write: bool, addr: int, data: int = 0) -> int:
        expected = self.model.access(write, addr, data)
        got = 0
        if write:
            self.board.write(4 * addr, data)
        else:
            got = self.board.read(4 * addr)
        assert (got, self.board.cycles - self.start) == (expected, self.model.cycles), (write, addr, data)
        return got

    def advance(self, cycles: int) -> None:
        self.board.advance(cycles)
        self.model.advance(cycles)

    def products(self, products: list[Product], carry: Carry) -> None:
        reads = model.play(self, model.pipelined(self.params, products, carry))
        bits = self.params["WordBits"]
        for product, got in zip(products, model.results(self.params, products, reads, carry), strict=True):
            value = product.s + product.a * product.b
            if carry is not Carry.READ:
                value %= 1 << bits * (product.n + product.length(self.params))
            assert got == value >> bits * product.skip << bits * product.skip


def tiny(**chosen: int) -> Config:
    family = memories()["bus_mul"]
    name = "_".join(f"{key}{value}" for key, value in chosen.items())
    return Config(family, name.lower(), family.complete(chosen))


def random_value(rng: Random, bits: int) -> int:
    """Return 0, 1, all ones, or (mostly) any value of so many bits."""
    return rng.choice([0, 1, (1 << bits) - 1, *[rng.getrandbits(bits) for _ in range(5)]])


def random_product(rng: Random, params: model.Params, longest: int, before: Product | None) -> Product:
    bits, n = params["WordBits"], rng.randint(1, longest)
    words = rng.choice(model.lengths(params))
    same = before is not None and rng.random() < 0.1
    if before is not None and same:
        words = before.length(params)
    a = before.a if before is not None and same else random_value(rng, bits * words)
    b, s = random_value(rng, bits * n), random_value(rng, bits * (n + words))
    return Product(a, b, s, n, words, rng.choice([0, 0, 0, rng.randint(0, n)]), same)


def chain(rng: Random, params: model.Params, count: int, longest: int = 16) -> list[Product]:
    found: list[Product] = []
    for _ in range(count):
        found.append(random_product(rng, params, longest, found[-1] if found else None))
    return found


@pytest.fixture(
    scope="module", params=["fixed512", "variable512", pytest.param("fixed256", marks=pytest.mark.wide)]
)
def pair(request: pytest.FixtureRequest) -> Iterator[Pair]:
    opened = Pair(resolve_memory(f"bus_mul:{request.param}"))
    with opened.board:
        yield opened


@pytest.fixture(autouse=True)
def _fresh(request: pytest.FixtureRequest) -> None:
    if "pair" in request.fixturenames:
        request.getfixturevalue("pair").reset()


def test_random_products_back_to_back(pair: Pair) -> None:
    rng = Random(1990)
    for _ in range(RANDOM_PRODUCTS // 100):
        pair.products(chain(rng, pair.params, 100), rng.choice([Carry.APART, Carry.READ]))


def test_edges(pair: Pair) -> None:
    bits = pair.params["WordBits"]
    for words in model.lengths(pair.params):
        for n in (1, 2, words, 40):
            ones = [(1 << bits * size) - 1 for size in (words, n, n + words)]
            products = [
                Product(a, b, s, n, words)
                for a in (0, 1, ones[0])
                for b in (0, 1, ones[1])
                for s in (0, 1, ones[2])
            ]
            pair.products(products, Carry.READ)
            pair.products(products, Carry.APART)
            for product in products[-3:]:
                pair.products([product], Carry.READ)


def registers(pair: Pair) -> dict[str, int]:
    """Return the registers of the board by name, without those of its assertions."""
    return {
        name: int(value, 16)
        for name, value in pair.board.snapshot().items()
        if name.startswith("u_core.") and name.endswith("_q") and ".u_sva." not in name
    }


def test_the_row_holds_the_models_p(pair: Pair) -> None:
    """At the end of every step the two vectors of the row are P of 513 bits, and A is correct."""
    rng = Random(513)
    products = chain(rng, pair.params, 3)
    row = "u_core.u_row."
    for write, addr, data in model.pipelined(pair.params, products, Carry.READ):
        pair.access(write, addr, data)
        if addr == WRITE_S:
            pair.advance(pair.params["WordBits"])
            assert not pair.model.busy
            seen = registers(pair)
            assert seen[row + "sum_q"] + seen[row + "carry_q"] == pair.model.p[pair.params["Words"]]
            assert seen[row + "a_q"] == pair.model.a
            assert seen["u_core.p_out_q"] == pair.model.p_out


def random_instructions(pair: Pair, rng: Random, count: int, gap: int) -> None:
    """Any instruction, defined or not, in any order; in bursts, and with idle cycles in between."""
    for _ in range(count):
        if rng.random() < 0.2:
            pair.advance(rng.randint(1, gap))
        kind = rng.choices([WRITE_A, WRITE_B, WRITE_S, READ_P, None], [3, 3, 6, 4, 1])[0]
        if kind is None:
            pair.access(rng.random() < 0.5, rng.randrange(4), rng.getrandbits(32))
        else:
            pair.access(kind != READ_P, kind, random_value(rng, 32) if kind != READ_P else 0)


def test_any_instructions_in_any_order(pair: Pair) -> None:
    random_instructions(pair, Random(4), 20_000, 40)


def test_reset_in_the_middle(pair: Pair) -> None:
    """No state from before a reset is visible after it, in a register or in a product."""
    rng = Random(6)
    for cycles in (0, 1, 7, 31, 32):
        random_instructions(pair, rng, 500, 40)
        pair.access(True, WRITE_S, 0xFFFFFFFF)
        pair.advance(cycles)
        pair.reset()
        left = {name: value for name, value in registers(pair).items() if value}
        # the length of A is a setting, not a secret
        left.pop("u_core.gen_variable.u_length.count_q", None)
        assert not left
        pair.products(chain(rng, pair.params, 3), Carry.READ)


def test_only_write_s_waits(pair: Pair) -> None:
    """In every cycle of a step, every instruction; and the wait shrinks by one with each cycle."""
    k = pair.params["WordBits"]
    for passed in range(k + 3):
        for write, addr in [(write, addr) for write in (False, True) for addr in range(4)]:
            pair.reset()
            pair.access(True, WRITE_B, 3)
            pair.access(True, WRITE_S, 5)
            pair.advance(passed)
            before = pair.board.cycles
            pair.access(write, addr, 9)
            stretched = max(0, k - 1 - passed) if (write, addr) == (True, WRITE_S) else 0
            assert pair.board.cycles - before == 1 + stretched


@pytest.mark.parametrize(
    ("words", "variable", "bits"), [(1, 0, 2), (2, 0, 2), pytest.param(3, 1, 2, marks=pytest.mark.wide)]
)
def test_all_operands(words: int, variable: int, bits: int) -> None:
    """Every A, B and S of small rows, in one pipelined sequence for each length; carries read."""
    pair = Pair(tiny(Words=words, Variable=variable, WordBits=bits))
    rng = Random(words)
    with pair.board:
        for size in model.lengths(pair.params):
            for n in (1, 2):
                if bits * (2 * size + 2 * n) > 16:
                    continue
                products = [
                    Product(a, b, s, n, size)
                    for a in range(1 << bits * size)
                    for b in range(1 << bits * n)
                    for s in range(1 << bits * (n + size))
                ]
                rng.shuffle(products)
                pair.products(products, Carry.READ)


@pytest.mark.wide
@pytest.mark.parametrize(("words", "variable", "bits"), [(7, 0, 5), (5, 1, 3), (64, 1, 8)])
def test_any_size(words: int, variable: int, bits: int) -> None:
    rng = Random(words * bits)
    pair = Pair(tiny(Words=words, Variable=variable, WordBits=bits))
    with pair.board:
        for carry in (Carry.APART, Carry.READ):
            pair.products(chain(rng, pair.params, 100, 2 * words), carry)
        random_instructions(pair, rng, 3000, 2 * bits)
