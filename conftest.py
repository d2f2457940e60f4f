# SPDX-License-Identifier: Apache-2.0
"""What all tests share: the marker `proves` and the record of core statuses."""

from __future__ import annotations

from collections import defaultdict

import pytest

from perle.cores.registry import CORES, every
from perle.results.status import LEVELS, made_of, record

pytest_plugins = ["tests.quick", "tests.changed"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--record-status", action="store_true", help="store what the cores' tests prove (make status)"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        f"proves(level, …, family=…): a core that passes has reached {' · '.join(LEVELS[1:])}; "
        "without a family, the core in whose folder the test is",
    )
    if config.getoption("--record-status"):
        config.pluginmanager.register(StatusRecorder(), "status-recorder")


class StatusRecorder:
    """A level is proved for a family when all tests that say so ran and passed on unchanged sources."""

    def __init__(self) -> None:
        self.claims: dict[str, tuple[str, tuple[str, ...]]] = {}
        self.verdicts: dict[str, set[str]] = defaultdict(set)
        self.made_of = {family.name: made_of(family) for family in every().values()}

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Note which tests prove what, before any of them is deselected."""
        for item in items:
            marker = item.get_closest_marker("proves")
            if marker is None:
                continue
            family = marker.kwargs.get("family")
            if family is None and item.path.is_relative_to(CORES):
                family = item.path.parent.name
            if family is not None:
                self.claims[item.nodeid] = (family, marker.args)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note how each phase of a test ended."""
        self.verdicts[report.nodeid].add(f"{report.when} {report.outcome}")

    def pytest_sessionfinish(self) -> None:
        """Store the levels whose tests all passed, and take back those of which one failed."""
        passed = {"setup passed", "call passed", "teardown passed"}
        for family in every().values():
            verdicts: dict[str, list[set[str]]] = defaultdict(list)
            for node, (name, levels) in self.claims.items():
                if name == family.name:
                    for level in levels:
                        verdicts[level].append(self.verdicts[node])
            gained = {level for level, found in verdicts.items() if all(one == passed for one in found)}
            lost = {
                level
                for level, found in verdicts.items()
                if any(verdict.endswith("failed") for one in found for verdict in one)
            }
            if (gained or lost) and self.made_of.get(family.name) == made_of(family):
                record(family, gained, lost)
