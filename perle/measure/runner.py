# SPDX-License-Identifier: Apache-2.0
"""Runs measurements: several at a time, each in a folder of its own, each kept as soon as it is done.

What was measured already, from the same sources with the same settings, is not run again, so that an
interrupted campaign goes on where it stopped. A tool that fails or takes too long leaves a measurement that
says so.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from perle.cores.registry import Config
from perle.flow.cache import cache_root, content_hash
from perle.flow.tools import ToolError, ToolMissing, end_all, version
from perle.measure.design import Design, NoSuchPartError, design
from perle.measure.target import Job, Target
from perle.results import Measurement, Store
from perle.results.fresh import PLACED, hardware

TIMEOUT = 3600.0
UNSEEDED = 0


@dataclass(frozen=True)
class Wanted:
    """What is to be measured."""

    config: Config
    part: str
    target: Target
    seed: int

    @property
    def text(self) -> str:
        """Name it in a line."""
        seed = f", seed {self.seed}" if self.target.seeded else ""
        return f"{self.config.spec} ({self.part}) on {self.target.name}{seed}"

    def prepared(self) -> Design:
        """Return the design as the target builds it."""
        return self.target.prepare(design(self.config, self.part), self.config, self.part)

    def sources(self) -> str:
        """Return the hash of everything that decides about the result, but the tools and the seed."""
        built = self.prepared()
        others: list[object] = [dict(other.params) for other in built.beside]
        others += [built.placing] if built.placing else []
        return content_hash(built.files, built.top, dict(built.params), self.target.settings, *others)


def wanted(
    config: Config, part: str, targets: Iterable[Target], seeds: int, *, first: int = 1
) -> list[Wanted]:
    """Return the runs of a part of a configuration: `seeds` of them where a target has seeds, else one.

    NoSuchPartError for cores side by side where nothing is placed: there they are what each is alone.
    """
    runs = []
    for target in targets:
        if part in PLACED and not target.seeded:
            raise NoSuchPartError(f"{target.name} places nothing: measure {PLACED[part]!r} there")
        numbers = range(first, first + seeds) if target.seeded else [UNSEEDED]
        runs += [Wanted(config, part, target, seed) for seed in numbers]
    return runs


def known(store: Store, run: Wanted) -> Measurement | None:
    """Return the measurement of a run, if it is of today's sources."""
    sources = run.sources()
    for one in store.find(run.target.name, run.config.spec, run.part):
        if one.seed == run.seed and one.sources == sources:
            return one
    return None


def work_folder(run: Wanted) -> Path:
    """Return the folder where a run's files and logs are, and stay."""
    name = f"{run.config.family.name}-{run.config.name}-{run.part}-{run.target.name}-{run.seed}"
    return cache_root() / "measure" / f"{name}-{run.sources()}"


def measure(run: Wanted, *, timeout: float = TIMEOUT) -> Measurement:
    """Run the tools; a failure is a measurement too, a missing tool raises ToolMissing."""
    folder, sources = work_folder(run), run.sources()
    folder.mkdir(parents=True, exist_ok=True)
    tools = {tool: version(tool) for tool in run.target.tools}
    begin, metrics, error = time.monotonic(), {}, ""
    try:
        job = Job(run.config, run.part, run.prepared(), run.seed, folder, timeout)
        metrics = run.target.run(job)
    except ToolMissing:
        raise
    except ToolError as failed:
        error = f"{failed.tool}: {failed.message.splitlines()[0]}"
    if not _unchanged(run, sources):
        metrics, error = {}, "the sources changed during the run"
    return Measurement(
        core=run.config.spec,
        part=run.part,
        target=run.target.name,
        seed=run.seed,
        params=dict(run.config.params),
        sources=sources,
        tools=tools,
        date=datetime.now(UTC).date().isoformat(),
        seconds=round(time.monotonic() - begin, 1),
        metrics=metrics,
        error=error,
        hardware=hardware(run.config, run.part),
        device=run.target.title,
    )


def _unchanged(run: Wanted, sources: str) -> bool:
    try:
        return run.sources() == sources
    except OSError:  # a file is gone
        return False


def stamped(run: Wanted, found: Measurement) -> Measurement:
    """Return a measurement of the same sources as one of today's core: what changed is of other devices."""
    return replace(found, hardware=hardware(run.config, run.part), device=run.target.title)


def campaign(
    runs: Sequence[Wanted],
    store: Store,
    *,
    jobs: int = 1,
    timeout: float = TIMEOUT,
    again: bool = False,
    begun: Callable[[Wanted], None] = lambda _: None,
    done: Callable[[Wanted, Measurement], None] = lambda _, __: None,
) -> list[Measurement]:
    """Measure everything that is not known yet, `jobs` at a time; returns all, in the order of `runs`.

    After Ctrl-C the runs that have not begun do not; the tools of those under way are ended.
    """
    stop = threading.Event()

    def one(run: Wanted) -> Measurement | None:
        found = None if again else known(store, run)
        if found is None:
            if stop.is_set():
                return None
            begun(run)
            found = measure(run, timeout=timeout)
            if stop.is_set():  # its tools were ended
                return None
            store.put(found)
        elif (today := stamped(run, found)) != found:
            store.put(found := today)
        done(run, found)
        return found

    with ThreadPoolExecutor(max_workers=jobs) as pool:
        futures = {pool.submit(one, run): index for index, run in enumerate(runs)}
        results: dict[int, Measurement] = {}
        try:
            for future in as_completed(futures):
                found = future.result()
                if found is not None:
                    results[futures[future]] = found
        except BaseException:
            stop.set()
            end_all()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [results[index] for index in sorted(results)]
