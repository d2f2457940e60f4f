# SPDX-License-Identifier: Apache-2.0
"""Bit-exact model of the row of partial products, step by step; defines the cycle counts.

Names: k = RadixBits, β = 2^k, d = QuotientDelay, N = digits, R = 2^(k·N),
Mt = mprime·M ≡ −1 (mod β^(d+1)), M̂ = (Mt + 1)/β^(d+1).
Operands and products live in [0, 2·Mt); `reduce` returns the canonical value in [0, M).
"""

from __future__ import annotations

from dataclasses import dataclass

from perle.cores import quotient_simplified as form

Params = form.Params


def digits(params: Params) -> int:
    """N, the digits of an operand: the closure bound k·N >= Width + k·(d+1) + 2."""
    return form.closed_digits(params)


def multipliers(_params: Params) -> int:
    """Device multipliers: none, there are only adders."""
    return 0


def r_exp(params: Params) -> int:
    """RExp: R = 2^RExp = 2^(k·N)."""
    return params["RadixBits"] * digits(params)


def operand_bits(params: Params) -> int:
    """Bits of an operand, k·N."""
    return r_exp(params)


def value_bits(params: Params) -> int:
    """Bits of an operand that may be 1: the sum's Width + 1, and the last d + 1 digits shifted out of it."""
    return params["Width"] + form.base_bits(params) + 1


def columns(params: Params) -> int:
    """Columns of the sum, which is signed, and below 2^(columns − 2) in magnitude."""
    return value_bits(params) + params["RadixBits"] + 2


def first_step(params: Params) -> int:
    """Cycles from the request to the first step."""
    return params["QuotientDelay"] + 1


def turn(params: Params) -> int:
    """Cycles of a digit of OpReduce: resolve, one per bit of the quotient digit, its multiple, the step."""
    return params["RadixBits"] + 3 + params["QuotientDelay"]


def mul_cycles(params: Params) -> int:
    """Latency of OpMul: N + d + 2 steps and four cycles to resolve."""
    return first_step(params) + digits(params) + params["QuotientDelay"] + 7


def reduce_cycles(params: Params) -> int:
    """Latency of OpReduce: y loaded, N digits and the carry of the last, d steps, four cycles to resolve."""
    return first_step(params) + (digits(params) + 1) * turn(params) + params["QuotientDelay"] + 6


def constants(params: Params, m: int) -> dict[str, int]:
    """Return M̂ of a modulus; IllegalModulusError if it is even, below 3 or too wide."""
    return {"mhat": form.constants(params, m)["mhat"]}


def operand_limit(params: Params, m: int) -> int:
    """2·Mt, the exclusive upper bound of operands and products."""
    return form.operand_limit(params, m)


@dataclass
class Row:
    """The sum, and the last digits shifted out of it, oldest first; `held` is a bound of the sum."""

    params: Params
    s: int = 0
    tail: tuple[int, ...] = ()

    def step(self, addend: int) -> None:
        """S ← ⌊S/β⌋ + addend; the lowest digit of S goes to the tail, which keeps d + 1."""
        k = self.params["RadixBits"]
        self.tail = (*self.tail, self.s % (1 << k))[-self.params["QuotientDelay"] - 1 :]
        self.s = (self.s >> k) + addend
        bound = 1 << columns(self.params) - 2
        assert -bound < self.s < bound, "the sum left its columns"

    def value(self) -> int:
        """Return the result: what is left of S above the tail."""
        k = self.params["RadixBits"]
        assert 0 <= self.s < 1 << self.params["Width"] + 1, "the result leaves its bits"
        tail = sum(digit << k * i for i, digit in enumerate(self.tail))
        return self.s << k * (self.params["QuotientDelay"] + 1) | tail


@dataclass
class Digits:
    """The digits of a number, lowest first, each as the sum of its digits of radix 4 in −1 … 2."""

    k: int
    carry: int = 0

    def digit(self, value: int) -> int:
        """Return the signed digit, above −β/2 and below β, and keep its carry for the next one."""
        signed = 0
        for r in range(0, self.k, 2):
            quarter = (value >> r & 3) + self.carry
            self.carry = int(quarter > 2)
            signed += quarter - 4 * self.carry << r
        return signed


def mont(params: Params, m: int, x: int, y: int) -> int:
    """OpMul: ≡ x·y·R^-1 (mod M), in [0, 2·Mt) for operands in [0, 2·Mt), step by step as in the row."""
    k, n, d = params["RadixBits"], digits(params), params["QuotientDelay"]
    mhat, row = constants(params, m)["mhat"], Row(params)
    x_digits, q_digits = Digits(k), Digits(k)
    late = [0] * d
    for i in range(n + d + 2):
        # the lowest digit of the sum; after q_N only the recoding carry is left
        late.append(q_digits.digit(row.s % (1 << k) if i <= n else 0))
        row.step(x_digits.digit(x >> k * i & (1 << k) - 1) * y + late.pop(0) * mhat)
    return row.value()


def mont_value(params: Params, m: int, x: int, y: int) -> int:
    """Return what `mont` returns, in closed form: (x·y + Q·Mt)/R with Q = −x·y·Mt^-1 mod R."""
    return form.product(params, m, x, y, r_exp(params))


def quotient(k: int, s: int, m: int) -> tuple[int, int]:
    """Return q = −s·m^-1 mod 2^k and (s + q·m)/2^k for k-bit numbers, bit by bit as the hardware does."""
    q, t = 0, s
    for i in range(k):
        bit = t & 1
        q |= bit << i
        t = t + bit * m >> 1
        assert t < 1 << k
    return q, t


def reduce(params: Params, m: int, x: int) -> int:
    """OpReduce: x·R^-1 mod M in [0, M), for x in [0, 2·Mt): N digits with M itself.

    The result is M if and only if the quotient Q is at least R − 4·β^(d+1), which its highest digits show.
    """
    k, n, d = params["RadixBits"], digits(params), params["QuotientDelay"]
    low, high = m % (1 << k), m >> k
    row, q_digits, ones = Row(params), Digits(k), False
    row.step(x)
    for i in range(n):
        q, c = quotient(k, row.s % (1 << k), low)
        row.step(q_digits.digit(q) * high + c)
        ones = (i == d + 1 or ones) and (q | (3 if i == d + 1 else 0)) == (1 << k) - 1
    row.step(q_digits.digit(0) * high)
    for _ in range(d):
        row.step(0)
    value = row.value()
    assert ones == (value == m), "a result of M, by its quotient"
    return 0 if ones else value
