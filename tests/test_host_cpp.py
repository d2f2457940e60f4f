# SPDX-License-Identifier: Apache-2.0
"""libperle's own tests, in C++ with sanitizers: faults, zeroization, constants, systems, long integers."""

from __future__ import annotations

import re

import pytest

from perle.flow import tools
from perle.flow.host_make import make_host
from tests.sanitized import make_sanitized

CRASHED = "LeakSanitizer has encountered a fatal error"
"""The tracer itself crashed as threads ended, once in many runs: what it traces has said nothing."""


@pytest.mark.slow
def test_the_unit_tests_pass() -> None:
    try:
        done = make_sanitized("test")
    except tools.ToolError as error:
        if CRASHED not in str(error):
            raise
        done = make_sanitized("test")
    runs = re.findall(r"^(\d+) tests, (\d+) failed$", done.stdout, re.MULTILINE)
    assert len(runs) == 3
    assert all(int(count) > 0 and failed == "0" for count, failed in runs)


@pytest.mark.slow
@pytest.mark.wide
def test_threads_under_the_thread_sanitizer() -> None:
    """What threads share: sets, lanes, links, batches, keys, and the provider inside of libcrypto.

    Library and provider are compiled once more for it, two minutes; the tests themselves take seconds.
    """
    done = make_host("threads", makefile="tests/threads.mk", settings=["ONLY="])
    runs = re.findall(r"^(\d+) tests, (\d+) failed$", done.stdout, re.MULTILINE)
    assert len(runs) == 2
    assert all(int(count) > 0 and failed == "0" for count, failed in runs)
    assert "WARNING: ThreadSanitizer" not in done.stdout + done.stderr
