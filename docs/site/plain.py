# SPDX-License-Identifier: Apache-2.0
"""Text that is no Markdown, as Markdown that shows it as it stands."""

from __future__ import annotations

import re

SPDX = "<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~$])")
_COLUMNS = re.compile(r"\S {3,}\S|^ {3,}", re.MULTILINE)


def escaped(text: str) -> str:
    """Return text with what Markdown would read as its own language escaped."""
    return re.sub(r"^([-+=]|\d+\.) ", r"\\\1 ", _MARKS.sub(r"\\\1", text), flags=re.MULTILINE)


def coded(text: str) -> str:
    """Return text with its `code` as code, and all else escaped."""
    return "".join(part if part.startswith("`") else escaped(part) for part in re.split(r"(`[^`\n]+`)", text))


def cell(text: str) -> str:
    """Return Markdown as a cell of a table: a bar would end the cell, even in code."""
    return re.sub(r"(?<!\\)\|", r"\|", text)


def paragraphs(text: str) -> str:
    """Return paragraphs of text; one that is laid out in columns keeps its layout."""
    parts = re.split(r"\n[ \t]*\n", text.strip("\n"))
    return "\n\n".join(f"```\n{one}\n```" if _COLUMNS.search(one) else coded(one) for one in parts if one)


def fence(language: str, text: str) -> str:
    """Return text as a block of code."""
    return f"```{language}\n{text.rstrip()}\n```\n"


def directive(name: str, argument: str, *inside: str) -> str:
    """Return a directive of Sphinx, several lines of argument and what it contains among them."""
    body = "\n\n".join(one for one in inside if one)
    return f":::::{{{name}}} {argument}\n{body}\n:::::\n"
