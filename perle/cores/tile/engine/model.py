# SPDX-License-Identifier: Apache-2.0
"""Cycle counts of the engine of tiles: products of a lane, their distance, batches on all lanes.

A context computes a product in N² + N + 5 of its turns, one cycle in four, for five blocks or more; see
`turns` for fewer. Lanes are loaded and unloaded one at a time, for all tiles, and every block takes an access
of the tiles' bus, which waits for a free port of its tile. So the cycles of a batch are not exact here:
`load` uses the mean duration of an access, and tests compare it with the hardware within `LOAD_ERROR`.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

from perle.cores import engine_products
from perle.cores.modexp.model import Command, Mode, words
from perle.cores.registry import Config
from perle.cores.tile.model import CONTEXTS, DIGITS, block_bits, blocks, leave_cycles

Params = dict[str, int]

window_bits = engine_products.window_bits
products = engine_products.products
zeroize_products = engine_products.zeroize_products

TURN_MARGIN = 5
"""Turns of a product beyond N² + N, for five blocks or more: three operations without a block product, and
two in which its context waits for quotient blocks (`schedule.rate`)."""

TILE_MULTIPLIERS = 6
OWN_PLACES = 4
"""Numbers that each context keeps in either memory of its tile besides half of the powers; the contexts of a
tile share one more, with Narrow two."""
WINDOW_MEMORIES, KEPT_MEMORIES = 2, 2
"""Block memories for the sums of a tile's diagonals, and for the operands of the lane that is being loaded;
both hold blocks of 54 bits."""
ENGINE_TILES = 6
"""Tiles of the measured engine. An LFE5U-85F has room for three such engines; LUTs are the limit."""
WORD_BITS = 64
LOAD_SLOTS = 6
"""Operands that a host writes in addition to the exponent: M, X, Y, R², M̂, mprime."""

EXACT_CYCLES = False
"""Whether cycle counts of operations are exact: here the counter depends on the turn in which the end of an
operation is noticed."""
ADDRESS_CYCLES = 24
"""Cycles that perle_tile_exponents, which serves the contexts in turn, spends on each before the next one."""
ACCESS_CYCLES = 11.0
"""Mean cycles of a write to a tile over the bus of the tiles, while the context that is loaded is idle."""
READ_CYCLES = 12.5
"""Mean cycles of a read over the same bus, including the storing of the digits."""
LOAD_CYCLES, FIND_CYCLES, UNLOAD_CYCLES = 40, 5, 6
"""Further cycles: per loading of a lane, per word of its exponent, and per unloading."""
LOAD_ERROR = 0.02
"""Maximum relative error of `load`, for five blocks or more."""


def sized(params: Params, bits: int | None) -> Params:
    """Return the parameters that decide the time of an exponentiation with a modulus of `bits` bits.

    With Narrow these are the parameters of an engine for such moduli; None is the widest modulus.
    """
    return {**params, "Width": bits} if bits is not None and params.get("Narrow") else params


def divisions(params: Params, bits: int | None) -> int:
    """Products that make R² mod M that of fewer blocks: ⌈2·(N of the widest modulus − N)/N⌉."""
    n = blocks(sized(params, bits))
    return -(-2 * (blocks(params) - n) // n)


def turns(params: Params) -> int:
    """Return the average number of turns of its context that a product takes, for five blocks or more.

    With three or four blocks a product waits longer, 22 or 27 turns (`schedule.rate`), which is not counted.
    """
    n = blocks(params)
    return n * n + n + TURN_MARGIN


def product_cycles(params: Params) -> int:
    """Cycles from one product of a lane to its next; for three blocks perle_tile_exponents is the limit."""
    return CONTEXTS * max(turns(params), ADDRESS_CYCLES)


def cycles(
    config: Config,
    command: Command,
    mode: Mode = Mode.WINDOW,
    elen: int = 0,
    exponent: int = 0,
    *,
    bits: int | None = None,
) -> int:
    """Cycles of an operation without loading and unloading; with Narrow, `bits` of the modulus of a power."""
    params = config.params
    if command is not Command.EXP:
        bits = None
    count_of = products(config, command, mode, elen, exponent) + divisions(params, bits)
    return count_of * product_cycles(sized(params, bits))


def _blocks_deep(words: int, bits: int) -> int:
    """Return the block memories for `words` words of `bits` bits (perle_ram of an ECP5)."""
    wide = next(
        wide for deep, wide in ((1024, 18), (2048, 9), (4096, 4), (8192, 2), (16384, 1)) if words <= deep
    )
    return -(-bits // wide)


def lane_words(params: Params) -> int:
    """Words of a lane: slots of M, X, Y, R², M̂, E and the result, and one word of m′."""
    return 7 * -(-blocks(params) * DIGITS * params["RadixBits"] // WORD_BITS) + 1


def tile_memories(params: Params) -> int:
    """Block memories of a tile: of memory X, memory Y and the sums of its diagonals."""
    numbers = CONTEXTS * (OWN_PLACES + params["Powers"] // 2) + 1 + params["Narrow"]
    return 2 * _blocks_deep(numbers * blocks(params), block_bits(params)) + WINDOW_MEMORIES


def block_memories(params: Params, lanes: int) -> int:
    """Block memories of an engine: of its tiles, of its lanes' words, of moduli."""
    own = _blocks_deep(lanes * lane_words(params), WORD_BITS) + KEPT_MEMORIES
    moduli = _blocks_deep(lanes * DIGITS * blocks(params), params["RadixBits"])
    return own + moduli + tile_memories(params) * tiles(lanes)


def measured_lanes(params: Params) -> int:
    """Lanes of the measured engine: four in each tile."""
    del params
    return CONTEXTS * ENGINE_TILES


def least_lanes(params: Params) -> int:
    """Lanes that keep a tile busy."""
    del params
    return CONTEXTS


def in_flight(params: Params, lanes: int) -> int:
    """Lanes, of that many, with a product in flight: all, as every context has its turns."""
    del params
    return lanes


def tiles(lanes: int) -> int:
    """Return the tiles of an engine."""
    return -(-lanes // CONTEXTS)


def multipliers(lanes: int) -> int:
    """Device multipliers of an engine: those of its tiles, and one of perle_tile_leave."""
    return TILE_MULTIPLIERS * tiles(lanes) + 1


def capacity(params: Params, lanes: int) -> tuple[int, float]:
    """Return device multipliers, and the average initiation interval over all lanes, four in each tile."""
    return multipliers(lanes), turns(params) / tiles(lanes)


def load_cycles(config: Config, word_bits: int = 64, bits: int | None = None) -> float:
    """Cycles of a lane at the loader: two per word, one per digit, an access per block, the start."""
    line, n = words(config, word_bits), blocks(config.params)
    digits = -(-line * word_bits // config.params["RadixBits"])
    accesses = 4 * n + line * word_bits // 32
    starting = product_cycles(sized(config.params, bits)) / 2  # mean wait for its quarter of a product
    return (
        LOAD_CYCLES
        + LOAD_SLOTS * (2 * line + digits)
        + accesses * ACCESS_CYCLES
        + line * FIND_CYCLES
        + starting
    )


def unload_cycles(config: Config, word_bits: int = 64) -> float:
    """Cycles of a lane at the unloader: its blocks, the last step, two bits per cycle into words."""
    line, n = words(config, word_bits), blocks(config.params)
    return (
        UNLOAD_CYCLES
        + n * READ_CYCLES
        + leave_cycles(config.params)
        + line * (word_bits // 2 + 1)
        + DIGITS * n
    )


@dataclass(frozen=True)
class Load:
    """Cycles of a batch of equal operations, loading included; η (docs/metrics.md) of the multipliers."""

    cycles: float
    eta: float


def load(
    config: Config,
    lanes: int,
    operations: int,
    count_of: int,
    *,
    gap: int = 0,
    word_bits: int = 64,
    bits: int | None = None,
) -> Load:
    """Return the load of `operations` of `count_of` products each; a lane restarts `gap` after its end.

    With Narrow they are exponentiations with moduli of `bits` bits (default: the widest).
    """
    work = (count_of + divisions(config.params, bits)) * product_cycles(sized(config.params, bits))
    loading, unloading = load_cycles(config, word_bits, bits), unload_cycles(config, word_bits)
    left, loader, unloader, total = operations, 0.0, 0.0, 0.0
    # time at which a lane waits for the loader (True) or the unloader (False)
    waiting = [(0.0, lane, True) for lane in range(min(lanes, operations))]
    while waiting:
        since, lane, loads = heapq.heappop(waiting)
        if loads:
            left -= 1
            loader = max(since, loader) + loading
            heapq.heappush(waiting, (loader + work, lane, False))
        else:
            total = unloader = max(since, unloader) + unloading
            if left > sum(one[2] for one in waiting):
                heapq.heappush(waiting, (unloader + gap, lane, True))
    between = total / (operations * count_of)
    width, per_product = bits or config.width, multipliers(lanes) * config.params["RadixBits"] ** 2
    return Load(total, 2 * width**2 / (between * per_product))
