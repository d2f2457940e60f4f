# SPDX-License-Identifier: Apache-2.0
"""The quotient-simplified Montgomery product (Orup): a quotient digit is the lowest digit of the sum itself.

Names: k = RadixBits, β = 2^k, d = QuotientDelay (0 where a family has none), N = digits, R = 2^(k·N),
mprime = −M^-1 mod β^(d+1), Mt = mprime·M ≡ −1 (mod β^(d+1)), M̂ = (Mt + 1)/β^(d+1).
Operands and products are in [0, 2·Mt): (x·y + Q·Mt)/R with Q < R is below 2·Mt, because N makes 4·Mt ≤ R.

Source: H. Orup, "Simplifying quotient determination in high-radix modular multiplication", ARITH-12, 1995, as
used by tang2003.
"""

from __future__ import annotations

from perle.spec import check_modulus

Params = dict[str, int]


def base_bits(params: Params) -> int:
    """k·(d+1), the bits of mprime."""
    return params["RadixBits"] * (params.get("QuotientDelay", 0) + 1)


def closed_digits(params: Params) -> int:
    """Return the least N for which products can be operands again: k·N >= Width + k·(d+1) + 2."""
    return -(-(params["Width"] + base_bits(params) + 2) // params["RadixBits"])


def constants(params: Params, m: int) -> dict[str, int]:
    """Return the constants of a modulus; IllegalModulusError if it is even, below 3 or too wide."""
    check_modulus(m, params["Width"])
    base = 1 << base_bits(params)
    mprime = -pow(m, -1, base) % base
    return {"mhat": (mprime * m + 1) // base, "mprime": mprime}


def operand_limit(params: Params, m: int) -> int:
    """2·Mt, the exclusive upper bound of operands and products."""
    return 2 * constants(params, m)["mprime"] * m


def product(params: Params, m: int, x: int, y: int, r_exp: int) -> int:
    """Return the product of operands in [0, 2·Mt): (x·y + Q·Mt)/R with Q = −x·y·Mt^-1 mod R, R = 2^r_exp."""
    r = 1 << r_exp
    mt = constants(params, m)["mprime"] * m
    return (x * y + (-x * y * pow(mt, -1, r)) % r * mt) // r


def split(k: int, value: int, count: int) -> list[int]:
    """Return the lowest `count` digits of k bits of a value, lowest first."""
    return [value >> (k * j) & ((1 << k) - 1) for j in range(count)]


def halves(k: int, x: int, y: list[int]) -> list[int]:
    """Return lo(x·y_j) + hi(x·y_{j−1}) per position, one more than y has digits."""
    mask = (1 << k) - 1
    p = [x * digit for digit in y]
    return [
        low + high
        for low, high in zip([*(one & mask for one in p), 0], [0, *(one >> k for one in p)], strict=True)
    ]


def resolve(k: int, digits: list[int], carries: list[int], tail: list[int]) -> int:
    """Return the value of digits, of the carries saved at each next digit, and of the tail below them.

    As in hardware: a local carry step, a carry chain over digits, an increment. No digit may both generate
    and propagate a carry, so one chain suffices. The tail is what was shifted out, oldest digit first.
    """
    mask, carry, value = (1 << k) - 1, 0, 0
    for j, (s, saved) in enumerate(zip(digits, [0, *carries], strict=True)):
        total = s + saved
        assert total >> k <= 1
        assert not (total >> k and total & mask == mask), "a digit both generates and propagates"
        digit = (total & mask) + carry
        value |= (digit & mask) << (k * j)
        carry = (total >> k) | (digit >> k)
    for digit in reversed(tail):
        value = value << k | digit
    return value
