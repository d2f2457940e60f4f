# SPDX-License-Identifier: Apache-2.0
"""A page a paper: all numbers that it prints; and one about those that do not agree with each other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import groupby

from docs.site import plain
from perle.cores.registry import Family, every
from perle.flow.places import CHECKOUT
from perle.papers import Check, Claim, Paper, keys, load
from perle.tables import Table

_DIFFERENCES = re.compile(r"^## (Differences from .+)$", re.MULTILINE)
ERRATA = """# Errata of the papers

Printed numbers that differ from what the other numbers of their paper give by more than half a unit of their
last digit; and the sections that say where a paper's text or figures are wrong or incomplete, and what the
hardware does instead.

## Numbers
"""

REPRODUCED = """`perle reproduce {}` shows its tables with measured numbers beside the printed ones. Symbols
are the paper's ([notation](/perle/papers/notation.md)); numbers that others of the same paper contradict are
among the [errata](errata.md).
"""


def page(key: str) -> str:
    """Return the page about a paper, as Markdown."""
    paper = load(key)
    lines = [
        f"{plain.SPDX}# {key}: {paper.title}\n",
        f"{', '.join(paper.authors)}. {paper.venue}, {paper.year}. Numbers from: {paper.source}.\n",
        REPRODUCED.format(key),
        f"Hardware that follows it: {', '.join(_link(one) for one in followers(key))}.\n",
    ]
    claims = sorted(paper.claims.values(), key=lambda one: one.page)
    for number, those in groupby(claims, key=lambda one: one.page):
        lines += [f"## {paper.place.capitalize()} {number}\n", _claims(those)]
    for source, those in groupby(paper.elsewhere.values(), key=lambda one: one.source):
        lines += ["## Not in the paper\n", f"From: {plain.escaped(source)}.\n", _claims(those)]
    return "\n".join([*lines, "## How they hang together\n", _checks(paper)])


def _claims(claims: Iterable[Claim]) -> str:
    """Return a table of claims."""
    table = Table(("name", "printed", "unit", "what"))
    for claim in claims:
        table.add(f"`{claim.id}`", f"`{claim.value}`", plain.escaped(claim.unit), plain.escaped(claim.what))
    return table.markdown() + "\n"


def _checks(paper: Paper) -> str:
    """Return what follows from the numbers of a paper, beside the number that it should be."""
    table = Table(("arithmetic", "gives", "printed", "what"))
    for check in paper.checks.values():
        printed = f"`{paper[check.claim].value if check.claim else check.equals}`"
        printed = printed if check.claim or check.equals else "known" if check.known else "–"
        table.add(f"`{check.expr}`", f"`{_decimal(check.computes)}`", printed, plain.escaped(check.what))
    return table.markdown() + "\n"


def followers(key: str) -> list[Family]:
    """Return the families that follow a paper."""
    return [one for one in every().values() if one.paper == key]


def contradictions(paper: Paper) -> Iterator[Check]:
    """Yield the checks that miss a printed number by more than half a unit of its last digit."""
    for check in paper.checks.values():
        printed = str(paper[check.claim].value) if check.claim else ""
        if re.fullmatch(r"-?\d+(\.\d+)?", printed):
            unit = Fraction(1, 10 ** len(printed.partition(".")[2]))
            if abs(check.computes - Fraction(printed)) > unit / 2:
                yield check


def errata() -> str:
    """Return the page about what is wrong in the papers, as Markdown."""
    numbers = Table(("paper", "where", "printed", "computed", "why"))
    sections = []
    for paper in map(load, keys()):
        for check in contradictions(paper):
            claim = paper[check.claim]
            numbers.add(
                f"[{paper.key}]({paper.key}.md)",
                f"{paper.place} {claim.page}: {plain.escaped(claim.what)}",
                f"`{claim.value}`",
                f"`{_decimal(check.computes)}`",
                plain.escaped(check.what),
            )
        for one in followers(paper.key):
            found = _DIFFERENCES.search((one.folder / "README.md").read_text(encoding="utf-8"))
            if found:
                slug = found[1].lower().replace(" ", "-")
                sections.append(f"- {paper.key}: {_link(one, '#' + slug)}\n")
    return f"{plain.SPDX}{ERRATA}\n{numbers.markdown()}\n\n## Text and figures\n\n{''.join(sections)}"


def _link(one: Family, anchor: str = "") -> str:
    return f"[{one.name}](/{(one.folder / 'README.md').relative_to(CHECKOUT).as_posix()}{anchor})"


def _decimal(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.6g}"
