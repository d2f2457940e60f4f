# SPDX-License-Identifier: Apache-2.0
"""libperle's own tests, in C++ with sanitizers: faults, zeroization, constants, systems, long integers."""

from __future__ import annotations

import re

import pytest

from perle.flow import tools
from tests import house

SECONDS = 1800


@pytest.mark.slow
def test_the_unit_tests_pass() -> None:
    done = tools.run(["make", "-C", house.ROOT / "host", "test"], timeout=SECONDS)
    runs = re.findall(r"^(\d+) tests, (\d+) failed$", done.stdout, re.MULTILINE)
    assert len(runs) == 3
    assert all(int(count) > 0 and failed == "0" for count, failed in runs)
