# SPDX-License-Identifier: Apache-2.0
"""The calls that applications make to a bignum library, which their results do not show.

The modelled times come from these calls, so that only this test detects superfluous ones. After an intended
change, `python -m perle.apps.test_accounts` prints the new figures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import isqrt
from pprint import pprint

import pytest

from perle.apps import convolution, decimal, factoring, primes, reals, rsa
from perle.apps.arithmetic import Result, ends


class Counted:
    """A bignum library on Python's integers that counts calls and the bits of their operands."""

    def __init__(self) -> None:
        self.calls, self.bits = Counter[str](), 0

    def _count(self, name: str, *numbers: int) -> None:
        self.calls[name] += 1
        self.bits += sum(number.bit_length() for number in numbers)

    def mul(self, a: int, b: int) -> int:
        self._count("mul", a, b)
        return a * b

    def divide(self, a: int, b: int) -> tuple[int, int]:
        self._count("divide", a, b)
        return divmod(a, b)

    def mulmod(self, a: int, b: int, m: int) -> int:
        self._count("mulmod", a, b, m)
        return a * b % m

    def powmod(self, x: int, e: int, m: int) -> int:
        self._count("powmod", x, e, m)
        return pow(x, e, m)

    def add(self, a: int, b: int) -> int:
        self._count("add", a, b)
        return a + b

    def shift(self, a: int, bits: int) -> int:
        self._count("shift", a)
        return a << bits if bits >= 0 else a >> -bits


SMALL = 1_000_003 * (2**61 - 1)
RUNS: dict[str, Callable[[Counted], Result]] = {
    "pi": lambda math: reals.run_pi(math, 300),
    "sin": lambda math: reals.run_sin(math, 100),
    "sin, negative": lambda math: reals.run_sin(math, 60, -3),
    "primes": lambda math: primes.run(math, 61),
    "primes, none": lambda math: primes.run(math, 67, (3,)),
    "rsa": lambda math: rsa.run(math, 512),
    "decimal": lambda math: decimal.run(math, 600),
    "decimal, of 144 digits": lambda math: decimal.run(math, 144),
    "decimal, straightforward": lambda math: decimal.run(math, 150, fast=False),
    "convolution": lambda math: convolution.run(math, 70),
    "factoring": lambda math: factoring.run(math, SMALL),
}

# Calls, in the order of their names, and bits of their operands.
ACCOUNTS: dict[str, tuple[tuple[int, ...], int]] = {
    "convolution": ((266, 1, 132), 127_153),
    "decimal": ((143, 3), 31_508),
    "decimal, of 144 digits": ((17,), 3_345),
    "decimal, straightforward": ((17,), 4_904),
    "factoring": ((46889, 48041), 19_093_903),
    "pi": ((36, 6, 240, 16), 82_976),
    "primes": ((1, 4), 661),
    "primes, none": ((2,), 266),
    "rsa": ((6, 8, 2, 2, 4), 14_303),
    "sin": ((24, 9, 57, 57), 89_824),
    "sin, negative": ((21, 6, 54, 54), 54_368),
}

TOLD = {
    "convolution": (
        "convolution: 133 sums of 70 samples and 64 taps: one product of 4480 by 4096 bits; the f"
        "irst is 158239080, the last 421628042"
    ),
    "decimal": ("decimal, divide and conquer: 600 digits: 51405602011155341509…00885246244971459061"),
    "decimal, of 144 digits": (
        "decimal, divide and conquer: 144 digits: 51570851316561962944…00298871803015567661"
    ),
    "decimal, straightforward": (
        "decimal, straightforward: 150 digits: 44363205562057255158…85600615748633735669"
    ),
    "factoring": (
        "factoring: 1000003, prime, of 7 digits, divides a number of 25 digits: curve σ = 6, B1 ="
        " 2000, B2 = 60000"
    ),
    "pi": ("pi: 300 decimals: 3.14159265358979323846…13393607260249141273"),
    "primes": (
        "primes: (2^61+1)/3 of 18 digits is a strong probable prime for bases 3, 5, 7; that + 42 is composite"
    ),
    "primes, none": ("primes: (2^67+1)/3 of 20 digits is composite for bases 3; that + 28 is composite"),
    "rsa": ("rsa 512: 2 private operations; the first gives 30841eb1f9c91be8682b…ef144b22f0d98358661b"),
    "sin": ("sin(10): 100 decimals: -0.54402111088936981340…57070756738949832161"),
    "sin, negative": ("sin(-3): 60 decimals: -0.14112000805986722210…33264252265584151882"),
}


def account(name: str) -> tuple[tuple[tuple[int, ...], int], str]:
    """Return the calls of an application, and the text of its result."""
    math = Counted()
    found = RUNS[name](math)
    assert found.right
    calls = tuple(math.calls[call] for call in sorted(math.calls))
    return (calls, math.bits), f"{found.name}: {found.computed}"


@pytest.mark.parametrize("name", RUNS)
def test_accounts(name: str) -> None:
    figures, told = account(name)
    assert figures == ACCOUNTS[name]
    assert told == TOLD[name]


def test_long_numbers_are_cut_in_the_middle() -> None:
    digits = "12345" * 8
    assert ends(digits) == digits
    assert ends(digits + "6") == f"{digits[:20]}…{digits[-19:]}6"
    assert ends("123456", 2) == "12…56"


def test_digits_are_as_short_as_they_can_be() -> None:
    """A digit is the smallest multiple of 32 bits that holds the sums and their sign."""
    assert convolution.digit_bits([1 << 15], [1 << 15]) == 32
    assert convolution.digit_bits([1 << 15], [1 << 16]) == 64
    assert convolution.digit_bits([-1, 1, 1], [1]) == 32


def test_short_square_roots_are_the_hosts() -> None:
    for bits, asks in ((100, False), (128, False), (129, True)):
        math = Counted()
        assert reals.square_root(math, (1 << bits) - 1) == isqrt((1 << bits) - 1)
        assert bool(math.calls) == asks


def test_sums_and_differences_stay_below_the_modulus() -> None:
    curve = factoring.Curve(Counted(), 101, 7)
    assert [curve._sub(5, 5), curve._sub(5, 6), curve._sub(100, 0)] == [0, 100, 100]
    assert [curve._add(50, 50), curve._add(50, 51), curve._add(100, 100)] == [100, 0, 99]


def test_primes_of_a_range_with_both_ends() -> None:
    assert list(factoring.primes(2, 13)) == [2, 3, 5, 7, 11, 13]
    assert list(factoring.primes(3, 3)) == [3]
    assert list(factoring.primes(13, 18)) == [13, 17]
    assert list(factoring.primes(14, 16)) == []
    assert list(factoring.primes(0, 2)) == [2]


def test_what_curves_can_be_tried_on() -> None:
    for legal in (SMALL, (1 << 15) + 1, 3 * 2731 * 5, factoring.FERMAT):
        factoring.check_number(legal)
    most = 3 * ((1 << 2046) + 1)
    assert most.bit_length() == factoring.MOST_BITS
    factoring.check_number(most)
    for refused in (1 << 15, 32771, 181**2, 3 * 2729, 3 * ((1 << 2047) + 1)):
        with pytest.raises(ValueError, match="wanted"):
            factoring.check_number(refused)


def test_no_factor_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert factoring.factor(Counted(), 257 * 263) == (257, 0)  # every curve would find both at once
    assert factoring.factor(Counted(), 7 * factoring.FERMAT)[0] == 7
    monkeypatch.setattr(factoring, "factor", lambda *_: (1, 0))
    found = factoring.run(Counted(), SMALL)
    assert found.right
    assert found.computed == f"no factor of {SMALL} by 60 curves, B1 = 2000, B2 = 60000"


def test_a_number_that_is_no_factor_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in (SMALL, 7, 1_000_005):
        monkeypatch.setattr(factoring, "factor", lambda *_, wrong=wrong: (wrong, 6))
        assert not factoring.run(Counted(), SMALL).right


def test_a_parameter_that_shares_a_factor_with_the_number_gives_it() -> None:
    """σ = 6 makes 4·u³·v = 4·31³·24: a number with the factor 31 needs no curve."""
    assert factoring.suyama(Counted(), 31 * 1_000_003, 6) == 31
    assert factoring.factor(Counted(), 31 * 1_000_003, 1, 10, 0) == (31, 6)


def test_bounds_are_included(monkeypatch: pytest.MonkeyPatch) -> None:
    """The multiple of stage 1 has every prime power up to B1, and B1 itself is tried as a factor."""
    powers: list[int] = []

    class Curve(factoring.Curve):
        def times(self, k: int, p: factoring.Point) -> factoring.Point:
            powers.append(k)
            return p

    monkeypatch.setattr(factoring, "suyama", lambda math, n, _: (Curve(math, n, 1), (2, 3)))
    assert factoring._one_curve(Counted(), 3 * 1_000_003, 6, 9, 0) == 3
    assert powers == [8, 9, 5, 7]
    assert factoring.factor(Counted(), 11 * 1_000_003, 1, 11, 0) == (11, 0)


if __name__ == "__main__":
    pprint({name: account(name) for name in RUNS}, width=150)  # noqa: T203 - asked for
