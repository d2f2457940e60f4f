# SPDX-License-Identifier: Apache-2.0
"""Bit-exact model of a tile: a modular product of blocks, column by column, with Karatsuba of any degree.

Names: k = RadixBits, β = 2^(3k), a block is three digits of k bits, N = blocks, R = β^N, Mt = mprime·M ≡ −1
(mod β), M̂ = (Mt + 1)/β. Operands and products live in [0, 2·Mt); `reduce` returns the canonical value.

With D_t = x_t·y_t, and E_t = q_t·m̂_t, column c of x·y + Q·M̂·β is

    Σ_{t = c−N+1 … c} (D_t + E_{t−1}) − Σ_{i<j, i+j=c} (x_i − x_j)(y_i − y_j)
                                      − Σ_{i<j, i+j=c−1} (q_i − q_j)(m̂_i − m̂_j)

for x_i·y_j + x_j·y_i = D_i + D_j − (x_i − x_j)(y_i − y_j): one product of blocks in place of two. The
diagonals (D_t + E_{t−1})·β^t are added up once, to blocks δ_t, of which a column takes the sum of N, W_c.

Source: A. Weimerskirch and C. Paar, "Generalizations of the Karatsuba algorithm for efficient
implementations", 2003 (any degree); quotients as `perle.cores.quotient_simplified`.
"""

from __future__ import annotations

from collections.abc import Iterator

from perle.cores import quotient_simplified as form

Params = form.Params

DIGITS = 3
"""Digits in a block."""
LEAST_BLOCKS = 3
CONTEXTS = 4
"""Contexts of a tile; the multiplier with the standard interface uses only one of them."""
MOST_RADIX = 18
"""Maximum digit size in bits: the width of a device multiplier."""


def block_bits(params: Params) -> int:
    """Return the bits of a block, 3·k."""
    return DIGITS * params["RadixBits"]


def _of_blocks(params: Params) -> Params:
    return {"Width": params["Width"], "RadixBits": block_bits(params)}


def blocks(params: Params) -> int:
    """N: 3·k·N >= Width + 3·k + 2, so that products feed back; at least three, for `reduce`."""
    return max(LEAST_BLOCKS, form.closed_digits(_of_blocks(params)))


def r_exp(params: Params) -> int:
    """RExp: R = 2^RExp = β^N."""
    return block_bits(params) * blocks(params)


def operand_bits(params: Params) -> int:
    """Bits of an operand, 3·k·N."""
    return r_exp(params)


def constants(params: Params, m: int) -> dict[str, int]:
    """Return M̂ and mprime of a modulus; IllegalModulusError if it is even, below 3 or too wide."""
    return form.constants(_of_blocks(params), m)


def operand_limit(params: Params, m: int) -> int:
    """2·Mt, the exclusive upper bound of operands and products."""
    return form.operand_limit(_of_blocks(params), m)


def operations(params: Params) -> int:
    """Return the block products of a modular product; M̂ has no block N − 1, and so no diagonal there."""
    n = blocks(params)
    return n * n + n - 1


def multiplier_cycles(params: Params) -> int:
    """Return the multiplier-cycles of a modular product: six for each operation."""
    return 6 * operations(params)


def multipliers(params: Params) -> int:
    """Device multipliers: six of the tile, one of perle_tile_leave."""
    assert params["RadixBits"] <= MOST_RADIX
    return 7


def mul_cycles(params: Params) -> int:
    """Latency of OpMul: operands in, N² + N + 12 turns of four contexts, the result out."""
    n = blocks(params)
    return CONTEXTS * (n * n + n + 12) + 4 * n + 24


def leave_cycles(params: Params) -> int:
    """Cycles of the last step out of the Montgomery domain: four passes over 3·N digits."""
    return 4 * (DIGITS * blocks(params) + 12) + 1


def reduce_cycles(params: Params) -> int:
    """Latency of OpReduce: that of OpMul, then the last step with its digits in and out."""
    return mul_cycles(params) + 2 * DIGITS * blocks(params) + leave_cycles(params) + 1


def _unsigned(value: int, bits: int, what: str) -> int:
    assert 0 <= value < 1 << bits, f"{what} leaves its {bits} bits"
    return value


def _signed(value: int, bits: int, what: str) -> int:
    assert -1 << bits - 1 <= value < 1 << bits - 1, f"{what} leaves its {bits} bits"
    return value


def block_product(k: int, u: int, v: int) -> int:
    """u·v of two blocks by six unsigned products of k × k bits: Karatsuba of three digits."""
    a, b = (form.split(k, one, DIGITS) for one in (u, v))
    d = [p * q for p, q in zip(a, b, strict=True)]

    def crossed(i: int, j: int) -> int:
        product = abs(a[i] - a[j]) * abs(b[i] - b[j])
        same = (a[i] >= a[j]) == (b[i] >= b[j])
        return _unsigned(d[i] + d[j] - (product if same else -product), 2 * k + 1, "a crossed sum")

    low, middle, high = crossed(0, 1), crossed(0, 2) + d[1], crossed(1, 2)
    parts = (d[0], low, _unsigned(middle, 2 * k + 2, "the middle sum"), high, d[2])
    return _unsigned(
        sum(part << k * i for i, part in enumerate(parts)), 2 * DIGITS * k, "a product of blocks"
    )


def pair_product(k: int, u: tuple[int, int], v: tuple[int, int]) -> int:
    """(u_0 − u_1)·(v_0 − v_1) of blocks: a product of absolute values, and a sign."""
    product = block_product(k, abs(u[0] - u[1]), abs(v[0] - v[1]))
    return product if (u[0] >= u[1]) == (v[0] >= v[1]) else -product


def pairs(n: int, c: int) -> Iterator[tuple[int, int]]:
    """Yield i < j < N with i + j = c, from the outermost pair inwards."""
    first = max(0, c - n + 1)
    return ((i, c - i) for i in range(first, (c + 1) // 2))


def columns(params: Params, x: list[int], y: list[int], mhat: list[int]) -> list[int]:
    """Return the 2·N blocks that a tile computes for a product: N quotient blocks, then the result.

    Every sum is checked against its bits in hardware: two diagonals with carry, a window of N blocks, all
    pairs of a column.
    """
    n, k, bits = blocks(params), params["RadixBits"], block_bits(params)
    mask, sums = (1 << bits) - 1, bits + n.bit_length()
    q: list[int] = [0] * n
    delta, out = [0] * (2 * n), []
    carry = window = diagonal_carry = 0
    for c in range(2 * n):
        diagonal = diagonal_carry
        if c < n:
            diagonal += block_product(k, x[c], y[c])
        if 1 <= c < n:
            diagonal += block_product(k, q[c - 1], mhat[c - 1])
        diagonal = _unsigned(diagonal, 2 * bits + 1, "a diagonal")
        delta[c], diagonal_carry = diagonal & mask, diagonal >> bits
        window = _unsigned(window + delta[c] - (delta[c - n] if c >= n else 0), sums, "a window")
        total = carry + window
        for i, j in pairs(n, c):
            total -= pair_product(k, (x[i], x[j]), (y[i], y[j]))
        for i, j in pairs(n, c - 1):
            total -= pair_product(k, (q[i], q[j]), (mhat[i], mhat[j]))
        total = _signed(total, 2 * bits + n.bit_length() + 1, "a column")
        if c < n:
            q[c] = total & mask
        out.append(total & mask)
        carry = _signed(total >> bits, bits + n.bit_length() + 1, "a carry")
    assert carry == 0, "the result does not fit its blocks"
    return out


def mont(params: Params, m: int, x: int, y: int) -> int:
    """OpMul: ≡ x·y·R^-1 (mod M), in [0, 2·Mt) for operands in [0, 2·Mt), column by column."""
    n, bits = blocks(params), block_bits(params)
    mhat = form.split(bits, constants(params, m)["mhat"], n)
    found = columns(params, form.split(bits, x, n), form.split(bits, y, n), mhat)
    return sum(block << bits * i for i, block in enumerate(found[n:]))


def mont_value(params: Params, m: int, x: int, y: int) -> int:
    """Return what `mont` returns, in closed form: (x·y + Q·Mt)/R with Q = −x·y·Mt^-1 mod R."""
    return form.product(_of_blocks(params), m, x, y, r_exp(params))


def reduce(params: Params, m: int, x: int) -> int:
    """OpReduce: x·R^-1 mod M in [0, M), for x in [0, 2·Mt).

    The product by β is at most Mt if M is small, and below Mt + β/2 otherwise. Then a step with one quotient
    block and M itself, V = (z + q·M)/β with q = z_0·mprime mod β, gives V < 2·M; V is compared with M.
    """
    return leave(params, m, mont(params, m, x, 1 << block_bits(params)))


def leave(params: Params, m: int, z: int) -> int:
    """z·β^-1 mod M in [0, M), for a product z by β: a step with one quotient block and M, one comparison."""
    n, k, bits = blocks(params), params["RadixBits"], block_bits(params)
    mask = (1 << bits) - 1
    q = block_product(k, z & mask, constants(params, m)["mprime"]) & mask
    carry, value = 0, 0
    for j, (z_j, m_j) in enumerate(zip(form.split(bits, z, n), form.split(bits, m, n), strict=True)):
        total = _unsigned(z_j + carry + block_product(k, q, m_j), 2 * bits, "a step of leaving")
        carry = total >> bits
        if j == 0:
            assert total & mask == 0
        else:
            value |= (total & mask) << bits * (j - 1)
    value |= carry << bits * (n - 1)
    assert value < 2 * m
    return value - m if value >= m else value
