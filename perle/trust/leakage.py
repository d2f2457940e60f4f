# SPDX-License-Identifier: Apache-2.0
"""Side channels: clock cycles for random keys, messages and moduli, and numbers of toggling bits.

In the constant-time modes a power must take the same number of cycles for every exponent, base and modulus of
a width, and an RSA operation for every key and message. In the modes for public exponents the time must vary,
which shows that the campaign can detect a difference. Cycles are those that the simulated board counts. For
the activity of a multiplier see `perle.trust.toggles`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

from perle.boards.build import build_board
from perle.boards.sources import kept_files
from perle.cores.registry import Config, families
from perle.host import Boards, Key, Mode
from perle.trust import records, toggles, watched
from perle.trust.fault_cases import KEY_BITS, E, key_numbers, narrowest
from perle.trust.parts import Part, Task, Wanted
from perle.trust.records import Record, Run

NAME = "leakage"
TRIALS = 1000
TRACES = 1000
SECONDS = 300.0
CONSTANT, VARYING = ("window", "ladder", "rsa"), ("binary",)
"""Operations whose time must not depend on secrets, and those whose time does."""


def spread(run: Run, ready: float, seconds: float, one: Callable[[], int], trials: int) -> Counter[int]:
    """Return a histogram of the cycles of an operation, over that many trials or seconds."""
    found: Counter[int] = Counter()
    while found.total() < trials and (run.seconds < ready + seconds or found.total() < 2):
        found[one()] += 1
    return found


def operations(boards: Boards, config: Config, rng: Random) -> dict[str, Callable[[], int]]:
    """Return the operations to be timed: each call uses new random secrets and returns its cycles."""
    width = min(config.width, KEY_BITS)

    def power(mode: Mode) -> int:
        m = rng.getrandbits(width) | 1 << (width - 1) | 1
        x, e = rng.randrange(m), rng.getrandbits(width) | 1 << (width - 1)
        return boards.modexp(x, e, m, mode=mode).cycles

    def private() -> int:
        with Key.from_numbers(**key_numbers(rng)) as key:
            return key.private(boards, rng.randrange(key.n).to_bytes(key.size, "big")).cycles

    modes = {mode.name.lower(): partial(power, mode) for mode in (Mode.WINDOW, Mode.LADDER, Mode.BINARY)}
    return {**modes, "rsa": private}


def measure(
    config: Config,
    seed: int,
    seconds: float = SECONDS,
    trials: int = TRIALS,
    constant: tuple[str, ...] = CONSTANT,
    traces: int = TRACES,
) -> Record:
    """Time operations of a configuration; `constant`: those that must not depend on secrets."""
    mine = Run(NAME, config.spec, seed, trials=trials, key_bits=KEY_BITS, e=E)
    rng = Random(f"{seed} {config.spec}")  # noqa: S311 - not for real secrets
    counts: dict[str, float] = {}
    with Boards(build_board(config)) as boards:
        works = operations(boards, config, rng)
        for name, one in works.items():
            found = spread(mine, mine.seconds, seconds / len(works), one, trials)
            counts |= {f"{name}: trials": found.total(), f"{name}: different": len(found)}
            counts[f"{name}: least"] = min(found)
            if name in constant and len(found) > 1:
                mine.fail(f"{name} took {min(found)} to {max(found)} cycles in {found.total()} operations")
            if name not in constant and len(found) == 1:
                mine.fail(f"{name} always took {min(found)} cycles: no difference can be seen")
    if traces:
        counts |= activity(mine, config, traces)
    own = [Path(__file__), Path(toggles.__file__), *watched.HEADERS]
    files = [*kept_files(config), *records.host_files(), *own]
    return mine.end(counts, files, ("verilator", "g++", "openssl"))


def activity(mine: Run, config: Config, traces: int, blinding: bool = True) -> dict[str, float]:
    """Compare the activity of fixed and random bases; return the counts of a record.

    Without `blinding` bases are never blinded; a test uses this to show that the campaign detects it.
    """
    counts: dict[str, float] = {"toggles: traces": traces}
    for name, blinded in (("plain", False), ("blinded", blinding)):
        rng = Random(f"{mine.seed} {config.spec} {name}")  # noqa: S311 - not for real secrets
        most, cycles = toggles.compare(config, traces, rng, blinded=blinded)
        counts |= {f"toggles: |t| {name}": round(most, 1), "toggles: cycles": cycles}
        counts["toggles: |t| by chance"] = round(toggles.limit(cycles), 1)
        if name == "blinded" and most > toggles.limit(cycles):
            mine.fail(f"activity on blinded bases tells of the base: |t| = {most:.1f} in {traces} traces")
        if name == "plain" and most < toggles.limit(cycles):
            mine.fail(f"no difference can be seen in the activity: |t| = {most:.1f} in {traces} traces")
    return counts


def tasks(wanted: Wanted) -> Iterator[Task]:
    """Yield a task per family."""
    chosen = [wanted.family] if wanted.family else list(families())
    seconds = (wanted.seconds or SECONDS) / len(chosen)
    for family in chosen:
        config = narrowest(family)
        yield Task(NAME, config.spec, partial(_task, config, wanted.seed, seconds))


def _task(config: Config, seed: int, seconds: float, _before: Record | None) -> Record:
    return measure(config, seed, seconds)


def row(one: Record) -> tuple[str, ...]:
    """Return the figures of a record."""
    names = (*CONSTANT, *VARYING)
    cycles = (f"{one.counts[f'{name}: different']:,} in {one.counts[f'{name}: trials']:,}" for name in names)
    told = ("plain", "blinded", "by chance")
    activity = (
        f"{one.counts[name]}" if (name := f"toggles: |t| {kind}") in one.counts else "–" for kind in told
    )
    return (*cycles, *activity)


LEAKAGE = Part(
    NAME,
    "Timing and activity",
    "In constant-time modes, powers and private RSA operations take the same number of clock cycles for "
    "all keys, messages and moduli of a width; `binary`, for public exponents, does not. The table has "
    "the number of different cycle counts in the number of operations. Activity (the state bits that "
    "toggle in each cycle) depends on operands, because nothing is masked: |t| is the largest value of a "
    f"t-test between {TRACES:,} traces of a power's first products with a fixed base and with random "
    "bases. For blinded bases, as in private RSA operations, it is no larger than expected by chance. "
    "Power and emission are not measured.",
    tasks,
    ("window", "ladder", "RSA, blinded", "binary", "|t|", "|t|, blinded", "by chance"),
    row,
)
