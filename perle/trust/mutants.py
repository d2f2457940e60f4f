# SPDX-License-Identifier: Apache-2.0
"""Mutation of hardware: sources with many faults, each enabled by its number, so that one build serves all.

An expression that is evaluated in every cycle becomes a choice between the original and the faulty one:

    count_q + 1   →   (perle_mutant_pkg::Number == 17 ? (count_q - 1) : (count_q + 1))

Number is the value of the environment variable PERLE_MUTANT when a simulation starts; 0 is the original
design. Expressions evaluated at elaboration (parameters, ranges, generate blocks, functions of packages) and
left sides of assignments are not mutated. Sources are parsed by slang (package pyslang).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from perle.flow.places import extra
from perle.flow.tools import ToolMissing

VARIABLE = "PERLE_MUTANT"
_SAID = f'std::getenv(\\"{VARIABLE}\\")'
PACKAGE = f"""\
package perle_mutant_pkg;
  int unsigned Number = $c32("({_SAID} ? std::atoi({_SAID}) : 0)");
endpackage
"""

BINARY = {
    "AddExpression": "-",
    "SubtractExpression": "+",
    "MultiplyExpression": "+",
    "BinaryAndExpression": "|",
    "BinaryOrExpression": "&",
    "BinaryXorExpression": "|",
    "LogicalAndExpression": "||",
    "LogicalOrExpression": "&&",
    "EqualityExpression": "!=",
    "InequalityExpression": "==",
    "LessThanExpression": "<=",
    "LessThanEqualExpression": "<",
    "GreaterThanExpression": ">=",
    "GreaterThanEqualExpression": ">",
    "LogicalShiftLeftExpression": ">>",
    "LogicalShiftRightExpression": "<<",
}
UNARY = {"UnaryBitwiseNotExpression", "UnaryLogicalNotExpression"}
ELABORATED = {
    *("ParameterDeclaration", "ParameterDeclarationStatement", "ParameterValueAssignment"),
    *(
        "RangeDimensionSpecifier",
        "TypedefDeclaration",
        "EnumType",
        "FunctionDeclaration",
        "EqualsValueClause",
    ),
    *("SimpleRangeSelect", "AscendingRangeSelect", "DescendingRangeSelect", "GenvarDeclaration"),
    *("EventControlWithExpression", "SystemName", "ImmediateAssertStatement", "ElabSystemTask", "BitSelect"),
}
"""Kinds of syntax nodes inside which nothing is mutated. They include bit selects, because an index may
select an instance."""
WHERE = {"ExpressionStatement", "ContinuousAssign", "NamedPortConnection", "ConditionalPredicate"}
"""Kinds of syntax nodes that are shown as the context of a mutation, cut at LONGEST characters."""
LONGEST = 90
BLOCKS = {"GenerateBlock", "ElseClause", "ContinuousAssign", "HierarchyInstantiation", "DataDeclaration"}


@dataclass(frozen=True)
class Mutant:
    """A fault: bytes begin … end of a file, an expression or a statement (`statement`), become `broken`."""

    path: Path
    begin: int
    end: int
    broken: bytes
    kind: str
    statement: bool = False
    where: str = ""
    """Text of the statement or connection that contains the mutated piece."""

    @cached_property
    def text(self) -> str:
        """Description: the line, the original text, and its replacement."""
        source = self.path.read_bytes()
        line = source.count(b"\n", 0, self.begin) + 1
        was = " ".join(source[self.begin : self.end].decode().split())
        became = " ".join(self.broken.decode().split()) or "(nothing)"
        where = f" in {self.where}" if self.where else ""
        return f"{self.path.name}:{line}: {self.kind}: {was} → {became}{where}"


def _slang() -> Any:  # noqa: ANN401
    try:
        return import_module("pyslang.syntax").SyntaxTree
    except ImportError:
        raise ToolMissing("pyslang", extra("trust"), "breaking hardware") from None


def places(path: Path) -> list[Mutant]:
    """Return all faults that can be built into a file, in the order of its text."""
    source = path.read_bytes()
    found: list[Mutant] = []

    def visit(node: Any) -> None:  # noqa: ANN401 - pyslang has no type annotations
        if "SyntaxKind" in str(node.kind):
            found.extend(replace(one, where=_where(node, source)) for one in _of(node, path, source))

    _slang().fromText(source.decode()).root.visit(visit)
    return sorted(set(found), key=lambda one: (one.begin, one.end, one.broken))


def _where(node: Any, source: bytes) -> str:  # noqa: ANN401
    """Return the text, as one line, of the statement or connection around a node; "" if it is the node."""
    begin, end = _span(node)
    if _kind(node) == "NonblockingAssignmentExpression" or _kind(node) == "ConditionalPredicate":
        return ""
    while node is not None and _kind(node) not in WHERE:
        node = node.parent
    if node is None or _span(node) == (begin, end):
        return ""
    begin, end = _span(node)
    text = " ".join(source[begin:end].decode().split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _kind(node: Any) -> str:  # noqa: ANN401
    return str(node.kind).partition(".")[2]


def _span(node: Any) -> tuple[int, int]:  # noqa: ANN401
    return node.sourceRange.start.offset, node.sourceRange.end.offset


def _of(node: Any, path: Path, source: bytes) -> Iterator[Mutant]:  # noqa: ANN401
    kind = _kind(node)
    begin, end = _span(node)
    text = source[begin:end]
    if kind == "NonblockingAssignmentExpression" and _kind(node.parent) == "ExpressionStatement":
        if not _elaborated(node):
            first, last = _span(node.parent)
            yield Mutant(path, first, last, b"", "not written", statement=True)
        return
    known = kind in BINARY or kind in UNARY or kind == "ConditionalPredicate"
    if not (known or "Literal" in kind or "IntegerVector" in kind) or _elaborated(node):
        return
    if kind in BINARY:
        (_, left), (right, _) = _span(node.left), _span(node.right)
        operator = BINARY[kind].encode()
        yield Mutant(
            path, begin, end, source[begin:left] + b" " + operator + b" " + source[right:end], "operator"
        )
    elif kind in UNARY:
        yield Mutant(path, begin, end, text[1:], "negation")
    elif kind == "ConditionalPredicate":
        yield Mutant(path, begin, end, b"!(" + text + b")", "condition")
    else:
        yield from _literal(path, begin, end, text)


def _literal(path: Path, begin: int, end: int, text: bytes) -> Iterator[Mutant]:
    if text in (b"'0", b"'1"):
        yield Mutant(path, begin, end, b"'1" if text == b"'0" else b"'0", "constant")
    elif text.isdigit():
        yield Mutant(path, begin, end, str(int(text) + 1).encode(), "constant")
    elif b"'" in text:
        size, _, digits = text.partition(b"'")
        base, value = digits[:1].lower(), digits[1:].replace(b"_", b"")
        radix = {b"b": 2, b"d": 10, b"h": 16}.get(base)
        if size.isdigit() and radix and value and all(one in b"0123456789abcdefABCDEF" for one in value):
            number = int(value, radix)
            other = number + 1 if number + 1 < 1 << int(size) else number - 1
            yield Mutant(path, begin, end, size + b"'d" + str(other).encode(), "constant")


def _elaborated(node: Any) -> bool:  # noqa: ANN401
    """Whether a node is evaluated at elaboration, is written to, or is connected to an output."""
    child, parent = node, node.parent
    while parent is not None:
        if _kind(parent) in ELABORATED or _fixed(_kind(parent), _kind(child), child, parent):
            return True
        child, parent = parent, parent.parent
    return False


def _fixed(kind: str, below: str, child: Any, parent: Any) -> bool:  # noqa: ANN401
    """Whether this child of a node of that kind is."""
    if kind in ("LoopGenerate", "IfGenerate", "CaseGenerate"):
        return below not in BLOCKS and not below.startswith("Always")
    if kind in ("ForLoopStatement", "StandardCaseItem", "PatternCaseItem"):
        return not below.endswith("Statement")
    if kind == "MultipleConcatenationExpression":
        return below != "ConcatenationExpression"
    if kind in ("CastExpression", "AssignmentExpression", "NonblockingAssignmentExpression"):
        return _span(child) == _span(parent.left)
    return kind == "NamedPortConnection" and not parent.name.rawText.endswith("_i")


def instrumented(source: bytes, mutants: dict[int, Mutant]) -> bytes:
    """Return a file's text with all faults inserted, by number; they may be nested."""
    order = sorted(mutants.items(), key=lambda one: (one[1].begin, -one[1].end, not one[1].statement, one[0]))
    return _render(source, 0, len(source), order)


def _render(source: bytes, begin: int, end: int, order: list[tuple[int, Mutant]]) -> bytes:
    parts, at, index = [], begin, 0
    while index < len(order):
        number, one = order[index]
        inner = [each for each in order[index + 1 :] if each[1].end <= one.end and each[1].begin >= one.begin]
        parts.append(source[at : one.begin])
        sound = _render(source, one.begin, one.end, inner)
        chosen = f"perle_mutant_pkg::Number == {number}".encode()
        if one.statement:
            parts.append(b"begin if (" + chosen + b") begin end else begin " + sound + b" end end")
        else:
            parts.append(b"(" + chosen + b" ? (" + one.broken + b") : (" + sound + b"))")
        at, index = one.end, index + 1 + len(inner)
    return b"".join([*parts, source[at:end]])
