# SPDX-License-Identifier: Apache-2.0
"""Provenance of the site's figures: every recorded run with tools, seed, hash of sources and command."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from perle.cores.registry import UnknownCoreError, resolve_any
from perle.results import Measurement
from perle.results.identity import stale
from perle.results.view import Point

PAGE = "provenance.html"
DIGITS = 16
"""Number of hexadecimal digits shown of a hash."""


def anchor(point: Point) -> str:
    """Return the anchor of a point on the page."""
    return f"{point.target}-{point.core.replace(':', '-')}-{point.part}"


def link(point: Point, words: object) -> Markup:
    """Return a text as a link to the provenance of a point's figures."""
    where = f"{PAGE}#{anchor(point)}"
    return Markup('<a href="{}" title="where this comes from">{}</a>').format(where, words)


def source_hash(run: Measurement) -> str:
    """Return a hash of a run's identity: fingerprints of files, and settings with parameters."""
    made_of = json.dumps([run.files, run.settings], sort_keys=True)
    return hashlib.sha256(made_of.encode()).hexdigest()[:DIGITS]


@dataclass(frozen=True)
class Origin:
    """A point and its runs, each with the reasons why it is stale (empty: current)."""

    point: Point
    device: str
    runs: Sequence[Measurement]
    stale: Sequence[str]

    @property
    def anchor(self) -> str:
        """Its anchor on the page."""
        return anchor(self.point)

    @property
    def command(self) -> str:
        """The command that measures it; it does not repeat runs that are current."""
        if len(self.runs) < 2 and all(one.seed < 2 for one in self.runs):
            return self.point.command
        return f"{self.point.command} --seeds {max(one.seed for one in self.runs)}"

    @property
    def tools(self) -> str:
        """The tools and their versions; if runs differ in these, one list after the other."""
        each = (", ".join(f"{name} {version}" for name, version in run.tools.items()) for run in self.runs)
        return "; ".join(dict.fromkeys(each))


def origins(runs: Sequence[Measurement]) -> list[Origin]:
    """Return all recorded points whose core still exists, sorted by core, target and part."""
    found: dict[tuple[str, str, str], list[Measurement]] = {}
    for one in sorted(runs, key=lambda run: (run.core, run.target, run.part, run.seed)):
        found.setdefault((one.core, one.target, one.part), []).append(one)
    return [
        Origin(Point(*key), of_it[0].device or key[1], of_it, ["; ".join(stale(one)) for one in of_it])
        for key, of_it in found.items()
        if _listed(key[0])
    ]


def _listed(core: str) -> bool:
    """Return whether the core still exists, so that a command can name it."""
    try:
        resolve_any(core)
    except UnknownCoreError:
        return False
    return True


def figures(run: Measurement) -> Markup:
    """Return the metrics of a run, or the reason why it failed."""
    if run.error:
        return escape(f"failed: {run.error}")
    return Markup(", ").join(f"{name} {value:,.6g}" for name, value in run.metrics.items())
