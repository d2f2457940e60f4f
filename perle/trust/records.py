# SPDX-License-Identifier: Apache-2.0
"""Records of campaigns: `results/trust/<part>.jsonl`, one line for the last run of each case.

A record contains what was tried (part, case, seed, settings), the sources and tools, the count of each
outcome, and every failure by name. Like a measurement, it is valid for the sources that it was made from.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from perle.flow.places import HOST, INSTALLED, RESULTS
from perle.flow.tools import ToolMissing, version
from perle.results import identity
from perle.results.canonical import fingerprint
from perle.results.lines import Lines

FOLDER = RESULTS / "trust"
LIBPERLE = "libperle"
TESTS = "host/"
MOST_NAMED = 50
"""Maximum number of failures that a record describes; it counts all of them."""

Count = int | float


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One run of a campaign on one case. `failures` is the number of failures, `failed` names them."""

    part: str  # coverage, faults, mutation, formal, gates, routed, leakage, secrets, fuzz
    case: str  # subject of the run: FAMILY:CONFIG and the operation
    seed: int
    date: str
    seconds: float
    counts: dict[str, Count]
    failures: int = 0
    failed: list[str] = []
    tools: dict[str, str] = {}
    files: dict[str, str] = {}
    settings: dict[str, Any] = {}

    @property
    def key(self) -> tuple[str, str]:
        """Key that is unique in a store."""
        return self.part, self.case


class Records(Lines[Record]):
    """The records of all parts, one file per part; those of an installed package are read-only."""

    def __init__(self, folder: Path = FOLDER) -> None:
        super().__init__(Record, folder)

    def put(self, fresh: Record) -> None:
        """Store a record, replacing that of the same case."""
        self.keep(fresh.part, fresh)

    @property
    def writable(self) -> bool:
        """Whether records can be stored: in a checkout, or in a folder given by the user."""
        return not (INSTALLED and self.folder == FOLDER)


class Run:
    """A running campaign: measures its time, and makes the record at its end."""

    def __init__(self, part: str, case: str, seed: int, **settings: object) -> None:
        self.part, self.case, self.seed = part, case, seed
        self.settings = identity.plain(settings)
        self.failed: list[str] = []
        self._begin = time.monotonic()

    def fail(self, what: str) -> None:
        """Note a failure."""
        self.failed.append(what)

    @property
    def seconds(self) -> float:
        """Seconds since the beginning."""
        return time.monotonic() - self._begin

    def end(
        self, counts: Mapping[str, Count], files: Iterable[Path], tools: Iterable[str] = (), before: float = 0
    ) -> Record:
        """Return the record; `before`: seconds of earlier runs that this one continued."""
        return Record(
            part=self.part,
            case=self.case,
            seed=self.seed,
            date=dt.datetime.now(dt.UTC).date().isoformat(),
            seconds=round(before + self.seconds, 1),
            counts=dict(counts),
            failures=len(self.failed),
            failed=self.failed[:MOST_NAMED],
            tools={name: _version(name) for name in tools},
            files=fingerprints(files),
            settings=self.settings,
        )


def _version(tool: str) -> str:
    try:
        return version(tool)
    except ToolMissing:
        return ""


def fingerprints(paths: Iterable[Path]) -> dict[str, str]:
    """Return the fingerprints of files by label; all files of libperle share one label, LIBPERLE.

    Its tests and fuzz targets have labels of their own: their paths below its folder.
    """
    found: dict[str, str] = {}
    host = hashlib.sha256()
    for path in paths:
        if _beside(path):
            found[TESTS + path.relative_to(HOST).as_posix()] = fingerprint(path)
        elif path.is_relative_to(HOST):
            host.update(fingerprint(path).encode())
            found[LIBPERLE] = host.hexdigest()[:12]
        else:
            found[identity.label(path)] = fingerprint(path)
    return found


def _beside(path: Path) -> bool:
    return any(path.is_relative_to(HOST / name) for name in ("tests", "fuzz"))


def _path(label: str) -> Path:
    path = HOST / label.removeprefix(TESTS)
    return path if label.startswith(TESTS) and _beside(path) else identity.PACKAGE / label


def stale(one: Record) -> list[str]:
    """Return the reasons why a record is stale; empty if it is current.

    An installed package has no tests: only the files that it has are compared.
    """
    there = {name: path for name in one.files if name != LIBPERLE and (path := _path(name)).is_file()}
    was = {name: made for name, made in one.files.items() if name in {*there, LIBPERLE} or not INSTALLED}
    library = host_files() if LIBPERLE in one.files else []
    return identity.changed_files(was, fingerprints([*there.values(), *library]))


def host_files() -> list[Path]:
    """Return the sources of libperle."""
    found = [HOST / "Makefile", *HOST.glob("include/*.h"), *HOST.glob("src/**/*.cpp")]
    return sorted([*found, *HOST.glob("src/**/*.hpp")])
