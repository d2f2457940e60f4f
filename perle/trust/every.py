# SPDX-License-Identifier: Apache-2.0
"""All parts of the evidence, in the order of the page."""

from __future__ import annotations

from functools import cache

from perle.flow.places import INSTALLED
from perle.trust import records
from perle.trust.bus import BUS
from perle.trust.coverage import COVERAGE
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

PARTS: tuple[Part, ...] = (
    *(FORMAL, GATES, ROUTED, COVERAGE, MUTATION),
    *(PARAMETERS, FAULTS, LEAKAGE, SECRETS, THREADS, FUZZ, BUS),
)
SOFTWARE = tuple(dict.fromkeys(name for part in PARTS for name in part.software))
"""Names of software, besides the families of cores, that a part can be run for alone."""


NAMING = tuple(part for part in PARTS if part not in (MUTATION, PARAMETERS))
"""Parts whose tasks name what they depend on."""


TESTING = tuple(part.name for part in (COVERAGE, MUTATION, SECRETS, THREADS, FUZZ))
"""Names of the parts that run tests, which an installed package does not have."""


@cache
def _tasks() -> dict[tuple[str, str], Task]:
    """Return the tasks that name what they depend on, by their records' keys."""
    return {(task.part, task.case): task for part in NAMING for task in part.tasks(Wanted())}


def stale(one: Record) -> list[str]:
    """Return the reasons why a record is stale; empty if it is current, or if its case no longer exists."""
    task = None if INSTALLED else _tasks().get(one.key)  # an installed package lacks some of the files
    return task.changes(one) if task else records.stale(one)


def named(name: str) -> Part:
    """Return the part of that name; KeyError if there is none."""
    return {part.name: part for part in PARTS}[name]
