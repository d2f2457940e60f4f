# SPDX-License-Identifier: Apache-2.0
"""How a worker carries out a task, and how its tools are ended."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from perle.explore import evaluate
from perle.explore.evaluate import Task
from perle.flow.tools import ToolError, ToolMissing, run
from perle.measure import runner
from tests.asked import cells
from tests.stores import made_up


def at_work(sweep: str, after: list[str]) -> threading.Thread:
    """Begin a measurement with two successive tools that would take a minute each."""

    def work() -> None:
        with evaluate._busy_with(sweep):
            for _ in range(2):
                try:
                    run(["sleep", "60"])
                except ToolError:
                    after.append("ended")

    thread = threading.Thread(target=work)
    thread.start()
    while not evaluate._busy[sweep]:
        time.sleep(0.01)
    return thread


def test_all_tools_of_a_sweep_are_ended() -> None:
    after: list[str] = []
    thread = at_work("mine", after)
    assert evaluate.end("mine")
    thread.join(timeout=5)
    assert not thread.is_alive()
    assert after == ["ended", "ended"]
    assert evaluate.end("nobody's")


def test_tools_of_another_sweep_go_on() -> None:
    after: list[str] = []
    thread = at_work("theirs", after)
    with evaluate._busy_with("mine"):
        assert not evaluate.end("mine")
    assert after == []
    assert evaluate.end("theirs")
    thread.join(timeout=5)


def test_a_run_in_words_is_that_run() -> None:
    task = Task("orup:w64+RadixBits=8", "exp", "ecp5_8", 3, 60.0)
    assert task.wanted.text == "orup:w64+RadixBits=8 (exp) on ecp5_8, seed 3"
    assert evaluate.task(task.wanted, 60.0) == task


def test_a_record_and_files_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = made_up("orup:w64", "ecp5_8", cells(1, 2))
    (tmp_path / "nextpnr.log").write_text("placed")
    monkeypatch.setattr(runner, "measure", lambda *_, **__: made)
    monkeypatch.setattr(runner, "work_folder", lambda _: tmp_path)
    answer = evaluate.evaluate(Task("orup:w64", "mul", "ecp5_8", 1, 60.0))
    assert answer.measurement == made
    evaluate.unpack(answer.files, tmp_path / "here")
    assert (tmp_path / "here" / "nextpnr.log").read_text() == "placed"


def test_a_missing_tool_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def lacks(*_: object, **__: object) -> None:
        raise ToolMissing("nextpnr", "pip install it")

    monkeypatch.setattr(runner, "measure", lacks)
    answer = evaluate.evaluate(Task("orup:w64", "mul", "ecp5_8", 1, 60.0))
    assert "nextpnr" in answer.missing
    assert answer.record == b""
