# SPDX-License-Identifier: Apache-2.0
"""Tools of sweeps that only pretend: they sleep, and give back a record that is made up."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import msgspec
from msgspec.structs import replace

from perle.explore.evaluate import Answer, Task, pack
from perle.measure.target import chosen
from tests.stores import made_up

NAP = 0.02


def pretend(task: Task) -> Answer:
    """Return a record of today's sources: LUTs by width and digit, a failure for digits of 8 bits."""
    time.sleep(NAP)
    run = task.wanted
    params = run.config.params
    digit = params.get("RadixBits", 17)
    metrics = {"lut": 10.0 * params["Width"] + digit, "dsp": 0.0, "ff": 1.0, "carry": 0.0, "lutram": 0.0}
    if run.target.seeded:
        metrics["fmax_mhz"] = 100.0 + task.seed
    error = "placer: no room" if digit == 8 else ""
    files, settings = run.identity()
    [target] = chosen(task.target)
    made = made_up(
        task.core, task.target, {} if error else metrics, part=task.part, seed=task.seed, error=error
    )
    record = replace(made, files=files, settings=settings, device=target.title)
    return Answer(msgspec.json.encode(record), pack(_folder(task)), "there")


def _folder(task: Task) -> Path:
    """Write what a tool would, where only the worker sees it."""
    folder = Path(os.environ["PRETENDED"]) / f"{task.core}-{task.seed}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tool.log").write_text(f"{task.core} at work\n", encoding="utf-8")
    return folder


TOGETHER = threading.Barrier(2)


def together(task: Task) -> Answer:
    """Wait until another one is at work too; BrokenBarrierError if none comes."""
    TOGETHER.wait(30)
    return pretend(task)


def elsewhere(task: Task) -> Answer:
    """Return a record of other sources than those here."""
    answer = pretend(task)
    record = replace(answer.measurement, files={"cores/other.sv": "1234"})
    return Answer(msgspec.json.encode(record), answer.files, "there")


def unplaced(task: Task) -> Answer:
    """Return the record of a failed placement on targets that place."""
    answer = pretend(task)
    if not task.wanted.target.seeded:
        return answer
    record = replace(answer.measurement, metrics={}, error="placer: no room")
    return Answer(msgspec.json.encode(record), answer.files, "there")


def lacks(_: Task) -> Answer:
    """Say that a tool is missing."""
    return Answer(b"", b"", "there", "nextpnr: not installed")
