# SPDX-License-Identifier: Apache-2.0
"""Mapping in several ways, and the recording of activity, with tools that only pretend."""

from __future__ import annotations

import ctypes
import os
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from perle.cores.registry import resolve
from perle.flow import opensta
from perle.flow.netlist import Cell, Gates
from perle.flow.tools import ToolEnded, ToolError, ToolLate, ToolMissing, run
from perle.flow.yosys import Port
from perle.measure import activity, gates, runner, vector_pairs
from perle.measure.design import Design
from perle.measure.target import Job
from perle.measure.test_runner import Fake, runs
from perle.results import Store

CONFIG = resolve("orup:w64")
GATES = Gates(
    "pe_gates",
    (Port("clk_i", "input", 1), Port("z_i", "input", 1), Port("z_o", "output", 1)),
    (Cell("g0", "sg13g2_inv_1", {"A": "z_i", "Y": "z_o"}),),
    {},
)
WAYS = ("syn3", "if", "nf")


@dataclass
class Tools:
    """Tools for which each way takes a period of its own, or raises an error."""

    periods: dict[str, float] = field(default_factory=lambda: {"syn3": 3.0, "if": 1.0, "nf": 2.0})
    errors: dict[str, Exception] = field(default_factory=dict)

    def synthesised(self, _: object, __: object, ___: object, folder: Path, ____: float) -> Gates:
        folder.mkdir(parents=True, exist_ok=True)
        if error := self.errors.get(folder.name):
            raise error
        return GATES

    def timing(self, *args: Path, **_: object) -> opensta.Timing:
        return opensta.Timing(self.periods[args[3].name], "")


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> Tools:
    found = Tools()
    monkeypatch.setattr(gates, "synthesised", found.synthesised)
    monkeypatch.setattr(gates, "area", lambda *_: 7.0)
    monkeypatch.setattr(opensta, "timing", found.timing)
    monkeypatch.setattr(opensta, "resize", lambda *_, **__: {})
    return found


def mapped(folder: Path) -> gates.Mapped:
    """Map nothing in particular."""
    folder.mkdir(parents=True, exist_ok=True)
    return gates.mapped(Design("top", (), {}), Path("lib"), folder, pair=False, ways=WAYS, timeout=9)


def test_the_fastest_way_is_sized(tools: Tools, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    resize = MagicMock(return_value={"g0": "sg13g2_inv_4"})
    monkeypatch.setattr(opensta, "resize", resize)
    assert mapped(tmp_path).cells == {"sg13g2_inv_4": 1}
    assert resize.call_args.args[3] == tmp_path / "if"
    assert resize.call_args.kwargs["period_ns"] == pytest.approx(0.8 * tools.periods["if"])


def test_a_way_that_fails_is_left_out_and_told(tools: Tools, tmp_path: Path) -> None:
    tools.errors["if"] = ToolError("yosys", "ABC gives up\nwith much to say")
    assert mapped(tmp_path / "work").area_um2 == 7.0
    said = (tmp_path / "work" / "ways.log").read_text().splitlines()
    assert said == ["syn3: 3 ns", "if: yosys: ABC gives up", "nf: 2 ns"]
    tools.errors = {way: ToolError("yosys", f"no {way}") for way in WAYS}
    with pytest.raises(ToolError, match="no nf"):
        mapped(tmp_path / "none")
    assert len((tmp_path / "none" / "ways.log").read_text().splitlines()) == 3


@pytest.mark.parametrize(
    "error",
    [ToolEnded("yosys", 9), ToolMissing("yosys", "make setup"), ToolLate("yosys", "not done after 9 s")],
)
def test_the_figures_of_a_design_do_not_depend_on_the_load_of_the_machine(
    tools: Tools, error: ToolError, tmp_path: Path
) -> None:
    """The fastest way may be the one that was killed, or came too late."""
    tools.errors["if"] = error
    with pytest.raises(type(error)):
        mapped(tmp_path / "work")


def test_a_way_that_was_killed_ends_the_campaign_and_records_nothing(
    tools: Tools, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Mapping(Fake):
        def run(self, job: Job) -> dict[str, float]:
            return {"figure": mapped(job.workdir).area_um2}

    monkeypatch.setenv("PERLE_CACHE", str(tmp_path / "cache"))
    store = Store(tmp_path / "results")
    [before] = runner.campaign(runs(Mapping(), 1), store)
    tools.errors["if"] = ToolEnded("yosys", 9)
    with pytest.raises(ToolEnded, match="ended by SIGKILL"):
        runner.campaign(runs(Mapping(), 1), store, again=True)
    assert store.load() == [before]


def test_a_time_out_is_told_from_a_failure() -> None:
    with pytest.raises(ToolLate, match=r"not done after 0\.1 s"):
        run(["sleep", "60"], timeout=0.1)


SAIF = "(INSTANCE u_gates (NET (z_i (T0 1) (T1 1) (TZ 0) (TX 0) (TB 0) (TC 2))))"


def test_simulations_at_the_same_time_write_to_their_own_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each reads the name of its file from the environment some time after it began."""
    named: dict[str, list[str]] = {"one": [], "other": [], "product": []}

    def simulated(*_: object) -> int:
        time.sleep(0.2)
        record = Path(os.environ["PERLE_ACTIVITY_FILE"])
        record.write_text(SAIF, encoding="utf-8")
        named[threading.current_thread().name].append(str(record))
        return 1  # of a multiplier: no response

    monkeypatch.setenv("PERLE_ACTIVITY_FILE", "")
    library = MagicMock()
    library.bench_failure.return_value, library.bench_open.return_value = None, 1
    library.bench_run.side_effect = library.vector_pairs_run.side_effect = simulated
    monkeypatch.setattr(ctypes, "CDLL", lambda _: library)
    for module in (activity, vector_pairs):
        monkeypatch.setattr(module, "build_so", lambda *_, **__: tmp_path / "made.so")

    def pairs() -> None:
        folder = tmp_path / threading.current_thread().name
        vector_pairs.recorded(GATES, [], folder, 1)

    def product() -> None:
        folder = tmp_path / "product"
        folder.mkdir()
        with pytest.raises(ToolError, match="verilator"):
            activity.recorded(CONFIG, [], folder)

    threads = [
        threading.Thread(target=work, name=name)
        for name, work in {"one": pairs, "other": pairs, "product": product}.items()
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert named == {name: [str(tmp_path / name / "activity.saif")] for name in named}


def test_a_net_without_activity_is_an_error() -> None:
    with pytest.raises(ToolError, match="no activity of the net z_o"):
        activity.Activity({"z_i": (1.0, 0.5)}, 2, 1).pins(GATES)
