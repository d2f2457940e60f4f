# SPDX-License-Identifier: Apache-2.0
"""Runs measurements in parallel, each in its own folder; each is recorded as soon as it is done.

Measurements of the same sources with the same settings are not repeated, so that an interrupted campaign
continues where it stopped. A tool failure or timeout is recorded as a failed measurement.
"""

from __future__ import annotations

import math
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace

from perle.cores.registry import Config, UnknownCoreError, resolve_any
from perle.flow import yosys
from perle.flow.cache import cache_root, content_hash, lock_file, take
from perle.flow.circuit import Circuit
from perle.flow.tools import DesignError, ToolEnded, ToolError, ToolMissing, end_all, version
from perle.measure.design import Design, NoSuchPartError, design
from perle.measure.target import Job, Target, UnknownTargetError, named
from perle.results import Measurement, Store, identity
from perle.results.parts import PLACED

TIMEOUT = 3600.0
UNSEEDED = 0
MOST_SEEDS = 100
"""Largest number of seeds of a configuration in one command."""

REFUSED = "refused: "
FACTS = re.compile(rf": ({REFUSED}|too small: |Unable to place cell |Failed to expand region )")
"""Errors that are facts about a design: it was refused, or the device has no room for it. Any other failure
may be due to the machine, for instance to too little memory."""
UNREADABLE = (ValueError, LookupError)
"""What is raised when a tool's output is not as expected."""

FLOW_VERSION = 1
"""To be incremented when the tool flow changes so that equal sources and settings give other results."""


@dataclass(frozen=True)
class Wanted:
    """A measurement to be made."""

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
        built = design(self.config, self.part, self.target.name)
        return self.target.prepare(built, self.config, self.part)

    def identity(self) -> tuple[identity.Files, identity.Settings]:
        """Return everything that determines the result, except the tools and the seed."""
        built = self.prepared()
        together = (built, *built.co_placed)
        settings = {
            "cores": identity.parameters(self.config, self.part, self.target.name),
            "flow": FLOW_VERSION,
            "params": [dict(one.params) for one in together],
            "placing": built.placing,
            "target": self.target.settings,
            "top": built.top,
        }
        found = identity.files(path for one in together for path in one.files)
        return found, identity.plain(settings)

    def changes(self, found: Measurement) -> list[str]:
        """Return what has changed since a measurement was made; empty if it is still current."""
        files, settings = self.identity()
        was = found.settings
        return [
            *identity.changed_files(found.files, files),
            *identity.differences(was.get("target", {}), settings["target"], "setting"),
            *identity.differences({**was, "target": 0}, {**settings, "target": 0}, "setting"),
        ]


def wanted(
    config: Config, part: str, targets: Iterable[Target], seeds: int, *, first: int = 1
) -> list[Wanted]:
    """Return the runs of a part of a configuration: `seeds` of them if the target has seeds, else one.

    Raises NoSuchPartError for co-placed cores on a target without placement, where co-placing has no effect.
    """
    runs = []
    for target in targets:
        if part in PLACED and not target.seeded:
            raise NoSuchPartError(f"{target.name} places nothing: measure {PLACED[part]!r} there")
        numbers = range(first, first + seeds) if target.seeded else [UNSEEDED]
        runs += [Wanted(config, part, target, seed) for seed in numbers]
    return runs


def known(store: Store, run: Wanted, timeout: float = 0) -> Measurement | None:
    """Return the current measurement of a run, if there is one.

    A run that was ended by a timeout shorter than `timeout` (in seconds) is not known: it may succeed now.
    """
    found = store.find(run.target.name, run.config.spec, run.part)
    kept = next((one for one in found if one.seed == run.seed and not run.changes(one)), None)
    return None if kept is None or _ended_after(kept) < timeout else kept


def _ended_after(found: Measurement) -> float:
    """Return the timeout in seconds that ended a run; infinite if none did."""
    said = re.search(r"not done after (\S+) s$", found.error)
    return float(said[1]) if said else math.inf


def timed_out(found: Measurement) -> bool:
    """Return whether a run was ended by a timeout."""
    return _ended_after(found) < math.inf


def same_circuit(store: Store, run: Wanted, timeout: float = TIMEOUT) -> Measurement | None:
    """Return the updated measurement of a run if its sources changed but its netlist did not.

    A netlist with other names of cells and nets is accepted too, and marked `renamed`: names affect placement
    like another seed. Other settings or tool versions of place and route are not accepted.
    """
    if not _comparable(store, run, timeout):
        return None
    with _alone(run):
        recorded = _comparable(store, run, timeout)  # another process may have measured it in the meantime
        placed = _circuit(run, timeout) if recorded else None
    for found in recorded:
        if placed and found.circuit["shape"] == placed.shape:
            return replace(stamped(run, found), renamed=found.circuit["named"] != placed.named)
    return None


def _comparable(store: Store, run: Wanted, timeout: float) -> list[Measurement]:
    """Return the measurements of a run that only its sources may distinguish from a new one."""
    _, settings = run.identity()
    alike = ("flow", "target")  # the rules of a floorplan decide about sites, which are part of the circuit
    return [
        found
        for found in store.find(run.target.name, run.config.spec, run.part)
        if found.circuit
        and found.seed == run.seed
        and _ended_after(found) >= timeout
        and all(found.settings.get(key) == settings[key] for key in alike)
        and all(found.tools.get(tool) == version(tool) for tool in run.target.tools)
    ]


def work_folder(run: Wanted) -> Path:
    """Return the folder of a run's files and logs, which are kept."""
    name = f"{run.config.family.name}-{run.config.name}-{run.part}-{run.target.name}-{run.seed}"
    return cache_root() / "measure" / f"{name}-{content_hash([], *run.identity())}"


def job(run: Wanted, timeout: float) -> Job:
    """Return the job of a run for its target; creates its folder."""
    folder = work_folder(run)
    folder.mkdir(parents=True, exist_ok=True)
    return Job(run.config, run.part, run.prepared(), run.seed, folder, timeout)


@contextmanager
def _alone(run: Wanted) -> Iterator[None]:
    """Hold the lock of a run's folder, waiting for another process that measures the same run."""
    folder = work_folder(run)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with lock_file(folder.parent / f"{folder.name}.lock") as file:
        take(file, run.text)
        yield


def _circuit(run: Wanted, timeout: float) -> Circuit | None:
    """Synthesize, and return the circuit to be placed; None if it is unknown or synthesis fails.

    The caller holds the lock of the run's folder, where files are written.
    """
    try:
        return run.target.circuit(job(run, timeout))
    except (ToolMissing, ToolEnded):
        raise
    except (ToolError, *UNREADABLE):
        return None


def measure(
    run: Wanted,
    *,
    timeout: float = TIMEOUT,
    recorded: Callable[[], Measurement | None] = lambda: None,
    keep: Callable[[Measurement], object] = lambda _: None,
) -> Measurement:
    """Run the tools; a failure is recorded too, except ToolMissing and ToolEnded, which are raised.

    Waits for another process that measures the same run on this machine, because both use the same folder;
    `recorded` returns the measurement that it may have recorded in the meantime, with its own `keep`.
    """
    with _alone(run):
        found = recorded()
        if found is None:
            found = _measured(run, timeout)
            keep(found)
        return found


def _measured(run: Wanted, timeout: float) -> Measurement:
    made_of = run.identity()
    tools = {tool: version(tool) for tool in run.target.tools}
    if yosys.TOOL in tools:
        yosys.compiled()  # its first run takes minutes, which are not this run's
    begin, metrics, error = time.monotonic(), {}, ""
    try:
        metrics = run.target.run(job(run, timeout))
    except (ToolMissing, ToolEnded):
        raise
    except ToolError as failed:
        refused = REFUSED if isinstance(failed, DesignError) else ""
        error = f"{failed.tool}: {refused}{failed.message.splitlines()[0]}"
    except UNREADABLE as failed:
        error = f"{type(failed).__name__}: {' '.join(str(failed).split())}"
    seconds = round(time.monotonic() - begin, 1)
    placed = None
    if _unchanged(run, made_of):
        placed = _circuit(run, timeout)
    else:
        metrics, error = {}, "the sources changed during the run"
    return Measurement(
        core=run.config.spec,
        part=run.part,
        target=run.target.name,
        seed=run.seed,
        params=dict(run.config.params),
        tools=tools,
        date=datetime.now(UTC).date().isoformat(),
        seconds=seconds,
        metrics=metrics,
        error=error,
        files=made_of[0],
        settings=made_of[1],
        device=run.target.title,
        circuit=asdict(placed) if placed else {},
    )


def _unchanged(run: Wanted, made_of: tuple[identity.Files, identity.Settings]) -> bool:
    try:
        return run.identity() == made_of
    except (OSError, SyntaxError):  # a file is missing or incomplete
        return False


def stamped(run: Wanted, found: Measurement) -> Measurement:
    """Return a measurement with the current names of files and device, which may have changed."""
    files, settings = run.identity()
    return replace(found, files=files, settings=settings, device=run.target.title)


def brought_up_to_date(store: Store, found: Measurement, timeout: float = TIMEOUT) -> Measurement | None:
    """Return a recorded measurement, updated, with its circuit; None if it is stale, or cannot be made."""
    try:
        run = Wanted(resolve_any(found.core), found.part, named(found.target), found.seed)
    except (UnknownCoreError, UnknownTargetError):  # it no longer exists
        return None
    if run.changes(found):
        return same_circuit(store, run, timeout)
    if found.circuit:
        return stamped(run, found)
    with _alone(run):
        placed = _circuit(run, timeout)
    return replace(stamped(run, found), circuit=asdict(placed)) if placed else stamped(run, found)


def keep(store: Store, found: Measurement, before: Measurement | None) -> Measurement:
    """Record a measurement, and return it; return `before` if that is a result, and stays.

    A result stays unless the new run succeeded too, or its failure is a fact about the design.
    """
    if before is None or before.error or not found.error or FACTS.search(found.error):
        store.put(found)
        return found
    return before


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
    """Make all missing measurements, `jobs` in parallel; return all, in the order of `runs`.

    Ctrl-C cancels waiting runs and ends the tools of running ones.
    """
    stop = threading.Event()

    def one(run: Wanted) -> Measurement | None:
        before = known(store, run)
        kept = None if again or before is None or _ended_after(before) < timeout else before
        found = kept
        if found is None and not again:
            found = same_circuit(store, run, timeout)
        if found is None:
            if stop.is_set():
                return None
            begun(run)
            found = measure(
                run,
                timeout=timeout,
                recorded=lambda: None if again else known(store, run, timeout),
                keep=lambda found: stop.is_set() or keep(store, found, known(store, run) or before),
            )
            if stop.is_set():  # its tools were ended by Ctrl-C
                return None
        elif (found := stamped(run, found)) != kept:
            store.put(found)
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
