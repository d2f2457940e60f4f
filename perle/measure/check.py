# SPDX-License-Identifier: Apache-2.0
"""`python -m perle.measure.check`: run tools again and compare with budgets and recorded measurements.

Without options: for every family the smallest core with a budget on the target without place and route, which
takes seconds each. `--full`: all budgets, with place and route, which takes hours. `--stored`: compares only
the recorded measurements, without running tools. The same tools on the same sources must reproduce the
recorded figures exactly.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable

from perle.cores.registry import resolve_any
from perle.flow.tools import ToolMissing
from perle.measure import runner
from perle.measure.target import chosen
from perle.results import Measurement, Store, budget, names
from perle.results.budget import Budget
from perle.results.view import View

QUICK = names.VIRTEX_6


def quick(budgets: Iterable[Budget]) -> list[Budget]:
    """Return each family's smallest budget, by LUTs, on the target without place and route."""
    least: dict[str, Budget] = {}
    for one in budgets:
        family = one.point.core.partition(":")[0]
        if one.point.target != QUICK or names.LUT not in one.limits:
            continue
        if family not in least or one.limits[names.LUT] < least[family].limits[names.LUT]:
            least[family] = one
    return list(least.values())


def again(one: Budget) -> tuple[runner.Wanted, Measurement]:
    """Run the tools for the point of a budget; nothing is recorded."""
    target = chosen(one.point.target)[0]
    [run] = runner.wanted(resolve_any(one.point.core), one.point.part, [target], 1)
    return run, runner.measure(run)


def faults(one: Budget, run: runner.Wanted, found: Measurement, store: Store) -> list[str]:
    """Return what is wrong with a run: it failed, exceeds its budget, or differs from the recorded run.

    If the recorded run had other names for cells or nets, mapping may differ: then only the budget is
    checked.
    """
    if found.error:
        return [f"failed: {found.error}"]
    wrong = one.faults(found.metrics)
    before = runner.known(store, run)
    if before is not None and not (before.error or before.renamed) and before.tools == found.tools:
        for name in sorted({*before.metrics, *found.metrics}):
            if before.metrics.get(name) != found.metrics.get(name):
                wrong.append(f"{name} is {found.metrics.get(name)}, stored is {before.metrics.get(name)}")
    return wrong


def rerun(budgets: Iterable[Budget], store: Store, say: Callable[[str], object]) -> int:
    """Run everything again; return how many budgets do not hold."""
    bad = 0
    for one in budgets:
        run, found = again(one)
        wrong = faults(one, run, found, store)
        bad += bool(wrong)
        say(f"{run.text}: {'; '.join(wrong) or 'holds'} ({found.seconds:g} s)\n")
    return bad


def compare(budgets: Iterable[Budget], view: View, say: Callable[[str], object]) -> int:
    """Compare recorded measurements; return how many budgets do not hold. Missing ones are only reported."""
    bad = 0
    for one in budget.stored(budgets, view):
        wrong = "; ".join(one.faults)
        bad += bool(wrong)
        told = wrong or ("holds" if one.measured else f"not measured: {one.budget.point.command}")
        say(f"{one.budget.point.core} ({one.budget.point.part}) on {one.budget.point.target}: {told}\n")
    return bad


def main(arguments: list[str] | None = None) -> int:
    """Check; exit code 1 if a budget does not hold."""
    parser = argparse.ArgumentParser(prog="python -m perle.measure.check", description=__doc__)
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--full", action="store_true", help="every budget")
    choice.add_argument("--stored", action="store_true", help="no tool: what is stored")
    options = parser.parse_args(arguments)
    budgets = budget.every()
    if options.stored:
        bad = compare(budgets, View(), sys.stdout.write)
    else:
        picked = budgets if options.full else quick(budgets)
        if not picked:
            sys.stdout.write("no budgets yet: python -m perle.measure.budget --write makes them\n")
        try:
            bad = rerun(picked, Store(), sys.stdout.write)
        except ToolMissing as error:
            sys.stderr.write(f"{error}\n")
            return 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
