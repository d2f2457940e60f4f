# SPDX-License-Identifier: Apache-2.0
"""Writes a set of files: all or none, and never over files that were not generated."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

MANIFEST = "MANIFEST"
HEAD = re.compile(r"# SPDX-License-Identifier: Apache-2\.0\n# .+\n# sources .+\n")
"""First lines of a generated manifest; a MANIFEST file without them belongs to the user."""


def manifest(files: dict[str, str], title: str, source_hash: str) -> str:
    """Return a list for `sha256sum -c`: title, hash of the sources, and the hash of every file."""
    head = ["# SPDX-License-Identifier: Apache-2.0", f"# {title}", f"# sources {source_hash}"]
    sums = [f"{hashlib.sha256(text.encode()).hexdigest()}  {name}" for name, text in sorted(files.items())]
    return "\n".join([*head, *sums]) + "\n"


def listed(folder: Path) -> dict[str, set[str]]:
    """Return the names in the generated manifest of a folder, with their hashes; {} without a manifest."""
    try:
        text = (folder / MANIFEST).read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError, UnicodeDecodeError):
        return {}
    if not HEAD.match(text):
        return {}
    found: dict[str, set[str]] = {}
    for line in text.splitlines():
        hashed, _, name = line.partition("  ")
        if (
            name
            and not line.startswith("#")
            and not Path(name).is_absolute()
            and ".." not in Path(name).parts
        ):
            found.setdefault(name, set()).add(hashed)
    return found


def foreign(folder: Path, names: Iterable[str]) -> list[str]:
    """Return the names of existing files that were not generated, or were changed since."""
    known = listed(folder)
    return [
        name
        for name in sorted({*names, *known} - {MANIFEST})
        if os.path.lexists(folder / name) and not _ours(folder, name, known.get(name, set()))
    ] + ([MANIFEST] if os.path.lexists(folder / MANIFEST) and not known else [])


def _ours(folder: Path, name: str, hashes: set[str]) -> bool:
    path = folder / name
    inside = path.parent.resolve().is_relative_to(folder.resolve())
    if not inside or path.is_symlink() or not path.is_file():
        return False
    return hashlib.sha256(path.read_bytes()).hexdigest() in hashes


def check_free(folder: Path, *, force: bool, names: Iterable[str] = ()) -> None:
    """Raise FileExistsError unless the folder may be written; with `force`, `names` may be replaced."""
    if folder.is_dir():
        if not os.access(folder, os.W_OK | os.X_OK):  # an empty folder could be replaced nevertheless
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))
        if any(folder.iterdir()) and not force:
            text = "the directory is not empty; --force replaces the files that were generated there"
            raise FileExistsError(errno.ENOTEMPTY, text, str(folder))
        if others := foreign(folder, names):
            more = f" (and {len(others) - 1} others)" if len(others) > 1 else ""
            text = f"was not generated there, or was changed since{more}: move it away, nothing was written"
            raise FileExistsError(errno.EEXIST, text, str(folder / others[0]))
    elif folder.exists() or folder.is_symlink():
        raise FileExistsError(errno.ENOTDIR, "exists and is no directory", str(folder))


def write(files: dict[str, str], folder: Path, *, force: bool = False) -> None:
    """Write all files, including the manifest, into `folder`.

    A new folder appears complete, in one step. An existing folder is kept with its permissions, as it may be
    a mount point. With `force`, unchanged files of an older manifest are replaced or removed, and all others
    are kept. Meanwhile the manifest has old and new hashes: `sha256sum -c` detects an unfinished folder, and
    `force` completes it.
    """
    check_free(folder, force=force, names=files)
    if folder.is_symlink():  # the link is kept
        folder = folder.resolve()
    new = not folder.exists()
    scratch = _scratch(folder, folder.parent if new else folder)
    try:
        for name, text in files.items():
            path = scratch / name
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text.encode())
            except OSError as error:  # a full disk: of a write the system names no file
                raise OSError(error.errno, error.strerror, str(folder / name)) from error
        if new:
            scratch.chmod(0o777 & ~_umask())
            os.replace(scratch, folder)
        else:
            _replace(scratch, folder, sorted(files, key=lambda name: name == MANIFEST))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _scratch(folder: Path, place: Path) -> Path:
    """Make a folder on the same file system as `folder`, so that renaming is one step."""
    try:
        place.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=place))
    except FileExistsError as error:
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder.parent)) from error
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(folder)) from error


def _replace(scratch: Path, folder: Path, names: list[str]) -> None:
    old = set(listed(folder)) - set(names)
    both = scratch / f"{MANIFEST}.both"
    before = (folder / MANIFEST).read_bytes() if (folder / MANIFEST).exists() else b""
    both.write_bytes(before + (scratch / MANIFEST).read_bytes())
    os.replace(both, folder / MANIFEST)
    for name in sorted(old):
        (folder / name).unlink(missing_ok=True)
        with suppress(OSError):  # not empty: it has files of the user
            (folder / name).parent.rmdir()
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        os.replace(scratch / name, folder / name)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
