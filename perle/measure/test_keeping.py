# SPDX-License-Identifier: Apache-2.0
"""What a campaign keeps: good records after failures, records of the same circuit, and nothing else."""

from __future__ import annotations

import fcntl
import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from perle.cores.registry import Config, resolve
from perle.flow import yosys
from perle.flow.cache import lock_file
from perle.flow.circuit import Circuit
from perle.flow.tools import DesignError, ToolError
from perle.flow.yosys import Netlist
from perle.measure import runner, target
from perle.measure.design import design
from perle.measure.target import Job
from perle.measure.test_runner import Fake, runs
from perle.results import Store

pytestmark = pytest.mark.usefixtures("own_cache")

ELEMENT = resolve("scalable:r2_w16_p8_n256")


class Raising(Fake):
    """A target whose runs end with an exception."""

    error: Exception = ToolError("tool", "wasm trap: out of memory")

    def run(self, job: Job) -> dict[str, float]:  # noqa: ARG002
        raise self.error


def failing(error: Exception) -> Raising:
    found = Raising()
    found.error = error
    return found


@pytest.mark.parametrize(
    "error",
    [
        ToolError("nextpnr", "wasm trap: out of memory"),
        ToolError("nextpnr", "not done after 3600 s"),
        ValueError("Expecting value: line 1"),
    ],
)
def test_a_failure_that_may_be_the_machines_replaces_no_result(error: Exception, store: Store) -> None:
    [good] = runner.campaign(runs(Fake(), 1), store)
    [failed] = runner.campaign(runs(failing(error), 1), store, again=True)
    assert failed.error
    assert store.load() == [good]


@pytest.mark.parametrize(
    "error",
    [
        ToolError("LFE5U-25F", "too small: 64 of 28 multipliers"),
        ToolError("nextpnr", "Unable to place cell 'u_core', no BELs remaining"),
        DesignError("top", "Width is too large (top.sv:7)"),
    ],
)
def test_a_fact_about_the_design_replaces_a_result(error: Exception, store: Store) -> None:
    runner.campaign(runs(Fake(), 1), store)
    [failed] = runner.campaign(runs(failing(error), 1), store, again=True)
    assert failed.error
    assert store.load() == [failed]


def test_a_result_that_another_process_stored_meanwhile_stays(store: Store) -> None:
    """The campaign began without a record; when it fails there is a good one."""
    [wanted] = runs(Fake(), 1)
    good = runner.measure(wanted)

    class Late(Fake):
        def run(self, job: Job) -> dict[str, float]:  # noqa: ARG002
            store.put(good)
            raise ToolError("nextpnr", "not done after 9 s")

    runner.campaign(runs(Late(), 1), store)
    assert store.load() == [good]


@pytest.mark.parametrize("error", [ValueError("no number\nat all"), KeyError("fmax"), IndexError()])
def test_output_that_is_not_as_expected_is_a_failure_of_its_run(error: Exception, store: Store) -> None:
    class Once(Fake):
        def run(self, job: Job) -> dict[str, float]:
            if job.seed == 2:
                raise error
            return super().run(job)

    found = runner.campaign(runs(Once()), store)
    assert [bool(one.error) for one in found] == [False, True, False]
    assert found[1].error.startswith(type(error).__name__)
    assert "\n" not in found[1].error
    assert sorted(one.seed for one in store.load()) == [1, 2, 3]


def test_a_circuit_that_cannot_be_read_is_unknown(store: Store) -> None:
    class Unread(Fake):
        def circuit(self, job: Job) -> Circuit | None:  # noqa: ARG002
            raise KeyError("modules")

    [found] = runner.campaign(runs(Unread(), 1), store)
    assert (found.error, found.circuit) == ("", {})


def test_nobody_else_writes_to_the_folder_of_a_run_while_its_circuit_is_made(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither while a campaign looks for the same circuit, nor while records are brought up to date."""
    locked: list[bool] = []

    class Looking(Fake):
        def circuit(self, job: Job) -> Circuit | None:
            with lock_file(job.workdir.parent / f"{job.workdir.name}.lock") as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    locked.append(True)
                else:
                    locked.append(False)
            return Circuit("names", "shape")

    leaf = tmp_path / "leaf.sv"
    leaf.write_text("one")
    target = Looking(extra=(leaf,))
    monkeypatch.setattr(runner, "named", lambda _: target)
    runner.campaign(runs(target, 1), store)
    leaf.write_text("two")
    [found] = runner.campaign(runs(target, 1), store)
    assert len(target.jobs) == 1
    assert runner.brought_up_to_date(store, replace(found, circuit={})) == found
    leaf.write_text("three")
    assert runner.brought_up_to_date(store, found) is not None
    assert locked == [True] * 4


def written(folder: Path, top: str, kind: str, name: str) -> Netlist:
    """Write the netlist of one cell."""
    cell = {
        "type": kind,
        "port_directions": {"A": "input", "Y": "output"},
        "connections": {"A": [2], "Y": [3]},
    }
    ports = {"a": {"direction": "input", "bits": [2]}, "y": {"direction": "output", "bits": [3]}}
    nets = {name: {"hide_name": 0, "bits": [3]}}
    folder.mkdir(parents=True, exist_ok=True)
    module = {"ports": ports, "cells": {"c": cell}, "netnames": nets}
    (folder / "netlist.json").write_text(json.dumps({"modules": {top: module}}), encoding="utf-8")
    return Netlist(folder)


def test_the_circuit_of_an_element_includes_what_its_energy_depends_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its activity is that in the multiplier: another multiplier, or other parameters, is another circuit."""
    kinds = {"perle_scalable_pe_r2": "$not", "perle_scalable_mul": "$not"}
    names = dict.fromkeys(kinds, "q")

    def generic(_: object, top: str, __: object, folder: Path, **___: object) -> Netlist:
        return written(folder, top, kinds[top], names[top])

    monkeypatch.setattr(yosys, "generic", generic)

    def circuit(config: Config = ELEMENT) -> Circuit:
        work = tmp_path / "work"
        built = design(config, "pe")
        found = target.every()["ihp130"].circuit(Job(config, "pe", built, 0, work, 60))
        assert found is not None
        return found

    before = circuit()
    assert circuit() == before
    names["perle_scalable_pe_r2"] = "renamed_q"
    assert circuit().shape == before.shape
    assert circuit().named != before.named
    kinds["perle_scalable_mul"] = "$neg"
    assert circuit().shape != before.shape
    kinds["perle_scalable_mul"] = "$not"
    assert circuit().shape == before.shape
    kinds["perle_scalable_pe_r2"] = "$neg"
    assert circuit().shape != before.shape
    kinds["perle_scalable_pe_r2"] = "$not"
    assert circuit(resolve("scalable:r2_w16_p16_n256")).shape != before.shape
