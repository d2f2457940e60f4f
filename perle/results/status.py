# SPDX-License-Identifier: Apache-2.0
"""Status of each family, with its exponentiator and its engine, as found by its tests.

sketch: elaborates · exact: bit-exact to its model on edge and random vectors, all configurations · timed:
cycle formula checked · costed: budget checked by a real flow · matched: all measurable rows of its paper are
measured, and every conclusion holds.

The record is written by `make status` (tests run with `--record-status`), never by hand, and is valid only as
long as its identity is unchanged (`perle.results.identity`): after a change of RTL, model, oracle or
testbench the family is a sketch until its tests have passed again; comments do not matter.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast

from perle import spec
from perle.cores.registry import CORES, Config, Engine, Family, every
from perle.flow.places import RESULTS
from perle.results import identity
from perle.results.parts import part_files

LEVELS = ("sketch", "exact", "timed", "costed", "matched")
RECORD = RESULTS / "status.json"
VERIFY = CORES.parent / "verify"
MODEXP = tuple(sorted((CORES / "modexp").glob("[!t_]*.py")))
BENCH = ("__init__.py", "cases.py", "failure.h", "failure.py")
MULTIPLIER_BENCH = ("contract.py", "contract_testbench.cpp", "strategies.py", "testbench.py")
EXPONENT_BENCH = ("exponents.py", "state_leak.py", "word.py", "word_testbench.cpp")
"""Files of the testbenches: BENCH for all cores, and those for a multiplier alone or with its
exponentiator."""
ENGINE_TESTBENCH = (
    *(CORES.parent / "boards" / name for name in ("driver.py", "simulated.py", "sim/board.cpp")),
    *sorted((VERIFY / "engines").glob("*.py")),
)
"""Files of the testbench of engines: a simulated board that contains the engine."""


Part = Literal["", "exp", "engine"]


@dataclass(frozen=True)
class Subject:
    """Something with a status: a family's multiplier, with its exponentiator (exp), or its engine."""

    family: Family
    part: Part = ""

    @property
    def name(self) -> str:
        """stream, stream/exp, stream/engine."""
        return f"{self.family.name}/{self.part}" if self.part else self.family.name


def subjects() -> dict[str, Subject]:
    """Return all subjects, by name."""
    found = [Subject(one) for one in every().values()]
    found += [Subject(one, "exp") for one in every().values() if one.kind == "multiplier"]
    found += [Subject(one, "engine") for one in every().values() if one.engine is not None]
    return {one.name: one for one in found}


@dataclass(frozen=True)
class Proof:
    """The levels that tests have proved for a subject, and its identity then."""

    proved: tuple[str, ...]
    files: identity.Files
    settings: identity.Settings


def made_of(subject: Subject) -> tuple[identity.Files, identity.Settings]:
    """Return the identity of a subject: its files, and the relevant parts of `core.toml`."""
    family = subject.family
    files = [*_model(family.folder / "model.py"), Path(spec.__file__)]
    settings: dict[str, Any] = {
        "constants": family.constants,
        "defaults": {name: one.default for name, one in family.params.items()},
        "configs": family.configs,
    }
    if subject.part == "engine":
        own = cast(Engine, family.engine)
        files += [*own.files, *own.assertions, *MODEXP]
        files += _model(family.folder.joinpath(*own.model.split(".")).with_suffix(".py"))
        files += ENGINE_TESTBENCH
        files += (family.folder / "engine").glob("conftest.py")
        return _identity(files, settings | {"engine": [own.top, own.window_bits]})
    files += [*family.files, *family.assertions]
    settings |= {"top": family.top}
    if family.kind == "multiplier":
        files += [VERIFY / name for name in (*BENCH, *(EXPONENT_BENCH if subject.part else MULTIPLIER_BENCH))]
    if subject.part == "exp":
        some = Config(family, "", family.complete({}))
        files += [*part_files(some, "exp"), *MODEXP]
        settings |= {"forwarding": family.forwarding, "port_cycles": family.port_cycles}
    return _identity(files, settings)


@cache
def _model(path: Path) -> tuple[Path, ...]:
    """Return the files of a model, including shared ones (`from perle.cores import …`)."""
    shared = (
        alias.name
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "perle.cores"
        for alias in node.names
    )
    return (path, *(CORES / f"{name}.py" for name in shared))


def _identity(files: Iterable[Path], settings: identity.Settings) -> tuple[identity.Files, identity.Settings]:
    return identity.files(dict.fromkeys(files)), identity.plain(settings)


def recorded() -> dict[str, Proof]:
    """Return the stored record by family."""
    if not RECORD.exists():
        return {}
    data = json.loads(RECORD.read_text(encoding="utf-8"))
    return {name: Proof(tuple(one["proved"]), one["files"], one["settings"]) for name, one in data.items()}


def stale(subject: Subject) -> list[str]:
    """Return the reasons why a record is stale; empty if it is current, or if there is none."""
    found = recorded().get(subject.name)
    if found is None:
        return []
    configs = found.settings["configs"], made_of(subject)[1]["configs"]
    return [*_changes(found, subject), *identity.differences(*configs, "configuration")]


def _changes(found: Proof, subject: Subject) -> list[str]:
    """Return the changes that concern all configurations; the list of configurations does not count."""
    files, settings = made_of(subject)
    return [
        *identity.changed_files(found.files, files),
        *identity.differences({**found.settings, "configs": 0}, {**settings, "configs": 0}, "core.toml's"),
    ]


def proved(subject: Subject, config: str = "") -> set[str]:
    """Return the levels proved for a subject in its current state; with `config`, for that configuration.

    Configurations added or changed since then are not proved; this does not affect the others.
    """
    found = recorded().get(subject.name)
    if found is None or _changes(found, subject):
        return set()
    named = subject.family.configs.get(config)
    if named is not None and found.settings["configs"].get(config) != identity.plain(named):
        return set()
    return set(found.proved)


def status(family: Family, part: Part = "", *, config: str = "") -> str:
    """Return the highest level for which all lower levels are proved too."""
    levels, reached = proved(Subject(family, part), config), "sketch"
    for level in LEVELS[1:]:
        if level not in levels:
            break
        reached = level
    return reached


def record(subject: Subject, gained: set[str], lost: set[str]) -> None:
    """Store the results of a test run; others are kept if their identity is unchanged."""
    levels = (proved(subject) | gained) - lost
    files, settings = made_of(subject)
    data = {name: vars(one) for name, one in recorded().items()}
    data[subject.name] = vars(Proof(tuple(one for one in LEVELS if one in levels), files, settings))
    RECORD.parent.mkdir(exist_ok=True)
    RECORD.write_text(json.dumps(data, indent=2, sort_keys=True) + "\n", encoding="utf-8")
