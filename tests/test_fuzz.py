# SPDX-License-Identifier: Apache-2.0
"""The seeds of all fuzz targets, with sanitizers; and an input that breaks a target is found and told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from perle.flow import tools
from perle.trust import fuzz
from tests import house
from tests.sanitized import make_sanitized

HOST = house.ROOT / "host"
BROKEN = """\
#include "target.hpp"
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  HOLDS(size < 2 || data[0] != 0x2A);
  return 0;
}
"""


@pytest.mark.slow
def test_all_seeds() -> None:
    done = make_sanitized("seeds")
    ended = re.findall(r"^(\d+) seeds, 0 changed$", done.stdout, re.MULTILINE)
    assert len(ended) == len(fuzz.TARGETS)
    lines = [fuzz.seeds(target).read_text(encoding="utf-8").splitlines() for target in fuzz.TARGETS]
    assert [int(one) for one in ended] == [sum(not each.startswith("#") for each in one) for one in lines]


def test_an_input_that_breaks_a_target_is_told(tmp_path: Path) -> None:
    """It is none of the seeds: changing them finds it."""
    target, program = tmp_path / "broken.cpp", tmp_path / "broken"
    target.write_text(BROKEN, encoding="utf-8")
    flags = ["-std=c++20", "-fsanitize=address,undefined", f"-I{HOST / 'fuzz'}"]
    compiler = tools.system_tool("g++")
    tools.run([compiler, *flags, target, HOST / "fuzz" / "driver.cpp", "-o", program], timeout=600)
    found = fuzz.measure("key", 30, 1, program)
    assert len(found.failed) == 1
    assert re.search(r"size < 2 \|\| data\[0\] != 0x2A with input 2a[0-9a-f]{2,}$", found.failed[0])
