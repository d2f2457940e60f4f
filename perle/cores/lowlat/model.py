# SPDX-License-Identifier: Apache-2.0
"""Bit-exact model of the row with one iteration per cycle, addition by addition; defines the cycle counts.

Names: k = RadixBits, β = 2^k, d = QuotientDelay, N = digits, R = 2^(k·N), Mt = mprime·M ≡ −1 (mod β^(d+1)),
M̂ = (Mt + 1)/β^(d+1).
Operands and products live in [0, 2·Mt); `reduce` returns the canonical value in [0, M).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from perle.cores import quotient_simplified as form
from perle.cores.params import WIDEST_FACTOR

Params = form.Params
constants, operand_limit = form.constants, form.operand_limit

EARLY_CYCLES = 4
"""Cycles from an early response to the complete product: the last sum, and three to resolve its carries."""

UNRESOLVED = 3
"""First iterations of the next product, in which its forwarded operand still has unresolved carries."""

DIRECT_UNITS, FIRST_UNITS = 2, 3
"""Most that the next sum adds of a saved carry, and that at position 0; the rest is added one sum later."""


def digits(params: Params) -> int:
    """N, the digits of an operand: the closure bound k·N >= Width + k·(d+1) + 2."""
    return form.closed_digits(params)


def modulus_digits(params: Params) -> int:
    """Digits of M and of M̂: the PEs that have a multiplier for a quotient digit."""
    return -(-params["Width"] // params["RadixBits"])


def multipliers(params: Params) -> int:
    """Device multipliers: a_i·b_j, q·m_j, and two below the row for `OpReduce`.

    The product of two digits that are too wide for one takes four, or three if only its low half is used.
    """
    products = digits(params) + modulus_digits(params) + 2
    return products if params["RadixBits"] <= WIDEST_FACTOR else 4 * products - 1


def product_cycles(params: Params) -> int:
    """Return the registers of a product of digits: of the multipliers, and of the sum of four of them."""
    return 2 if params["RadixBits"] <= WIDEST_FACTOR else 3


def turn(params: Params) -> int:
    """Cycles per digit of `OpReduce`: two dependent products."""
    return 2 * product_cycles(params) + 3


def r_exp(params: Params) -> int:
    """RExp: R = 2^RExp = 2^(k·N)."""
    return params["RadixBits"] * digits(params)


def operand_bits(params: Params) -> int:
    """Bits of an operand, k·N."""
    return r_exp(params)


def mul_cycles(params: Params) -> int:
    """Latency of OpMul, acceptance to response: N + d + 1 iterations, the first product, 2 + 3 registers."""
    return digits(params) + params["QuotientDelay"] + product_cycles(params) + 6


def early_cycles(params: Params) -> int:
    """Latency of OpMul when the next product uses the result before its carries are resolved."""
    return mul_cycles(params) - EARLY_CYCLES


def reduce_cycles(params: Params) -> int:
    """Latency of OpReduce, acceptance to response."""
    return (digits(params) + params["QuotientDelay"]) * turn(params) + product_cycles(params) + 12


@dataclass
class Row:
    """The registers of the row: digits s_0 … s_N, saved carries c_0 … c_{N−1} (weight j+1), and the tail.

    `late` holds the carry units delayed by one register: late_j is added at position j of the next sum.
    The tail is the last `delay` digits that were shifted out, oldest first.
    """

    k: int
    n: int
    delay: int
    s: list[int] = field(default_factory=list)
    c: list[int] = field(default_factory=list)
    late: list[int] = field(default_factory=list)
    tail: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Clear the row."""
        self.s = [0] * (self.n + 1)
        self.c = [0] * self.n
        self.late = [0] * (self.n + 1)
        self.tail = [0] * self.delay

    def split(self, value: int) -> list[int]:
        """Return the N digits of a value."""
        return form.split(self.k, value, self.n)

    def step(self, *addends: list[int]) -> None:
        """One iteration: everything moves down one digit, and addends and carries are added."""
        mask = (1 << self.k) - 1
        self.tail = [*self.tail, self.s[0]][1:]
        direct = [min(carry, DIRECT_UNITS if j else FIRST_UNITS) for j, carry in enumerate(self.c)]
        above = [carry - now for carry, now in zip(self.c, direct, strict=True)]
        assert above[0] == 0, "a late unit of position 0 has no place"
        columns = zip([*self.s[1:], 0], [*direct, 0], self.late, *addends, strict=True)
        sums = [sum(column) for column in columns]
        self.late = [*above[1:], 0, 0]
        self.s = [total & mask for total in sums]
        self.c = [total >> self.k for total in sums[:-1]]
        assert max(self.c) <= 4, "a saved carry left its range"
        assert sums[-1] <= mask, "the top position overflowed"

    def unresolved(self) -> tuple[list[int], list[int]]:
        """Return the value before its carries are resolved: N digits, and a saved carry at each.

        The lowest d + 1 digits, the tail and s_0, are exact.
        """
        count = self.n - self.delay
        return [*self.tail, *self.s[:count]], [*[0] * (self.delay + 1), *self.c[: count - 1]]

    def resolve(self) -> int:
        """Return the value of row and tail."""
        count = self.n - self.delay
        assert not any([*self.s[count:], *self.c[count - 1 :]]), "more than R"
        assert not any(self.late), "carries are small after the last iterations"
        assert max(self.c) <= 2, "carries are small after the last iterations"
        return form.resolve(self.k, self.s[:count], self.c[: count - 1], self.tail)


def _row(params: Params) -> Row:
    return Row(params["RadixBits"], digits(params), params["QuotientDelay"])


def mont(params: Params, m: int, x: int, y: int) -> int:
    """OpMul: ≡ x·y·R^-1 (mod M), in [0, 2·Mt) for operands in [0, 2·Mt), digit by digit as in the row."""
    return product(params, m, x, y).resolve()


def product(params: Params, m: int, x: int, y: int | Row) -> Row:
    """Return the row at the end of OpMul. A row as y is a product whose carries are not resolved yet.

    Then the first digits of A are multiplied by its carries too, while no quotient digit is multiplied by M̂.
    """
    row = _row(params)
    mhat, resolved = row.split(constants(params, m)["mhat"]), y.resolve() if isinstance(y, Row) else y
    digits_b, carries = y.unresolved() if isinstance(y, Row) else (row.split(y), [0] * row.n)
    quotients = [0] * row.delay
    for i, a in enumerate([*row.split(x), *[0] * (row.delay + 1)]):
        quotients.append(row.s[0])
        q, b = quotients.pop(0), row.split(resolved)
        if i < UNRESOLVED:
            assert not q, "a quotient digit before its time"
            row.step(form.halves(row.k, a, digits_b), [*(a * carry for carry in carries), 0])
        else:
            row.step(form.halves(row.k, a, b), form.halves(row.k, q, mhat))
    return row


def mont_value(params: Params, m: int, x: int, y: int) -> int:
    """Return what `mont` returns, in closed form: (x·y + Q·Mt)/R with Q = −x·y·Mt^-1 mod R."""
    return form.product(params, m, x, y, r_exp(params))


def reduce(params: Params, m: int, x: int) -> int:
    """OpReduce: x·R^-1 mod M in [0, M), for any x below R: a classical pass with the modulus itself.

    (S + q·M)/β = ⌊S/β⌋ + q·⌊M/β⌋ + (s_0 + q·m_0)/β, and the last term is the high half of q·m_0, plus one
    if s_0 is not zero.
    """
    k = params["RadixBits"]
    mask = (1 << k) - 1
    row = _row(params)
    mprime, above = constants(params, m)["mprime"], row.split(m >> k)
    nothing = [0] * (row.n + 1)
    row.step([*row.split(x), 0])
    for _ in range(row.n):
        q = row.s[0] * mprime & mask
        below = (q * (m & mask) >> k) + (row.s[0] != 0)
        row.step(form.halves(row.k, q, above), [below, *nothing[1:]])
        assert not any(row.late), "OpReduce has no late units"
    for _ in range(row.delay):
        row.step(nothing)
    value = row.resolve()
    return 0 if value == m else value
