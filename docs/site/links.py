# SPDX-License-Identifier: Apache-2.0
"""Links of a page: inside the repository they lead to files, in the site to the pages that show them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from pathlib import PurePosixPath

# Code and pictures, which stay as they are, or what a link leads to.
_PART = re.compile(
    r"^(?P<fence>```|~~~).*?^(?P=fence)"
    r"|(?<!`)(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)"
    r"|!\[[^\]]*\]\([^)]*\)"
    r"|\]\((?P<target>[^)\s]+)\)",
    re.MULTILINE | re.DOTALL,
)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:")
PAGE = ".md"


def rewritten(text: str, page: PurePosixPath, place: Callable[[PurePosixPath], PurePosixPath]) -> str:
    """Return the text of a page with its links leading to where the site has their targets.

    `place` tells where the site shows a file or folder of the repository.
    """

    def link(found: re.Match[str]) -> str:
        target = found["target"]
        if target is None or target.startswith("#") or _SCHEME.match(target):
            return found[0]
        path, _, anchor = target.partition("#")
        goal = PurePosixPath(posixpath.normpath(page.parent / path))
        shown = posixpath.relpath(place(goal), place(page).parent)
        return f"]({shown}#{anchor})" if anchor and goal.suffix == PAGE else f"]({shown})"

    return _PART.sub(link, text)
