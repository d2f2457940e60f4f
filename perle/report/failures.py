# SPDX-License-Identifier: Apache-2.0
"""Messages of tools that failed, for readers."""

from __future__ import annotations

import re

# names of nets and cells in messages of a tool, which mean nothing to a reader
_NET = re.compile(r"'[^' ]{24,}'")
_FULL = {
    "": re.compile(r"too small: (.*)"),
    "no room left for ": re.compile(r"Unable to place cell .* to implement cell type '(.*)'"),
    "no room for ": re.compile(r"Failed to expand region .* of (.*)"),
}


def readable(error: str) -> str:
    """Return the first line of an error, with '…' for long names of nets and cells."""
    return _NET.sub("'…'", error.partition("\n")[0])


def lacking(error: str) -> str:
    """Return what the device has too few of, if that is the error; such a run always fails again."""
    for what, pattern in _FULL.items():
        if found := pattern.search(readable(error)):
            return f"{what}{found[1]}"
    return ""
