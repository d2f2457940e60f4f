# SPDX-License-Identifier: Apache-2.0
"""Stores of records as JSON lines, one file per name, for measurements and campaigns."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from perle.flow.cache import lock_file, take
from perle.flow.places import DamagedError


class Keyed(Protocol):
    """A record: a structure with a unique key."""

    @property
    def key(self) -> tuple[Any, ...]:
        """Key that is unique in a store."""
        ...


T = TypeVar("T", bound=Keyed)


class Lines(Generic[T]):
    """The records of a folder; safe for concurrent writers."""

    def __init__(self, kind: type[T], folder: Path, shipped: Path | None = None) -> None:
        """Use a folder; records in `shipped` are read too, but never written."""
        self.kind, self.folder, self.shipped = kind, folder, shipped

    def load(self, name: str | None = None) -> list[T]:
        """Return all records, or those of a file; DamagedError names the damaged file, line and key."""
        shipped = self._of_folder(self.shipped, name) if self.shipped else []
        kept = {one.key: one for one in [*shipped, *self._of_folder(self.folder, name)]}
        return list(kept.values())

    def keep(self, name: str, fresh: T) -> None:
        """Store a record in a file, replacing the one with the same key."""
        with self._locked():
            kept = {one.key: one for one in self._of_folder(self.folder, name)} | {fresh.key: fresh}
            lines = (
                json.dumps(msgspec.to_builtins(kept[key]), sort_keys=True) + "\n" for key in sorted(kept)
            )
            path = self.folder / f"{name}.jsonl"
            number, scratch = tempfile.mkstemp(prefix=f".{path.name}.", dir=self.folder)
            with os.fdopen(number, "w", encoding="utf-8") as file:
                file.writelines(lines)
            Path(scratch).chmod(0o644)
            os.replace(scratch, path)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self.folder.mkdir(parents=True, exist_ok=True)
        with lock_file(self.folder / ".lock") as file:
            take(file, f"a record in {self.folder}")
            yield

    def _of_folder(self, folder: Path, name: str | None) -> list[T]:
        names = sorted(folder.glob("*.jsonl")) if name is None else [folder / f"{name}.jsonl"]
        return [one for path in names if path.exists() for one in self._read(path)]

    def _read(self, path: Path) -> list[T]:
        return [self._record(line, f"{path}:{n}") for n, line in enumerate(path.read_bytes().splitlines(), 1)]

    def _record(self, line: bytes, place: str) -> T:
        try:
            return msgspec.json.decode(line, type=self.kind)
        except msgspec.DecodeError as fault:
            raise DamagedError(f"{place}: {fault}") from fault
