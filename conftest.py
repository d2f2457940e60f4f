# SPDX-License-Identifier: Apache-2.0
"""What all tests share: the marker `proves` and the record of core statuses."""

from __future__ import annotations

from collections import defaultdict

import pytest

from perle.cores.registry import CORES, every
from perle.cores.status import LEVELS, record


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
    """A level is proved for a family when all tests that say so ran and passed."""

    def __init__(self) -> None:
        self.claims: dict[str, tuple[str, tuple[str, ...]]] = {}
        self.verdicts: dict[str, set[str]] = defaultdict(set)

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
        """Store the levels whose tests all passed."""
        for family in every().values():
            mine = {node: levels for node, (name, levels) in self.claims.items() if name == family.name}
            if not any(
                "exact" in levels for levels in mine.values()
            ):  # not asked for: what is on record stands
                continue
            lacking = {
                level
                for node, levels in mine.items()
                for level in levels
                if self.verdicts[node] != {"setup passed", "call passed", "teardown passed"}
            }
            record(family, {level for levels in mine.values() for level in levels} - lacking)
