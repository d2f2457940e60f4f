# SPDX-License-Identifier: Apache-2.0
"""The entries of the cache, with size and time of last use, and their removal.

An entry is everything built under one key (`KIND-…-HASH`): the result, its log, and folders of interrupted
builds. Locks are never removed: if a lock file were removed while a process waits for it, two processes could
hold the lock.
"""

from __future__ import annotations

import fcntl
import re
import shutil
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from perle.flow.cache import cache_root, lock_file

DAY = 86_400.0
_KEY = re.compile(r"(?P<key>(?P<kind>[a-z]+)-(?:.*-)?[0-9a-f]{16})(?:\..*)?")


@dataclass(frozen=True)
class Entry:
    """Everything built under one key. `used`: time of the last write or read, in seconds since 1970.

    Most file systems update the time of reading only once a day, some never.
    """

    key: str
    kind: str
    paths: tuple[Path, ...]
    bytes: int
    used: float


def entries() -> list[Entry]:
    """Return all entries, the least recently used first."""
    found: dict[tuple[str, str], list[Path]] = defaultdict(list)
    for path in cache_root().iterdir():
        match = _KEY.fullmatch(path.name)
        if match is not None and path.suffix != ".lock":
            found[match["key"], match["kind"]].append(path)
    those = (_entry(key, kind, sorted(paths)) for (key, kind), paths in found.items())
    return sorted(those, key=lambda one: (one.used, one.key))


def _entry(key: str, kind: str, paths: list[Path]) -> Entry:
    size, used = 0, 0.0
    for path in paths:
        for file in (path, *path.rglob("*")) if path.is_dir() else (path,):
            try:
                found = file.lstat()
            except FileNotFoundError:  # removed concurrently
                continue
            size += found.st_blocks * 512
            if not file.is_dir():  # listing a folder updates its time, which does not count as use
                used = max(used, found.st_atime, found.st_mtime)
    return Entry(key, kind, tuple(paths), size, used)


def chosen(
    found: Iterable[Entry], *, older_than: float | None, keep_bytes: int | None, now: float | None = None
) -> list[Entry]:
    """Return the entries to remove: not used for `older_than` days, and the oldest beyond `keep_bytes`.

    The order is that of `entries`, the oldest first. Either limit may be None. Raises ValueError for a
    negative limit.
    """
    if (older_than or 0) < 0 or (keep_bytes or 0) < 0:
        raise ValueError("an age and a size are not negative")
    those = list(found)
    present = time.time() if now is None else now
    excess = 0 if keep_bytes is None else sum(one.bytes for one in those) - keep_bytes
    gone = []
    for one in those:
        old = older_than is not None and present - one.used > older_than * DAY
        if old or excess > 0:
            gone.append(one)
            excess -= one.bytes
    return gone


def remove(those: Iterable[Entry]) -> list[Entry]:
    """Remove entries, except those being built or loaded by a process; return the removed ones."""
    mapped = "".join(_loaded())
    return [one for one in those if not any(str(path) in mapped for path in one.paths) and _remove(one)]


def _remove(entry: Entry) -> bool:
    with _lock(entry.key) as free:
        if not free:
            return False
        for path in entry.paths:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
    return True


def forget_links() -> int:
    """Remove links to boards that no longer exist; return their number."""
    dangling = [link for link in (cache_root() / "boards").glob("*.so") if not link.exists()]
    for link in dangling:
        link.unlink(missing_ok=True)
    return len(dangling)


@contextmanager
def _lock(key: str) -> Iterator[bool]:
    """Hold the lock of an entry if no other process does; yields whether it is held."""
    with lock_file(cache_root() / f"{key}.lock") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def _loaded() -> Iterator[str]:
    """Yield the memory maps of all visible processes."""
    for maps in Path("/proc").glob("[0-9]*/maps"):
        try:
            yield maps.read_text(encoding="utf-8", errors="replace")
        except OSError:  # the process has ended or belongs to another user
            continue
