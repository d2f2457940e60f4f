# SPDX-License-Identifier: Apache-2.0
"""Integers of any length on simulated multipliers: values against Python's, accounts, refusals."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perle.cores.registry import resolve_memory
from perle.host._lib import PerleError
from perle.host.pam.bignum import Bignum
from perle.host.pam.system import System, Timing

BUSES = ["bus_mul:fixed512", "bus_mul:variable512"]
REGISTERS = ["reg_mul:serial", "reg_mul:booth"]
CLOCK_NS = 40
WORD = 1 << 32
# A board that is never worth a wait would leave everything to the host: this host is slow.
SLOW_HOST = Timing(read_ps=100_000, write_ps=100_000, instruction_ps=10_000_000)


@pytest.fixture(scope="module", params=[*BUSES, *REGISTERS, "none"])
def big(request: pytest.FixtureRequest) -> Iterator[Bignum]:
    """Yield a calculator on every kind of board, and one without; even short products go to the board."""
    if request.param == "none":
        with Bignum(None, SLOW_HOST) as alone:
            yield alone
        return
    with (
        System([(resolve_memory(request.param), CLOCK_NS)], SLOW_HOST) as system,
        Bignum(system) as calculator,
    ):
        yield calculator


@pytest.fixture(scope="module")
def paper() -> Iterator[Bignum]:
    """Yield a calculator on the paper's first board and host."""
    with System([(resolve_memory(BUSES[0]), 66)]) as system, Bignum(system) as calculator:
        yield calculator


def number(rng: Random, words: int) -> int:
    """Return a number of about so many words, of a kind that hurts carries as often as not."""
    kind = rng.randrange(5)
    if kind == 0:
        return int(WORD**words - 1)
    if kind == 1:
        return sum(rng.choice((0, 1, WORD // 2, WORD - 1)) * WORD**i for i in range(words))
    return rng.getrandbits(32 * words) if words else 0


def test_random_products(big: Bignum) -> None:
    rng = Random(512)
    for i in range(600):
        a, b = number(rng, rng.randrange(24)), number(rng, rng.randrange(i % 60 + 1))
        assert big.mul(a, b) == a * b
        if i % 10 == 0:
            assert big.mul(a, a) == a * a


def test_all_ones_of_every_length_around_the_rows(big: Bignum) -> None:
    """The carry that a register multiplier would lose, and the one that a bus multiplier keeps in the row."""
    lengths = [1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 40, 41, 49]
    ones = [WORD**n - 1 for n in lengths]
    for a in ones:
        for b in ones:
            assert big.mul(a, b) == a * b
        assert big.divide(a * ones[-1] + a - 1, a) == divmod(a * ones[-1] + a - 1, a)
        assert big.divide(WORD**70 - 1, a) == divmod(WORD**70 - 1, a)
        assert big.powmod(ones[-1], 5, a) == pow(ones[-1], 5, a)


@given(data=st.data())
@settings(max_examples=8, deadline=None)
def test_any_numbers(big: Bignum, data: st.DataObject) -> None:
    natural = st.integers(0, WORD**36) | st.integers(0, 70).map(lambda n: WORD**n)
    a, b, m = data.draw(natural), data.draw(natural), 1 + data.draw(natural)
    assert big.mul(a, b) == a * b
    assert big.mul(-a, b) == -a * b
    assert big.divide(a, m) == divmod(a, m)
    assert big.divide(a * m, m) == (a, 0)
    assert big.divide(a * m + m - 1, m) == (a, m - 1)
    assert big.mulmod(a, b, m) == a * b % m
    e = data.draw(st.integers(0, 40) | st.integers(2**30, 2**32))
    for modulus in (m, m | 1, m + m % 2):
        assert big.powmod(a, e, modulus) == pow(a, e, modulus)


def test_edges(big: Bignum) -> None:
    assert big.mul(0, 0) == big.mul(0, WORD**40) == 0
    assert big.mul(1, WORD**40 - 1) == WORD**40 - 1
    assert big.divide(0, 7) == (0, 0)
    assert big.divide(6, WORD**30) == (0, 6)
    assert big.divide(WORD**30, WORD**30) == (1, 0)
    assert big.powmod(0, 0, 9) == big.powmod(5, 0, WORD**9 + 1) == 1
    assert big.powmod(5, 3, 1) == big.mulmod(5, 3, 1) == big.powmod(5, 0, 1) == 0
    assert big.powmod(0, 5, WORD**20 - 1) == 0
    huge = WORD**3000 - 17
    assert big.mul(huge, 3) == 3 * huge
    assert big.divide(huge, 10**9) == divmod(huge, 10**9)
    assert big.divide(huge, huge - 1) == (1, 1)


@pytest.mark.parametrize("board", ["bus_mul:fixed512", "reg_mul:booth"])
def test_a_chain_of_squares(board: str) -> None:
    """Each of a thousand results is the next one's operand."""
    m, x = WORD**7 - 5, 3
    wanted = x
    with System([(resolve_memory(board), CLOCK_NS)]) as system, Bignum(system) as big:
        for _ in range(1000):
            x, wanted = big.mulmod(x, x, m), wanted * wanted % m
            assert x == wanted
        assert big.cost.products > 900  # the first few are short


def test_thousands_of_words() -> None:
    rng = Random(1)
    with System([(resolve_memory(BUSES[0]), 66)]) as system, Bignum(system) as big:
        a, b = rng.getrandbits(32 * 2500), rng.getrandbits(32 * 700)
        assert big.mul(a, b) == a * b
        assert big.divide(a, b) == divmod(a, b)
        assert big.cost.board_share > 0.999


def test_accesses_of_a_long_product(paper: Bignum) -> None:
    """Rows overlap: 512 × n bits take 2·16 + 3·n accesses and 16 for the words that leave with the next A."""
    n = 160
    paper.reset_cost()
    paper.mul(WORD**n - 1, WORD ** (2 * n) - 1)
    cost = paper.cost
    rows = 2 * n // 16
    accesses = min(10 * (48 + 3 * 2 * n), rows * (48 + 3 * n))
    assert (cost.bus_ps - cost.waited_ps) / 700_000 == pytest.approx(accesses, rel=0.02)
    assert cost.now_ps == cost.bus_ps + cost.host_ps
    assert cost.word_products == 2 * n * n
    assert cost.products == 1
    assert cost.software_ps == (2 * n * n * 10 + n * 6) * 333_333


def test_short_products_are_the_hosts(paper: Bignum) -> None:
    paper.reset_cost()
    paper.mul(WORD - 1, WORD - 1)
    assert (paper.cost.products, paper.cost.host_word_products) == (0, 1)
    assert paper.cost.speedup == 1
    paper.mul(WORD**8 - 1, WORD**8 - 2)
    assert paper.cost.products == 1


def test_squares_take_less(paper: Bignum) -> None:
    def took(a: int, b: int) -> tuple[int, int]:
        paper.reset_cost()
        paper.mul(a, b)
        return paper.cost.now_ps, paper.cost.software_ps

    a = WORD**320 - 5
    (square, square_alone), (other, other_alone) = took(a, a), took(a, a - 1)
    assert square < 0.65 * other
    assert square_alone < 0.65 * other_alone


def test_work_of_the_host_is_in_both_accounts(paper: Bignum) -> None:
    paper.reset_cost()
    assert paper.add(WORD**10, -1) == WORD**10 - 1
    assert paper.shift(WORD**10, 64) == WORD**12
    words = 11  # a shift by words is none
    assert paper.cost.now_ps == paper.cost.software_ps == words * 5 * 333_333
    assert paper.shift(-5, -1) == -3


def test_software_alone_gains_nothing() -> None:
    with Bignum(None) as big:
        assert big.powmod(3, WORD**9, WORD**16 - 2) == pow(3, WORD**9, WORD**16 - 2)
        assert big.divide(WORD**20, WORD**3 + 1) == divmod(WORD**20, WORD**3 + 1)
        assert big.cost.speedup == 1
        assert big.cost.board_share == 0


def test_refusals(big: Bignum) -> None:
    for call in (lambda: big.divide(1, 0), lambda: big.mulmod(1, 1, 0), lambda: big.powmod(1, 1, 0)):
        with pytest.raises(PerleError, match="PERLE_ERR_MODULUS_ZERO"):
            call()
    with pytest.raises(ValueError, match="a is negative"):
        big.divide(-1, 1)
    with pytest.raises(ValueError, match="e is negative"):
        big.powmod(1, -1, 5)


def test_other_boards_and_closed_ones_are_refused() -> None:
    with pytest.raises(PerleError, match="PERLE_ERR_SPEC"):
        Bignum(None, "scsi")
    system = System([(resolve_memory(BUSES[0]), 66)])
    big = Bignum(system)
    system.close()
    with pytest.raises(ValueError, match="closed"):
        big.mul(2, 3)
    big.close()
    with pytest.raises(ValueError, match="closed"):
        _ = big.cost
