# SPDX-License-Identifier: Apache-2.0
"""`perle results check`: what holds, what is stale and why, told by the command."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from perle.cores.registry import resolve_any
from perle.flow import pdk
from perle.measure import current, runner
from perle.measure.target import chosen
from perle.results import Measurement, Store, identity


def recorded(core: str, target: str) -> Measurement:
    """Return a run as the runner would keep it, without running a tool."""
    [run] = runner.wanted(resolve_any(core), "mul", chosen(target), 1)
    files, settings = run.identity()
    return Measurement(
        core, "mul", target, run.seed, dict(run.config.params), {}, "", 0.0, files=files, settings=settings
    )


def why(store: Store, *changed: Measurement) -> list[tuple[str, ...]]:
    for one in changed:
        store.put(one)
    return [one.why for one in current.measurements(store.load())]


def test_what_is_of_today_holds_and_every_change_is_named(tmp_path: Path) -> None:
    store = Store(tmp_path)
    one = recorded("stream:w64", "ecp5_8")
    assert why(store, one) == [()]
    leaf = "cores/prim/ecp5/perle_mul_reg2.sv"
    assert leaf in one.files
    assert why(store, replace(one, files=one.files | {leaf: "another"})) == [(f"file {leaf} has changed",)]
    for key, what in (("placing", "placing"), ("flow", "flow"), ("params", "params")):
        other = replace(one, settings=one.settings | {key: "another"})
        assert why(store, other) == [(f"setting {what} has changed",)]
    target = {"target": one.settings["target"] | {"freq": 1}}
    assert why(store, replace(one, settings=one.settings | target)) == [("setting freq has changed",)]
    assert why(store, replace(one, settings=one.settings | {"cores": []})) == [("other parameters",)]


def test_the_command_measures_the_same_run_again(tmp_path: Path) -> None:
    store = Store(tmp_path)
    one = recorded("stream:w64", "ecp5_8")
    for seed in (1, 3):
        store.put(replace(one, seed=seed))
    asked = "perle measure stream:w64 --part mul --target ecp5_8"
    assert [each.command for each in current.measurements(store.load())] == [asked, f"{asked} --first-seed 3"]


def test_a_core_that_is_gone_is_told(tmp_path: Path) -> None:
    store = Store(tmp_path)
    gone = replace(recorded("stream:w64", "ecp5_8"), core="nothing:w1")
    [[said]] = why(store, gone)
    assert "nothing" in said
    assert runner.brought_up_to_date(store, gone) is None


@pytest.mark.parametrize("target", ["ecp4_8", "ecp5"])
def test_a_target_that_is_gone_is_told(target: str, tmp_path: Path) -> None:
    """A name of a device, without its speed grade, is no target either."""
    store = Store(tmp_path)
    one = recorded("stream:w64", "ecp5_8")
    cores = identity.parameters(resolve_any(one.core), one.part, target)
    gone = replace(one, target=target, settings=one.settings | {"cores": cores})
    [[said]] = why(store, gone)
    assert f"no target '{target}'; there are: " in said
    assert runner.brought_up_to_date(store, gone) is None


@pytest.mark.skipif(pdk.there(), reason="needs a machine without the PDK")
def test_settings_that_cannot_be_compared_are_told(tmp_path: Path) -> None:
    store = Store(tmp_path)
    one = recorded("orup:w64", "ecp5_8")
    store.put(replace(one, target="ihp130", files={name: one.files[name] for name in one.files}))
    [verdict] = current.measurements(store.load())
    assert "PDK_ROOT" in verdict.unseen


@pytest.mark.recorded
def test_every_recorded_result_of_the_project_holds() -> None:
    stale = [one for one in (*current.measurements(Store().load()), *current.proofs()) if one.why]
    assert stale == []
