# SPDX-License-Identifier: Apache-2.0
"""Bit-exact model of the PE chain, digit by digit; defines the cycle counts.

Names: k = RadixBits, β = 2^k, N = digits, R = 2^(k·N), Mt = mprime·M ≡ −1 (mod β), M̂ = (Mt + 1)/β.
Operands and products live in [0, 2·Mt); `reduce` returns the canonical value in [0, M). With Fold passes a
product passes N/Fold processing elements (PEs) Fold times; its iterations are the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from perle.cores import quotient_simplified as form

Params = form.Params
constants, operand_limit = form.constants, form.operand_limit

ELEMENT_CYCLES = 6
"""Cycles from a digit at one PE to the next lower digit at the next PE."""

ENTRY_CYCLES, EXIT_CYCLES, RESPONSE_CYCLES = 3, 12, 5
"""Cycles from acceptance to the first PE; from the last PE to the complete result, without one per digit;
from there to the response."""


TURN_CYCLES = 17
"""Engine: cycles from the address of the first digit of x to that of the result, without those in the PEs."""


def digits(params: Params) -> int:
    """N, the digits of an operand: k·N >= Width + k + 2 (closure), at least three, a multiple of Fold."""
    fold = params["Fold"]
    return fold * -(-max(3, form.closed_digits(params)) // fold)


def elements(params: Params) -> int:
    """PEs of every pass; the last PE, which follows the last pass, is not among them."""
    return digits(params) // params["Fold"]


def multipliers(params: Params) -> int:
    """Device multipliers: two in each PE, but one in the first PE of a single pass, which has no quotient."""
    return 2 * (elements(params) + 1) - (params["Fold"] == 1)


def r_exp(params: Params) -> int:
    """RExp: R = 2^RExp = 2^(k·N)."""
    return params["RadixBits"] * digits(params)


def operand_bits(params: Params) -> int:
    """Bits of an operand, k·N."""
    return r_exp(params)


def interval(params: Params) -> int:
    """Return the average initiation interval when requests never wait: N + 1 beats in every pass."""
    return params["Fold"] * turn(params)


def turn(params: Params) -> int:
    """Beats of a product at a PE: N + 1."""
    return digits(params) + 1


def turns(params: Params) -> int:
    """S: turns from a pass to the next one; in the engine from the last pass to a product with its result."""
    return -(-(ELEMENT_CYCLES * elements(params) + TURN_CYCLES) // turn(params))


def chain_cycles(params: Params) -> int:
    """Cycles from beat 0 at the first PE, in the first pass, to beat 0 at the last PE."""
    return (params["Fold"] - 1) * turns(params) * turn(params) + ELEMENT_CYCLES * elements(params)


def mul_cycles(params: Params) -> int:
    """Latency of OpMul: the PEs, and N digits into and out of the memory."""
    n = digits(params)
    return ENTRY_CYCLES + chain_cycles(params) + EXIT_CYCLES + n + n + RESPONSE_CYCLES


def reduce_cycles(params: Params) -> int:
    """Latency of OpReduce: that of OpMul."""
    return mul_cycles(params)


def in_flight(params: Params) -> int:
    """Maximum number of operations in flight: the fewest that saturate the PE chain."""
    together = 1 if params["Fold"] == 1 else turns(params)
    return together * -(-(mul_cycles(params) + 3) // (together * interval(params)))


def admits(params: Params, taken: Sequence[int], now: int) -> bool:
    """Tell whether a request is accepted in cycle `now`: the beats of the last product are over.

    With several passes: whole turns after the products in the chain, when none of them has a pass due; at any
    time if the chain is empty. If no response is stalled, `in_flight` is no limit.
    """
    if params["Fold"] == 1:
        return all(now - t >= turn(params) for t in taken)
    around = turns(params) * turn(params)
    there = [now - t for t in taken if now - t < params["Fold"] * around]
    return all(since % turn(params) == 0 and since % around for since in there)


def split(params: Params, value: int, count: int) -> list[int]:
    """Return the lowest `count` digits of a value, lowest first."""
    return form.split(params["RadixBits"], value, count)


def stream_sum(params: Params, u: list[int], z: list[int]) -> list[int]:
    """perle_stream_sum: digits of the sum of u and z, one more than they have for the last high half."""
    k = params["RadixBits"]
    mask, high, carry, total = (1 << k) - 1, 0, 0, []
    for u_j, z_j in zip([*u, 0], [*z, 0], strict=True):
        v = (u_j & mask) + high + z_j
        assert v <= 4 * mask - 2, "digits of equal weight left their range"
        high = u_j >> k
        total.append((v + carry) & mask)
        carry = (v + carry) >> k
        assert carry <= 3, "the carry of an element left its two bits"
    assert (high, carry) == (0, 0), "something is left over for the next product"
    return total


def element(params: Params, z: list[int], a: int, b: list[int], mhat: list[int]) -> list[int]:
    """perle_stream_element: ⌊Z/β⌋ + q·M̂ + a·B with q = z_0; Z has N + 1 digits, the others N."""
    q = z[0]
    return stream_sum(params, [q * m_j + a * b_j for m_j, b_j in zip(mhat, b, strict=True)], z[1:])


def iterations(params: Params, m: int, x: int, y: int) -> list[int]:
    """Return Z_N, N + 1 digits: the input of the last PE."""
    n = digits(params)
    mhat, b = split(params, constants(params, m)["mhat"], n), split(params, y, n)
    z = [0] * (n + 1)
    for a in split(params, x, n):
        z = element(params, z, a, b, mhat)
    return z


def writeback(params: Params, z: list[int], q: int, modulus: list[int]) -> int:
    """perle_stream_exit: (Z + q·modulus)/β, from N + 1 digits each; the digit of beat 0 is dropped."""
    k, total = params["RadixBits"], 0
    # a digit above the last beat would be added to the next product
    digits_out = stream_sum(params, [q * m_j for m_j in modulus], z)
    assert digits_out[-1] == 0, "the result does not fit its line"
    for j, digit in enumerate(digits_out[1:]):
        total |= digit << (k * j)
    return total


def mont(params: Params, m: int, x: int, y: int) -> int:
    """OpMul: ≡ x·y·R^-1 (mod M), in [0, 2·Mt) for operands in [0, 2·Mt), digit by digit as in the chain."""
    n = digits(params)
    z = iterations(params, m, x, y)
    return writeback(params, z, z[0], [0, *split(params, constants(params, m)["mhat"], n)])


def mont_value(params: Params, m: int, x: int, y: int) -> int:
    """Return what `mont` returns, in closed form: (x·y + Q·Mt)/R with Q = −x·y·Mt^-1 mod R."""
    return form.product(params, m, x, y, r_exp(params))


def reduce(params: Params, m: int, x: int) -> int:
    """OpReduce: x·R^-1 mod M in [0, M), for x in [0, 2·Mt): the product by 1, its last iteration with M."""
    n, k = digits(params), params["RadixBits"]
    z = iterations(params, m, 1, x)
    q = z[0] * constants(params, m)["mprime"] & ((1 << k) - 1)
    value = writeback(params, z, q, split(params, m, n + 1))
    less, borrow = 0, 0
    for j, (v, d) in enumerate(zip(split(params, value, n), split(params, m, n), strict=True)):
        difference = v - d - borrow
        borrow = int(difference < 0)
        less |= (difference & ((1 << k) - 1)) << (k * j)
    return value if borrow else less
