# SPDX-License-Identifier: Apache-2.0
"""Bit-exact model of the iterative multiplier (nedjah2002), sum by sum, and owner of its cycle counts.

R = 2^(Width+2). Operands and products live in [0, 2·M); `reduce` returns the canonical value in [0, M).
"""

from __future__ import annotations

from perle.spec import check_modulus

Params = dict[str, int]


def iterations(params: Params) -> int:
    """Bits of x that are scanned: the least for which products below 2·M feed back."""
    return params["Width"] + 2


def r_exp(params: Params) -> int:
    """RExp: R = 2^RExp, one factor of 2 an iteration."""
    return iterations(params)


def operand_bits(params: Params) -> int:
    """Bits of an operand line: 2·M is below 2^(Width+1)."""
    return params["Width"] + 1


def multipliers(_params: Params) -> int:
    """Device multipliers: none, the multiplier is made of adders."""
    return 0


def mul_cycles(params: Params) -> int:
    """Cycles of OpMul, acceptance to response: one load and one or three states a bit."""
    return (3 if params["PaperStates"] else 1) * iterations(params) + 1


def reduce_cycles(params: Params) -> int:
    """Cycles of OpReduce: the comparison with M is one more, where no wait state has room for it."""
    return mul_cycles(params) + (0 if params["PaperStates"] else 1)


def interval(params: Params) -> int:
    """Cycles from one product's acceptance to the next: one is in flight."""
    return mul_cycles(params)


def constants(params: Params, m: int) -> dict[str, int]:
    """Return nothing: M is all that is needed; IllegalModulusError for an even, tiny or too wide one."""
    check_modulus(m, params["Width"])
    return {}


def operand_limit(params: Params, m: int) -> int:
    """2·M, the exclusive upper bound of operands and products."""
    check_modulus(m, params["Width"])
    return 2 * m


def mont(params: Params, m: int, x: int, y: int) -> int:
    """OpMul: ≡ x·y·R^-1 (mod M), in [0, 2·M) for operands in [0, 2·M), sum for sum as the datapath."""
    check_modulus(m, params["Width"])
    width = params["Width"]
    a, r = x, 0
    for _ in range(iterations(params)):
        adder1 = r + (y if a & 1 else 0)
        adder2 = adder1 + (m if adder1 & 1 else 0)
        assert adder2 < 1 << (width + 3), "ADDER2 overflowed"
        r, a = adder2 >> 1, a >> 1
        assert r < m + max(y, 1), "the running sum left its range"
    return r


def mont_value(params: Params, m: int, x: int, y: int) -> int:
    """Return what `mont` returns, in closed form: (x·y + Q·M)/R with Q = −x·y·M^-1 mod R."""
    r = 1 << r_exp(params)
    return (x * y + (-x * y * pow(m, -1, r)) % r * m) // r


def reduce(params: Params, m: int, x: int) -> int:
    """OpReduce: x·R^-1 mod M in [0, M): the product by 1 is at most M, and M stands for 0."""
    value = mont(params, m, 1, x)
    return 0 if value == m else value
