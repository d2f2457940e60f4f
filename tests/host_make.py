# SPDX-License-Identifier: Apache-2.0
"""The host's Makefile, by one caller at a time: tests that run beside each other want the same objects."""

from __future__ import annotations

import subprocess

from perle.flow import tools
from perle.flow.cache import locked
from tests.house import ROOT

SECONDS = 1800


def make_host(goal: str) -> subprocess.CompletedProcess[str]:
    """Make a goal of host/Makefile that compiles the library with sanitizers; ToolError when it fails."""
    with locked("host-sanitizers"):
        return tools.run(["make", "-C", ROOT / "host", goal], timeout=SECONDS)
