# SPDX-License-Identifier: Apache-2.0
"""Adds a prefix to all modules, packages and interfaces of an IP directory, to use several in one design.

The definitions in the header of the registers are renamed too, to include several in one program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

DECLARED = re.compile(r"^(?:module|package|interface) +(\w+)", re.MULTILINE)
SOURCES = (".sv", ".v")
HEADERS = "include/"
DEFINED = re.compile(r"(?<!\w)(?:perle_regs(?=_)|PERLE_REGS)")
"""Common beginning of all names in the C header of the registers: include guard, macros and types."""


def names(files: dict[str, str]) -> set[str]:
    """Return the names of all modules, packages and interfaces that the files declare."""
    return {name for path, text in files.items() if path.endswith(SOURCES) for name in DECLARED.findall(text)}


def prefixed(files: dict[str, str], prefix: str, also: Iterable[str] = ()) -> dict[str, str]:
    """Return the files with `prefix` before each name, in texts and in file names."""
    if not prefix:
        return files
    known = sorted({*names(files), *also}, key=len, reverse=True)
    # A name inside a longer word is another name.
    word = re.compile(rf"(?<![\w])(?:{'|'.join(map(re.escape, known))})(?!\w)")

    def renamed(text: str) -> str:
        return word.sub(lambda found: f"{prefix}_{found[0]}", text)

    def header(text: str) -> str:
        return DEFINED.sub(lambda of: f"{prefix.upper() if of[0].isupper() else prefix}_{of[0]}", text)

    return {
        renamed(path): renamed(header(text) if path.startswith(HEADERS) else text)
        for path, text in files.items()
    }
