# SPDX-License-Identifier: Apache-2.0
"""All parts of the evidence, in the order of the page."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from perle.flow.places import INSTALLED
from perle.trust import records
from perle.trust.bus import BUS
from perle.trust.compat import COMPAT
from perle.trust.coverage import COVERAGE
from perle.trust.exhaustive import EXHAUSTIVE
from perle.trust.faults import FAULTS
from perle.trust.formal import FORMAL
from perle.trust.fuzz import FUZZ
from perle.trust.gates import GATES
from perle.trust.leakage import LEAKAGE
from perle.trust.mutation import MUTATION
from perle.trust.parameters import PARAMETERS
from perle.trust.parts import Part, Task, Wanted
from perle.trust.records import Record
from perle.trust.routed import ROUTED
from perle.trust.secrets import SECRETS
from perle.trust.threads import THREADS
from perle.trust.vectors import VECTORS

PARTS: tuple[Part, ...] = (
    *(FORMAL, EXHAUSTIVE, GATES, ROUTED, COVERAGE, MUTATION),
    *(PARAMETERS, FAULTS, LEAKAGE, SECRETS, THREADS, FUZZ, BUS, VECTORS, COMPAT),
)
SOFTWARE = tuple(dict.fromkeys(name for part in PARTS for name in part.software))
"""Names of software and shared hardware, besides families, that a part can be run for alone."""


TESTING = tuple(part.name for part in (COVERAGE, MUTATION, SECRETS, THREADS, FUZZ, COMPAT))
"""Names of the parts that run tests, which an installed package does not have."""


@cache
def _tasks() -> dict[tuple[str, str], Task]:
    """Return all tasks, by their records' keys."""
    return {(task.part, task.case): task for part in PARTS for task in part.tasks(Wanted())}


def stale(one: Record) -> list[str]:
    """Return the reasons why a record is stale; empty if it is current, or if its case no longer exists."""
    task = None if INSTALLED else _tasks().get(one.key)  # an installed package lacks some of the files
    return task.changes(one) if task else records.stale(one)


def missing(found: Iterable[Record], parts: Iterable[Part] = PARTS) -> list[tuple[str, str]]:
    """Return part and case of each campaign of these parts without a record.

    None of an installed package: tests, from which some cases are taken, are not installed.
    """
    if INSTALLED:
        return []
    known, names = {one.key for one in found}, [part.name for part in parts]
    return [(part, case) for part, case in _tasks() if part in names and (part, case) not in known]


def named(name: str) -> Part:
    """Return the part of that name; KeyError if there is none."""
    return {part.name: part for part in PARTS}[name]
