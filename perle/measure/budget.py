# SPDX-License-Identifier: Apache-2.0
"""`python -m perle.measure.budget --write`: updates the budgets (budget.toml) from the measurements.

Points with current measurements get a new budget; other budgets do not change. Unnamed configurations
(`w1024+Fold=2`) have no budgets. The differences show in the change of the files.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from perle.cores.registry import FOLDERS
from perle.results import budget
from perle.results.budget import Budget
from perle.results.view import Point, View


def renewed(view: View, folders: Sequence[Path] = FOLDERS) -> dict[str, str]:
    """Return the texts of the files, by family, for families with budgets or measurements."""
    kept: dict[Point, Budget] = {one.point: one for one in budget.every(folders)}
    for point in view.points():
        found = budget.proposed(point, view)
        if found is not None and "+" not in point.core:
            kept[point] = found
    families: dict[str, list[Budget]] = {}
    for point, one in kept.items():
        families.setdefault(point.core.partition(":")[0], []).append(one)
    return {family: budget.text(budgets) for family, budgets in families.items()}


def main(
    arguments: list[str] | None = None, *, view: View | None = None, folders: Sequence[Path] = FOLDERS
) -> int:
    """Write the files, or list those that would change."""
    parser = argparse.ArgumentParser(prog="python -m perle.measure.budget", description=__doc__)
    parser.add_argument(
        "--write", action="store_true", help="write the files; without, say which would change"
    )
    write = bool(parser.parse_args(arguments).write)
    for family, fresh in renewed(view or View(), folders).items():
        path = next(one / family for one in folders if (one / family).is_dir()) / budget.FILE
        if path.exists() and path.read_text(encoding="utf-8") == fresh:
            continue
        sys.stdout.write(f"{'wrote' if write else 'would change'} {path}\n")
        if write:
            path.write_text(fresh, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
