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

from perle.cores.registry import CORES, Family

LEVELS = ("sketch", "exact", "timed", "costed", "matched")
RECORD = CORES.parents[1] / "results" / "status.json"


def sources_hash(family: Family) -> str:
    """Return 16 hex digits over everything that decides whether the family is right."""
    shared = sorted((CORES / "modexp").glob("*.sv"))
    files = [
        *family.files,
        *family.assertions,
        *shared,
        family.folder / "core.toml",
        family.folder / "model.py",
    ]
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def recorded() -> dict[str, dict[str, str]]:
    """Return the stored record: family → {"status", "sources"}."""
    if not RECORD.exists():
        return {}
    data: dict[str, dict[str, str]] = json.loads(RECORD.read_text(encoding="utf-8"))
    return data


def status(family: Family) -> str:
    """Return the family's level; `sketch` where its sources are not those that were tested."""
    entry = recorded().get(family.name)
    if entry is None or entry["sources"] != sources_hash(family):
        return "sketch"
    return entry["status"]


def record(family: Family, proved: set[str]) -> None:
    """Store the highest level up to which every level below it was proved too."""
    reached = "sketch"
    for level in LEVELS[1:]:
        if level not in proved:
            break
        reached = level
    data = recorded()
    data[family.name] = {"status": reached, "sources": sources_hash(family)}
    RECORD.parent.mkdir(exist_ok=True)
    RECORD.write_text(json.dumps(data, indent=2, sort_keys=True) + "\n", encoding="utf-8")
