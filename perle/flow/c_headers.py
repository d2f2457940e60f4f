# SPDX-License-Identifier: Apache-2.0
"""Declarations of C headers for cffi: functions, structures, constants."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

CData: TypeAlias = Any
"""A C value. Its type is known to cffi only, which checks it at run time."""

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_CPLUSPLUS = re.compile(r"^#ifdef __cplusplus\n.*?^#endif\n", re.DOTALL | re.MULTILINE)
_INCLUDE = re.compile(r'#include "(.*)"')
_CONSTANT = re.compile(r"#define (\w+) \(?(-?\d+)u?\)?")
# Include guards, and preprocessor lines that only affect other dropped lines.
_DROPPED = re.compile(
    r"#(include <\w+\.h>|(ifndef|define) PERLE_(\w+_)?H_?|error .*|if defined\(__GNUC__\)|else|endif"
    r"|define PERLE_API( .*)?)"
)


def declarations(header: Path) -> str:
    """Return the declarations of a header and those that it includes, as C without preprocessing for cffi.

    Raises ValueError for a preprocessor line that cannot be dropped without changing the meaning.
    """
    return "\n".join(_lines(header, set()))


def _lines(header: Path, seen: set[Path]) -> Iterator[str]:
    if header in seen:
        return
    seen.add(header)
    text = _CPLUSPLUS.sub("", _COMMENT.sub(" ", header.read_text(encoding="utf-8")))
    for line in map(str.strip, text.splitlines()):
        if not line.startswith("#"):
            yield line.removeprefix("PERLE_API ")
        elif included := _INCLUDE.fullmatch(line):
            yield from _lines(header.parent / included[1], seen)
        elif constant := _CONSTANT.fullmatch(line):
            yield f"#define {constant[1]} {constant[2]}"
        elif not _DROPPED.fullmatch(line):
            raise ValueError(f"{header}: {line!r} means nothing without a preprocessor")
