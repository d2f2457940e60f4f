# SPDX-License-Identifier: Apache-2.0
"""The parts of the evidence: their claims and campaigns, and how campaigns are run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perle.results.identity import changed_files, differences, plain
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
    again: bool = False
    """Whether the task continues from its previous record, and so runs even if that record is still valid."""
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
    """Names of software, besides families of cores, that the part can be run for alone."""


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
    begun: Callable[[Task], None] = lambda _: None,
) -> Iterator[Record]:
    """Run campaigns and store their records; a campaign with a current record without failures is skipped.

    With `again` it is not skipped. The progress of an interrupted campaign is stored if it can be continued.
    """
    known = {one.key: one for one in records.load()}
    for task in tasks:
        before = known.get((task.part, task.case))
        if before is not None and (again or task.changes(before)):
            before = None
        if before is not None and not before.failures and not task.again:
            yield before
            continue
        begun(task)
        try:
            found = task.run(before)
        except Ended as ended:
            if records.writable:
                records.put(ended.record)
            raise
        if records.writable:
            records.put(found)
        yield found


def total(records: Iterable[Record], *names: str) -> int:
    """Return the sum of counts of those names."""
    return sum(int(one.counts.get(name, 0)) for one in records for name in names)
