# SPDX-License-Identifier: Apache-2.0
"""What all tests share: the marker `proves` and the record of core statuses."""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path

import pytest

from perle.cores.registry import FOLDERS
from perle.results.status import LEVELS, made_of, record, subjects

pytest_plugins = ["tests.quick", "tests.limit", "tests.changed"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--record-status", action="store_true", help="store what the cores' tests prove (make status)"
    )


def pytest_configure(config: pytest.Config) -> None:
    os.environ.pop("COLUMNS", None)  # readline sets it for processes that run tests; tables obey it
    config.addinivalue_line(
        "markers",
        f"proves(level, …, family=…): a core that passes has reached {' · '.join(LEVELS[1:])}; "
        "without a family, what the test's folder and file say (test_exp.py: with the exponentiator)",
    )
    if config.getoption("--record-status"):
        inside = hasattr(config, "workerinput")
        config.pluginmanager.register(Claims(config) if inside else StatusRecorder(), "status-recorder")


def subject_of(test: Path) -> str | None:
    """Return what a test file beside a core is about: a family, with its exponentiator, or its engine."""
    home = next((one for one in FOLDERS if test.is_relative_to(one)), None)
    if home is None:
        return None
    folder = test.parent.relative_to(home).as_posix()
    return f"{folder}/exp" if test.name == "test_exp.py" else folder


class Claims:
    """Which tests prove what. One of several processes that run tests tells the one that records."""

    def __init__(self, config: pytest.Config | None = None) -> None:
        self.config = config
        self.claims: dict[str, tuple[str, tuple[str, ...]]] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Note which tests prove what, before any of them is deselected."""
        for item in items:
            marker = item.get_closest_marker("proves")
            if marker is None:
                continue
            family = marker.kwargs.get("family")
            if family is None:
                family = subject_of(item.path)
            if family is not None:
                self.claims[item.nodeid] = (family, marker.args)

    def pytest_sessionfinish(self) -> None:
        """Tell them."""
        output = getattr(self.config, "workeroutput", None)
        if output is not None:
            output["claims"] = self.claims


class StatusRecorder(Claims):
    """A level is proved for a family when all tests that say so ran and passed on unchanged sources."""

    def __init__(self) -> None:
        super().__init__()
        self.verdicts: dict[str, set[str]] = defaultdict(set)
        self.made_of = {name: made_of(one) for name, one in subjects().items()}

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """Take the claims of a process that has ended."""
        for test, (family, levels) in getattr(node, "workeroutput", {}).get("claims", {}).items():
            self.claims[test] = (family, tuple(levels))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note how each phase of a test ended; one that is expected to fail has failed."""
        outcome = "failed" if hasattr(report, "wasxfail") else report.outcome
        self.verdicts[report.nodeid].add(f"{report.when} {outcome}")

    def pytest_sessionfinish(self) -> None:
        """Store the levels whose tests all passed, and take back those of which one failed."""
        passed = {"setup passed", "call passed", "teardown passed"}
        for subject in subjects().values():
            verdicts: dict[str, list[set[str]]] = defaultdict(list)
            for node, (name, levels) in self.claims.items():
                if name == subject.name:
                    for level in levels:
                        verdicts[level].append(self.verdicts[node])
            gained = {level for level, found in verdicts.items() if all(one == passed for one in found)}
            lost = {
                level
                for level, found in verdicts.items()
                if any(verdict.endswith("failed") for one in found for verdict in one)
            }
            if (gained or lost) and self.made_of.get(subject.name) == made_of(subject):
                record(subject, gained, lost)
