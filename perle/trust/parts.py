# SPDX-License-Identifier: Apache-2.0
"""The parts of the evidence: their claims and campaigns, and how campaigns are run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perle.results.identity import changed_files, differences, plain
from perle.trust.enough import lacking, longer
from perle.trust.records import Record, Records, fingerprints, stale


@dataclass(frozen=True)
class Wanted:
    """The scope of a run: one family or all; `seconds` for the whole part, divided among tasks; a seed."""

    family: str | None = None
    seconds: float | None = None
    seed: int = 1


@dataclass(frozen=True)
class Task:
    """One campaign on one case; `run` makes its record, and gets the previous record."""

    part: str
    case: str
    run: Callable[[Record | None], Record]
    basis: Callable[[], tuple[Sequence[Path], Mapping[str, Any]]] | None = None
    """Returns the files that the task would record, and its settings before it runs (those it adds are
    results). Without it only the files of the record are compared, and further files do not make it stale."""

    def changes(self, before: Record) -> list[str]:
        """Return the reasons why a record of this task is stale; empty if it is current."""
        if self.basis is None:
            return stale(before)
        files, settings = self.basis()
        known = {name: value for name, value in before.settings.items() if name in settings}
        return [
            *changed_files(before.files, fingerprints(files)),
            *differences(known, plain(settings), "setting"),
        ]


@dataclass(frozen=True)
class Part:
    """A kind of evidence. `claim`: what is claimed, in one sentence; `row`: the figures of a record."""

    name: str
    title: str
    claim: str
    tasks: Callable[[Wanted], Iterable[Task]]
    columns: tuple[str, ...]
    row: Callable[[Record], Sequence[str]]
    remarks: Callable[[Record], Sequence[str]] = lambda _: ()
    """Further remarks on a record, such as surviving mutants or omitted cases."""
    software: tuple[str, ...] = ()
    """Names of software and shared hardware, besides families, that the part can be run for alone."""


class Ended(KeyboardInterrupt):
    """A campaign was interrupted by the user or a signal; `record` has its progress."""

    def __init__(self, record: Record) -> None:
        super().__init__()
        self.record = record


def campaign(
    tasks: Iterable[Task],
    records: Records,
    *,
    again: bool = False,
    seed: int | None = None,
    begun: Callable[[Task], None] = lambda _: None,
    kept: Callable[[Record, Record], None] = lambda _found, _stored: None,
) -> Iterator[Record]:
    """Run campaigns and store their records; yield what was found.

    A campaign is skipped if its record is current, complete (`perle.trust.enough`), without failures and, if
    a seed is given, of that seed; with `again` none is. A run without failures that did less than a current
    record is not stored, which `kept` is told. The progress of an interrupted campaign is stored if it can be
    continued.
    """
    known = {one.key: one for one in records.load()}
    for task in tasks:
        stored = known.get((task.part, task.case))
        if stored is not None and task.changes(stored):
            stored = None
        before = stored if not again and (stored is None or _of(stored, seed)) else None
        if before is not None and not before.failures and not lacking(before):
            yield before
            continue
        begun(task)
        try:
            found = task.run(before)
        except Ended as ended:
            if records.writable and not (stored is not None and _did_more(stored, ended.record)):
                records.put(ended.record)
            raise
        if stored is not None and _did_more(stored, found):
            kept(found, stored)
        elif records.writable:
            records.put(found)
        yield found


def _did_more(stored: Record, found: Record) -> bool:
    """Whether a current record is better evidence than what was found now."""
    return not found.failures and not stored.failures and longer(stored, found)


def _of(stored: Record, seed: int | None) -> bool:
    """Whether a record is of that seed, or of none (0), as proofs are."""
    return seed is None or stored.seed in (0, seed)


def total(records: Iterable[Record], *names: str) -> int:
    """Return the sum of counts of those names."""
    return sum(int(one.counts.get(name, 0)) for one in records for name in names)
