# SPDX-License-Identifier: Apache-2.0
"""What the papers claim, as data: `load("tang2003")` reads `tang2003.toml` into a Paper.

A claim is one printed number, string or formula with the place it is printed. A check is arithmetic
over claims: what it computes exactly, and how far the printed claim may be off. Numbers of other papers
that a check needs are kept apart, with their source. Nothing here knows about cores; reports compare
their measurements with these claims.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from perle.papers.arithmetic import Formula, evaluate

PAPERS = Path(__file__).resolve().parent
PEERS = PAPERS / "peers.toml"
"""Not a paper: published figures of other open cores (perle.papers.peers)."""
LINEAGE = PAPERS / "lineage.toml"
"""Not a paper: how the five papers build on each other (perle.report.lineage)."""


class PaperError(ValueError):
    """A paper's file is missing or malformed; the message names file and entry."""


@dataclass(frozen=True)
class Claim:
    """One thing a paper prints; a formula's value is its text in the paper's own symbols."""

    id: str
    value: int | float | str
    unit: str
    page: int  # slide, page or section: Paper.place says which; 0 where the paper does not print it
    what: str
    symbols: tuple[str, ...] = ()  # the symbols of a formula
    given: str = ""  # why no other printed number confirms this one to its last digit
    source: str = ""  # where it is printed, if not in the paper itself

    @property
    def number(self) -> Fraction:
        """The printed number, exactly as printed."""
        if isinstance(self.value, str):
            raise PaperError(f"claim {self.id} is not a number: {self.value!r}")
        return Fraction(str(self.value))


@dataclass(frozen=True)
class Check:
    """Arithmetic over claims: `expr` computes `computes`, within `tolerance` of the printed `claim`.

    A check that has none of `claim`, `equals` and `known` only records what follows from the claims.
    """

    id: str
    expr: str
    computes: Fraction
    what: str
    claim: str = ""  # the printed number to compare with
    tolerance: Fraction = Fraction(0)
    equals: str = ""  # the printed formula to compare with, as a call
    known: bool = False  # `computes` is known without the claims: arithmetic or a data sheet


@dataclass(frozen=True)
class Paper:
    """A paper: where it is from, what it claims, and how its claims hang together.

    `elsewhere` has numbers that the paper does not print; each of them names its source.
    """

    key: str
    title: str
    authors: tuple[str, ...]
    venue: str
    year: int
    source: str
    place: str  # "slide", "page" or "section"
    claims: Mapping[str, Claim]
    checks: Mapping[str, Check]
    elsewhere: Mapping[str, Claim]

    def __getitem__(self, claim: str) -> Claim:
        """Return the claim of that id, which may be one from elsewhere."""
        try:
            return self.elsewhere[claim] if claim in self.elsewhere else self.claims[claim]
        except KeyError:
            raise PaperError(f"{self.key} claims nothing called {claim!r}") from None

    def compute(self, expr: str) -> Fraction:
        """Evaluate arithmetic over this paper's claims and those from elsewhere, exactly."""
        return evaluate(expr, *self._names)

    @cached_property
    def _names(self) -> tuple[dict[str, Fraction], dict[str, Formula]]:
        """What expressions may name: numbers, and formulas."""
        claims = [*self.claims.values(), *self.elsewhere.values()]
        numbers = {c.id: c.number for c in claims if not isinstance(c.value, str)}
        formulas = {c.id: Formula(str(c.value), c.symbols) for c in claims if c.symbols}
        return numbers, formulas

    def failures(self) -> list[str]:
        """Return one line for every check that does not hold."""
        found = []
        for check in self.checks.values():
            value = self.compute(check.expr)
            if value != check.computes:
                found.append(f"{check.id}: {check.expr} = {value}, stated {check.computes}")
        return [*found, *self.contradictions()]

    def contradictions(self) -> list[str]:
        """Return one line for every check that misses the printed or known value it is compared with.

        What a check states in `computes` is not looked at, as it may have been computed from a wrong claim.
        """
        found = []
        for check in self.checks.values():
            expected = self._expected(check)
            if expected is None:
                continue
            value = self.compute(check.expr)
            if abs(value - expected) > check.tolerance:
                off = f", more than {check.tolerance} away" if check.tolerance else ""
                found.append(f"{check.id}: computes {value}, not {expected} ({self._says(check)}){off}")
        return found

    def _expected(self, check: Check) -> Fraction | None:
        """Return the value that is printed or known for a check; None: there is none."""
        if check.claim:
            return self[check.claim].number
        if check.equals:
            return self.compute(check.equals)
        return check.computes if check.known else None

    def _says(self, check: Check) -> str:
        """Return where the value that a check is compared with is from."""
        if check.claim:
            claim = self[check.claim]
            return f"{claim.id} of {claim.source or f'{self.place} {claim.page}'}"
        return check.equals or "known"


def _claim(name: str, page: str, data: dict[str, Any], source: str = "") -> Claim:
    return Claim(
        id=name,
        value=data["value"],
        unit=data["unit"],
        page=int(page),
        what=data["what"],
        symbols=tuple(data.get("symbols", ())),
        given=data.get("given", ""),
        source=source,
    )


def _check(name: str, data: dict[str, Any]) -> Check:
    return Check(
        id=name,
        expr=data["expr"],
        computes=Fraction(str(data["computes"])),
        what=data["what"],
        claim=data.get("claim", ""),
        tolerance=Fraction(str(data.get("tolerance", 0))),
        equals=data.get("equals", ""),
        known=data.get("known", False),
    )


def keys() -> tuple[str, ...]:
    """Return the papers that are on file."""
    return tuple(sorted(path.stem for path in PAPERS.glob("*.toml") if path not in {PEERS, LINEAGE}))


@cache
def load(key: str) -> Paper:
    """Return the paper of that key, e.g. "tang2003"."""
    path = PAPERS / f"{key}.toml"
    if not path.is_file():
        raise PaperError(f"no paper {key!r}; there are: {', '.join(keys())}")
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    try:
        head = data["paper"]
        return Paper(
            key=key,
            title=head["title"],
            authors=tuple(head["authors"]),
            venue=head["venue"],
            year=head["year"],
            source=head["source"],
            place=head["place"],
            claims={
                name: _claim(name, page, entry)
                for page, entries in data[head["place"]].items()
                for name, entry in entries.items()
            },
            checks={name: _check(name, entry) for name, entry in data["check"].items()},
            elsewhere={
                name: _claim(name, "0", entry, group["source"])
                for group in data.get("elsewhere", {}).values()
                for name, entry in group.items()
                if name != "source"
            },
        )
    except KeyError as missing:
        raise PaperError(f"{path.name}: an entry lacks {missing}") from None
