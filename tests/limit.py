# SPDX-License-Identifier: Apache-2.0
"""What `make test` leaves to `make wide`: the cases of a test function beyond its 4 seconds.

The cheapest case of every function is in `make test`, then its second one, and so on until the time is used
up: what each took when no simulator was built yet, by `durations.json`. A case that is not in there is new,
and in `make test`; so is every case of a function that is marked `whole`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

import pytest

from tests import quick

LIMIT = 4.0
"""Seconds of a test function, of one process."""
NEGLIGIBLE = 1.0
"""Seconds: a function whose first cases take less, such as those that are skipped, has one more."""


def beyond(tests: Iterable[str], seconds: Mapping[str, float], limit: float = LIMIT) -> set[str]:
    """Return those of some tests (node ids) that are beyond the limit of their functions."""
    functions: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for test in tests:
        functions[quick.function(test)].append((seconds.get(test, 0.0), test))
    found: set[str] = set()
    for cases in functions.values():
        used = 0.0
        for cost, test in sorted(cases):
            if used >= NEGLIGIBLE and used + cost > limit:
                found.add(test)
            used += cost
    return found


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what is beyond as wide, before tests are selected by their markers."""
    if config.getoption("--record-durations"):
        return
    chosen = (item.nodeid for item in items if not item.get_closest_marker("whole"))
    found = beyond(chosen, quick.stored()["cold"])
    for item in items:
        if item.nodeid in found:
            item.add_marker(pytest.mark.wide)
