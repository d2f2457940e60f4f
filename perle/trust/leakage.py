# SPDX-License-Identifier: Apache-2.0
"""Side channels: clock cycles for many keys, messages and moduli, and numbers of toggling bits.

In the constant-time modes a power must take the same number of cycles for every exponent, base and modulus of
a width, and an RSA operation for every key and message. Half of each of them are edge cases, such as zeros,
short numbers and numbers of all ones; the others are random. Moduli shorter than the board are compared with
those of their own length, which is public. In the modes for public exponents the time must vary, which shows
that the campaign can detect a difference. Cycles are those that the simulated board counts. For the activity
of a multiplier see `perle.trust.toggles`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from math import gcd, lcm
from pathlib import Path
from random import Random
from typing import Any

from gmpy2 import is_prime

from perle.boards.build import build_board
from perle.boards.sources import kept_files
from perle.cores.registry import Config, families
from perle.host import Boards, Key, Mode
from perle.host.sample import sample
from perle.trust import records, toggles, watched
from perle.trust.fault_cases import KEY_BITS, key_numbers, narrowest
from perle.trust.parts import Part, Task, Wanted
from perle.trust.records import Record, Run
from perle.verify import cases
from perle.verify.cases import edge_moduli, edge_operands

NAME = "leakage"
TRIALS = 1000
TRACES = 1000
SECONDS = 5400.0
"""Limit for all families; most of them reach TRIALS in a fraction of their share."""
EDGES, MULTIPLES = 0.5, 0.1
"""Shares of edge cases among keys, messages, moduli, bases and exponents, and of multiples of a prime."""
CONSTANT, VARYING = ("window", "ladder", "rsa"), ("binary",)
"""Operations whose time must not depend on secrets, and those whose time does."""


@dataclass(frozen=True)
class Timed:
    """The cycles of an operation, and the length of its modulus in bits, which is public."""

    cycles: int
    length: int


def spread(run: Run, ready: float, seconds: float, one: Callable[[], Timed], trials: int) -> Counter[Timed]:
    """Return a histogram of the times of an operation, over that many trials or seconds."""
    found: Counter[Timed] = Counter()
    while found.total() < trials and (run.seconds < ready + seconds or found.total() < 2):
        found[one()] += 1
    return found


def modulus(rng: Random, width: int) -> int:
    """Draw an odd modulus: an edge case, or a random one, of that width or of the length of an edge case."""
    edge = rng.choice(edge_moduli(width))
    if rng.random() < EDGES:
        return edge
    bits = width if rng.random() < 0.75 else edge.bit_length()
    return rng.getrandbits(bits) | 1 << (bits - 1) | 1


def operand(rng: Random, m: int) -> int:
    """Draw a number below a modulus: 0, 1, m - 1 or another edge case, or a random one."""
    return rng.choice(edge_operands(m, m)) if rng.random() < EDGES else rng.randrange(m)


def exponent(rng: Random, width: int) -> int:
    """Draw an exponent: 0, 1, all ones or another edge case, a short one, one of a single bit, or any."""
    if rng.random() >= EDGES:
        return rng.getrandbits(width)
    top = 1 << width
    return rng.choice(
        (*edge_operands(top, top), rng.getrandbits(rng.randint(1, width)), 1 << rng.randrange(width))
    )


def edge_key(rng: Random) -> dict[str, int]:
    """Draw a key with the largest or smallest primes of their width, an unusual private exponent, or both.

    The shortest private exponents have many leading zeros modulo both primes. The largest one, which is its
    own inverse, is p - 2 modulo a prime p.
    """
    primes = edge_primes(KEY_BITS // 2)
    numbers = key_numbers(rng)
    p, q = rng.sample(primes, 2) if rng.random() < EDGES else (numbers["p"], numbers["q"])
    order = lcm(p - 1, q - 1)
    d = rng.choice((operand(rng, order), exponent(rng, KEY_BITS // 2)))
    while gcd(d, order) != 1 or d == 1:
        d = (d + 1) % order
    crt = {"dp": d % (p - 1), "dq": d % (q - 1), "qinv": pow(q, -1, p)}
    return {"n": p * q, "e": pow(d, -1, order), "d": d, "p": p, "q": q, **crt}


def edge_primes(bits: int) -> list[int]:
    """Return the two smallest and the two largest primes of that many bits."""
    least, most = 1 << (bits - 1), 1 << bits
    small = (one for one in range(least + 1, most, 2) if is_prime(one))
    large = (one for one in range(most - 1, least, -2) if is_prime(one))
    return [*islice(small, 2), *islice(large, 2)]


def message(rng: Random, numbers: dict[str, int]) -> int:
    """Draw a message: an edge case, a multiple of a prime, or a random one."""
    n, p = numbers["n"], numbers["p"]
    return p * rng.randrange(n // p) if rng.random() < MULTIPLES else operand(rng, n)


def operations(boards: Boards, config: Config, rng: Random) -> dict[str, Callable[[], Timed]]:
    """Return the operations to be timed: each call draws new secrets and returns its time."""
    width = min(config.width, KEY_BITS)

    def power(mode: Mode) -> Timed:
        m = modulus(rng, width)
        x, e = operand(rng, m), exponent(rng, width)
        return Timed(boards.modexp(x, e, m, mode=mode, bits=width).cycles, m.bit_length())

    def private() -> Timed:
        numbers = edge_key(rng) if rng.random() < EDGES else key_numbers(rng)
        with Key.from_numbers(**numbers) as key:
            done = key.private(boards, message(rng, numbers).to_bytes(key.size, "big"))
        return Timed(done.cycles, numbers["p"].bit_length())

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
    files, settings = basis(config, trials)
    mine = Run(NAME, config.spec, seed, **settings)
    rng = Random(f"{seed} {config.spec}")  # noqa: S311 - not for real secrets
    with Boards(build_board(config)) as boards:
        counts = timing(mine, operations(boards, config, rng), seconds, trials, constant)
    if traces:
        counts |= activity(mine, config, traces)
    return mine.end(counts, files, ("verilator", "g++", "openssl"))


def basis(config: Config, trials: int = TRIALS) -> tuple[list[Path], dict[str, Any]]:
    """Return the files and settings that the measurements depend on."""
    own = [Path(__file__), Path(toggles.__file__), Path(cases.__file__), *watched.HEADERS]
    files = [*kept_files(config), *records.host_files(), *own]
    return files, {"trials": trials, "key_bits": KEY_BITS, "edges": EDGES, "params": config.params}


def timing(
    mine: Run, works: dict[str, Callable[[], Timed]], seconds: float, trials: int, constant: tuple[str, ...]
) -> dict[str, float]:
    """Time operations; return the counts of a record. Times are compared for moduli of the same length."""
    counts: dict[str, float] = {}
    for name, one in works.items():
        found = spread(mine, mine.seconds, seconds / len(works), one, trials)
        times: dict[int, set[int]] = defaultdict(set)
        for each in found:
            times[each.length].add(each.cycles)
        length = max(times, key=lambda length: (len(times[length]), length))
        least, most, different = min(times[length]), max(times[length]), len(times[length])
        counts |= {f"{name}: trials": found.total(), f"{name}: different": different}
        counts |= {f"{name}: lengths": len(times), f"{name}: least": least}
        if name in constant and different > 1:
            mine.fail(
                f"{name} took {least} to {most} cycles for moduli of {length} bits, "
                f"in {found.total()} operations"
            )
        if name not in constant and different == 1:
            mine.fail(f"{name} always took {least} cycles: no difference can be seen")
    return counts


def activity(mine: Run, config: Config, traces: int, blinding: bool = True) -> dict[str, float]:
    """Compare the activity of fixed and random bases; return the counts of a record.

    The library draws its blinding factors at random, so a |t| above the limit is measured once again. Without
    `blinding` the library does not blind; a test uses this to show that the campaign detects it.
    """
    numbers = sample(f"{mine.seed} {config.spec}", config.width // 2, config.width - config.width // 2)
    rngs = {name: Random(f"{mine.seed} {config.spec} {name}") for name in ("plain", "blinded")}  # noqa: S311
    plain, cycles = toggles.compare(config, traces, rngs["plain"], numbers.n)
    most = toggles.limit(cycles)
    with toggles.loaded(config, numbers, blinding=blinding) as given:
        measured = partial(toggles.compare, config, traces, rngs["blinded"], numbers.n, given)
        blinded = measured()[0]
        if blinded > most:
            blinded = min(blinded, measured()[0])
    if plain < most:
        mine.fail(f"no difference can be seen in the activity: |t| = {plain:.1f} in {traces} traces")
    if blinded > most:
        mine.fail(f"activity on blinded bases tells of the message: |t| = {blinded:.1f} in {traces} traces")
    return {
        "toggles: traces": traces,
        "toggles: |t| plain": round(plain, 1),
        "toggles: |t| blinded": round(blinded, 1),
        "toggles: |t| by chance": round(most, 1),
        "toggles: cycles": cycles,
    }


def tasks(wanted: Wanted) -> Iterator[Task]:
    """Yield a task per family."""
    chosen = [wanted.family] if wanted.family else list(families())
    seconds = (wanted.seconds or SECONDS) / len(chosen)
    for family in chosen:
        config = narrowest(family)
        run = partial(_task, config, wanted.seed, seconds)
        yield Task(NAME, config.spec, run, basis=partial(basis, config))


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
    "all keys, messages and moduli of a width; `binary`, for public exponents, does not. The table has the "
    "number of different cycle counts, for moduli of the length where it is largest, and the number of "
    "operations. Half of the numbers are random. The others are edge cases: exponents that are 0, short, of "
    "one bit or all ones; bases and messages 0, 1 and m - 1; the largest, smallest and short moduli; keys "
    "with the largest and smallest primes or private exponents. Activity (the state bits that toggle in each "
    "cycle) depends on operands, because nothing is masked: |t| is the largest value of a t-test between "
    f"{TRACES:,} traces of a power's first products with a fixed base and with random bases. |t|, blinded, "
    "is that of the bases that the host library, with its blinding, gives to a board for a fixed message and "
    "for random ones (keys without primes). It is no larger than expected by chance; a larger value is "
    "measured once again. Power and emission are not measured.",
    tasks,
    ("window", "ladder", "RSA, blinded", "binary", "|t|", "|t|, blinded", "by chance"),
    row,
)
