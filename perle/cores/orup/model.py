# SPDX-License-Identifier: Apache-2.0
"""Bit-exact model of the Orup row (tang2003), addition by addition; defines the cycle counts.

Names: k = RadixBits, β = 2^k, d = QuotientDelay, N = digits, R = 2^(k·N), Mt = mprime·M ≡ −1 (mod β^(d+1)),
M̂ = (Mt + 1)/β^(d+1).
Operands and products live in [0, 2·Mt); `reduce` returns the canonical value in [0, M).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from perle.cores import quotient_simplified as form

Params = form.Params
constants, operand_limit = form.constants, form.operand_limit


def digits(params: Params) -> int:
    """N, the digits of an operand: the closure bound k·N >= Width + k·(d+1) + 2."""
    return form.closed_digits(params)


def multipliers(params: Params) -> int:
    """Device multipliers: one per digit."""
    return digits(params)


def r_exp(params: Params) -> int:
    """RExp: R = 2^RExp = 2^(k·N)."""
    return params["RadixBits"] * digits(params)


def operand_bits(params: Params) -> int:
    """Bits of an operand, k·N."""
    return r_exp(params)


def tree_stages(params: Params) -> int:
    """Return the registers from the digit mux to the multipliers: none without delay, else 2d − 1."""
    return max(0, 2 * params["QuotientDelay"] - 1)


def turn(params: Params) -> int:
    """Cycles from the product of a quotient digit in PE 0 to that of the next digit that depends on it."""
    return tree_stages(params) + (3 if params["QuotientDelay"] else 2)


def mul_cycles(params: Params) -> int:
    """Latency of OpMul, acceptance to response: 2(N+5) without delay and with four segments (slide 25)."""
    delay, segments = params["QuotientDelay"], params["ChainSegments"]
    return 2 * digits(params) + 4 * delay + 6 + segments


def reduce_cycles(params: Params) -> int:
    """Latency of OpReduce, acceptance to response."""
    delay, segments = params["QuotientDelay"], params["ChainSegments"]
    return digits(params) * (2 * turn(params) + 2) + 3 * delay + 9 + segments


@dataclass
class Row:
    """The registers of the row: digits s_0 … s_N, saved carries c_0 … c_{N−1} (weight j+1), and the tail.

    The tail is the last `delay` digits that were shifted out, oldest first.
    """

    k: int
    n: int
    delay: int
    s: list[int] = field(default_factory=list)
    c: list[int] = field(default_factory=list)
    tail: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Clear the row."""
        self.s = [0] * (self.n + 1)
        self.c = [0] * self.n
        self.tail = [0] * self.delay

    def split(self, value: int) -> list[int]:
        """Return the N digits of a value."""
        return form.split(self.k, value, self.n)

    def step(self, addend: list[int], *, shift: bool) -> None:
        """One adder cycle: saved carries are added at their weight; `shift` moves all down one digit."""
        k, mask = self.k, (1 << self.k) - 1
        if shift:
            self.tail = [*self.tail, self.s[0]][1:]
        old = [*self.s[1:], 0] if shift else self.s
        saved = [*self.c, 0] if shift else [0, *self.c]
        sums = [digit + more + carry for digit, more, carry in zip(old, addend, saved, strict=True)]
        self.s = [total & mask for total in sums]
        self.c = [total >> k for total in sums[:-1]]
        assert max(self.c) <= 2, "a saved carry left its range"
        assert sums[-1] <= mask, "the top position overflowed"

    def resolve(self) -> int:
        """Return the value of row and tail."""
        return form.resolve(self.k, self.s[: self.n], self.c[: self.n - 1], self.tail)


def _row(params: Params) -> Row:
    return Row(params["RadixBits"], digits(params), params["QuotientDelay"])


def mont(params: Params, m: int, x: int, y: int) -> int:
    """OpMul: ≡ x·y·R^-1 (mod M), in [0, 2·Mt) for operands in [0, 2·Mt), digit by digit as in the row."""
    row = _row(params)
    mhat, b = row.split(constants(params, m)["mhat"]), row.split(y)
    late = [0] * row.delay
    for a in [*row.split(x), *[0] * (row.delay + 1)]:
        late.append(row.s[0])
        row.step(form.halves(row.k, a, b), shift=True)
        row.step(form.halves(row.k, late.pop(0), mhat), shift=False)
    return row.resolve()


def mont_value(params: Params, m: int, x: int, y: int) -> int:
    """Return what `mont` returns, in closed form: (x·y + Q·Mt)/R with Q = −x·y·Mt^-1 mod R."""
    return form.product(params, m, x, y, r_exp(params))


def reduce(params: Params, m: int, x: int) -> int:
    """OpReduce: x·R^-1 mod M in [0, M), for any x below R: a classical pass with the modulus itself."""
    k = params["RadixBits"]
    row = _row(params)
    mprime, real = constants(params, m)["mprime"], row.split(m)
    nothing = [0] * (row.n + 1)
    row.step([*row.split(x), 0], shift=False)
    for _ in range(row.n):
        q = row.s[0] * mprime & ((1 << k) - 1)
        row.step(form.halves(row.k, q, real), shift=False)
        row.step(nothing, shift=True)
    for _ in range(row.delay):
        row.step(nothing, shift=True)
    value = row.resolve()
    return 0 if value == m else value
