# SPDX-License-Identifier: Apache-2.0
"""What goes wrong in a bench: a broken handshake, or an assertion of the hardware, by its name."""

from __future__ import annotations

import re
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
HEADER = Path(__file__).with_name("failure.h")
CFLAGS = f"-DVL_USER_STOP -I{HEADER.parent}"
"""What a driver that includes the header is compiled with."""


class BenchError(AssertionError):
    """The hardware under test broke the handshake, or one of its own assertions."""


def describe(where: str) -> str:
    """Return the label of the assertion at `where`, a "file:line" of the sources, and its place."""
    name, _, line = where.rpartition(":")
    file = _here(Path(name))
    source = file.read_text(encoding="utf-8").splitlines()[int(line) - 1] if file.is_file() else ""
    label = re.match(r"\s*(\w+)\s*:\s*assert\b", source)
    return f"{label[1] if label else 'an assertion'} failed ({file.name}:{line})"


def _here(file: Path) -> Path:
    """Return the file, or this checkout's of that name: benches are kept by content, not by place."""
    return file if file.is_file() else next(PACKAGE.rglob(file.name), file)


def raise_if_failed(where: bytes | None) -> None:
    """Raise BenchError with the name of the assertion that failed, if a driver says where one did."""
    if where:
        raise BenchError(describe(where.decode()))
