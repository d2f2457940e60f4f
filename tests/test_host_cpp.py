# SPDX-License-Identifier: Apache-2.0
"""libperle's own tests, in C++ with sanitizers: faults, zeroization, constants, systems, long integers."""

from __future__ import annotations

import re

import pytest

from perle.flow import tools
from perle.flow.host_make import make_host

CRASHED = "LeakSanitizer has encountered a fatal error"
"""The tracer itself crashed as threads ended, once in many runs: what it traces has said nothing."""


@pytest.mark.slow
def test_the_unit_tests_pass() -> None:
    try:
        done = make_host("test")
    except tools.ToolError as error:
        if CRASHED not in str(error):
            raise
        done = make_host("test")
    runs = re.findall(r"^(\d+) tests, (\d+) failed$", done.stdout, re.MULTILINE)
    assert len(runs) == 3
    assert all(int(count) > 0 and failed == "0" for count, failed in runs)


@pytest.mark.slow
@pytest.mark.wide
def test_threads_under_the_thread_sanitizer() -> None:
    """Sets, batches and links that threads share: the library is compiled once more for it."""
    done = make_host("tsan")
    assert re.search(r"^[1-9]\d* tests, 0 failed$", done.stdout, re.MULTILINE)
    assert "WARNING: ThreadSanitizer" not in done.stdout + done.stderr
