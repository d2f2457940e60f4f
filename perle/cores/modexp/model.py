# SPDX-License-Identifier: Apache-2.0
"""Cycle counts of the exponentiator, and its operations step by step with the model of a family.

The cycles of an operation are counted from the acceptance of its first request to its last response. Products
follow each other without a gap, so that the count is a sum of latencies. `io_cycles` counts the word port
(tang2003 slide 25).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from perle.cores.registry import Config, Forwarding, run_time_width

WINDOW_BITS = 4
"""Bits of a digit of the exponent in window mode, on every board."""

SETTLE_CYCLES = 12
"""Cycles from the acceptance of a product until the next one is prepared. A shorter product, as on some cores
of at most eight bits, takes this long too."""

SELECT_CYCLES = 8
"""Cycles that the masked read of the table takes in addition to one per entry."""

CHECK_CYCLES = 2 + SETTLE_CYCLES
"""Cycles of the operand check. The product that runs during it cannot end earlier."""


class Command(IntEnum):
    """Command of a board (perle_pkg::cmd_e)."""

    MONT = 0
    MULMOD = 1
    EXP = 2


class Mode(IntEnum):
    """Exponentiation algorithm (perle_pkg::mode_e)."""

    WINDOW = 0
    BINARY = 1
    PAPER = 2
    LADDER = 3


@dataclass(frozen=True)
class Count:
    """Number of products (OpMul) of an operation, and of final reductions (OpReduce): 0 or 1."""

    products: int
    reduces: int


def words(config: Config, word_bits: int = 64) -> int:
    """Words of an operand."""
    return -(-config.operand_bits // word_bits)


def io_cycles(config: Config, word_bits: int = 64) -> tuple[int, int]:
    """Cycles of the word port: write R², M̂, A, E and the start; latch and read the result."""
    w = words(config, word_bits)
    return 4 * w + 1, w + 1


def digits(elen: int, window_bits: int = WINDOW_BITS) -> int:
    """Window digits of an exponent of `elen` bits."""
    return -(-elen // window_bits)


def count(
    config: Config,
    command: Command,
    mode: Mode = Mode.WINDOW,
    elen: int = 0,
    weight: int = 0,
    w: int = WINDOW_BITS,
) -> Count:
    """Count products; `weight`, the ones among the scanned bits, matters in ModeBinary and ModePaper only."""
    if command is Command.MONT:
        return Count(1, 0)
    if command is Command.MULMOD:
        return Count(3, 1)
    if mode is Mode.WINDOW:
        return Count(2 + ((1 << w) - 2) + digits(elen, w) * (w + 1), 1)
    if mode is Mode.LADDER:
        return Count(2 + 2 * elen, 1)
    if mode is Mode.BINARY:
        return Count(2 + elen + weight, 1)
    return Count(3 + config.operand_bits + weight, 0)


def product_cycles(config: Config, bits: int | None = None) -> tuple[int, int]:
    """Latencies of a product and of the final reduction for a modulus of `bits` bits (default: the widest).

    They depend on `bits` only in families whose operand width is an input of the operation.
    """
    model, par = config.model, config.params
    narrow = run_time_width(config)
    if bits is None or narrow is None:
        return model.mul_cycles(par), model.reduce_cycles(par)
    return narrow.mul_cycles_for(par, bits), narrow.reduce_cycles_for(par, bits)


def early_cycles(config: Config, bits: int | None = None) -> int:
    """Latency of a product that another follows, if the exponentiator does not share its multiplier."""
    if isinstance(config.model, Forwarding):
        return config.model.early_cycles(config.params)
    return product_cycles(config, bits)[0]


def select_wait(mul: int, w: int = WINDOW_BITS, late: int = 0) -> int:
    """Cycles by which reading all 2^w entries of the table takes longer than the w squarings meanwhile.

    `late`: cycles from the response of a product until it is stored.
    """
    return max(0, (1 << w) + SELECT_CYCLES + late - w * mul)


def cycles(
    config: Config,
    command: Command,
    mode: Mode = Mode.WINDOW,
    elen: int = 0,
    exponent: int = 0,
    *,
    window_bits: int = WINDOW_BITS,
    bits: int | None = None,
    alone: bool = True,
) -> int:
    """Clock cycles of an operation as the board's cycle counter shows them; `bits` as in `product_cycles`.

    The operand check runs during the first product; if that is shorter, its response waits. `alone`: the
    exponentiator does not share its multiplier, so that products may be forwarded (`early_cycles`).
    """
    scanned = exponent if mode is Mode.PAPER else exponent & ((1 << elen) - 1)
    n = count(config, command, mode, elen, scanned.bit_count(), window_bits)
    mul, reduce = (max(SETTLE_CYCLES, each) for each in product_cycles(config, bits))
    followed = max(SETTLE_CYCLES, early_cycles(config, bits)) if alone else mul
    last = reduce if n.reduces else mul - followed
    wait = max(0, CHECK_CYCLES - followed)
    if command is Command.EXP and mode is Mode.WINDOW:
        wait += digits(elen, window_bits) * select_wait(followed, window_bits, mul - followed)
    return wait + n.products * followed + last


Multiply = Callable[[int, int], int]


def _window(mul: Multiply, base: int, one: int, e: int, elen: int) -> int:
    table = [one, base]
    while len(table) < 1 << WINDOW_BITS:
        table.append(mul(base, table[-1]))
    z = one
    for i in reversed(range(digits(elen))):
        for _ in range(WINDOW_BITS):
            z = mul(z, z)
        z = mul(table[e >> (WINDOW_BITS * i) & ((1 << WINDOW_BITS) - 1)], z)
    return z


def _ladder(mul: Multiply, base: int, one: int, e: int, elen: int) -> int:
    pair, square = [one, base], 1
    for i in reversed(range(elen)):
        bit = e >> i & 1
        product = mul(pair[square], pair[1 - square])
        pair[bit], pair[1 - bit], square = mul(pair[bit], pair[bit]), product, bit
    return pair[0]


def _binary(mul: Multiply, base: int, one: int, e: int, length: int) -> int:
    z = one
    for i in reversed(range(length)):
        z = mul(z, z)
        if e >> i & 1:
            z = mul(base, z)
    return z


def run(
    config: Config,
    command: Command,
    m: int,
    x: int,
    y: int = 0,
    e: int = 0,
    mode: Mode = Mode.WINDOW,
    elen: int = 0,
) -> int:
    """Bit-exact result of an operation: the same products in the same order as perle_modexp."""
    model, par = config.model, config.params
    r2 = pow(1 << model.r_exp(par), 2, m)

    def mul(a: int, b: int) -> int:
        return model.mont(par, m, a, b)

    if command is Command.MONT:
        return mul(x, y)
    if command is Command.MULMOD:
        return model.reduce(par, m, mul(mul(mul(x, r2), y), r2))
    base = mul(x, r2)
    if mode is Mode.WINDOW:
        return model.reduce(par, m, _window(mul, base, mul(1, r2), e, elen))
    if mode is Mode.LADDER:
        return model.reduce(par, m, _ladder(mul, base, mul(1, r2), e, elen))
    z = _binary(mul, base, mul(1, r2), e, config.operand_bits if mode is Mode.PAPER else elen)
    return mul(1, z) if mode is Mode.PAPER else model.reduce(par, m, z)
