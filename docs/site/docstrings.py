# SPDX-License-Identifier: Apache-2.0
"""Docstrings, which are plain text, as what Sphinx reads: reStructuredText."""

from __future__ import annotations

import re
import textwrap
from typing import Any

from sphinx.application import Sphinx

_CODE = re.compile(r"(`[^`]+`)")
_MARKS = re.compile(r"([\\*|_])")


def as_text(lines: list[str]) -> list[str]:
    """Return a docstring with its code and its indented examples marked as such, and all else escaped."""
    paragraphs = [
        part for part in re.split(r"\n\s*\n", textwrap.dedent("\n".join(lines)).strip("\n")) if part
    ]
    found: list[str] = []
    for part in paragraphs:
        found += [*_literal(part)] if part.startswith(" ") else [_line(one) for one in part.split("\n")]
        found.append("")
    return found


def _literal(part: str) -> list[str]:
    return ["::", "", *textwrap.indent(textwrap.dedent(part), "    ").split("\n")]


def _line(line: str) -> str:
    parts = _CODE.split(line)
    return "".join(f"`{one}`" if one.startswith("`") else _MARKS.sub(r"\\\1", one) for one in parts)


def _process(_app: Sphinx, _kind: str, _name: str, _object: Any, _options: Any, lines: list[str]) -> None:  # noqa: ANN401
    lines[:] = as_text(lines)


def setup(app: Sphinx) -> None:
    """Have every docstring read in this way."""
    app.connect("autodoc-process-docstring", _process)
