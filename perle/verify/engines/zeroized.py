# SPDX-License-Identifier: Apache-2.0
"""State leaks of engines: compares all registers and memory words of a board after two histories.

Both have the same commands at the same times, with different secrets and different contents at power-up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from perle.boards import simulated
from perle.boards.build import SIM_CPP, Variant, write_headers
from perle.boards.simulated import SimulatedBoard
from perle.boards.sources import assertion_files, config_hash, sources
from perle.cores.modexp.model import Command, Mode
from perle.cores.registry import Config
from perle.flow.cache import cached, content_hash
from perle.flow.verilator import build_so, verilator_version
from perle.verify.cases import random_modulus
from perle.verify.engines.board import Work, put, start
from perle.verify.state_leak import signals

SHOWN = ["--trace-max-array", "65536", "--trace-max-width", "65536", "--x-initial", "unique"]


@dataclass(frozen=True)
class Histories:
    """A board whose lanes compute with secrets; `drain_cycles` after their start all lanes are idle.

    `rested`: start only after the clearing that follows a reset has ended. `checks`: with assertions.
    """

    config: Config
    lanes: int
    word_bits: int
    drain_cycles: int
    rested: bool = False
    checks: bool = False

    def board(self) -> Path:
        """Return the board, built so that a trace shows whole memories, with random contents at power-up."""
        made_of = config_hash(self.config, self.lanes), self.word_bits, self.checks
        checks = assertion_files(self.config, self.lanes) if self.checks else []
        key = content_hash([Path(__file__), *checks], made_of, verilator_version())
        return cached(f"zeroized-{key}", ".so", self._make)

    def _make(self, out: Path) -> None:
        variant = Variant(self.word_bits, self.lanes, "vcd", self.checks)
        generated = out.with_name("generated")
        board = sources(self.config, self.word_bits, generated, lanes=self.lanes, checks=self.checks)
        extra = [*variant.flags, *SHOWN, *write_headers(self.config, variant, generated), str(board.waivers)]
        build_so(board.top, board.files, SIM_CPP, {}, out, trace="vcd", extra=extra)

    def drain(self, board: SimulatedBoard) -> None:
        """Wait until no lane is busy, by a number of clock cycles."""
        board.advance(self.drain_cycles)
        lanes = [board.lane(index) for index in range(self.lanes)]
        assert not any(lane.read(simulated.STATUS) & simulated.BUSY for lane in lanes)

    def work(self, board: SimulatedBoard, seed: int) -> None:
        """Start an exponentiation with its own operands on every lane, by window and ladder in turn.

        A single lane takes the ladder, which stores the last bit of the exponent. That bit is secret too, so
        it differs between histories of consecutive seeds.
        """
        if self.rested:
            self.drain(board)
        rng, width = Random(seed), self.config.width
        for index in range(self.lanes):
            m = random_modulus(rng, width) | 1 << width - 1
            mode = Mode.LADDER if index % 2 or self.lanes == 1 else Mode.WINDOW
            x, y, e = rng.randrange(m), rng.randrange(m), rng.getrandbits(width) & ~1 | seed % 2
            lane, work = board.lane(index), Work(Command.EXP, m, x, y, e, width, mode)
            put(lane, self.config, work)
            start(lane, work)

    def zeroize(self, board: SimulatedBoard) -> None:
        """Finish, then zeroize every lane."""
        self.drain(board)
        for index in range(self.lanes):
            board.lane(index).write(simulated.CONTROL, simulated.ZEROIZE)
        self.drain(board)

    def reset(self, after: int) -> Callable[[SimulatedBoard], None]:
        """Return a function that resets the board in the middle of the work, after that many cycles."""

        def ending(board: SimulatedBoard) -> None:
            board.advance(after)
            board.reset()
            self.drain(board)

        return ending

    def difference(self, ending: Callable[[SimulatedBoard], None], folder: Path) -> list[str]:
        """Return the names of the signals that differ between two histories, ended by `ending`."""
        one, other = map(partial(self._signals, ending, folder), (1, 2))
        assert one.keys() == other.keys()
        return sorted(name for name in one if one[name] != other[name])

    def _signals(self, ending: Callable[[SimulatedBoard], None], folder: Path, seed: int) -> dict[str, str]:
        dump = folder / f"{seed}.vcd"
        with SimulatedBoard(self.board()) as board:
            self.work(board, seed)
            ending(board)
            board.trace(dump)
            board.advance(1)
            board.trace(None)
        text = dump.read_text(encoding="utf-8")
        dump.write_text("\n".join(line for line in text.splitlines() if line[:1] != "#"), encoding="utf-8")
        return signals(dump)
