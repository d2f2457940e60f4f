# SPDX-License-Identifier: Apache-2.0
"""Errors of a testbench: a handshake violation, or a failed assertion of the hardware."""

from __future__ import annotations

import re
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
HEADER = Path(__file__).with_name("failure.h")
CFLAGS = f"-DVL_USER_STOP -I{HEADER.parent}"
"""Compiler flags for a testbench that includes the header."""


class BenchError(AssertionError):
    """The hardware under test violated the handshake, or one of its own assertions."""


def describe(where: str) -> str:
    """Return the label of the assertion at `where`, a "file:line" of the sources, and its place."""
    name, _, line = where.rpartition(":")
    file = _here(Path(name))
    source = file.read_text(encoding="utf-8").splitlines()[int(line) - 1] if file.is_file() else ""
    label = re.match(r"\s*(\w+)\s*:\s*assert\b", source)
    return f"{label[1] if label else 'an assertion'} failed ({file.name}:{line})"


def _here(file: Path) -> Path:
    """Return the file, or that of the same name in this checkout: cached testbenches may be from another."""
    return file if file.is_file() else next(PACKAGE.rglob(file.name), file)


def raise_if_failed(where: bytes | None) -> None:
    """Raise BenchError with the name of the failed assertion, if a driver reports one."""
    if where:
        raise BenchError(describe(where.decode()))
