# SPDX-License-Identifier: Apache-2.0
"""Boards with random parameters among all that `core.toml` allows, and random operations for them.

Named configurations have few values of each parameter. Some defects appear only if a count is a power of two,
an operand fills its last word, or a number has fewer bits than a digit: such parameters are preferred.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from perle.boards import simulated
from perle.boards.simulated import SimulatedBoard
from perle.cores.modexp.model import Command, Mode
from perle.cores.params import Param
from perle.cores.registry import Config, Family, UnknownCoreError
from perle.verify.cases import edge_moduli, edge_operands, operand_limit, random_modulus
from perle.verify.engines.board import Work
from perle.verify.engines.zeroized import Histories

WIDEST = 400
"""Maximum width of a random modulus in bits: a wider board takes minutes to build."""
WIDEST_OF = {"karatsuba": 150, "lowlat": 300, "carry_save": 300, "tile": 330}
DEEPEST = {"karatsuba": 400}
"""Maximum latency of a random product in cycles: every cycle simulates all stages of a pipeline."""
MOST = {"Elements": 24}
"""Maximum random values of parameters for which larger ones would test nothing new."""
POWERS_OF_TWO = ("WordWidth",)
LANES = 9
DRAIN_CYCLES = 512
"""Cycles after which all pipelines of a board with idle lanes are empty."""
NARROW = 40


@dataclass(frozen=True)
class Drawn:
    """A board: parameters of its family, bits of its bus, lanes."""

    config: Config
    word_bits: int
    lanes: int

    @property
    def name(self) -> str:
        """FAMILY:CONFIG[,lanes=T], and the bits of the bus."""
        lanes = f",lanes={self.lanes}" if self.lanes > 1 else ""
        return f"{self.config.spec}{lanes} on a bus of {self.word_bits} bits"

    def histories(self) -> DrawnHistories:
        """Return the histories that show whether secrets are left on it."""
        return DrawnHistories(self.config, self.lanes, self.word_bits, DRAIN_CYCLES, rested=True, checks=True)

    def build(self) -> Path:
        """Return the shared object, with assertions, random values at power-up, and traces of all state."""
        return self.histories().board()

    def each(self, board: SimulatedBoard) -> list[SimulatedBoard]:
        """Return the lanes of a board."""
        return [board.lane(index) for index in range(self.lanes)]


def draw(family: Family, rng: Random, lanes_of: Sequence[int] = ()) -> Drawn:
    """Draw a board; the operands of half of them end at, or next to, the end of a word.

    It has one of the numbers `lanes_of` of lanes; by default half of the boards have one lane.
    """
    while True:
        word_bits, lanes = rng.choice((32, 64)), rng.choice(lanes_of or (1, rng.randint(2, LANES)))
        params = {name: _value(name, one, rng) for name, one in family.params.items() if name != "Width"}
        widths = family.params["Width"]
        top = min(widths.hi, WIDEST_OF.get(family.name, WIDEST))
        kind = rng.choice(("any", "narrow", "words", "words"))
        if kind == "words":
            words = rng.choice((1, 2, 4, 8, rng.randint(1, 9)))
            wanted = words * word_bits + rng.choice((-1, 0, 0, 1))
            chosen = _of_operands(family, params, wanted, range(widths.lo, top + 1))
        else:
            chosen = rng.randint(widths.lo, min(top, NARROW) if kind == "narrow" else top)
        try:
            config = family.config_of({**params, "Width": chosen})
        except UnknownCoreError:  # violates a rule of the family
            continue
        if config.model.mul_cycles(config.params) <= DEEPEST.get(family.name, math.inf):
            return Drawn(config, word_bits, lanes)


def _value(name: str, one: Param, rng: Random) -> int:
    """Draw a parameter, in half of the cases from the ends of its range."""
    most = min(one.hi, MOST.get(name, one.hi))
    if name in POWERS_OF_TWO:
        return 1 << rng.randint(one.lo.bit_length() - 1, most.bit_length() - 1)
    return rng.choice((one.lo, most, min(one.default, most), rng.randint(one.lo, most)))


def _of_operands(family: Family, params: dict[str, int], wanted: int, widths: range) -> int:
    """Return the width whose number of operand bits is nearest to `wanted`."""

    def bits(width: int) -> int:
        try:
            return Config(family, "", family.complete({**params, "Width": width})).operand_bits
        except UnknownCoreError:
            return -WIDEST

    return min(widths, key=lambda width: abs(bits(width) - wanted))


def work(config: Config, rng: Random) -> Work:
    """Draw an operation: half of the moduli, and of the operands and exponents, are edges."""
    width = config.width
    modulus = rng.choice([*edge_moduli(width), 3]) if rng.random() < 0.5 else random_modulus(rng, width)
    m = min(modulus, (1 << width) - 1)
    op = rng.choice((Command.MONT, Command.MULMOD, Command.EXP, Command.EXP))
    limit = operand_limit(config, m) if op is Command.MONT else m
    elen = rng.choice((1, width, rng.randint(1, width)))
    full = (1 << elen) - 1
    e = rng.choice((0, 1, full, full // 2 + 1, rng.getrandbits(elen), rng.getrandbits(elen)))

    def operand() -> int:
        return rng.choice(edge_operands(m, limit)) if rng.random() < 0.5 else rng.randrange(limit)

    return Work(op, m, operand(), operand(), e, elen, rng.choice(list(Mode)))


class DrawnHistories(Histories):
    """Histories of a random board, for which the time of an operation is not known in advance."""

    def drain(self, board: SimulatedBoard) -> None:
        """Wait until no lane is busy, and until pipelines that advance in every cycle are empty."""
        for lane in (board.lane(index) for index in range(self.lanes)):
            while lane.read(simulated.STATUS) & simulated.BUSY:
                board.advance(64)
        board.advance(self.drain_cycles)
