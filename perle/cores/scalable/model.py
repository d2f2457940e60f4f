# SPDX-License-Identifier: Apache-2.0
"""Bit-exact model of the PE chain (carter2012); defines the cycle counts.

Names: v = bits of a digit (1 or 2), w = WordWidth, p = Elements, n = operand width at run time,
n2 = n + 2v + 2, e = ⌈n2/w⌉ words, f = ⌈n2/v⌉ digits, F = p·⌈f/p⌉ digits that the passes process,
R = 2^(v·(F − 1)).

The hardware is fixed by `params`; n is an input of every operation (the constant `bits`). Functions that take
only `params` refer to n = Width; those with `n` to any width up to that.
"""

from __future__ import annotations

from dataclasses import dataclass

from perle.spec import check_modulus

Params = dict[str, int]

R2, R4, B4 = range(3)


def radix_bits(params: Params) -> int:
    """v, the bits of x per element: 1 for radix 2, 2 for radix 4."""
    return 1 if params["Kind"] == R2 else 2


def extended(params: Params, n: int) -> int:
    """n2 = n + 2v + 2: enough for every odd modulus of n bits."""
    return n + 2 * radix_bits(params) + 2


def words(params: Params, n: int) -> int:
    """e, the words of an operand."""
    return -(-extended(params, n) // params["WordWidth"])


def passes(params: Params, n: int) -> int:
    """⌈f/p⌉, how often an operand passes through the chain."""
    f = -(-extended(params, n) // radix_bits(params))
    return -(-f // params["Elements"])


def iterations(params: Params, n: int) -> int:
    """F, the digits that whole passes process; those beyond the digits of x are 0."""
    return params["Elements"] * passes(params, n)


def turn(params: Params) -> int:
    """Return the round trip of a word, from the first element back to it: p + ⌈vp/w⌉ + 1 cycles."""
    p = params["Elements"]
    return p + -(-radix_bits(params) * p // params["WordWidth"]) + 1


def kernel_cycles(params: Params, n: int) -> int:
    """⌈f/p⌉·max(e + 1, p + vp/w + 1), the paper's equation (2) with the ceilings it does not print."""
    return passes(params, n) * max(words(params, n) + 1, turn(params))


def sweep_cycles(params: Params, n: int) -> int:
    """Cycles of a sweep that unloads, compares or subtracts: e words, the sign, 3 to drain."""
    return words(params, n) + 4


def mul_cycles_for(params: Params, n: int) -> int:
    """Latency of OpMul on n bits: 1 to read n, 1 before the first word, the kernel, a sweep that unloads."""
    return 2 + kernel_cycles(params, n) + sweep_cycles(params, n)


def reduce_cycles_for(params: Params, n: int) -> int:
    """Latency of OpReduce on n bits: a product, a sweep that compares and a sweep that subtracts."""
    return mul_cycles_for(params, n) + 2 * sweep_cycles(params, n)


def r_exp_for(params: Params, n: int) -> int:
    """RExp on n bits: R = 2^RExp = 2^(v·(F − 1)); the first digit of the quotient is always 0."""
    return radix_bits(params) * (iterations(params, n) - 1)


def mul_cycles(params: Params) -> int:
    """Latency of OpMul, acceptance to response, at the full width."""
    return mul_cycles_for(params, params["Width"])


def reduce_cycles(params: Params) -> int:
    """Latency of OpReduce, acceptance to response, at the full width."""
    return reduce_cycles_for(params, params["Width"])


def r_exp(params: Params) -> int:
    """RExp at the full width."""
    return r_exp_for(params, params["Width"])


def multipliers(_params: Params) -> int:
    """Device multipliers: none, there are only adders."""
    return 0


def operand_bits(params: Params) -> int:
    """Bits of an operand: e words at the full width."""
    return words(params, params["Width"]) * params["WordWidth"]


def multiple(params: Params, m: int) -> int:
    """Mt ≡ −1 (mod 2^v): M for radix 2, M or 3M for radix 4, M or −M for Booth."""
    if params["Kind"] == R2 or m % 4 == 3:
        return m
    return 3 * m if params["Kind"] == R4 else -m


def constants(params: Params, m: int, n: int | None = None) -> dict[str, int]:
    """Return the constants of a modulus, for operations on n bits (Width if not given).

    `mhat` is (Mt + 1)/2^v, modulo 2^OperandBits where Mt = −M.
    """
    n = params["Width"] if n is None else n
    check_modulus(m, n)
    if n > params["Width"]:
        raise ValueError(f"operands of {n} bits on hardware for {params['Width']}")
    mhat = (multiple(params, m) + 1) >> radix_bits(params)
    return {"mhat": mhat % (1 << operand_bits(params)), "bits": n}


def operand_limit(params: Params, m: int) -> int:
    """2·|Mt|, the exclusive upper bound of operands and products."""
    check_modulus(m, params["Width"])
    return 2 * abs(multiple(params, m))


def booth(x: int, i: int) -> int:
    """Booth digit i of x: bits 2i + 1, 2i and 2i − 1 as −2 … 2."""
    three = (2 * x >> 2 * i) & 7
    return (three + 1 >> 1) - (4 if three & 4 else 0)


@dataclass
class Chain:
    """The running sum S, digit by digit, and a check that it fits the e + 1 words that the elements keep."""

    params: Params
    n: int
    m: int
    s: int = 0

    def step(self, x: int, y: int) -> None:
        """One element: S ← (S − q)/2^v + q·M̂ + x·Y, q ≡ S (mod 2^v)."""
        v = radix_bits(self.params)
        mt = multiple(self.params, self.m)
        q = self.s % (1 << v)
        if self.params["Kind"] == B4 and q > 1:
            q -= 4
        self.s = (self.s - q >> v) + q * (mt + 1 >> v) + x * y
        window = words(self.params, self.n) * self.params["WordWidth"]
        if self.params["Kind"] == B4:
            # two spare bits: the sign of a redundant sum is derived from them
            assert -(1 << window - 2) <= self.s < 1 << window - 2, "the sum left its window"
        else:
            assert 0 <= self.s < 1 << window, "the sum left its window"


def mont(params: Params, m: int, x: int, y: int, n: int | None = None) -> int:
    """OpMul on n bits: ≡ x·y·R^-1 (mod M), in [0, 2·|Mt|) for operands in [0, 2·|Mt|)."""
    n = params["Width"] if n is None else n
    v, chain = radix_bits(params), Chain(params, n, m)
    for i in range(iterations(params, n)):
        digit = booth(x, i) if params["Kind"] == B4 else x >> v * i & (1 << v) - 1
        chain.step(digit, y)
    return chain.s + (m if params["Kind"] == B4 else 0)


def mont_value(params: Params, m: int, x: int, y: int, n: int | None = None) -> int:
    """Return what `mont` returns, in closed form: (x·y + Q·Mt)/R, Q = −x·y·Mt^-1 mod R, and M more for Booth.

    Booth's quotient digits −2 … 1 make Q the representative in [−2(R − 1)/3, (R − 1)/3].
    """
    r = 1 << r_exp_for(params, params["Width"] if n is None else n)
    mt = multiple(params, m)
    q = -x * y * pow(mt, -1, r) % r
    if params["Kind"] != B4:
        return (x * y + q * mt) // r
    if 3 * q > r - 1:
        q -= r
    return (x * y + q * mt) // r + m


def reduce(params: Params, m: int, x: int, n: int | None = None) -> int:
    """OpReduce: x·R^-1 mod M: the product by 1, at most 3M, minus the largest k·M that is not above it."""
    z = mont(params, m, 1, x, n)
    most = 3 if params["Kind"] == R4 else 1
    k = sum(z >= i * m for i in range(1, most + 1))
    assert z - k * m < m, "more multiples of M than the hardware compares with"
    return z - k * m
