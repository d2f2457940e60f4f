# SPDX-License-Identifier: Apache-2.0
"""Mutation of C++: expressions become choices, as in hardware (`perle.trust.mutants`).

    a + b   →   (perle_mutant(17) ? (a - b) : (a + b))

Works on text, without a parser: clang-format has put white space around every binary operator, and an operand
ends at a bracket or at an operator of the same or lower precedence. Faults that the compiler refuses are
dropped. Comments, strings, preprocessor directives and compile-time expressions are not mutated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from perle.trust.mutants import Mutant

LEVELS = (
    ("=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=", "?", ":"),
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
"""Operators of C++, from lowest to highest precedence."""
LEVEL = {one: level for level, operators in enumerate(LEVELS) for one in operators}
OTHER = {
    "+": "-",
    "-": "+",
    "*": "+",
    "/": "*",
    "%": "/",
    "&": "|",
    "|": "&",
    "^": "|",
    "&&": "||",
    "||": "&&",
    "==": "!=",
    "!=": "==",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "<<": ">>",
    ">>": "<<",
}
BLANK = re.compile(
    rb'//[^\n]*|/\*.*?\*/|^[ \t]*#(?:\\\n|[^\n])*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S | re.M
)
OPERATOR = re.compile(rb"(?<=\s)(?:&&|\|\||<<|>>|[=!<>]=|[-+*/%<>&|^])(?=\s)")
NUMBER = re.compile(rb"(?<![\w.'])(?:0x[0-9a-fA-F']+|\d[\d']*)[uUlL]*(?![\w.'])")
CONDITION = re.compile(rb"\b(?:if|while) \(")
RETURN = re.compile(rb"\breturn ([^;{}]+);")
STATEMENT = re.compile(
    rb"(?<=[;{})])\s+((?!return|throw|using|const|static|break|continue|else|auto|goto|delete)"
    rb"(?:[A-Za-z_][\w.>:\[\]-]*(?:\([^;{}]*\)| [-+*/|&^]?= [^;{}]+)|\+\+[^;{}]+|--[^;{}]+));"
)
COMPILED = re.compile(rb"\b(?:constexpr|static_assert|template|enum|case|using|operator|throw)\b[^;{]*")
"""Text that is not mutated: compile-time expressions, declarations and error messages, each up to the next
`;` or `{`."""


def plain(source: bytes) -> bytes:
    """Return a text of the same length, with blanks for everything that is not mutated."""
    for one in (BLANK, COMPILED):
        source = one.sub(lambda found: re.sub(rb"[^\n]", b" ", found[0]), source)
    return source


def places(path: Path) -> list[Mutant]:
    """Return all faults that may be inserted into a file, in the order of its text."""
    source = path.read_bytes()
    text = plain(source)
    found = [Mutant(path, *one) for one in _all(source, text)]
    return sorted(set(found), key=lambda one: (one.begin, one.end, one.broken))


Piece = tuple[int, int, bytes, str, bool, str]


def _all(source: bytes, text: bytes) -> Iterator[Piece]:
    def piece(begin: int, end: int, broken: bytes, kind: str, *, statement: bool = False) -> Piece:
        return begin, end, broken, kind, statement, _where(source, begin, end)

    for one in OPERATOR.finditer(text):
        begin, end = _operand(text, one.start(), one[0], -1), _operand(text, one.end(), one[0], 1)
        sides = source[begin : one.start()], source[one.end() : end]
        if text[begin : one.start()].strip() and text[one.end() : end].strip():
            yield piece(begin, end, OTHER[one[0].decode()].encode().join(sides), "operator")
    for one in NUMBER.finditer(text):
        number = int(one[0].decode().rstrip("uUlL").replace("'", ""), 0)
        yield piece(one.start(), one.end(), str(number + 1).encode(), "constant")
    for one in CONDITION.finditer(text):
        end = _operand(text, one.end(), b"", 1)
        if b";" not in text[one.end() : end] and not re.match(rb"(const )?auto\b", text[one.end() : end]):
            yield piece(one.end(), end, b"!(" + source[one.end() : end] + b")", "condition")
    for one in RETURN.finditer(text):
        yield piece(*one.span(1), b"!(" + source[slice(*one.span(1))] + b")", "returned")
    for one in STATEMENT.finditer(text):
        if one[1].count(b"(") != one[1].count(b")"):  # part of a loop's header
            continue
        yield piece(one.start(1), one.end(), b"", "left out", statement=True)


def _operand(text: bytes, at: int, operator: bytes, step: int) -> int:
    """Return where the operand on one side of a position ends; without an operator, at the bracket."""
    level, depth = LEVEL.get(operator.decode(), -1), 0
    opens, closes = (b"([{", b")]}") if step > 0 else (b")]}", b"([{")
    while 0 <= at + min(step, 0) < len(text):
        char = text[at : at + 1] if step > 0 else text[at - 1 : at]
        if char in opens:
            depth += 1
        elif char in closes:
            depth -= 1
        if depth < 0 or (depth == 0 and level >= 0 and (char in b",;{}" or _ends(text, at, level, step))):
            break
        at += step
    while text[at - 1 : at].isspace() and step > 0:
        at -= 1
    while text[at : at + 1].isspace() and step < 0:
        at += 1
    return at


WORD = re.compile(rb"\s(\S+)\s")


def _ends(text: bytes, at: int, level: int, step: int) -> bool:
    """Whether a word with white space on both sides ends an operand here."""
    if step > 0:
        found = WORD.match(text, at)
        word = found[1].decode() if found else ""
        return word in LEVEL and LEVEL[word] <= level
    words = text[max(0, at - 12) : at]
    if not words[-1:].isspace():
        return False
    word = words.split()[-1].decode() if words.split() else ""
    return word in ("return", "else", "throw") or (word in LEVEL and LEVEL[word] < level)


def _where(source: bytes, begin: int, end: int) -> str:
    """Return the stripped line around a piece of text; "" if it is the whole line."""
    first = source.rfind(b"\n", 0, begin) + 1
    line = source[first : source.find(b"\n", begin)].decode().strip()
    return "" if line.rstrip(";") == source[begin:end].decode().strip().rstrip(";") else line


def choice(number: int, one: Mutant, sound: bytes) -> bytes:
    """Return a piece of C++ with a fault inserted, without changing its number of lines."""
    on = f"perle_mutant({number})".encode()
    if one.statement:
        return b"{ if (!" + on + b") { " + sound + b" } }"
    return b"(" + on + b" ? (" + b" ".join(one.broken.split()) + b") : (" + sound + b"))"


def instrumented(
    source: bytes, mutants: dict[int, Mutant], choose: Callable[[int, Mutant, bytes], bytes] = choice
) -> bytes:
    """Return a file's text with all faults inserted, by number; they may be nested."""
    order = sorted(mutants.items(), key=lambda one: (one[1].begin, -one[1].end, not one[1].statement, one[0]))
    return _render(source, 0, len(source), order, choose)


def _render(
    source: bytes,
    begin: int,
    end: int,
    order: list[tuple[int, Mutant]],
    choose: Callable[[int, Mutant, bytes], bytes],
) -> bytes:
    parts, at = [], begin
    while order:
        (number, one), *rest = order
        inner = [each for each in rest if each[1].begin >= one.begin and each[1].end <= one.end]
        sound = _render(source, one.begin, one.end, inner, choose)
        parts += [source[at : one.begin], choose(number, one, sound)]
        at, order = one.end, [each for each in rest if each[1].begin >= one.end]
    return b"".join([*parts, source[at:end]])
