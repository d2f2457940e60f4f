# SPDX-License-Identifier: Apache-2.0
"""Bit-exact model of the stream of digits through the line of elements, digit by digit; owner of its cycles.

Names: k = RadixBits, β = 2^k, N = digits, R = 2^(k·N), Mt = mprime·M ≡ −1 (mod β), M̂ = (Mt + 1)/β.
Operands and products live in [0, 2·Mt); `reduce` returns the canonical value in [0, M). With Fold passes a
product goes so often through N/Fold elements; its iterations are the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from perle.spec import check_modulus

Params = dict[str, int]

ELEMENT_CYCLES = 6
"""Cycles from a digit at an element to the one below it at the next element."""

ENTRY_CYCLES, EXIT_CYCLES, RESPONSE_CYCLES = 3, 12, 5
"""Cycles to the first element; from the last one to the count of digits of the result; to the response."""


TURN_CYCLES = 17
"""In the engine: from the address of the first digit of x to that of the result, but for the elements."""


def digits(params: Params) -> int:
    """N, the digits of an operand: the closure bound k·N >= Width + k + 2, three at least, as many a pass."""
    k, fold = params["RadixBits"], params["Fold"]
    return fold * -(-max(3, -(-(params["Width"] + k + 2) // k)) // fold)


def elements(params: Params) -> int:
    """Elements that a product goes through in every pass; the one after its last pass is not among them."""
    return digits(params) // params["Fold"]


def multipliers(params: Params) -> int:
    """Device multipliers: two in each element, but one in the first of a single pass: it has no quotient."""
    return 2 * (elements(params) + 1) - (params["Fold"] == 1)


def r_exp(params: Params) -> int:
    """RExp: R = 2^RExp = 2^(k·N)."""
    return params["RadixBits"] * digits(params)


def operand_bits(params: Params) -> int:
    """Bits of an operand line, k·N."""
    return r_exp(params)


def interval(params: Params) -> int:
    """Cycles from one product to the next when requests never wait, on average: N + 1 slots in every pass."""
    return params["Fold"] * turn(params)


def turn(params: Params) -> int:
    """Slots of a product at an element: N + 1."""
    return digits(params) + 1


def turns(params: Params) -> int:
    """S: turns from a pass to the next one; in the engine from the last one to a product with its result."""
    return -(-(ELEMENT_CYCLES * elements(params) + TURN_CYCLES) // turn(params))


def line_cycles(params: Params) -> int:
    """Cycles from slot 0 at the first element, in the first pass, to slot 0 at the last element."""
    return (params["Fold"] - 1) * turns(params) * turn(params) + ELEMENT_CYCLES * elements(params)


def mul_cycles(params: Params) -> int:
    """Cycles of OpMul, acceptance to response: the elements, and N digits into and out of the memory."""
    n = digits(params)
    return ENTRY_CYCLES + line_cycles(params) + EXIT_CYCLES + n + n + RESPONSE_CYCLES


def reduce_cycles(params: Params) -> int:
    """Cycles of OpReduce: those of OpMul."""
    return mul_cycles(params)


def in_flight(params: Params) -> int:
    """Operations between acceptance and response at most: those that keep the line full, and no fewer."""
    together = 1 if params["Fold"] == 1 else turns(params)
    return together * -(-(mul_cycles(params) + 3) // (together * interval(params)))


def admits(params: Params, taken: Sequence[int], now: int) -> bool:
    """Tell whether a request is taken in cycle `now`: the slots of the last one are over.

    With several passes: whole turns after those that are in the line, when none of them has a pass due; with
    none in the line, at any time. There are never too many in flight as long as responses are taken at once.
    """
    if params["Fold"] == 1:
        return all(now - t >= turn(params) for t in taken)
    around = turns(params) * turn(params)
    there = [now - t for t in taken if now - t < params["Fold"] * around]
    return all(since % turn(params) == 0 and since % around for since in there)


def constants(params: Params, m: int) -> dict[str, int]:
    """Return what a modulus needs beforehand; IllegalModulusError for an even, tiny or too wide one."""
    check_modulus(m, params["Width"])
    base = 1 << params["RadixBits"]
    mprime = -pow(m, -1, base) % base
    return {"mhat": (mprime * m + 1) // base, "mprime": mprime}


def operand_limit(params: Params, m: int) -> int:
    """2·Mt, the exclusive upper bound of operands and products."""
    return 2 * constants(params, m)["mprime"] * m


def split(params: Params, value: int, count: int) -> list[int]:
    """Return the lowest `count` digits of a value, lowest first."""
    k = params["RadixBits"]
    return [value >> (k * j) & ((1 << k) - 1) for j in range(count)]


def stream_sum(params: Params, u: list[int], z: list[int]) -> list[int]:
    """perle_stream_sum: digits of the sum of u and z; one longer than they are, for the last high half."""
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
    """Return Z_N, N + 1 digits: what comes to the last element."""
    n = digits(params)
    mhat, b = split(params, constants(params, m)["mhat"], n), split(params, y, n)
    z = [0] * (n + 1)
    for a in split(params, x, n):
        z = element(params, z, a, b, mhat)
    return z


def leave(params: Params, z: list[int], q: int, modulus: list[int]) -> int:
    """perle_stream_exit: (Z + q·modulus)/β, the first digit dropped with its slot 0; N + 1 digits each."""
    k, total = params["RadixBits"], 0
    # the digit above the last slot would get into the next product
    digits_out = stream_sum(params, [q * m_j for m_j in modulus], z)
    assert digits_out[-1] == 0, "the result does not fit its line"
    for j, digit in enumerate(digits_out[1:]):
        total |= digit << (k * j)
    return total


def mont(params: Params, m: int, x: int, y: int) -> int:
    """OpMul: ≡ x·y·R^-1 (mod M), in [0, 2·Mt) for operands in [0, 2·Mt), digit for digit as the line."""
    n = digits(params)
    z = iterations(params, m, x, y)
    return leave(params, z, z[0], [0, *split(params, constants(params, m)["mhat"], n)])


def mont_value(params: Params, m: int, x: int, y: int) -> int:
    """Return what `mont` returns, in closed form: (x·y + Q·Mt)/R with Q = −x·y·Mt^-1 mod R."""
    r = 1 << r_exp(params)
    mt = constants(params, m)["mprime"] * m
    return (x * y + (-x * y * pow(mt, -1, r)) % r * mt) // r


def reduce(params: Params, m: int, x: int) -> int:
    """OpReduce: x·R^-1 mod M in [0, M), for x in [0, 2·Mt): the product by 1, its last digit of M itself."""
    n, k = digits(params), params["RadixBits"]
    z = iterations(params, m, 1, x)
    q = z[0] * constants(params, m)["mprime"] & ((1 << k) - 1)
    value = leave(params, z, q, split(params, m, n + 1))
    less, borrow = 0, 0
    for j, (v, d) in enumerate(zip(split(params, value, n), split(params, m, n), strict=True)):
        difference = v - d - borrow
        borrow = int(difference < 0)
        less |= (difference & ((1 << k) - 1)) << (k * j)
    return value if borrow else less
