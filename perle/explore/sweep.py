# SPDX-License-Identifier: Apache-2.0
"""A sweep: recorded results come from the store, workers measure the rest, each result is stored at once.

Workers do not write to the store. Several sweeps can share a store: it has a lock, and a run is looked up
again before it is given out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Protocol
from uuid import uuid4

from distributed import Client

from perle.explore import engine
from perle.explore.engine import Lost
from perle.explore.evaluate import Answer, Task, end, evaluate, task, unpack
from perle.explore.space import Infeasible
from perle.flow.tools import ToolMissing
from perle.measure import runner
from perle.measure.runner import Wanted, known
from perle.results import Measurement, Store

RECORDED, MEASURED, FAILED, LOST, INFEASIBLE = "recorded", "measured", "failed", "lost", "infeasible"
WORKER_LOST = "workers lost"
"""A worker that was there is gone: what it was doing is done by another."""
OTHER_SOURCES = "the worker has other sources"


class Progress(Protocol):
    """Receives the progress of a sweep."""

    def begin(self, title: str, total: int) -> None:
        """Begin a stage with a number of runs."""

    def step(self, what: str, event: str) -> None:
        """Report the outcome of a run."""


class Log:
    """A file of events, a JSON line each; written at once, so that Ctrl-C loses none."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.open("a", encoding="utf-8").close()  # fails before anything runs if the file cannot be written

    def write(self, event: str, what: str, **more: object) -> None:
        """Add an event."""
        line = {"time": datetime.now(UTC).isoformat(timespec="seconds"), "event": event, "what": what, **more}
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self.path)) from error


@dataclass
class Outcome:
    """The outcome of a sweep: measurements in the order of the runs; `lost`: other runs, and why."""

    found: list[Measurement] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    lost: dict[str, str] = field(default_factory=dict)

    def count(self, event: str) -> None:
        """Count an event."""
        self.counts[event] = self.counts.get(event, 0) + 1


@dataclass
class Sweep:
    """A sweep's workers, store, log and progress display; `work` is the function that workers call.

    `kept` counts the results that it has stored so far.
    """

    client: Client
    store: Store
    log: Log
    progress: Progress
    timeout: float = runner.TIMEOUT
    work: Callable[[Task], Answer] = evaluate
    name: str = field(default_factory=lambda: uuid4().hex)
    kept: int = 0

    def infeasible(self, left: Sequence[Infeasible], outcome: Outcome) -> None:
        """Record what cannot be built."""
        for one in left:
            self.log.write(INFEASIBLE, one.what, reason=one.reason)
            outcome.count(INFEASIBLE)

    def run(
        self,
        title: str,
        runs: Iterable[Wanted],
        outcome: Outcome,
        *,
        total: int | None = None,
        heard: Callable[[Wanted, Measurement | None], None] = lambda _, __: None,
        ahead: int = engine.AHEAD,
    ) -> list[Measurement]:
        """Measure runs without a record, and return all measurements in the order of `runs`.

        Runs may be generated on demand: then `total` is their largest number, and `heard` is called with each
        run and its measurement, None if it was lost. ToolMissing if a worker lacks a tool: the others may
        lack it too.
        """
        found: dict[Task, Measurement] = {}
        wanted: dict[Task, Wanted] = {}
        if total is None:
            runs = list(runs)
            total = len({task(run, self.timeout, self.name) for run in runs})
        self.progress.begin(title, total)
        look = partial(self._look, set(engine.workers(self.client)), outcome)

        def tasks() -> Iterator[Task]:
            for run in runs:
                one = task(run, self.timeout, self.name)
                if one not in wanted:
                    wanted[one] = run
                    yield one

        def begun(one: Task) -> bool:
            kept = known(self.store, wanted[one], self.timeout)
            if kept is not None:
                found[one] = kept
                self._tell(outcome, RECORDED, wanted[one])
                heard(wanted[one], kept)
            return kept is None

        def done(one: Task, answer: Answer | Lost[Task]) -> None:
            look()
            fresh = self._take(wanted[one], answer, outcome)
            if fresh is not None:
                found[one] = fresh
            heard(wanted[one], fresh)

        finish = partial(end, self.name)
        engine.run(self.client, tasks(), self.work, done, begun=begun, end=finish, idle=look, ahead=ahead)
        in_order = [found[one] for one in wanted if one in found]
        outcome.found += in_order
        return in_order

    def _look(self, there: set[str], outcome: Outcome) -> None:
        """Tell of workers that are gone, and bring `there` up to date."""
        now = set(engine.workers(self.client))
        for gone in sorted(there - now):
            self.log.write(WORKER_LOST, gone)
            outcome.count(WORKER_LOST)
        there.clear()
        there.update(now)

    def _take(self, run: Wanted, answer: Answer | Lost[Task], outcome: Outcome) -> Measurement | None:
        """Record an answer, and return the record of the run; None if it was lost.

        After a failure that is no fact about the design, this may be a result that another sweep stored.
        """
        if isinstance(answer, Lost):
            self._lost(run, answer.why, outcome)
            return None
        if answer.missing:
            raise ToolMissing(f"a tool of {answer.host}", answer.missing)
        fresh = answer.measurement
        changes = run.changes(fresh)
        if changes:
            self._lost(run, f"{OTHER_SOURCES}: {answer.host}: {'; '.join(changes[:3])}", outcome)
            return None
        kept = runner.keep(self.store, fresh, known(self.store, run))
        self.kept += 1
        unpack(answer.files, runner.work_folder(run))
        event = FAILED if fresh.error else MEASURED
        self._tell(outcome, event, run, host=answer.host, seconds=fresh.seconds, error=fresh.error)
        return kept

    def _lost(self, run: Wanted, why: str, outcome: Outcome) -> None:
        outcome.lost[run.text] = why
        self._tell(outcome, LOST, run, reason=why)

    def _tell(self, outcome: Outcome, event: str, run: Wanted, **more: object) -> None:
        outcome.count(event)
        self.log.write(event, run.text, **{name: value for name, value in more.items() if value != ""})
        self.progress.step(run.text, event)
