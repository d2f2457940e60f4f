# SPDX-License-Identifier: Apache-2.0
"""Bit flips in registers and memories of boards while libperle uses them through its public interface.

Every trial runs an operation whose result is known from Python's integers, flips one or two bits of state at
random clock cycles of it, and classifies the outcome; then it runs another operation. If the board has both
registers and memories, half of the flips are in each; bits of a kind are equally likely.

    right        the result is right: the flip had no effect, or libperle repeated the work (`recovered`)
    refused      PERLE_ERR_FAULT, or an error flag of the board: no result
    error        any other error, by its name
    wrong        a wrong result was released: a failure
    dead         the other operation was not right within two tries: a failure
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from perle.host import Boards, PerleError
from perle.trust import fault_board, fault_cases, records
from perle.trust.fault_board import MEMORIES, REGISTERS, Upsets
from perle.trust.fault_cases import Case, LostError, Work, cases, prepared
from perle.trust.parts import Part, Task, Wanted
from perle.trust.records import Record, Run

NAME = "faults"
TRIES = 2
MOST = 8000
"""Maximum number of trials of a case, even if its share of the time allows more."""
SHARE = {("rsa", 1): 0.26, ("rsa", 2): 0.10, ("modexp", 1): 0.17, ("modexp", 2): 0.07}
SHARE |= {("mulmod", 1): 0.17, ("mulmod", 2): 0.05, ("batch", 1): 0.12, ("batch", 2): 0.06}
"""The share of a family's time that each case has: RSA is what most users run, products are its parts."""
SECONDS = 2400.0
"""Default time of all families in seconds: on an idle machine enough for 10,000 single and 2,000 double bit
flips in each."""

REFUSALS = {"PERLE_ERR_FAULT": "refused", "PERLE_ERR_BOARD_FLAG": "refused", "PERLE_ERR_TIMEOUT": "time-out"}


@dataclass
class Campaign:
    """A board whose bits are flipped, and the outcomes up to now."""

    case: Case
    boards: Boards
    upsets: Upsets
    rng: Random
    run: Run
    counts: Counter[str]

    def trial(self, works: tuple[Work, Work], length: int, number: int) -> None:
        """Flip bits during one operation, and check whether the other one is right after it."""
        work, other = works[number % 2], works[1 - number % 2]
        places = [self._arm(length) for _ in range(self.case.flips)]
        before = self.boards.total().faults
        outcome = self._outcome(work)
        # an operation that ended before the last flip is no trial, but has to be right
        late = "late: " if self.upsets.disarm() else ""
        self.counts["late"] += bool(late)
        if outcome == "right" and self.boards.total().faults != before:
            outcome = "recovered"
        self.counts[late + outcome] += 1
        told = f"{self.case.name}, trial {number}: {', '.join(places)}"
        if outcome in ("wrong", "lost"):
            self.run.fail(f"{outcome}: {told}")
        ends: list[str] = []
        while len(ends) < TRIES and "right" not in ends:
            ends.append(self._outcome(other))
        after = ends.index("right") if "right" in ends else None
        if "wrong" in ends or "lost" in ends:
            self.run.fail(f"wrong in the next operation: {told}")
        end = "at once" if after == 0 else "once refused" if after else "dead"
        self.counts[f"{late}after: {end}"] += 1
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
    """Flip bits in that many trials, or as many as fit into `seconds`; the same seed gives the same flips.

    Without `check`, wrong powers and products in range are released; a test uses this to show that the
    campaign detects wrong results.
    """
    files, settings = basis(case, trials, check=check)
    mine = Run(NAME, case.name, seed, **settings)
    path = fault_board.build(case.config, case.lanes)
    rng = Random(f"{seed} {case.name}")  # noqa: S311 - not for real secrets; failures must be reproducible
    with Boards(path, check=check) as boards, prepared(case, boards, rng) as works:
        upsets = Upsets(path)
        for work in works:  # the first one loads the modulus
            begin = upsets.cycles
            if work.run() != work.expected:
                raise ValueError(f"{case.name}: wrong without any flip")
        length = upsets.cycles - begin
        campaign = Campaign(case, boards, upsets, rng, mine, Counter())
        number, ready = 0, mine.seconds
        while number < trials and (seconds is None or mine.seconds < ready + seconds):
            campaign.trial(works, length, number)
            number += 1
            done()
        state = {
            "trials": number - campaign.counts["late"],
            "cycles": length,
            "register bits": upsets.bits(REGISTERS),
            "memory bits": upsets.bits(MEMORIES),
        }
    return mine.end({**state, **campaign.counts}, files, ("verilator", "g++", "openssl"))


def basis(case: Case, trials: int = MOST, *, check: bool = True) -> tuple[list[Path], dict[str, Any]]:
    """Return the files and settings that a campaign depends on."""
    own = [Path(__file__), Path(fault_cases.__file__)]
    files = [*fault_board.made_of(case.config, case.lanes), *records.host_files(), *own]
    settings = {"trials": trials, "flips": case.flips, "work": case.work, "check": check}
    return files, {**settings, "params": case.config.params, "lanes": case.lanes}


def tasks(wanted: Wanted) -> Iterator[Task]:
    """Yield a campaign per case; a family's time is divided among its cases, each of at most MOST trials."""
    chosen = cases(wanted.family)
    of_family = (wanted.seconds or SECONDS) / (len(chosen) / len(SHARE))
    for case in chosen:
        seconds = SHARE[case.work, case.flips] * of_family
        yield Task(NAME, case.name, partial(_task, case, seconds, wanted.seed), basis=partial(basis, case))


def _task(case: Case, seconds: float, seed: int, _before: Record | None) -> Record:
    return run(case, MOST, seed, seconds=seconds)


def row(one: Record) -> tuple[str, ...]:
    """Return the figures of a record."""
    counts = one.counts
    errors = sum(int(number) for name, number in counts.items() if name.startswith("error"))
    works = int(counts.get("after: at once", 0) + counts.get("after: once refused", 0))
    figures = [counts.get(name, 0) for name in ("trials", "right", "recovered", "refused")]
    figures += [errors + counts.get("time-out", 0), counts.get("wrong", 0)]
    return (*(f"{int(one):,}" for one in figures), f"{works:,} of {int(counts['trials']):,}")


FAULTS = Part(
    NAME,
    "Fault injection",
    "A flipped bit of a board's registers or memories never makes the library release a wrong result, and "
    "the board works again afterwards.",
    tasks,
    (
        "trials",
        "right",
        "right, repeated",
        "refused",
        "other errors",
        "wrong, released",
        "works afterwards",
    ),
    row,
)
