# SPDX-License-Identifier: Apache-2.0
"""The seeds of all fuzz targets, with sanitizers; and an input that breaks a target is found and told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from perle.flow.host_make import make_host
from perle.trust import fuzz
from tests.sanitized import make_sanitized

BROKEN = """\
#include <unistd.h>

#include "target.hpp"
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  HOLDS(size < 2 || data[0] != 0x2A);
  while (size >= 2 && data[0] == 0x2B) pause();
  return 0;
}
"""


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a target that fails, and hangs, with the driver and the flags of all others."""
    folder = tmp_path_factory.mktemp("broken")
    source, program = folder / "broken.cpp", folder / "broken"
    source.write_text(BROKEN, encoding="utf-8")
    make_host(program, makefile=fuzz.MAKEFILE, settings=[f"SOURCE={source}"])
    return program


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """Leave a single seed, in place of those of a target."""
    path, seed = tmp_path / "seeds.txt", str(request.param)
    path.write_text(f"{seed}\n", encoding="utf-8")
    monkeypatch.setattr(fuzz, "seeds", lambda _: path)
    return seed


@pytest.mark.slow
def test_all_seeds() -> None:
    done = make_sanitized("seeds", fuzz.MAKEFILE)
    ended = re.findall(r"^(\d+) seeds, 0 changed$", done.stdout, re.MULTILINE)
    assert len(ended) == len(fuzz.TARGETS)
    lines = [fuzz.seeds(target).read_text(encoding="utf-8").splitlines() for target in fuzz.TARGETS]
    assert [int(one) for one in ended] == [sum(not each.startswith("#") for each in one) for one in lines]


@pytest.mark.slow
def test_changed_seeds_of_the_provider() -> None:
    done = make_sanitized("fuzz", fuzz.MAKEFILE, ["TARGETS=provider", "TIME=3"])
    ended = fuzz.ENDED.search(done.stdout)
    assert ended is not None
    assert int(ended[2]) > 0


def test_an_input_that_breaks_a_target_is_told(broken: Path) -> None:
    """It is none of the seeds: changing them finds it."""
    found = fuzz.measure("spec", 30, 1, broken)
    assert len(found.failed) == 1
    assert re.search(r"size < 2 \|\| data\[0\] != 0x2A with input 2a[0-9a-f]{2,}$", found.failed[0])


@pytest.mark.parametrize("only", ["2b0102"], indirect=True)
def test_an_input_that_hangs_is_told(broken: Path, only: str) -> None:
    found = fuzz.measure("spec", 1, 1, broken, spare=1)
    assert found.failed == [f"hangs with input {only}"]


@pytest.mark.parametrize("only", ["2a0102"], indirect=True)
def test_a_seed_that_breaks_a_target_is_told(broken: Path, only: str) -> None:
    found = fuzz.measure("spec", 1, 1, broken)
    assert len(found.failed) == 1
    assert found.failed[0].endswith(f"with input {only}")
    assert found.counts == {"seeds": 0, "changed": 0}
