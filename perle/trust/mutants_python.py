# SPDX-License-Identifier: Apache-2.0
"""Mutation of Python: expressions in functions become choices, as in C++ (`perle.trust.mutants_text`).

    a + b   →   ((a - b) if _perle_mutant(17) else (a + b))

Code that runs when a module is imported is not mutated: that happens before a fault is enabled.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from perle.trust.mutants import VARIABLE, Mutant
from perle.trust.mutants_text import instrumented as built_in

CHOICE = f"""

def _perle_mutant(number: int) -> bool:
    import os

    return os.environ.get({VARIABLE!r}) == str(number)
""".encode()
OTHER: dict[type[ast.AST], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "//"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "|"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}


class _Places(ast.NodeVisitor):
    def __init__(self, path: Path, source: bytes) -> None:
        self.path, self.source, self.found = path, source, list[Mutant]()
        self.lines = [0, *(at.end() for at in re.finditer(rb"\n", source))]
        self.inside = False

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        begin = self.lines[node.lineno - 1] + node.col_offset
        return begin, self.lines[node.end_lineno - 1] + node.end_col_offset

    def add(self, node: ast.expr | ast.stmt, broken: bytes, kind: str) -> None:
        begin, end = self.span(node)
        line = self.source[self.lines[node.lineno - 1] : self.lines[node.lineno]].decode().strip()
        where = "" if line == self.source[begin:end].decode() else line
        statement = isinstance(node, ast.stmt)
        self.found.append(Mutant(self.path, begin, end, broken, kind, statement, where))

    def exchange(self, node: ast.expr, parts: list[ast.expr], operator: ast.AST) -> None:
        """Add the fault that replaces all operators between these parts by another one."""
        if type(operator) not in OTHER:
            return
        (was, other), (at, end) = OTHER[type(operator)], self.span(node)
        text = b""
        for left, right in pairwise(parts):
            first, last = self.span(left)[1], self.span(right)[0]
            text += self.source[at:first] + self.source[first:last].replace(was.encode(), other.encode(), 1)
            at = last
        self.add(node, text + self.source[at:end], "operator")

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Visit only the body: everything else is evaluated at import."""
        outer, self.inside = self.inside, True
        for one in node.body:
            self.visit(one)
        self.inside = outer

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Skip the annotation."""
        if node.value is not None:
            self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Skip f-strings: the positions of their parts are not known."""

    def visit_Raise(self, node: ast.Raise) -> None:
        """Skip error messages."""

    def visit(self, node: ast.AST) -> None:
        """Add the faults of a node and its children."""
        if self.inside:
            self.of(node)
        super().visit(node)

    def of(self, node: ast.AST) -> None:
        """Add the faults of a node."""
        match node:
            case ast.BinOp():
                self.exchange(node, [node.left, node.right], node.op)
            case ast.BoolOp():
                self.exchange(node, node.values, node.op)
            case ast.Compare(ops=[operator]):
                self.exchange(node, [node.left, *node.comparators], operator)
            case ast.Constant(value=bool()):
                self.add(node, str(not node.value).encode(), "constant")
            case ast.Constant(value=int()):
                self.add(node, str(int(str(node.value)) + 1).encode(), "constant")
            case ast.If() | ast.While() | ast.IfExp():
                self.add(node.test, b"not (" + self.source[slice(*self.span(node.test))] + b")", "condition")
            case ast.Return(value=ast.expr() as value):
                self.add(value, b"None", "returned")
            case ast.Expr(value=ast.Call()) | ast.AugAssign():
                begin, _ = self.span(node)
                if not self.source[self.lines[node.lineno - 1] : begin].strip():
                    self.add(node, b"", "left out")


def places(path: Path) -> list[Mutant]:
    """Return all faults that can be inserted into a module, in the order of its text."""
    source = path.read_bytes()
    visitor = _Places(path, source)
    visitor.visit(ast.parse(source))
    return sorted(_new(visitor.found), key=lambda one: (one.begin, one.end, one.broken))


def _new(found: list[Mutant]) -> Iterator[Mutant]:
    """Yield the faults that change the text, each once."""
    for one in set(found):
        if one.broken != one.path.read_bytes()[one.begin : one.end]:
            yield one


def choice(number: int, one: Mutant, sound: bytes) -> bytes:
    """Return an expression with a fault inserted."""
    on = f"_perle_mutant({number})".encode()
    if one.statement:
        return b"if not " + on + b": " + sound
    return b"((" + one.broken + b") if " + on + b" else (" + sound + b"))"


def instrumented(source: bytes, mutants: dict[int, Mutant]) -> bytes:
    """Return a module's text with all faults inserted, by number."""
    return built_in(source, mutants, choice) + (CHOICE if mutants else b"")
