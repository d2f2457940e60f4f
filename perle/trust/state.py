# SPDX-License-Identifier: Apache-2.0
"""The state variables of a design: those that its clocked blocks assign.

Found by text matching: a clocked block is the statement after `always_ff @(…)`, and it assigns the variables
before `<=` at the beginning of statements. This suffices for the style that Verible enforces; tests compare
the number of bits with those that Yosys finds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\(\*.*?\*\)", re.DOTALL)
MODULE = re.compile(r"^\s*module\s+(\w+)(.*?)^\s*endmodule", re.DOTALL | re.MULTILINE)
CLOCKED = re.compile(r"\balways_ff\s*@\s*\([^)]*\)")
LOOP = re.compile(r"\bfor\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")
INDEX = re.compile(r"\[[^\[\]]*\]")
TARGET = re.compile(
    r"(?:^|[;:)]|\b(?:begin|end|endcase|else)\b)\s*"
    r"(?:\{)?\s*([A-Za-z_]\w*(?:\s*(?:\.\w+|,\s*\w+))*)\s*\}?\s*<=(?!=)"
)


def clocked(text: str) -> Iterator[tuple[str, str]]:
    """Yield (module, variable) for every variable that a clocked block of the text assigns, each once."""
    found: dict[tuple[str, str], None] = {}
    for module in MODULE.finditer(COMMENT.sub(" ", text)):
        body = module[2]
        for begin in CLOCKED.finditer(body):
            for name in assigned(statement(body[begin.end() :])):
                found[module[1], name] = None
    yield from found


def reset(texts: Iterable[str]) -> tuple[set[str], set[str]]:
    """Return the variables that blocks with a reset assign: those in all modules, and those in some only."""
    with_reset: set[str] = set()
    without: set[str] = set()
    for text in texts:
        bare = COMMENT.sub(" ", text)
        for begin in CLOCKED.finditer(bare):
            names = assigned(statement(bare[begin.end() :]))
            (with_reset if "rst_ni" in begin[0] else without).update(names)
        without.update(re.findall(r"\b(?:assign|int unsigned)\s+(\w+)", bare))
    return with_reset - without, with_reset & without


def statement(text: str) -> str:
    """Return the first statement of a text: up to its `end`, or without `begin` up to its semicolon."""
    depth, at = 0, 0
    for found in re.finditer(r"\b(?:begin|end|case[xz]?|endcase)\b|;", text):
        word = found[0]
        if word in {"begin", "case", "casex", "casez"}:
            depth += 1
        elif word in {"end", "endcase"}:
            depth -= 1
        at = found.end()
        if depth == 0 and not re.match(r"\s*(?::\s*\w+\s*)?else\b", text[at:]):
            break
    return text[:at]


def assigned(block: str) -> list[str]:
    """Return the variables before `<=` at the beginning of statements, without members and indices."""
    block = LOOP.sub(" ", block)
    while (bare := INDEX.sub("", block)) != block:  # indices may be nested
        block = bare
    names = [
        part.strip().partition(".")[0] for found in TARGET.finditer(block) for part in found[1].split(",")
    ]
    return list(dict.fromkeys(names))


def waiver(files: Iterable[Path]) -> str:
    """Return a configuration file for Verilator that makes all state variables accessible from outside."""
    lines = [
        f'public_flat_rw -module "{module}" -var "{name}"'
        for path in files
        for module, name in clocked(path.read_text(encoding="utf-8"))
    ]
    return "\n".join(["`verilator_config", *dict.fromkeys(lines), ""])
