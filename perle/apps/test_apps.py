# SPDX-License-Identifier: Apache-2.0
"""The applications on a board at small sizes, in wide tests at the paper's; wrong answers are detected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import cast

import mpmath
import pytest

from perle.apps import convolution, decimal, factoring, primes, reals, rsa
from perle.apps.arithmetic import Arithmetic
from perle.cores.registry import resolve_memory
from perle.host.pam.bignum import Bignum
from perle.host.pam.system import System


@pytest.fixture
def board() -> Iterator[Bignum]:
    """Yield a bignum library on the paper's first multiplier."""
    with System([(resolve_memory("bus_mul:fixed512"), 66)]) as system, Bignum(system) as big:
        yield big


class Exact:
    """A bignum library on Python's integers."""

    def mulmod(self, a: int, b: int, m: int) -> int:
        return a * b % m

    def add(self, a: int, b: int) -> int:
        return a + b


class Wrong(Bignum):
    """A bignum library whose long results have a wrong bit."""

    def mul(self, a: int, b: int) -> int:
        product = super().mul(a, b)
        return product ^ (1 << product.bit_length() // 2 if a.bit_length() > 300 else 0)

    def divide(self, a: int, b: int) -> tuple[int, int]:
        quotient, rest = super().divide(a, b)
        return quotient, rest ^ (a.bit_length() > 300)

    def powmod(self, x: int, e: int, m: int) -> int:
        return super().powmod(x, e, m) ^ 2


def test_pi(board: Bignum) -> None:
    found = reals.run_pi(board, 1000)
    assert found.right
    assert found.computed.endswith("66111959092164201989")
    assert board.cost.board_share > 0.5
    assert board.cost.speedup > 2


@pytest.mark.parametrize("digits", [10, 49, 50, 51, 200])
def test_pi_of_any_length(digits: int) -> None:
    with Bignum(None) as alone, mpmath.workdps(digits + 20):
        found = reals.decimals(lambda bits: reals.pi(alone, bits), digits, 8)
        assert found == int(mpmath.mp.pi * mpmath.mpf(10) ** digits)


def test_errors_are_below_what_is_promised() -> None:
    with Bignum(None) as alone, mpmath.workdps(400):
        for bits in (64, 333, 1000):
            scale = mpmath.mpf(2) ** bits
            assert abs(reals.pi(alone, bits) - mpmath.mp.pi * scale) < 2**8
            for x in (10, -10, 1, 0, 3):
                assert abs(reals.sine(alone, x << bits, bits) - mpmath.sin(x) * scale) < 2**40


def test_digits_that_an_error_could_change_are_computed_again() -> None:
    asked = []

    def value(bits: int) -> int:  # slightly below 1/8, until there are enough bits
        asked.append(bits)
        return (1 << bits - 3) - (0 if len(asked) == 1 else 1 << bits - 20)

    assert reals.decimals(value, 3, 4) == 124
    assert len(asked) == 2


def test_square_roots() -> None:
    with Bignum(None) as alone:
        for n in (0, 1, 2**200, 2**200 - 1, 10005 << 2000, (3**300) ** 2, (3**300) ** 2 - 1):
            root = reals.square_root(alone, n)
            assert root * root <= n < (root + 1) ** 2


def test_sine(board: Bignum) -> None:
    found = reals.run_sin(board, 200)
    assert found.right
    assert "-0.54402111088936981340" in found.computed
    assert board.cost.products > 10


def test_primes(board: Bignum) -> None:
    assert primes.run(board, 313, (3,)).right  # a prime of this form
    assert primes.run(board, 311, (3,)).right  # not prime
    assert board.cost.products > 100


def test_a_composite_is_found_by_a_power_not_by_division() -> None:
    with Bignum(None) as alone:
        for exponent in (31, 43, 61, 79, 101, 127, 167, 191, 199):
            n = primes.wagstaff(exponent)
            assert primes.strong_probable_prime(alone, n)
            other = primes.composite_neighbour(n)
            assert all(other % p for p in range(2, 10_000))
            assert not primes.strong_probable_prime(alone, other)
        # strong pseudoprimes to base 2: another base detects them
        assert primes.strong_probable_prime(alone, 2047, (2,))
        assert not primes.strong_probable_prime(alone, 2047, (3,))
        # n − 1 with a high power of 2
        assert primes.strong_probable_prime(alone, 65537)


@pytest.mark.parametrize("exponent", [0, 3, 18, 32, -5])
def test_exponents_are_refused(exponent: int) -> None:
    with pytest.raises(ValueError, match="odd, 29 to 20000"):
        primes.wagstaff(exponent)


def test_rsa(board: Bignum) -> None:
    assert rsa.run(board, 512, 1).right
    assert board.cost.products > 500


@pytest.mark.parametrize("digits", [10, 71, 72, 73, 145, 600])
def test_decimal(board: Bignum, digits: int) -> None:
    assert decimal.run(board, digits).right
    assert decimal.run(board, digits, fast=False).right
    for n in (0, 1, 10 ** (digits - 1), 10**digits - 1):
        text = str(n).zfill(digits)
        assert decimal.divide_and_conquer(board, n, digits) == text
        assert decimal.straightforward(board, n, digits) == text


@pytest.mark.parametrize("w", [16, 32, 40])
def test_convolution_of_extremes(board: Bignum, w: int) -> None:
    least, most = -(1 << w - 1), (1 << w - 1) - 1
    for a, b in (
        ([0], [0]),
        ([least], [least]),
        ([least] * 2, [least] * 2),  # the sum is 2^(2w−1): a digit needs every bit
        ([least] * 33, [most] * 5),
        ([0, 0, -1], [1, 0, 0, 0]),
        ([most, least] * 9, [least, most, -1]),
    ):
        assert convolution.convolve(board, a, b) == convolution.term_by_term(a, b)


@pytest.mark.parametrize("samples", [1, 63, 64, 65, 200])
def test_convolution(board: Bignum, samples: int) -> None:
    assert convolution.run(board, samples).right
    assert board.cost.products > 0


def test_wrong_results_are_called_so() -> None:
    with Wrong(None) as wrong:
        assert not reals.run_pi(wrong, 200).right
        assert not rsa.run(wrong, 512, 1).right
        assert not primes.run(wrong, 313, (3,)).right
        assert not decimal.run(wrong, 600).right
        assert not convolution.run(wrong, 64).right
        assert not decimal.run(wrong, 600, fast=False).right


@pytest.mark.wide
def test_the_papers_sizes(board: Bignum) -> None:
    assert reals.run_pi(board).right
    assert reals.run_sin(board).right
    assert decimal.run(board).right
    assert primes.run(board, bases=(3,)).right


def test_factoring_by_both_stages(board: Bignum) -> None:
    """2^101 − 1 has a factor of 13 digits; with small bounds, factors that only the second stage finds."""
    small = 1_000_003 * (2**89 - 1)
    found, sigma = factoring.factor(board, small, 10, 100, 3000)
    assert found == 1_000_003
    one_stage, _ = factoring.factor(board, small, sigma - factoring.FIRST_SIGMA + 1, 100, 0)
    assert one_stage == 1, "the first stage alone finds it: nothing is shown of the second one"
    # the first stage's order is smooth enough
    assert factoring.factor(board, 10_007 * (2**61 - 1), 10, 200, 0)[0] == 10_007


@pytest.mark.parametrize("sigma", [6, 7, 8, 9, 11])
def test_a_point_times_the_order_of_its_curve_is_at_infinity(sigma: int) -> None:
    """Counts all points modulo a small prime: a multiple of 12. The point is on the curve or its twist."""
    n = 10_007
    made = factoring.suyama(cast("Arithmetic", Exact()), n, sigma)
    assert not isinstance(made, int)
    curve, p = made
    a, roots = 4 * curve.a24 - 2, Counter(y * y % n for y in range(n))
    order = 1 + sum(roots[(x**3 + a * x * x + x) % n] for x in range(n))
    assert order % 12 == 0
    infinite = [count for count in (order, 2 * n + 2 - order) if curve.times(count, p)[1] % n == 0]
    assert len(infinite) == 1
    for k in (2, 3, 7, 100, 101):
        one, other = curve.times(k, curve.times(13, p)), curve.times(13 * k, p)
        assert one[0] * other[1] % n == other[0] * one[1] % n


def test_no_factor_is_no_wrong_answer(board: Bignum) -> None:
    n = (2**107 - 1) * (2**127 - 1)
    assert factoring.factor(board, n, 1, 10, 50) == (1, 0)
    for wrong, why in ((2**61 - 1, "composite"), ((2**61 - 1) ** 2, "power"), (1 << 40, "odd"), (15, "bits")):
        with pytest.raises(ValueError, match=why):
            factoring.check_number(wrong)


@pytest.mark.wide
def test_the_eighth_fermat_number(board: Bignum) -> None:
    found = factoring.run(board)
    assert found.right
    assert found.computed.startswith("1238926361552897, prime")
