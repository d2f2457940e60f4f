# SPDX-License-Identifier: Apache-2.0
"""Bit flips in registers and memories of boards while libperle works on them, through its public interface.

Every trial runs an operation whose result is known from Python's integers, flips one or two bits of state
at random clock cycles of it, and notes how it ended; then it runs the operation again. A flip hits a register in
one half of the trials and a memory word in the other, as long as there are both, every bit of a kind with the
same chance.

    right        the result is right: nothing came of it, or libperle did it again unasked (`recovered`)
    refused      PERLE_ERR_FAULT, or an error flag of the board: no result
    error        any other error, by its name
    wrong        a wrong result was released: a failure
    dead         the operation was not right within two more tries: a failure
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from perle.cores.registry import Config, families
from perle.host import Batch, Boards, Key, PerleError
from perle.host.key import Output
from perle.trust import fault_board, records
from perle.trust.fault_board import MEMORIES, REGISTERS, Upsets
from perle.trust.records import Record, Run

PART = "faults"
KEY_BITS = 128
"""A key as short as this exercises every step of an operation, and leaves time for many of them."""
E = 65537
LANES = 4
TRIES = 2
WORKS = ("rsa", "modexp", "mulmod", "batch")

REFUSALS = {"PERLE_ERR_FAULT": "refused", "PERLE_ERR_BOARD_FLAG": "refused", "PERLE_ERR_TIMEOUT": "time-out"}


@dataclass(frozen=True)
class Work:
    """An operation on boards: what it gives, and what it has to give."""

    run: Callable[[], object]
    expected: object


@dataclass(frozen=True)
class Case:
    """What is flipped under what: a board, the operation on it, and how many bits at a time."""

    config: Config
    work: str
    flips: int = 1

    @property
    def lanes(self) -> int:
        """Lanes of the board: a batch needs several to have something in flight."""
        return LANES if self.work == "batch" else 1

    @property
    def name(self) -> str:
        """FAMILY:CONFIG[,lanes=T] WORK, single or double."""
        lanes = f",lanes={self.lanes}" if self.lanes > 1 else ""
        return f"{self.config.spec}{lanes} {self.work} {'single' if self.flips == 1 else 'double'}"


def narrowest(family: str) -> Config:
    """Return a family's configuration for the shortest moduli: the quickest to simulate."""
    one = families()[family]
    return min((one.config(name) for name in one.configs), key=lambda config: config.width)


def cases(only: str | None = None) -> list[Case]:
    """Return what a whole campaign tries: all families, or one."""
    chosen = [only] if only else list(families())
    return [
        Case(narrowest(family), work, flips) for family in chosen for work in WORKS for flips in (1, 2)
    ]


def _primes(rng: Random) -> tuple[int, int]:
    found: list[int] = []
    while len(found) < 2:
        candidate = rng.getrandbits(KEY_BITS // 2) | 3 << (KEY_BITS // 2 - 2) | 1
        if candidate % E != 1 and candidate not in found and _is_prime(candidate, rng):
            found.append(candidate)
    return found[0], found[1]


def _is_prime(n: int, rng: Random) -> bool:
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for _ in range(30):
        value = pow(rng.randrange(2, n - 1), odd, n)
        if value in (1, n - 1):
            continue
        if all((value := value * value % n) != n - 1 for _ in range(twos - 1)):
            return False
    return True


@contextmanager
def prepared(case: Case, boards: Boards, rng: Random) -> Iterator[Work]:
    """Make the operation of a case, with a key or numbers of its own; blinding off, so that it repeats."""
    p, q = _primes(rng)
    n, d = p * q, pow(E, -1, (p - 1) * (q - 1))
    if case.work in ("modexp", "mulmod"):
        m = min(n, p) if case.config.width < KEY_BITS else n
        x, y = rng.randrange(m), rng.randrange(m)
        run = (lambda: boards.modexp(x, y, m)) if case.work == "modexp" else (lambda: boards.mulmod(x, y, m))
        yield Work(lambda: run().value, pow(x, y, m) if case.work == "modexp" else x * y % m)
        return
    crt = {"p": p, "q": q, "dp": d % (p - 1), "dq": d % (q - 1), "qinv": pow(q, -1, p)}
    with Key.from_numbers(n=n, e=E, d=d, **crt) as key:
        messages = [rng.randrange(n).to_bytes(key.size, "big") for _ in range(case.lanes)]
        powers = [pow(int.from_bytes(one, "big"), d, n).to_bytes(key.size, "big") for one in messages]
        if case.work == "rsa":
            yield Work(lambda: _data(key.private(boards, messages[0], blinding=False)), powers[0])
        else:
            yield Work(lambda: _batch(boards, key, messages), powers)


def _data(output: Output) -> bytes:
    return output.data


def _batch(boards: Boards, key: Key, messages: list[bytes]) -> list[bytes]:
    """Return the results of a batch in the order of its messages; the first error is raised at its end."""
    with Batch(boards) as batch:
        for tag, message in enumerate(messages):
            batch.submit(key, message, tag=tag, blinding=False)
        ended = sorted(batch.finished(), key=lambda done: done.tag)
    if [done.tag for done in ended] != list(range(len(messages))):
        raise LostError(f"{len(messages)} operations went in, {[done.tag for done in ended]} came out")
    for done in ended:
        # what is released beside an error has to be right too
        if done.error is None and pow(int.from_bytes(done.data, "big"), E, key.n) != int.from_bytes(
            messages[done.tag], "big"
        ):
            return [done.data for done in ended]
    for done in ended:
        if done.error is not None:
            raise done.error
    return [done.data for done in ended]


class LostError(Exception):
    """A batch reported an operation not at all, or twice."""


@dataclass
class Campaign:
    """A board that is flipped, and what came of it up to now."""

    case: Case
    boards: Boards
    upsets: Upsets
    rng: Random
    run: Run
    counts: Counter[str]

    def trial(self, work: Work, length: int, number: int) -> None:
        """Flip bits during one operation, and see whether the next one is right."""
        places = [self._arm(length) for _ in range(self.case.flips)]
        before = self.boards.total().faults
        outcome = self._outcome(work)
        if self.upsets.disarm():
            self.counts["late"] += 1  # the operation ended before the last flip
        if outcome == "right" and self.boards.total().faults != before:
            outcome = "recovered"
        self.counts[outcome] += 1
        told = f"{self.case.name}, trial {number}: {', '.join(places)}"
        if outcome in ("wrong", "lost"):
            self.run.fail(f"{outcome}: {told}")
        after = next((i for i in range(TRIES) if self._outcome(work) == "right"), None)
        self.counts["after: at once" if after == 0 else "after: once refused" if after else "after: dead"] += 1
        if after is None:
            self.run.fail(f"dead: {told}")

    def _arm(self, length: int) -> str:
        kinds = [kind for kind in (REGISTERS, MEMORIES) if self.upsets.bits(kind)]
        kind = self.rng.choice(kinds)
        bit = self.rng.randrange(self.upsets.bits(kind))
        offset = 1 + self.rng.randrange(length)
        self.counts["flips in registers" if kind == REGISTERS else "flips in memories"] += 1
        return f"{self.upsets.arm(self.upsets.cycles + offset, kind, bit)} bit {bit} after {offset} cycles"

    def _outcome(self, work: Work) -> str:
        try:
            return "right" if work.run() == work.expected else "wrong"
        except LostError:
            return "lost"
        except PerleError as error:
            return REFUSALS.get(error.name, f"error {error.name}")


def run(
    case: Case,
    trials: int,
    seed: int,
    *,
    seconds: float | None = None,
    check: bool = True,
    done: Callable[[], None] = lambda: None,
) -> Record:
    """Flip bits in so many trials, or as many as go into the seconds; the same seed gives the same flips.

    Without `check`, powers and products are released as long as they are in range: that is how a test shows
    that a wrong result would be seen.
    """
    campaign_run = Run(PART, case.name, seed, trials=trials, flips=case.flips, work=case.work, check=check)
    path = fault_board.build(case.config, case.lanes)
    rng = Random(f"{seed} {case.name}")  # noqa: S311 - nobody's secrets, and a failure must come again
    with Boards(path, check=check) as boards, prepared(case, boards, rng) as work:
        upsets = Upsets(path)
        begin = upsets.cycles
        if work.run() != work.expected:
            raise ValueError(f"{case.name}: wrong without any flip")
        # what the modulus needs is on the board from now on
        begin, _ = upsets.cycles, work.run()
        length = upsets.cycles - begin
        campaign = Campaign(case, boards, upsets, rng, campaign_run, Counter())
        number = 0
        while number < trials and (seconds is None or campaign_run.seconds < seconds):
            campaign.trial(work, length, number)
            number += 1
            done()
        state = {
            "trials": number,
            "cycles": length,
            "register bits": upsets.bits(REGISTERS),
            "memory bits": upsets.bits(MEMORIES),
        }
    files = [*fault_board.made_of(case.config, case.lanes), *records.host_files(), Path(__file__)]
    return campaign_run.end({**state, **campaign.counts}, files, ("verilator", "g++", "openssl"))
