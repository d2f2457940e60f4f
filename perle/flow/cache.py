# SPDX-License-Identifier: Apache-2.0
"""The cache of build results, keyed by a hash of all their inputs.

The root is `$PERLE_CACHE`, else the user's cache folder. Entries are created atomically, and only once even
if several processes need them; the build log is stored next to the entry.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from platformdirs import user_cache_path

from perle.flow.progress import tell
from perle.flow.tools import SettingError, ToolError, note_use
from perle.flow.trusted import OTHERS, check_owner


def cache_root() -> Path:
    """Return the folder of all entries, created if necessary, accessible to its owner only.

    Raises SettingError if the environment has a relative path: it would depend on the working folder, and
    libperle, which loads boards from the cache, refuses it too.
    """
    for name in ("PERLE_CACHE", "XDG_CACHE_HOME"):
        chosen = os.environ.get(name)
        if chosen and not Path(chosen).is_absolute():
            hint = f"give the whole path: {name}=$PWD/{chosen}"
            raise SettingError("cache", f"{name} is no absolute path: {chosen}", hint)
    chosen = os.environ.get("PERLE_CACHE")
    return own_folder(Path(chosen).resolve() if chosen else user_cache_path("perle"))


def own_folder(path: Path) -> Path:
    """Return a folder that nobody else can write to: create it, or correct permissions due to a lax umask.

    Raises ToolError if it belongs to another user, or is shared, like /tmp.
    """
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    found = path.stat()
    if found.st_mode & OTHERS and found.st_mode & (stat.S_ISVTX | stat.S_ISGID):
        raise ToolError("cache", f"{path} is meant for others too", f"name a folder in it: {path}/perle")
    if found.st_uid == os.geteuid() and found.st_mode & OTHERS:
        path.chmod(stat.S_IMODE(found.st_mode) & ~OTHERS)
    check_owner(path.resolve())
    return path


def lock_file(path: Path) -> IO[str]:
    """Open a lock file, created if necessary; symbolic links are refused."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.fdopen(os.open(path, flags, 0o600), "r+", encoding="utf-8")


def content_hash(files: Iterable[Path], *data: object) -> str:
    """Return a hash, 16 hex digits, of the files' names and contents, in order, and JSON-encodable `data`."""
    digest = hashlib.sha256()
    for file in files:
        content = file.read_bytes()
        digest.update(f"{file.name}\0{len(content)}\0".encode())
        digest.update(content)
    digest.update(json.dumps(data, sort_keys=True, default=str).encode())
    return digest.hexdigest()[:16]


def log_path(result: Path) -> Path:
    """Return the path of a build result's log, next to it."""
    return result.with_name(result.name + ".log")


@contextmanager
def locked(name: str) -> Iterator[None]:
    """Hold the lock `name` of the cache, also against other processes; reports if it has to wait."""
    with lock_file(cache_root() / f"{name}.lock") as file:
        take(file, name)
        yield


def take(file: IO[str], what: str) -> None:
    """Lock an open file; closing it releases the lock."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        tell(f"waiting for another process that makes {what}")
        fcntl.flock(file, fcntl.LOCK_EX)


def cached(key: str, suffix: str, make: Callable[[Path], None]) -> Path:
    """Return the entry `key`+`suffix`; on the first call `make(path)` must write the file `path`.

    A `=` in the key, as in the name of an unnamed configuration, is replaced in the path, because make(1)
    takes a target with `=` as an assignment. `path` is in a temporary folder, which is removed afterwards.
    The log at `log_path(path)` is stored next to the entry, also if `make` fails.
    """
    note_use(key)
    key = key.replace("=", "_")
    final = cache_root() / f"{key}{suffix}"
    if final.exists():
        return final
    with locked(key):
        if not final.exists():
            _make(final, make)
    return final


def _make(final: Path, make: Callable[[Path], None]) -> None:
    scratch = Path(tempfile.mkdtemp(prefix=f"{final.name}.", dir=final.parent))
    fresh = scratch / final.name
    try:
        make(fresh)
        # libperle refuses to load files that others can write to.
        fresh.chmod(stat.S_IMODE(fresh.stat().st_mode) & ~OTHERS)
        os.replace(fresh, final)
    finally:
        if log_path(fresh).exists():
            os.replace(log_path(fresh), log_path(final))
        shutil.rmtree(scratch, ignore_errors=True)
