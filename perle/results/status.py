# SPDX-License-Identifier: Apache-2.0
"""How far each family has got, as its own tests last found it.

sketch: elaborates · exact: bit-exact to its model on edge and random vectors, all configurations · timed:
cycle formula checked · costed: budget enforced by a real flow · matched: a paper's row reproduced, or its
difference explained.

The record is written by `make status` (tests run with `--record-status`), never by hand, and counts only for
what it was made of (`perle.results.identity`): a change of RTL, model, oracle or test bench makes the family
a sketch until its tests ran again; a comment does not.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perle import spec
from perle.cores.registry import CORES, Config, Family
from perle.results import identity
from perle.results.parts import part_files

LEVELS = ("sketch", "exact", "timed", "costed", "matched")
RECORD = CORES.parents[1] / "results" / "status.json"
VERIFY = CORES.parent / "verify"


@dataclass(frozen=True)
class Proof:
    """What the tests of a family prove, and what it was made of."""

    proved: tuple[str, ...]
    files: identity.Files
    settings: identity.Settings


def made_of(family: Family) -> tuple[identity.Files, identity.Settings]:
    """Return everything that decides whether a family is right: files, and what of `core.toml` is built."""
    files = [*family.files, *family.assertions, family.folder / "model.py", Path(spec.__file__)]
    settings: dict[str, Any] = {
        "top": family.top,
        "constants": family.constants,
        "defaults": {name: one.default for name, one in family.params.items()},
        "configs": family.configs,
    }
    if family.kind == "multiplier":
        some = Config(family, "", family.complete({}))
        files += [*part_files(some, "exp"), *(CORES / "modexp").glob("[!t_]*.py"), *_bench()]
        settings |= {"forwarding": family.forwarding, "port_cycles": family.port_cycles}
    if family.engine is not None:
        own = family.engine
        files += [
            *own.files,
            *own.assertions,
            CORES.parent.joinpath(*own.model.split(".")[1:]).with_suffix(".py"),
        ]
        settings["engine"] = [own.top, own.window_bits]
    return identity.files(dict.fromkeys(files)), identity.plain(settings)


def _bench() -> list[Path]:
    """Return the files of the test benches that every multiplier is driven with."""
    return [
        one for one in VERIFY.glob("*.*") if one.suffix in {".py", ".cpp", ".h"} and one.name[:5] != "test_"
    ]


def recorded() -> dict[str, Proof]:
    """Return the stored record by family."""
    if not RECORD.exists():
        return {}
    data = json.loads(RECORD.read_text(encoding="utf-8"))
    return {name: Proof(tuple(one["proved"]), one["files"], one["settings"]) for name, one in data.items()}


def stale(family: Family) -> list[str]:
    """Return why a family's record does not count today; nothing where it does, or where there is none."""
    found = recorded().get(family.name)
    return [] if found is None else _changes(found, family)


def _changes(found: Proof, family: Family) -> list[str]:
    files, settings = made_of(family)
    return [
        *identity.changed_files(found.files, files),
        *identity.differences(found.settings, settings, "core.toml's"),
    ]


def proved(family: Family) -> set[str]:
    """Return the levels proved for the family as it is now."""
    found = recorded().get(family.name)
    return set(found.proved) if found is not None and not _changes(found, family) else set()


def status(family: Family) -> str:
    """Return the highest level up to which every level below it is proved too."""
    levels, reached = proved(family), "sketch"
    for level in LEVELS[1:]:
        if level not in levels:
            break
        reached = level
    return reached


def record(family: Family, gained: set[str], lost: set[str]) -> None:
    """Store what a run of tests proved and refuted; levels it did not test stand if what they are of does."""
    levels = (proved(family) | gained) - lost
    files, settings = made_of(family)
    data = {name: vars(one) for name, one in recorded().items()}
    data[family.name] = vars(Proof(tuple(one for one in LEVELS if one in levels), files, settings))
    RECORD.parent.mkdir(exist_ok=True)
    RECORD.write_text(json.dumps(data, indent=2, sort_keys=True) + "\n", encoding="utf-8")
