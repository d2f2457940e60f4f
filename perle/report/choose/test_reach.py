# SPDX-License-Identifier: Apache-2.0
"""What an answer says if there is none for a width, and what it says that it is ordered by."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.report.choose.choice import choose
from perle.report.choose.question import Limit, Operation, Question
from perle.report.choose.reach import Widest
from perle.report.choose.tables import lines
from perle.results import names
from tests.asked import T, ask, cells
from tests.stores import Given, made_up, store

SEVERAL: Given = {
    ("orup:w256", T): cells(2000, 150, dsp=17.0),
    ("orup:w512", T): cells(4000, 140, dsp=32.0),
    ("stream:w512", f"{T}/engine"): cells(7000, 190, dsp=61.0),
}


@pytest.mark.parametrize(
    ("operation", "bits", "said"),
    [
        # w256 and w512 of orup reach to 1024 bits; the engine is one width, which predicts no other
        (Operation.mul, 1026, "at most 512 bits were measured, 1024 bits can be predicted"),
        (Operation.modexp, 2000, "at most 512 bits were measured, 1024 bits can be predicted"),
        (Operation.rsa_crt, 4000, "at most 1024 bits were measured, 2048 bits can be predicted"),
    ],
)
def test_the_widest_is_named(tmp_path: Path, operation: Operation, bits: int, said: str) -> None:
    found = ask(tmp_path, SEVERAL, operation, bits)
    assert f"nor is there anything to predict it from: {said}" in list(lines(found))
    widest = found.widest
    assert widest is not None
    assert widest.predicted is not None
    there = ask(tmp_path, SEVERAL, operation, widest.predicted)
    assert there.unmeasured
    assert there.widest is None
    assert ask(tmp_path, SEVERAL, operation, widest.predicted + 2).widest == widest


def test_no_width_at_all(tmp_path: Path) -> None:
    found = ask(tmp_path, {}, Operation.mul, 256)
    assert found.widest == Widest(None, None)
    assert list(lines(found))[-1].endswith("from: nothing of any width is known")


def test_seeds_of_others_are_told_of_what_was_measured_only(tmp_path: Path) -> None:
    found = store(tmp_path, SEVERAL)
    for seed, mhz in enumerate((100.0, 110.0), 2):
        found.put(made_up("orup:w256", T, cells(2000, mhz, dsp=17.0), seed=seed))

    def told(bits: int, *limits: Limit) -> bool:
        said = lines(choose(Question(Operation.mul, bits, (T,), limits), found))
        return any("points here with several seeds" in line for line in said)

    assert told(256)
    assert told(256, Limit(names.LUTS, 1))
    assert not told(1024)  # predicted
    assert not told(4096)  # nothing


def test_without_clocks_the_least_area_is_first(tmp_path: Path) -> None:
    """Whether it was measured or is predicted, the first line and a note say so."""
    given: Given = {
        (f"orup:w{width}", "xc7"): {"lut": 8.0 * width, "ff": 9.0, "dsp": 4.0} for width in (256, 512)
    }
    for bits, limits in ((512, ()), (1024, ()), (512, (Limit(names.LUTS, 1),))):
        found = choose(Question(Operation.mul, bits, ("xc7",), limits), store(tmp_path / "xc7", given))
        assert found.missing == "clock"
        assert found.text.endswith("; best area (no clock known)")
        assert "no clock is known on xc7: the least area is first" in list(lines(found))
    assert ask(tmp_path, SEVERAL, Operation.mul, 1024).text.endswith("; no limits; best rate")
