# SPDX-License-Identifier: Apache-2.0
"""libperle's own tests, in C++ with sanitizers: faults, zeroization, constants, systems, long integers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from perle.flow import tools
from tests import house

SECONDS = 1800
TEST: list[str | Path] = ["make", "-C", house.ROOT / "host", "test"]
CRASHED = "LeakSanitizer has encountered a fatal error"
"""The tracer itself crashed as threads ended, once in many runs: what it traces has said nothing."""


@pytest.mark.slow
def test_the_unit_tests_pass() -> None:
    try:
        done = tools.run(TEST, timeout=SECONDS)
    except tools.ToolError as error:
        if CRASHED not in str(error):
            raise
        done = tools.run(TEST, timeout=SECONDS)
    runs = re.findall(r"^(\d+) tests, (\d+) failed$", done.stdout, re.MULTILINE)
    assert len(runs) == 3
    assert all(int(count) > 0 and failed == "0" for count, failed in runs)


@pytest.mark.slow
@pytest.mark.wide
def test_threads_under_the_thread_sanitizer() -> None:
    """Sets, batches and links that threads share: the library is compiled once more for it."""
    done = tools.run(["make", "-C", house.ROOT / "host", "tsan"], timeout=SECONDS)
    assert re.search(r"^[1-9]\d* tests, 0 failed$", done.stdout, re.MULTILINE)
    assert "WARNING: ThreadSanitizer" not in done.stdout + done.stderr
