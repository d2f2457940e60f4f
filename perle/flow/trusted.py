# SPDX-License-Identifier: Apache-2.0
"""Trusted paths: files and folders that only root or the user can change.

The rules are those of libperle (host/src/backend/trusted_path.cpp), for shared objects that Python loads.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from perle.flow.tools import ToolError

OTHERS = stat.S_IWGRP | stat.S_IWOTH
MOST_LINKS = 40
"""Maximum number of symbolic links in a path, as in the Linux kernel."""


def check_owner(path: Path) -> None:
    """Raise ToolError, with the command that fixes it, if others own `path` or can write to it.

    A sticky folder of root, like /tmp, is accepted.
    """
    found, user = path.lstat(), os.geteuid()
    if found.st_uid not in {0, user}:
        what = f"{path} belongs to user {found.st_uid}, neither to root nor to this user"
        raise ToolError("path", what, f"chown {user} {path}")
    sticky = stat.S_ISDIR(found.st_mode) and found.st_mode & stat.S_ISVTX and found.st_uid == 0
    if found.st_mode & OTHERS and not sticky and not stat.S_ISLNK(found.st_mode):
        raise ToolError("path", f"{path} can be written by others", f"chmod go-w {path}")


def trusted_path(path: Path) -> Path:
    """Return the real path of a file that may be loaded. Raises ToolError with the offending path.

    Every folder and link of the path is checked: whoever can change one of them can choose what is loaded.
    """
    at, names, links = Path("/"), [*reversed(path.absolute().parts[1:])], 0
    check_owner(at)
    while names:
        name = names.pop()
        here = at.parent if name == ".." else at / name
        if not os.path.lexists(here) or links > MOST_LINKS:
            raise ToolError("path", f"{path} is no file that can be loaded")
        check_owner(here)
        if here.is_symlink():
            links += 1
            target = here.readlink()
            at = Path("/") if target.is_absolute() else at
            names += [name for name in reversed(target.parts) if name != "/"]
        else:
            at = here
    if not at.is_file():
        raise ToolError("path", f"{path} is no file that can be loaded")
    return at
