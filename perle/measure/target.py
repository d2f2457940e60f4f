# SPDX-License-Identifier: Apache-2.0
"""Targets: a device or process, its tools, and how they are run.

Every module of `perle.measure.targets` with a list `TARGETS` adds some; they are not listed elsewhere.
"""

from __future__ import annotations

import importlib
import math
import pkgutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol, runtime_checkable

from perle.cores.registry import Config
from perle.flow import circuit, yosys
from perle.flow.circuit import Circuit
from perle.measure import targets as package
from perle.measure.design import Design
from perle.results import Metrics, names


@dataclass(frozen=True)
class Job:
    """One run: the design of a part of a configuration, a seed, its folder, and a timeout in seconds."""

    config: Config
    part: str
    design: Design
    seed: int
    workdir: Path
    timeout: float


class Target(Protocol):
    """A device or process. `settings` is everything that determines results besides the sources."""

    @property
    def name(self) -> str:
        """Its name: ecp5_8."""

    @property
    def title(self) -> str:
        """The device, in words."""

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools it runs (versions: `perle.flow.tools.version`)."""

    @property
    def needs(self) -> tuple[str, ...]:
        """What `perle doctor` must find for it: its tools, and its cell library if it has one."""

    @property
    def seeded(self) -> bool:
        """Whether results depend on a seed."""

    @property
    def settings(self) -> dict[str, object]:
        """Device, speed grade, options: part of what identifies a result."""

    def prepare(self, design: Design, config: Config, part: str) -> Design:
        """Return the design for this target: with the device's leaf cells, in a harness."""

    def circuit(self, job: Job) -> Circuit | None:
        """Return the circuit before mapping (with place and route: before placing); None if unknown.

        Equal circuits have equal figures: whatever else figures of a part depend on must be included.
        """

    def run(self, job: Job) -> Metrics:
        """Run the tools; raises ToolError if one fails or times out."""


@runtime_checkable
class Clocked(Protocol):
    """A target whose place and route optimizes for a clock that can be chosen."""

    def at(self, clock: float) -> Target:
        """Return the same target with that clock, in MHz."""


def unmapped(job: Job, blackboxes: Sequence[str] = (), more: Sequence[object] = ()) -> Circuit:
    """Return the circuit of a job's design before it is mapped to cells; `more` counts as part of it."""
    design, folder = job.design, job.workdir / "circuit"
    made = yosys.generic(
        design.files, design.top, design.params, folder, blackboxes=blackboxes, timeout=job.timeout
    )
    return circuit.read(made.json, design.top, *more)


@cache
def every() -> dict[str, Target]:
    """Return all targets by name."""
    found: dict[str, Target] = {}
    for entry in pkgutil.iter_modules(package.__path__):
        module = importlib.import_module(f"{package.__name__}.{entry.name}")
        found |= {target.name: target for target in getattr(module, "TARGETS", ())}
    return dict(sorted(found.items()))


class UnknownTargetError(ValueError):
    """No such target; the message names the existing ones."""


def chosen(name: str) -> list[Target]:
    """Return the target of that name, or a device's at all its speed grades (ecp5: ecp5_6 and ecp5_8).

    With `@MHZ` place and route optimizes for that clock (ecp5_8@250).
    """
    plain, clock = _parted(name)
    found = [_at(one, clock) for key, one in every().items() if plain in (key, names.device(key))]
    if not found:
        raise _unknown(name)
    return found


def all_chosen(wanted: Iterable[str]) -> list[Target]:
    """Return the targets of several names, each once."""
    return list({one.name: one for name in wanted for one in chosen(name)}.values())


def named(name: str) -> Target:
    """Return the target of exactly that name, as in a record; it may no longer exist: UnknownTargetError."""
    plain, clock = _parted(name)
    found = every().get(plain)
    if found is None:
        raise _unknown(name)
    return _at(found, clock)


def clocked(wanted: Iterable[str], clocks: Sequence[float]) -> tuple[str, ...]:
    """Return the names of targets at each of several clocks in MHz; without clocks, the same names."""
    return tuple(f"{one}{names.AT}{clock:g}" for one in wanted for clock in clocks) or tuple(wanted)


def _parted(name: str) -> tuple[str, float | None]:
    plain, at, clock = name.partition(names.AT)
    if not at:
        return plain, None
    try:
        mhz = float(clock)
    except ValueError:
        mhz = math.nan
    if not 0 < mhz < math.inf:
        raise UnknownTargetError(f"{name!r}: {clock!r} is no clock in MHz")
    return plain, mhz


def _at(target: Target, clock: float | None) -> Target:
    if clock is None:
        return target
    if not isinstance(target, Clocked):
        having = ", ".join(key for key, one in every().items() if isinstance(one, Clocked))
        raise UnknownTargetError(f"{target.name} takes no clock; those that do: {having}")
    return target.at(clock)


def _unknown(name: str) -> UnknownTargetError:
    return UnknownTargetError(f"no target {name!r}; there are: {', '.join(every())}")
