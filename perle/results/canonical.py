# SPDX-License-Identifier: Apache-2.0
"""Fingerprints of source files that ignore changes without effect, such as comments and layout.

SystemVerilog, C and C++ are compared by tokens: comments, white space and attributes that no tool uses are
ignored; macros and comments for synthesis are included. Python is compared by its syntax tree without
docstrings, those below an attribute too. All other files are compared byte by byte.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

HARDWARE = {".sv", ".svh", ".v", ".vh"}
C = {".c", ".h", ".cpp", ".hpp"}

IGNORED_ATTRIBUTES = re.compile(r"\(\*\s*(?:src|doc)\s*=\s*\"[^\"]*\"\s*\*\)")
"""Attributes that are only information for a reader; any other may change the result of synthesis."""

OBEYED = re.compile(
    r"/[/*]\s*(?:synopsys|synthesis|pragma|rtl_synthesis)\s+"
    r"(?:translate_o(?:n|ff)|synthesis_o(?:n|ff)|o(?:n|ff)\b|full_case|parallel_case)"
)
"""Comments that synthesis tools obey, such as `// synthesis translate_off`."""

TOKEN = re.compile(
    r"""
    (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\\n])')
  | (?P<word>\\\S+|[$`]?\w[\w$]*|'[sS]?[bodhBODH][\da-fA-FxXzZ?_]+|'[01xXzZ])
  | (?P<operator><<<=|>>>=|<<<|>>>|===|!==|==\?|!=\?|<<=|>>=|->>|\|->|\|=>|<->|::|\+\+|--|\*\*|\+:|-:
      |<=|>=|==|!=|&&|\|\||->|<<|>>|[-+*/%&|^]=|~[&|^]|\^~|\#\#|@@|'\{|\(\*(?!\s*\))|\*\)|:=|:/|\S)
  | (?P<line>\n)
  | (?P<blank>[^\S\n]+)
""",
    re.VERBOSE | re.DOTALL,
)


def tokens(text: str, *, directive: str = "`") -> Iterator[str]:
    """Yield the tokens of SystemVerilog, or with `directive` "#" of C.

    The end of a line is a token only if it ends the definition of a macro, or in C any directive.
    """
    definition = {"#"} if directive == "#" else {"`define"}
    defining, begin = False, True
    for found in TOKEN.finditer(IGNORED_ATTRIBUTES.sub(" ", text).replace("\\\n", " ")):
        kind, one = found.lastgroup, found[0]
        if kind == "line":
            if defining:
                yield one
            defining, begin = False, True
        elif kind == "comment":
            if OBEYED.match(one):
                yield one
        elif kind != "blank":
            defining |= begin and one in definition
            begin = False
            yield one


def tree(text: str) -> Iterator[str]:
    """Yield Python's syntax tree without docstrings and positions, equal in all versions of Python."""
    yield from _dump(ast.parse(text))


def _dump(node: object) -> Iterator[str]:
    if isinstance(node, ast.AST):
        yield f"({type(node).__name__}"
        for name, value in ast.iter_fields(node):
            if value is not None and value != []:
                yield f"{name}="
                yield from _dump(value)
        yield ")"
    elif isinstance(node, list):
        for one in node:
            if not _documents(one):
                yield from _dump(one)
    else:
        yield repr(node)


def _documents(node: object) -> bool:
    """Return whether a statement is a string alone: a docstring, or without effect anyway."""
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def fingerprint(path: Path) -> str:
    """Return the fingerprint of a file, 12 hex digits."""
    return fingerprint_of(path.suffix, path.read_bytes())


@lru_cache(maxsize=1024)
def fingerprint_of(suffix: str, content: bytes) -> str:
    """Return the fingerprint of a file's content; `suffix` determines the language."""
    digest = hashlib.sha256()
    if suffix in HARDWARE | C | {".py"}:
        text = content.decode("utf-8")
        parts = tree(text) if suffix == ".py" else tokens(text, directive="#" if suffix in C else "`")
        for part in parts:
            digest.update(part.encode() + b"\0")
    else:
        digest.update(content)
    return digest.hexdigest()[:12]
