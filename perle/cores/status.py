# SPDX-License-Identifier: Apache-2.0
"""How far each family has got, as its own tests last found it.

sketch: elaborates · exact: bit-exact to its model on edge and random vectors, all configurations · timed:
cycle formula checked · costed: budget enforced by a real flow · matched: a paper's row reproduced, or its
difference explained.

The record is written by `make status` (tests run with `--record-status`), never by hand, and counts only for
the sources it was made from: a change of RTL or model makes the family a sketch until its tests ran again.
"""

from __future__ import annotations

import hashlib
import json

from perle.cores.registry import CORES, Family, exponentiator_files

LEVELS = ("sketch", "exact", "timed", "costed", "matched")
RECORD = CORES.parents[1] / "results" / "status.json"


def sources_hash(family: Family) -> str:
    """Return 16 hex digits over everything that decides whether the family is right."""
    files = [
        *family.files,
        *family.assertions,
        *(exponentiator_files(family) if family.kind == "multiplier" else ()),
        family.folder / "core.toml",
        family.folder / "model.py",
    ]
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def recorded() -> dict[str, dict[str, object]]:
    """Return the stored record: family → {"proved": levels, "sources": hash}."""
    if not RECORD.exists():
        return {}
    data: dict[str, dict[str, object]] = json.loads(RECORD.read_text(encoding="utf-8"))
    return data


def proved(family: Family) -> set[str]:
    """Return the levels proved for the family's sources as they are now."""
    entry = recorded().get(family.name, {})
    levels = entry.get("proved")
    return set(levels) if isinstance(levels, list) and entry.get("sources") == sources_hash(family) else set()


def status(family: Family) -> str:
    """Return the highest level up to which every level below it is proved too."""
    levels, reached = proved(family), "sketch"
    for level in LEVELS[1:]:
        if level not in levels:
            break
        reached = level
    return reached


def record(family: Family, gained: set[str], lost: set[str]) -> None:
    """Store what a run of tests proved and refuted; levels it did not test stand if the sources do."""
    levels = (proved(family) | gained) - lost
    data = recorded()
    data[family.name] = {"proved": [one for one in LEVELS if one in levels], "sources": sources_hash(family)}
    RECORD.parent.mkdir(exist_ok=True)
    RECORD.write_text(json.dumps(data, indent=2, sort_keys=True) + "\n", encoding="utf-8")
