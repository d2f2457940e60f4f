# SPDX-License-Identifier: Apache-2.0
"""The board in RTL against its model: the data of every access and the clock cycle that accepts it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Self

import pytest

from perle.boards.memory import build_memory
from perle.boards.simulated import SimulatedBoard
from perle.cores.registry import Config, memories, resolve_memory
from perle.pam.reg_mul import model
from perle.pam.reg_mul.model import Access, Board, charge, close, mult

pytestmark = pytest.mark.proves("exact", "timed")

RANDOM_PRODUCTS = 10_000
FAMILY = memories()["reg_mul"]
TINY = {
    "serial4": {"Width": 4, "WordBits": 4},
    "serial16": {"Width": 16, "WordBits": 4, "Registers": 4},
    "booth8": {"Width": 8, "WordBits": 8, "BitsPerCycle": 2},
    "booth32": {"Width": 32, "WordBits": 8, "BitsPerCycle": 2, "Registers": 8},
}


LARGE = [name for name in TINY if TINY[name]["Width"] > 8]
CONFIGS = [
    pytest.param(name, marks=pytest.mark.wide if name == "booth512" else ()) for name in FAMILY.configs
]


class Pair:
    """A simulated board and the model, access by access."""

    def __init__(self, config: Config) -> None:
        self.params = config.params
        self.board = SimulatedBoard(build_memory(config, checks=True))
        self.registers = config.params["Registers"]
        self.reset()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.board.close()

    def reset(self) -> None:
        """Reset the board, which clears its registers, and restart the model."""
        self.board.reset()
        self.model = Board(self.params)
        self.start = self.board.cycles

    def do(self, access: Access) -> int:
        """Make an access on both; data and time must be the same."""
        if access.write:
            self.board.write(4 * access.addr, access.data)
            seen = 0
        else:
            seen = self.board.read(4 * access.addr)
        expected = self.model.access(access.write, access.addr, access.data)
        assert (seen, self.board.cycles - self.start) == (expected, self.model.cycles), access
        return seen

    def run(self, accesses: Sequence[Access]) -> list[int]:
        return [self.do(access) for access in accesses]

    def idle(self, cycles: int) -> None:
        self.board.advance(cycles)
        self.model.advance(cycles)

    def load(self, n: int, value: int) -> None:
        self.run(model.write_register(self.params, n, value))

    def fetch(self, n: int) -> int:
        return model.join(self.params, self.run(model.read_register(self.params, n)))

    def fetch_all(self) -> list[int]:
        return [self.fetch(n) for n in range(self.registers)]


@pytest.fixture(
    params=[*CONFIGS, "serial4", "booth8", *(pytest.param(name, marks=pytest.mark.wide) for name in LARGE)]
)
def pair(request: pytest.FixtureRequest) -> Iterator[Pair]:
    """Yield each configuration in turn, the named ones and some that are small."""
    with Pair(named(request.param)) as opened:
        yield opened


def named(name: str) -> Config:
    if name in TINY:
        return Config(FAMILY, name, FAMILY.complete(TINY[name]))
    return resolve_memory(f"reg_mul:{name}")


def value(rng: Random, bits: int) -> int:
    """Return a random number; every other one is all ones, zero, one, or has long runs of equal bits."""
    full = (1 << bits) - 1
    run = (1 << rng.randrange(1, bits + 1)) - 1
    return rng.choice([rng.getrandbits(bits)] * 5 + [0, 1, full, run, full ^ run, full // 3])


def specifier(rng: Random, pair: Pair) -> int | None:
    n = rng.randrange(pair.registers + 2)
    return n if n < pair.registers else None


def multiply(rng: Random, pair: Pair) -> Access:
    """Return a random Mult, sometimes a Charge."""
    return rng.choice([mult, mult, charge])(*(specifier(rng, pair) for _ in range(3)))


# -- results


def test_random_products(pair: Pair) -> None:
    """10,000 products, one after the other or with their results read, of edges and random numbers."""
    rng, width, done = Random(pair.params["Width"]), pair.params["Width"], 0
    while done < RANDOM_PRODUCTS:
        pair.load(rng.randrange(pair.registers), value(rng, width))
        for _ in range(rng.randrange(1, 5)):
            access = multiply(rng, pair)
            pair.do(access)
            done += access.addr >> 18 == model.Op.MULT
        if access.addr & model.VALID:
            pair.fetch(access.addr & (model.VALID - 1))
    pair.fetch_all()


def test_every_operand_of_four_bits() -> None:
    """Every A, R[b], R[s0] and R[s1] of the serial row; the constants stay in the registers."""
    with Pair(named("serial4")) as pair:
        for n in range(16):
            pair.load(n, n)
        for number in range(1 << 16):
            a, s0, b, s1 = (number >> shift & 15 for shift in (12, 8, 4, 0))
            pair.run([charge(a, s0, 17), mult(b, s1, 16)])
            low, high = pair.fetch(16), pair.model.acc
            assert low + 16 * high == a * b + s0 + 16 * s1
            pair.run([close(17), model.read_word(pair.params, 17, 0)])


def test_every_multiplicand_and_multiplier_of_eight_bits() -> None:
    """Every A and R[b] of the Booth row, alone and continued by another multiplier, with edges added."""
    rng = Random(2)
    with Pair(named("booth8")) as pair:
        for n, edge in enumerate((0, 1, 127, 128, 254, 255)):
            pair.load(n, edge)
        for a in range(256):
            pair.load(8, a)
            for b in range(256):
                pair.load(9, b)
                s0, s1, s2, b2 = (rng.randrange(6) for _ in range(4))
                pair.run([charge(8, s0, None), mult(9, s1, 10), mult(b2, s2, 11), close(12)])
                summand = sum(pair.model.registers[s] << 8 * i for i, s in enumerate((s0, s1, s2)))
                exact = a * (b + 256 * pair.model.registers[b2]) + summand
                assert [pair.fetch(n) for n in (10, 11, 12)] == [exact >> 8 * i & 255 for i in range(3)]


# -- the paper's sequences


@pytest.mark.parametrize("pair", [*CONFIGS, "serial4", "booth8"], indirect=True)
def test_sequences_of_the_paper(pair: Pair) -> None:
    """256 × 768, 512 × 512 + 1024 (in units of the width), everything pipelined, results read at the end."""
    rng, width = Random(768), pair.params["Width"]
    for _ in range(30):
        for n in range(8):
            pair.load(n, value(rng, width))
        words = list(pair.model.registers)
        whole = [sum(word << width * i for i, word in enumerate(words[i:])) for i in range(8)]
        modulus = 1 << 4 * width
        pair.run([*model.product_row(0, [1, 2, 3], [4, 5, 6, None], [8, 9, 10]), close(11)])
        exact = words[0] * (whole[1] % (1 << 3 * width)) + whole[4] % (1 << 3 * width)
        assert exact < modulus
        assert sum(pair.fetch(8 + i) << width * i for i in range(4)) == exact
        pair.run([*model.product_512([0, 1], [2, 3], [4, 5, None, None], [8, 9, 10, 11]), close(11)])
        exact = (whole[0] % (1 << 2 * width)) * (whole[2] % (1 << 2 * width)) + whole[4] % (1 << 2 * width)
        assert sum(pair.fetch(8 + i) << width * i for i in range(4)) == exact
        # all of S: the model accounts for lost carries
        pair.run([*model.product_512([0, 1], [2, 3], [4, 5, 6, 7], [8, 9, 10, 11]), close(11)])
        for n in range(8, 12):
            pair.fetch(n)


@pytest.mark.parametrize("name", CONFIGS)
def test_exponentiation_by_montgomery_products(name: str) -> None:
    """x^e modulo M, |M| = Width - 2, in registers alone: only x goes in and only the result comes out."""
    with Pair(named(name)) as pair:
        rng, width = Random(3), pair.params["Width"]
        m, exponent = (1 << (width - 2)) - 1, 0xB5C3
        radix = 1 << width
        x = rng.randrange(m)
        for n, constant in enumerate((m, -pow(m, -1, radix) % radix, radix * radix % m, 1, x)):
            pair.load(n, constant)
        scratch, closes = [6, 7, 8], None
        factors = [(4, 2, 4), (3, 2, 5)]  # x and 1 into the domain
        for bit in f"{exponent:b}":
            factors += [(5, 5, 5)] + [(5, 4, 5)] * int(bit)
        for left, right, destination in [*factors, (5, 3, 9)]:
            pair.run(model.montgomery(left, right, 0, 1, scratch, closes))
            closes = destination
        pair.do(close(closes))
        assert pair.fetch(9) in (power := pow(x, exponent, m), power + m)


# -- the bit above the width


@pytest.mark.parametrize("name", CONFIGS)
def test_the_highest_carry_is_lost_at_full_width_and_only_there(name: str) -> None:
    with Pair(named(name)) as pair:
        rng, width = Random(257), pair.params["Width"]
        for n in range(4):
            pair.load(n, (1 << width) - 1)
        pair.run([charge(0, 2, None), mult(1, 3, 4), close(5)])
        exact = ((1 << width) - 1) ** 2 + (1 << 2 * width) - 1
        assert exact >> 2 * width == 1
        assert pair.fetch(4) + (pair.fetch(5) << width) == exact - (1 << 2 * width)
        pair.run([charge(0, 2, None), mult(1, 3, 4), mult(None, None, 5), close(6)])
        assert pair.fetch(4) + (pair.fetch(5) << width) + (pair.fetch(6) << 2 * width) == exact
        for _ in range(300):
            words = [value(rng, width - 2) for _ in range(4)]
            for n, word in enumerate(words):
                pair.load(n, word)
            pair.run([charge(0, 2, None), mult(1, 3, 4), close(5)])
            exact = words[0] * words[1] + words[2] + (words[3] << width)
            assert pair.fetch(4) + (pair.fetch(5) << width) == exact


# -- accesses to a busy board


def test_accesses_in_every_cycle_of_an_instruction(pair: Pair) -> None:
    """WriteR and ReadR of its registers and of another one, and the next instruction, at every distance."""
    rng, width = Random(5), pair.params["Width"]
    busy = model.charge_cycles(pair.params) + 2
    other = pair.registers - 1
    for start in (mult(0, 1, 2), charge(0, 1, 2)):
        for gap in range(0, busy, max(1, busy // 150)):
            n = rng.choice([0, 1, 2, other, other])
            d = rng.randrange(model.segments(pair.params))
            write = model.write_word(pair.params, n, d, value(rng, pair.params["WordBits"]))
            read = model.read_word(pair.params, n, d)
            for access in (write, read, Access(False, (1 << 18) - 1), multiply(rng, pair)):
                pair.load(other, value(rng, width))
                pair.do(start)
                pair.idle(gap)
                pair.do(access)
                pair.do(read)
    pair.fetch_all()


def test_any_instructions_with_idle_gaps(pair: Pair) -> None:
    """Legal and undefined instructions in any order: interrupted sequences, reads of what is pending."""
    rng, words = Random(32), pair.registers * model.segments(pair.params)
    for _ in range(6000):
        kind = rng.random()
        if kind < 0.3:
            pair.do(multiply(rng, pair))
        elif kind < 0.6:
            pair.do(Access(True, rng.randrange(words), value(rng, pair.params["WordBits"])))
        elif kind < 0.9:
            pair.do(Access(False, rng.randrange(words)))
        else:
            pair.do(Access(rng.random() < 0.5, rng.randrange(1 << FAMILY.addr_bits), value(rng, 32)))
        if rng.random() < 0.3:
            pair.idle(rng.randrange(40))
    pair.fetch_all()


def test_a_read_waits_for_its_pending_destination(pair: Pair) -> None:
    pair.load(0, (1 << pair.params["Width"]) - 1)
    pair.load(1, 2)
    pair.run([charge(0, None, None), mult(1, None, 1)])
    assert pair.do(model.read_word(pair.params, 1, 0)) == (1 << pair.params["WordBits"]) - 2
    pair.do(close(1))
    assert pair.do(model.read_word(pair.params, 1, 0)) == 1


def test_undefined_instructions_change_nothing(pair: Pair) -> None:
    pair.load(0, 3)
    words = pair.registers * model.segments(pair.params)
    undefined = [Access(False, mult(0, 0, 0).addr), Access(False, charge(0, 0, 0).addr), Access(False, words)]
    undefined += [
        Access(write, addr, 9) for write in (False, True) for addr in (words, 3 << 18, (1 << 20) - 1)
    ]
    pair.run([charge(0, 0, None), *undefined, mult(0, None, 1), *undefined, close(None), *undefined])
    assert pair.fetch(1) == (9 + 3) % (1 << pair.params["Width"])


def test_reset_in_mid_operation_clears_everything(pair: Pair) -> None:
    rng, width = Random(6), pair.params["Width"]
    for start in (charge(0, 1, 0), mult(0, 1, 1)):
        for _ in range(8):
            for n in range(pair.registers):
                pair.load(n, value(rng, width) | 1)
            pair.run([charge(0, 0, None), mult(1, 1, 1), start])
            pair.idle(rng.randrange(model.mult_cycles(pair.params)))
            pair.reset()
            pair.run([close(1)])
            assert pair.fetch_all() == [0] * pair.registers
            pair.load(0, (1 << width) - 1)
            pair.run([mult(0, None, 1), close(0)])
            assert (pair.fetch(0), pair.fetch(1)) == (0, 0)
