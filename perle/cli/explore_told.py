# SPDX-License-Identifier: Apache-2.0
"""The plan and the results of a sweep or a search, as text and as data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from perle.cli.io import console
from perle.explore import front
from perle.explore.search import Search
from perle.explore.space import Infeasible
from perle.explore.stages import Plan
from perle.results import Measurement
from perle.tables import Table

if TYPE_CHECKING:
    from perle.explore.sweep import Outcome


def tell_plan(todo: Plan | Search, json: bool) -> None:
    """Print the plan: every run of a sweep; for a search the number of points."""
    if isinstance(todo, Search):
        _tell_search(todo, json)
        return
    if json:
        console.print_json(
            {
                "runs": [one.text for one in (*todo.screened, *todo.runs)],
                "known": len(todo.recorded),
                "recorded": sorted(todo.recorded),
                "infeasible": [vars(one) for one in todo.infeasible],
            }
        )
        return
    for one in (*todo.screened, *todo.runs):
        mark = " (recorded)" if one.text in todo.recorded else ""
        console.output().print(f"{one.text}{mark}", markup=False)
    _tell_infeasible(todo.infeasible)
    more = " of the screen, then those near the front" if todo.screened else ""
    total = len(todo.screened or todo.runs)
    console.output().print(
        f"{total} runs{more}; {len(todo.recorded)} recorded already; {len(todo.infeasible)} infeasible"
    )


def _tell_search(todo: Search, json: bool) -> None:
    if json:
        console.print_json(_search(todo))
        return
    for points in todo.points:
        console.output().print(f"{points.width} bits: {points.size:,} points")
    runs = f"{todo.seeds} run{'s' if todo.seeds > 1 else ''} each"
    new = max(0, min(todo.size, todo.how.trials) - len(todo.recorded))
    more = ", then those near the front" if todo.space.screen is not None else ""
    console.output().print(
        f"{todo.size:,} points; {len(todo.recorded)} recorded already; at most {new} more are measured on "
        f"{todo.target.name}, {runs}{more}",
        soft_wrap=True,
    )


def _search(todo: Search) -> dict[str, object]:
    return {
        **vars(todo.how),
        "target": todo.target.name,
        "figures": list(todo.compared),
        "size": todo.size,
        "recorded": len(todo.recorded),
    }


def _tell_infeasible(left: Sequence[Infeasible]) -> None:
    for one in left:
        console.output().print(f"infeasible: {one.what}: {one.reason}", markup=False)


def data(todo: Plan | Search, outcome: Outcome, path: Path) -> dict[str, object]:
    """Return the results of a sweep, for --json."""
    return {
        "counts": outcome.counts,
        **({"search": _search(todo)} if isinstance(todo, Search) else {}),
        "front": [
            {"core": core, "target": target}
            for core, target in front.worth(todo.last(outcome), 0.0, todo.figures)
        ],
        "measurements": [asdict(one) for one in outcome.found],
        "infeasible": [vars(one) for one in todo.infeasible],
        "lost": outcome.lost,
        "log": str(path),
    }


def show(todo: Plan | Search, outcome: Outcome, path: Path) -> None:
    """Print the results of a sweep."""
    best = set(front.worth(todo.last(outcome), 0.0, todo.figures))
    costs = front.medians(todo.last(outcome), todo.figures)
    figures = list(dict.fromkeys(name for one in costs.values() for name in one))
    table = Table(("", "core", "target", *figures), right=range(3, 3 + len(figures)))
    for (core, target), one in sorted(costs.items()):
        shown = (f"{one[name]:,.4g}" if name in one else "–" for name in figures)
        table.add("★" if (core, target) in best else "", core, target, *shown)
    out = console.output()
    out.print(table)
    for failed in outcome.found:
        if failed.error:
            out.print(f"failed: {_text(failed)}: {failed.error}", markup=False)
    for text, why in outcome.lost.items():
        out.print(f"lost: {text}: {why}", markup=False)
    _tell_infeasible(todo.infeasible)
    said = ", ".join(f"{count} {event}" for event, count in sorted(outcome.counts.items()))
    out.print(f"{said}; ★ on the front; log: {path}", markup=False, soft_wrap=True)


def _text(one: Measurement) -> str:
    return f"{one.core} ({one.part}) on {one.target}, seed {one.seed}"
