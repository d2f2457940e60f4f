# SPDX-License-Identifier: Apache-2.0
"""Bit-exact model of the iterative multiplier (nedjah2002), sum by sum; defines the cycle counts.

R = 2^(Width+2). Operands and products live in [0, 2·M); `reduce` returns the canonical value in [0, M).
"""

from __future__ import annotations

from perle.spec import check_modulus

Params = dict[str, int]

HEAD_BITS = 5
"""Number of lowest bits of the running sum that are computed ahead of its segments."""


def iterations(params: Params) -> int:
    """Bits of x that are scanned: the smallest number with which products below 2·M feed back."""
    return params["Width"] + 2


def r_exp(params: Params) -> int:
    """RExp: R = 2^RExp, one factor of 2 per iteration."""
    return iterations(params)


def operand_bits(params: Params) -> int:
    """Bits of an operand: 2·M is below 2^(Width+1)."""
    return params["Width"] + 1


def multipliers(_params: Params) -> int:
    """Device multipliers: none, the multiplier consists of adders."""
    return 0


def segmented(params: Params) -> bool:
    """Tell whether the running sum is in segments; otherwise it has the adders of the paper."""
    return not params["PaperStates"] and params["Segment"] > 1


def segments(params: Params) -> int:
    """Segments of the running sum above its head."""
    return max(1, -(-(operand_bits(params) - HEAD_BITS) // params["Segment"]))


def mul_cycles(params: Params) -> int:
    """Latency of OpMul, acceptance to response: one load and one or three states per bit.

    In segments: one more until the lowest result bits are valid, HEAD_BITS for them, and one per segment.
    """
    if segmented(params):
        return iterations(params) + HEAD_BITS + 1 + segments(params)
    return (3 if params["PaperStates"] else 1) * iterations(params) + 1


def reduce_cycles(params: Params) -> int:
    """Latency of OpReduce: one cycle more for the comparison with M, unless it happens in other cycles."""
    return mul_cycles(params) + (0 if params["PaperStates"] or segmented(params) else 1)


def interval(params: Params) -> int:
    """Return the initiation interval of products: one is in flight."""
    return mul_cycles(params)


def constants(params: Params, m: int) -> dict[str, int]:
    """Return no constants: M suffices; IllegalModulusError if it is even, below 3 or too wide."""
    check_modulus(m, params["Width"])
    return {}


def operand_limit(params: Params, m: int) -> int:
    """2·M, the exclusive upper bound of operands and products."""
    check_modulus(m, params["Width"])
    return 2 * m


def mont(params: Params, m: int, x: int, y: int) -> int:
    """OpMul: ≡ x·y·R^-1 (mod M), in [0, 2·M) for operands in [0, 2·M), sum by sum as printed."""
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


def by_segments(params: Params, m: int, x: int, y: int) -> int:
    """Return what `mont` returns, computed by segments: cycle by cycle, every register within its bits."""
    check_modulus(m, params["Width"])
    size, count, steps = params["Segment"], segments(params), iterations(params)
    low, part = (1 << HEAD_BITS) - 1, (1 << size) - 1
    b = [y >> (HEAD_BITS + k * size) & part for k in range(count)]
    mods = [m >> (HEAD_BITS + k * size) & part for k in range(count)]
    head, incoming, z = 0, 0, 0
    s = [0] * count
    chosen: list[tuple[int, int]] = []
    for cycle in range(steps + HEAD_BITS):
        a = (x >> cycle & 1) if cycle < steps else 0
        first = head + incoming + a * (y & low)
        q = first & 1 if cycle < steps else 0
        second = first + q * (m & low)
        assert second < 1 << (HEAD_BITS + 2), "the head overflowed"
        chosen.append((a, q))
        if cycle >= steps:
            z |= (second & 1) << (cycle - steps)
        incoming = 0
        if HEAD_BITS - 1 <= cycle < steps + HEAD_BITS - 1:  # the segments lag by so many cycles
            a, q = chosen[cycle - HEAD_BITS + 1]
            sums = [s[k] + a * b[k] + q * mods[k] for k in range(count)]
            above = [*(total & 1 for total in sums[1:]), 0]
            s = [(sums[k] >> 1) + (above[k] << (size - 1)) for k in range(count)]
            assert all(one < 3 << size for one in s), "a segment left its range"
            incoming = sums[0] & 1
        head = second >> 1
    carry = head
    for k in range(count):
        assert carry <= 3, "a carry left its range"
        total = s[k] + carry
        z |= (total & part) << (HEAD_BITS + k * size)
        carry = total >> size
    assert carry == 0, "the result left its line"
    return z


def mont_value(params: Params, m: int, x: int, y: int) -> int:
    """Return what `mont` returns, in closed form: (x·y + Q·M)/R with Q = −x·y·M^-1 mod R."""
    r = 1 << r_exp(params)
    return (x * y + (-x * y * pow(m, -1, r)) % r * m) // r


def reduce(params: Params, m: int, x: int) -> int:
    """OpReduce: x·R^-1 mod M in [0, M): the product by 1 is at most M, and M stands for 0."""
    value = mont(params, m, 1, x)
    return 0 if value == m else value
