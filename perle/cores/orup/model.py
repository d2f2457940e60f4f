# SPDX-License-Identifier: Apache-2.0
"""Bit-exact model of the Orup row (tang2003), addition by addition; owns its cycle counts.

Names: k = RadixBits, β = 2^k, d = QuotientDelay, N = digits, R = 2^(k·N), Mt = mprime·M ≡ −1 (mod β^(d+1)),
M̂ = (Mt + 1)/β^(d+1).
Operands and products live in [0, 2·Mt); `reduce` returns the canonical value in [0, M).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from perle.spec import check_modulus

Params = dict[str, int]


def digits(params: Params) -> int:
    """N, the digits of an operand: the closure bound k·N >= Width + k·(d+1) + 2."""
    k = params["RadixBits"]
    return -(-(params["Width"] + k * (params["QuotientDelay"] + 1) + 2) // k)


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


def constants(params: Params, m: int) -> dict[str, int]:
    """Return the constants of a modulus; IllegalModulusError if it is even, below 3 or too wide."""
    check_modulus(m, params["Width"])
    base = 1 << params["RadixBits"] * (params["QuotientDelay"] + 1)
    mprime = -pow(m, -1, base) % base
    return {"mhat": (mprime * m + 1) // base, "mprime": mprime}


def operand_limit(params: Params, m: int) -> int:
    """2·Mt, the exclusive upper bound of operands and products."""
    return 2 * constants(params, m)["mprime"] * m


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
        return [(value >> (self.k * j)) & ((1 << self.k) - 1) for j in range(self.n)]

    def products(self, x: int, y: list[int]) -> list[int]:
        """Return lo(x·y_j) + hi(x·y_{j−1}) per position, top position included."""
        mask = (1 << self.k) - 1
        p = [x * digit for digit in y]
        return [
            (p[j] & mask if j < self.n else 0) + (p[j - 1] >> self.k if j else 0) for j in range(self.n + 1)
        ]

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
        """Local carry step, carry chain over digits, increment; return the value of row and tail."""
        k, mask = self.k, (1 << self.k) - 1
        local = [self.s[j] + (self.c[j - 1] if j else 0) for j in range(self.n)]
        carry, value = 0, 0
        for j, total in enumerate(local):
            assert total >> k <= 1
            assert not (total >> k and total & mask == mask), "a digit both generates and propagates"
            digit = (total & mask) + carry
            value |= (digit & mask) << (k * j)
            carry = (total >> k) | (digit >> k)
        for digit in reversed(self.tail):
            value = value << k | digit
        return value


def _row(params: Params) -> Row:
    return Row(params["RadixBits"], digits(params), params["QuotientDelay"])


def mont(params: Params, m: int, x: int, y: int) -> int:
    """OpMul: ≡ x·y·R^-1 (mod M), in [0, 2·Mt) for operands in [0, 2·Mt), digit by digit as in the row."""
    row = _row(params)
    mhat, b = row.split(constants(params, m)["mhat"]), row.split(y)
    late = [0] * row.delay
    for a in [*row.split(x), *[0] * (row.delay + 1)]:
        late.append(row.s[0])
        row.step(row.products(a, b), shift=True)
        row.step(row.products(late.pop(0), mhat), shift=False)
    return row.resolve()


def mont_value(params: Params, m: int, x: int, y: int) -> int:
    """Return what `mont` returns, in closed form: (x·y + Q·Mt)/R with Q = −x·y·Mt^-1 mod R."""
    r = 1 << r_exp(params)
    mt = constants(params, m)["mprime"] * m
    return (x * y + (-x * y * pow(mt, -1, r)) % r * mt) // r


def reduce(params: Params, m: int, x: int) -> int:
    """OpReduce: x·R^-1 mod M in [0, M), for any x below R: a classical pass with the modulus itself."""
    k = params["RadixBits"]
    row = _row(params)
    mprime, real = constants(params, m)["mprime"], row.split(m)
    nothing = [0] * (row.n + 1)
    row.step([*row.split(x), 0], shift=False)
    for _ in range(row.n):
        q = row.s[0] * mprime & ((1 << k) - 1)
        row.step(row.products(q, real), shift=False)
        row.step(nothing, shift=True)
    for _ in range(row.delay):
        row.step(nothing, shift=True)
    value = row.resolve()
    return 0 if value == m else value
