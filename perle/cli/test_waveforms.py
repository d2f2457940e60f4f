# SPDX-License-Identifier: Apache-2.0
"""The recorded waveforms are those of a simulation of today's sources, and as long as the models say."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from perle.cli import waveforms
from perle.cores.modexp.model import early_cycles
from perle.cores.registry import every, families, resolve_any
from perle.report.site import waveform
from perle.results import metrics

QUICK = ("orup", "lowlat")
"""Families whose simulator takes seconds to build."""


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=() if one in QUICK else pytest.mark.wide) for one in every()]
)
def test_a_new_simulation_gives_the_record(name: str) -> None:
    path = every()[name].folder / waveform.RECORD
    assert waveforms.text(waveforms.record(name)) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", every())
def test_a_record_is_of_the_narrowest_product(name: str) -> None:
    family = every()[name]
    found = waveform.read(family.folder)
    assert found is not None
    config = resolve_any(found["board"])
    listed = tomllib.loads((family.folder / waveforms.LISTED).read_text(encoding="utf-8"))
    assert found["board"] == f"{name}:{listed['config']}"
    assert set(listed["signals"]) < {one["name"] for one in found["signals"]}
    assert f"--board sim:{config.spec} " in found["command"]
    if name in families():
        assert config.width == min(family.config(one).width for one in family.configs)
        assert found["cycles"] == (early_cycles if found["early"] else metrics.product_cycles)(config)
    assert all(len(one["values"]) == len(found["columns"]) for one in found["signals"])


def test_cycles_in_which_nothing_changes_are_left_out() -> None:
    rows = [["0"]] * 2 + [["1"]] * 9 + [["2"]] * 3
    assert waveforms._columns(rows) == [0, 1, 2, 11, 12, 13]
    many = waveforms._columns([[str(cycle)] for cycle in range(99)])
    assert many == [*range(16), *range(83, 99)]


def test_a_record_that_differs_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(waveforms, "RECORD", str(tmp_path / "x.json"))
    monkeypatch.setattr(waveforms, "record", lambda _: {"cycles": 1, "signals": []})
    assert waveforms.main(["--check", "orup"]) == 1
    assert "is not what a simulation gives" in capsys.readouterr().err
    assert waveforms.main(["--write", "orup"]) == 0
    assert waveforms.main(["--check", "orup"]) == 0
