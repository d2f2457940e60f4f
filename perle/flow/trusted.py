# SPDX-License-Identifier: Apache-2.0
"""What may be loaded or written to: files and folders that only root or the user can change.

The rules are libperle's (host/src/backend/trusted_path.cpp), for the shared objects that Python loads itself.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from perle.flow.tools import ToolError

OTHERS = stat.S_IWGRP | stat.S_IWOTH
MOST_LINKS = 40
"""As the kernel has it."""


def check_owner(path: Path) -> None:
    """Raise ToolError where somebody else owns `path` or can write to it, with the command that mends it.

    A folder of root's in which everybody removes only what is his (/tmp) is as good as one of root's.
    """
    found, user = path.lstat(), os.geteuid()
    if found.st_uid not in {0, user}:
        what = f"{path} belongs to user {found.st_uid}, neither to root nor to this user"
        raise ToolError("path", what, f"chown {user} {path}")
    sticky = stat.S_ISDIR(found.st_mode) and found.st_mode & stat.S_ISVTX and found.st_uid == 0
    if found.st_mode & OTHERS and not sticky and not stat.S_ISLNK(found.st_mode):
        raise ToolError("path", f"{path} can be written by others", f"chmod go-w {path}")


def trusted_path(path: Path) -> Path:
    """Return the real path of a file that may be loaded. Raises ToolError, naming what is wrong on the way.

    Every folder and link on the way is looked at: whoever can change one of them chooses what is loaded.
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
