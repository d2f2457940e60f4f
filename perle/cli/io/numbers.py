# SPDX-License-Identifier: Apache-2.0
"""Numbers on the command line and in JSON lines: hexadecimal, with or without 0x."""

from __future__ import annotations

import re

from perle.cli.io.errors import bad_input

_HEX = re.compile(r"(?:0[xX])?([0-9a-fA-F]+)")


def from_hex(name: str, text: object) -> int:
    """Return the number; error messages call it `name`."""
    if not isinstance(text, str):
        raise bad_input(f"{name} is not a string of hexadecimal digits")
    match = _HEX.fullmatch(text.strip())
    if match is None:
        shown = text if len(text) <= 20 else text[:20] + "…"
        raise bad_input(f"{name} is not a hexadecimal number: {shown!r}")
    return int(match[1], 16)


def to_hex(value: int) -> str:
    """Return the digits without prefix and leading zeros."""
    return f"{value:x}"
