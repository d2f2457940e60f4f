# SPDX-License-Identifier: Apache-2.0
"""The designs for boards that `perle choose` names, and that the commands it prints make them."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from perle.cli.choose_soc import designs
from perle.cores.registry import resolve
from perle.report.choose.candidates import Basis, Candidate
from perle.results.view import Point
from perle.soc.boards import boards
from tests.cli_run import answer, invoke


def chosen(core: str, part: str, target: str, mhz: float = 150.0) -> Candidate:
    return Candidate(Point(core, target, part), resolve(core), Basis.measured, {}, clock_mhz=mhz)


def test_a_board_has_the_device_at_its_speed_grade() -> None:
    assert designs(chosen("orup:w256", "exp", "ecp5_6")) == ["perle soc ulx3s-85f --core orup:w256 -o design"]
    assert designs(chosen("orup:w256", "exp", "ecp5_45_6")) == [
        "perle soc colorlight-i9 --core orup:w256 -o design"
    ]
    both = designs(chosen("orup:w256", "exp", "ecp5_8"))
    assert [shlex.split(one)[2] for one in both] == ["trellisboard", "ecp5-evn"]
    assert designs(chosen("orup:w256", "exp", "ecp5_25_8")) == []  # no such board
    assert {one.target for one in boards().values()} == {"ecp5_6", "ecp5_8", "ecp5_45_6", "ecp5_45_8"}


def test_a_board_has_one_core_that_computes_exponentiations() -> None:
    assert designs(chosen("orup:w256", "mul", "ecp5_6")) == []
    assert designs(chosen("orup:w256", "exp_pair", "ecp5_6")) == designs(chosen("orup:w256", "exp", "ecp5_6"))
    [engine] = designs(chosen("stream:w512", "engine", "ecp5_6"))
    assert engine == f"perle soc ulx3s-85f --core {boards()['ulx3s-85f'].core} -o design"
    several = designs(chosen("tile:w1024", "engines", "ecp5_45_8"))
    assert [shlex.split(one)[4] for one in several] == ["tile:w1024,lanes=20", "tile:w1024,lanes=16"]
    assert designs(chosen("orup:w1024", "exp", "ecp5_45_6")) != []  # 62 of 72 multipliers
    assert designs(chosen("orup:w2048", "exp", "ecp5_45_6")) == []


def test_a_slow_core_has_its_clock() -> None:
    slow = chosen("orup:w256", "exp", "ecp5_6", 61.7)
    assert designs(slow) == ["perle soc ulx3s-85f --core orup:w256 --clock 61 -o design"]
    assert "--clock" not in designs(replace(slow, clock_mhz=None))[0]


@pytest.mark.parametrize("asked", [("--bits", 1024, "--best", "area"), ("--bits", 2048, "--op", "rsa-crt")])
def test_the_commands_of_an_answer_make_a_design(
    asked: tuple[object, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("litex", reason="needs LiteX: make setup")
    monkeypatch.chdir(tmp_path)
    found = answer("choose", *asked)
    commands = found["best"]["soc"]
    assert commands
    lines = [line.strip() for line in invoke("choose", *asked).stdout.splitlines()]
    assert {*commands, *found["best"]["generate"]} <= set(lines)
    _, *words = shlex.split(commands[0])
    invoke(*words)
    assert (tmp_path / "design" / "perle_soc.v").is_file()
