# SPDX-License-Identifier: Apache-2.0
"""Bit-exact model of the bit-systolic row (nedjah2002), column by column; defines the cycle counts.

n = OperandBits = Width + 1, R = 2^(n+1). Operands and products live in [0, 2·M); `reduce` returns the
canonical value in [0, M).
"""

from __future__ import annotations

from collections.abc import Sequence

from perle.spec import check_modulus

Params = dict[str, int]

IN_FLIGHT = 4
"""Maximum number of operations in flight. It is also the number of entries of the result FIFO, all of which a
result passes through, one per cycle."""

ENTRY_CYCLES = 1
"""Cycles from acceptance until the operands are in the columns' registers. The paper counts from there."""

APART = 3
"""Minimum number of cycles between two acceptances, and so between two responses."""


def operand_bits(params: Params) -> int:
    """Bits of an operand, n: 2·M is below 2^(Width+1)."""
    return params["Width"] + 1


def rows(params: Params) -> int:
    """Rows of the array, i = 0 … n: the smallest number with which products below 2·M feed back."""
    return operand_bits(params) + 1


def r_exp(params: Params) -> int:
    """RExp: R = 2^RExp, one factor of 2 per row."""
    return rows(params)


def multipliers(_params: Params) -> int:
    """Device multipliers: none, the row consists of full adders."""
    return 0


def first_bit_cycles(params: Params) -> int:
    """Cycles from operands at the columns until the first result bit is in a register: 2n + 3."""
    return 2 * operand_bits(params) + 3


def last_bit_cycles(params: Params) -> int:
    """Cycles from operands at the columns until all result bits are pushed into the FIFO: 3n + 3."""
    return 3 * operand_bits(params) + 3


def mul_cycles(params: Params) -> int:
    """Latency of OpMul: 3n + 8 with port registers and FIFO; 3n + 3 with Paper."""
    return last_bit_cycles(params) + (0 if params["Paper"] else ENTRY_CYCLES + IN_FLIGHT)


def reduce_cycles(params: Params) -> int:
    """Latency of OpReduce: that of OpMul, as the comparison with M takes no extra cycle."""
    return mul_cycles(params)


def start_gaps(params: Params) -> tuple[int, int]:
    """Cycles from one acceptance to the next, alternately, when saturated: products are accepted in pairs.

    Valid for Width >= 6; in a narrower row the FIFO is the limit. With Paper one product at a time.
    """
    if params["Paper"]:
        return mul_cycles(params), mul_cycles(params)
    return APART, 2 * rows(params) - APART


def admits(params: Params, taken: Sequence[int], now: int) -> bool:
    """Tell whether a request is accepted in cycle `now`: its turn is free, and not too many are in flight.

    A product uses every second cycle for its rows; an operation counts as in flight until two cycles after
    its response was accepted.
    """
    if params["Paper"]:
        return all(now - t >= mul_cycles(params) for t in taken)
    turn_free = all(now - t >= APART and ((now - t) % 2 or now - t >= 2 * rows(params)) for t in taken)
    return turn_free and sum(now - t <= mul_cycles(params) + 2 for t in taken) < IN_FLIGHT


def interval(params: Params) -> int:
    """Return the average initiation interval when saturated."""
    return sum(start_gaps(params)) // 2


def constants(params: Params, m: int) -> dict[str, int]:
    """Return no constants: M suffices; IllegalModulusError if it is even, below 3 or too wide."""
    check_modulus(m, params["Width"])
    return {}


def operand_limit(params: Params, m: int) -> int:
    """2·M, the exclusive upper bound of operands and products."""
    check_modulus(m, params["Width"])
    return 2 * m


def bits(value: int, count: int) -> list[int]:
    """Return the lowest `count` bits of a value, lowest first."""
    return [value >> j & 1 for j in range(count)]


def add(s: int, x: int, carry: int) -> tuple[int, int]:
    """Full adder: sum and carry."""
    total = s + x + carry
    return total & 1, total >> 1


def made_beforehand(n: int, b: list[int], m: list[int]) -> list[int]:
    """M + B, n + 1 bits, by a row of full adders."""
    mb, carry = [0] * (n + 1), 0
    for j in range(n):
        mb[j], carry = add(b[j], m[j], carry)
    mb[n] = carry
    return mb


def mont(params: Params, m: int, x: int, y: int) -> int:
    """OpMul: ≡ x·y·R^-1 (mod M), in [0, 2·M) for operands in [0, 2·M), bit for bit as the row."""
    check_modulus(m, params["Width"])
    n = operand_bits(params)
    b, mbits = [*bits(y, n), 0], [*bits(m, n), 0]
    mb = made_beforehand(n, b, mbits)
    s = [0] * (n + 1)
    for a in bits(x, n + 1):
        q = s[0] ^ (a & b[0])
        chosen = (mb if q else b) if a else (mbits if q else None)
        carry, fresh = s[0], [0] * (n + 1)  # column 0: the sum's bit is zero, its carry is s_0
        for j in range(1, n + 1):
            fresh[j - 1], carry = add(s[j], chosen[j] if chosen else 0, carry)
        fresh[n] = carry
        s = fresh
    assert s[n] == 0, "the result does not fit its line"
    return sum(bit << j for j, bit in enumerate(s))


def mont_value(params: Params, m: int, x: int, y: int) -> int:
    """Return what `mont` returns, in closed form: (x·y + Q·M)/R with Q = −x·y·M^-1 mod R."""
    r = 1 << r_exp(params)
    return (x * y + (-x * y * pow(m, -1, r)) % r * m) // r


def reduce(params: Params, m: int, x: int) -> int:
    """OpReduce: x·R^-1 mod M in [0, M): the product by 1 is at most M, and M becomes 0."""
    value = mont(params, m, 1, x)
    return 0 if value == m else value
