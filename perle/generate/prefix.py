# SPDX-License-Identifier: Apache-2.0
"""Renames every module, package and interface of an IP directory, so that several live in one design.

What the header of the registers defines is renamed too, so that several are included in one program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

DECLARED = re.compile(r"^(?:module|package|interface) +(\w+)", re.MULTILINE)
SOURCES = (".sv", ".v")
HEADERS = "include/"
DEFINED = re.compile(r"(?<!\w)(?:perle_regs(?=_)|PERLE_REGS)")
"""How everything begins that the header of the registers defines: its guard, macros and types."""


def names(files: dict[str, str]) -> set[str]:
    """Return the names of all modules, packages and interfaces that the files declare."""
    return {name for path, text in files.items() if path.endswith(SOURCES) for name in DECLARED.findall(text)}


def prefixed(files: dict[str, str], prefix: str, also: Iterable[str] = ()) -> dict[str, str]:
    """Return the files with `prefix` before each name, in their texts and in their own names."""
    if not prefix:
        return files
    known = sorted({*names(files), *also}, key=len, reverse=True)
    # A file's name may follow an underscore only as part of a longer word, which is another name.
    word = re.compile(rf"(?<![\w])(?:{'|'.join(map(re.escape, known))})(?!\w)")

    def renamed(text: str) -> str:
        return word.sub(lambda found: f"{prefix}_{found[0]}", text)

    def header(text: str) -> str:
        return DEFINED.sub(lambda of: f"{prefix.upper() if of[0].isupper() else prefix}_{of[0]}", text)

    return {
        renamed(path): renamed(header(text) if path.startswith(HEADERS) else text)
        for path, text in files.items()
    }
