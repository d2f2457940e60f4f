# SPDX-License-Identifier: Apache-2.0
"""Which faults are tried on `make quick`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.mutate import GROUPS, Fault, faults, places


def test_places(tmp_path: Path) -> None:
    hardware, python = tmp_path / "a.sv", tmp_path / "a.py"
    hardware.write_text("assign a = b + c; // d + e\nassign f = (* keep *) 1'b0;\n")
    python.write_text('x = a + b if not True else -1  # c + d\n"e + f"\n')
    assert [fault.was for fault in places(hardware)] == ["+", "'b0"]
    assert [fault.was for fault in places(python)] == ["+", "True"]
    first = Fault(hardware, 13, "+")
    assert first.applied(hardware.read_text()).startswith("assign a = b - c; // d + e")


def test_a_seed_gives_the_same_faults_in_every_group() -> None:
    found = list(faults(1))
    assert found == list(faults(1))
    assert Counter(group for group, _ in found) == {group: number for group, number, *_ in GROUPS}
    assert sum(number for _, number, *_ in GROUPS) == 30
    assert all(fault.applied(text := fault.path.read_text()) != text for _, fault in found)
