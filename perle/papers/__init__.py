# SPDX-License-Identifier: Apache-2.0
"""What the papers claim, as data: `load("tang2003")` reads `tang2003.toml` into a Paper.

A claim is one printed number, string or formula with the place it is printed. A check is arithmetic
over claims: what it computes exactly, and how far the printed claim may be off. Nothing here knows
about cores; reports compare their measurements with these claims.
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
    page: int  # slide or page: Paper.place says which
    what: str
    symbols: tuple[str, ...] = ()  # the symbols of a formula
    given: str = ""  # why no other printed number can confirm this one

    @property
    def number(self) -> Fraction:
        """The printed number, exactly as printed."""
        if isinstance(self.value, str):
            raise PaperError(f"claim {self.id} is not a number: {self.value!r}")
        return Fraction(str(self.value))


@dataclass(frozen=True)
class Check:
    """Arithmetic over claims: `expr` computes `computes`, within `tolerance` of the printed `claim`."""

    id: str
    expr: str
    computes: Fraction
    what: str
    claim: str = ""  # empty: derived, nothing printed to compare with
    tolerance: Fraction = Fraction(0)


@dataclass(frozen=True)
class Paper:
    """A paper: where it is from, what it claims, and how its claims hang together."""

    key: str
    title: str
    authors: tuple[str, ...]
    venue: str
    year: int
    source: str
    place: str  # "slide" or "page"
    claims: Mapping[str, Claim]
    checks: Mapping[str, Check]

    def __getitem__(self, claim: str) -> Claim:
        """Return the claim of that id."""
        try:
            return self.claims[claim]
        except KeyError:
            raise PaperError(f"{self.key} claims nothing called {claim!r}") from None

    def compute(self, expr: str) -> Fraction:
        """Evaluate arithmetic over this paper's claims, exactly."""
        return evaluate(expr, *self._names)

    @cached_property
    def _names(self) -> tuple[dict[str, Fraction], dict[str, Formula]]:
        """What expressions may name: numbers, and formulas."""
        numbers = {c.id: c.number for c in self.claims.values() if not isinstance(c.value, str)}
        formulas = {c.id: Formula(str(c.value), c.symbols) for c in self.claims.values() if c.symbols}
        return numbers, formulas

    def failures(self) -> list[str]:
        """Return one line for every check that does not hold."""
        found = []
        for check in self.checks.values():
            value = self.compute(check.expr)
            if value != check.computes:
                found.append(f"{check.id}: {check.expr} = {value}, stated {check.computes}")
            elif check.claim and abs(value - self[check.claim].number) > check.tolerance:
                found.append(
                    f"{check.id}: computes {value}, {self.place} {self[check.claim].page} prints "
                    f"{self[check.claim].value}, more than {check.tolerance} away"
                )
        return found


def _claim(name: str, page: str, data: dict[str, Any]) -> Claim:
    return Claim(
        id=name,
        value=data["value"],
        unit=data["unit"],
        page=int(page),
        what=data["what"],
        symbols=tuple(data.get("symbols", ())),
        given=data.get("given", ""),
    )


def _check(name: str, data: dict[str, Any]) -> Check:
    return Check(
        id=name,
        expr=data["expr"],
        computes=Fraction(str(data["computes"])),
        what=data["what"],
        claim=data.get("claim", ""),
        tolerance=Fraction(str(data.get("tolerance", 0))),
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
        )
    except KeyError as missing:
        raise PaperError(f"{path.name}: an entry lacks {missing}") from None
