# SPDX-License-Identifier: Apache-2.0
"""`make quick`: as many different tests as go into a minute, chosen by how long each took when it was timed.

Every test function comes with its cheapest case first, then with its second one, and so on, until the budget
is spent: a fault is seen by some function far more often than by one case of it alone. Tests that are not in
`durations.json` take next to no time, or are new, and run. `make durations` times all of them again, with
every simulator built.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

DURATIONS = Path(__file__).with_name("durations.json")
BUDGET = 75.0
"""Seconds of tests, of all processes together."""
LONGEST = 12.0
"""Seconds of one test: a longer one would be what all others wait for."""
SHORTEST, TYPICAL = 0.05, 0.01
"""Seconds: what takes less is not stored, and what it takes then."""
PLACES = 2


def chosen(tests: Iterable[str], seconds: Mapping[str, float], budget: float = BUDGET) -> set[str]:
    """Return the tests (node ids) that are worth their time."""
    functions: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for test in tests:
        functions[test.partition("[")[0]].append((seconds.get(test, TYPICAL), test))
    order = sorted(
        (place, cost, test)
        for cases in functions.values()
        for place, (cost, test) in enumerate(sorted(cases))
        if cost <= LONGEST
    )
    found: set[str] = set()
    for _, cost, test in order:
        if test not in seconds or cost <= budget:
            found.add(test)
            budget -= cost
    return found


def keep(wanted: set[str], config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect all tests but those that are wanted (node ids)."""
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in wanted])
    items[:] = [item for item in items if item.nodeid in wanted]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the two options."""
    parser.addoption("--quick", action="store_true", help="only what goes into a minute (make quick)")
    parser.addoption("--record-durations", action="store_true", help="store how long each test takes")


def pytest_configure(config: pytest.Config) -> None:
    """Start to time, in the process that hears of every test."""
    if config.getoption("--record-durations") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Timer(), "timer")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is not worth its time."""
    if not config.getoption("--quick"):
        return
    wanted = chosen((item.nodeid for item in items), json.loads(DURATIONS.read_text(encoding="utf-8")))
    keep(wanted, config, items)


class Timer:
    """Stores how long each test took, with what it needed before and after."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add a phase of a test."""
        self.seconds[report.nodeid] += report.duration

    def pytest_sessionfinish(self) -> None:
        """Write them in order."""
        found = {test: round(cost, PLACES) for test, cost in self.seconds.items() if cost >= SHORTEST}
        DURATIONS.write_text(json.dumps(found, indent=0, sort_keys=True) + "\n", encoding="utf-8")
