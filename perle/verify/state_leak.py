# SPDX-License-Identifier: Apache-2.0
"""State leaks of exponentiators: registers and memory words that still depend on earlier operations.

Two histories of the same commands at the same times, with different secrets and different contents at
power-up, end with a zeroization. Any difference between them then, anywhere in the design, is a state leak.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from perle.cores.modexp.model import Command, Mode
from perle.cores.registry import Config
from perle.verify.cases import random_modulus
from perle.verify.word import WordBench

EXPONENT_BITS = 16


def signals(vcd: Path) -> dict[str, str]:
    """Return the value of every signal of a VCD file with one point in time, by its full name."""
    scope: list[str] = []
    names: dict[str, list[str]] = {}
    values: dict[str, str] = {}
    for line in vcd.read_text(encoding="utf-8").splitlines():
        match line.split():
            case ["$scope", _, name, "$end"]:
                scope.append(name)
            case ["$upscope", "$end"]:
                scope.pop()
            case ["$var", _, _, code, *name, "$end"]:
                names.setdefault(code, []).append(".".join([*scope, "".join(name)]))
            case [value, code] if value[0] == "b":
                values[code] = value
            case [value] if value[0] in "01":
                values[value[1:]] = value[0]
    return {name: values[code] for code, known in names.items() for name in known}


@dataclass(frozen=True)
class History:
    """The secrets of one history, and the initial contents of the registers."""

    config: Config
    seed: int

    def run(self, after: Callable[[WordBench], None], folder: Path) -> dict[str, str]:
        """Return all signals after exponentiations in both constant-time modes and what follows, `after`."""
        rng = Random(self.seed)  # noqa: S311 - not for real secrets; failures must be reproducible
        m = random_modulus(rng, self.config.width) | 1 << (self.config.width - 1)
        with WordBench(self.config, traced=True, seed=self.seed) as bench:
            bench.load(m)
            for mode in (Mode.WINDOW, Mode.LADDER):
                # the last bit is secret too, so it differs between histories of consecutive seeds
                x, e = rng.randrange(m), rng.getrandbits(EXPONENT_BITS) << 1 | self.seed % 2
                power = bench.command(Command.EXP, x, e=e, mode=mode, elen=EXPONENT_BITS + 1)
                assert power == pow(x, e, m)
            after(bench)
            assert not bench.errors()
            dump = folder / f"{self.seed}.vcd"
            bench.lib.word_dump(bench.handle, str(dump).encode())
        return signals(dump)


def zeroize(bench: WordBench) -> None:
    """Give the command ZEROIZE, and wait for its end."""
    bench.lib.word_zeroize(bench.handle)
    bench.wait()


def interrupt(cycles: int) -> Callable[[WordBench], None]:
    """Return a function that starts another exponentiation and resets it after that many cycles."""

    def after(bench: WordBench) -> None:
        bench.start(Command.EXP, Mode.WINDOW, EXPONENT_BITS)
        bench.lib.word_advance(bench.handle, cycles)
        bench.lib.word_reset(bench.handle)
        bench.wait()

    return after


def difference(config: Config, after: Callable[[WordBench], None], folder: Path) -> list[str]:
    """Return the names of the signals in which two histories, ended by `after`, differ."""
    one, other = (History(config, seed).run(after, folder) for seed in (1, 2))
    assert one.keys() == other.keys()
    return sorted(name for name in one if one[name] != other[name])
