# SPDX-License-Identifier: Apache-2.0
"""Which recorded measurements and proofs are current, and why the others are stale."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from perle.cores.registry import resolve_any
from perle.flow.tools import ToolMissing
from perle.measure.runner import Wanted
from perle.measure.target import UnknownTargetError, named
from perle.results import Measurement, identity, status


@dataclass(frozen=True)
class Verdict:
    """A recorded result: `why` it is stale (empty: current), and what could not be compared (`unseen`).

    `renamed`: it was measured with other names for cells or nets of the same circuit.
    """

    what: str
    command: str
    why: tuple[str, ...]
    unseen: str = ""
    renamed: bool = False


def measurements(runs: Iterable[Measurement]) -> Iterator[Verdict]:
    """Yield a verdict on each recorded measurement."""
    for one in runs:
        what = f"{one.core} ({one.part}) on {one.target}, seed {one.seed}"
        seed = f" --first-seed {one.seed}" if one.seed > 1 else ""
        command = f"perle measure {one.core} --part {one.part} --target {one.target}{seed}"
        why, unseen = identity.stale(one), ""
        if not why:
            try:
                why = _changes(one)
            except UnknownTargetError as error:
                why = [str(error)]
            except ToolMissing as error:
                unseen = str(error).splitlines()[0]
        yield Verdict(what, command, tuple(why), unseen, one.renamed)


def _changes(one: Measurement) -> list[str]:
    return Wanted(resolve_any(one.core), one.part, named(one.target), one.seed).changes(one)


def proofs() -> Iterator[Verdict]:
    """Yield a verdict on what tests have proved about families and engines."""
    for name, subject in status.subjects().items():
        yield Verdict(f"proofs of {name}", "make status", tuple(status.stale(subject)))
