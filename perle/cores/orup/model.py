# SPDX-License-Identifier: Apache-2.0
"""Bit-exact model of the Orup row (tang2003), addition by addition, and owner of its cycle counts.

Names: k = RadixBits, β = 2^k, N = digits, R = 2^(k·N), Mt = mprime·M ≡ −1 (mod β), M̂ = (Mt + 1)/β.
Operands and products live in [0, 2·Mt); `reduce` returns the canonical value in [0, M).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from perle.spec import check_modulus

Params = dict[str, int]


def digits(params: Params) -> int:
    """N, the digits of an operand: the closure bound k·N >= Width + k + 2."""
    k = params["RadixBits"]
    return -(-(params["Width"] + k + 2) // k)


def multipliers(params: Params) -> int:
    """Device multipliers: one a digit."""
    return digits(params)


def r_exp(params: Params) -> int:
    """RExp: R = 2^RExp = 2^(k·N)."""
    return params["RadixBits"] * digits(params)


def operand_bits(params: Params) -> int:
    """Bits of an operand line, k·N."""
    return r_exp(params)


def mul_cycles(params: Params) -> int:
    """Cycles of OpMul, acceptance to response: 2(N+5) with four chain segments (slide 25)."""
    return 2 * digits(params) + 6 + params["ChainSegments"]


def reduce_cycles(params: Params) -> int:
    """Cycles of OpReduce, acceptance to response."""
    return 4 * digits(params) + 7 + params["ChainSegments"]


def constants(params: Params, m: int) -> dict[str, int]:
    """Return what a modulus needs beforehand; IllegalModulusError for an even, tiny or too wide one."""
    check_modulus(m, params["Width"])
    beta = 1 << params["RadixBits"]
    mprime = -pow(m, -1, beta) % beta
    return {"mhat": (mprime * m + 1) // beta, "mprime": mprime}


def operand_limit(params: Params, m: int) -> int:
    """2·Mt, the exclusive upper bound of operands and products."""
    return 2 * constants(params, m)["mprime"] * m


@dataclass
class Row:
    """The registers of the row: digits s_0 … s_N and saved carries c_0 … c_{N−1} (weight j+1)."""

    k: int
    n: int
    s: list[int] = field(default_factory=list)
    c: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Clear the row."""
        self.s = [0] * (self.n + 1)
        self.c = [0] * self.n

    def split(self, value: int) -> list[int]:
        """N digits of a value."""
        return [(value >> (self.k * j)) & ((1 << self.k) - 1) for j in range(self.n)]

    def products(self, x: int, y: list[int]) -> list[int]:
        """Per position, lo(x·y_j) + hi(x·y_{j−1}), top position included."""
        mask = (1 << self.k) - 1
        p = [x * digit for digit in y]
        return [
            (p[j] & mask if j < self.n else 0) + (p[j - 1] >> self.k if j else 0) for j in range(self.n + 1)
        ]

    def step(self, addend: list[int], *, shift: bool) -> None:
        """One adder cycle: with `shift` the sum moves down a digit and takes up the saved carries."""
        k, mask = self.k, (1 << self.k) - 1
        old, carry = [*self.s, 0], self.c
        for j in range(self.n):
            total = (old[j + 1] + carry[j] if shift else old[j]) + addend[j]
            self.s[j] = total & mask
            carry[j] = (0 if shift else carry[j]) + (total >> k)
            assert carry[j] <= 4, "a saved carry left its three bits"
        self.s[self.n] = (0 if shift else old[self.n]) + addend[self.n]
        assert self.s[self.n] <= mask, "the top position overflowed"

    def resolve(self) -> int:
        """Local carry step, digit-level carry chain, increment: returns the value of the row."""
        k, mask = self.k, (1 << self.k) - 1
        local = [self.s[j] + (self.c[j - 1] if j else 0) for j in range(self.n)]
        carry, value = 0, 0
        for j, total in enumerate(local):
            assert total >> k <= 1
            assert not (total >> k and total & mask == mask), "a digit both generates and propagates"
            digit = (total & mask) + carry
            value |= (digit & mask) << (k * j)
            carry = (total >> k) | (digit >> k)
        return value


def mont(params: Params, m: int, x: int, y: int) -> int:
    """OpMul: ≡ x·y·R^-1 (mod M), in [0, 2·Mt) for operands in [0, 2·Mt), digit for digit as the row."""
    row = Row(params["RadixBits"], digits(params))
    mhat, b = row.split(constants(params, m)["mhat"]), row.split(y)
    for a in [*row.split(x), 0]:
        q = row.s[0]
        row.step(row.products(a, b), shift=True)
        row.step(row.products(q, mhat), shift=False)
    return row.resolve()


def mont_value(params: Params, m: int, x: int, y: int) -> int:
    """Return what `mont` returns, in closed form: (x·y + Q·Mt)/R with Q = −x·y·Mt^-1 mod R."""
    r = 1 << r_exp(params)
    mt = constants(params, m)["mprime"] * m
    return (x * y + (-x * y * pow(mt, -1, r)) % r * mt) // r


def reduce(params: Params, m: int, x: int) -> int:
    """OpReduce: x·R^-1 mod M in [0, M), for any x below R: a classical pass with the real modulus."""
    k = params["RadixBits"]
    row = Row(k, digits(params))
    mprime, real = constants(params, m)["mprime"], row.split(m)
    nothing = [0] * (row.n + 1)
    row.step([*row.split(x), 0], shift=False)
    for _ in range(row.n):
        q = row.s[0] * mprime & ((1 << k) - 1)
        row.step(row.products(q, real), shift=False)
        row.step(nothing, shift=True)
    value = row.resolve()
    return 0 if value == m else value
