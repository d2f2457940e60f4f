# SPDX-License-Identifier: Apache-2.0
"""`perle explore` from the command line, with fake tools."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="no dask: make setup")
from distributed import Client, LocalCluster

from perle.cli import bench_explore, explore
from perle.explore import engine
from perle.results import Store
from tests import sweeping
from tests.cli_run import answer, invoke, refused

GRID = ("orup", "--set", "Width=64,128", "--set", "RadixBits=8,17,20", "--target", "ecp5_8")


@contextmanager
def inside(workers: int, scheduler: str | None = None, security: object = None) -> Iterator[Client]:
    """Yield a client of workers in this process."""
    assert scheduler is security is None
    with (
        LocalCluster(n_workers=workers, processes=False, **engine.LOCAL) as own,
        Client(own) as client,
    ):
        yield client


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    found = Store(tmp_path / "store")
    monkeypatch.setenv("PERLE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PRETENDED", str(tmp_path / "worker"))
    monkeypatch.setattr(explore, "Store", lambda: found)
    monkeypatch.setattr(engine, "cluster", inside)
    monkeypatch.setattr(explore, "evaluate", sweeping.pretend)
    return found


def test_a_sweep_and_what_it_tells(kept: Store, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    shown = invoke("explore", *GRID, "--seeds", 2, "--jobs", 2, "--log", log)
    assert "ecp5_8: 8 runs" in shown.stderr
    out = shown.stdout
    assert "★" in out
    assert "failed: orup:w64+RadixBits=8 (mul) on ecp5_8, seed 1: placer: no room" in out
    assert "infeasible: orup Width=64 RadixBits=20: orup: RadixBits = 20 is outside 3…18" in out
    assert f"4 failed, 2 infeasible, 4 measured; ★ on the front; log: {log}" in out
    assert len(log.read_text().splitlines()) == 10
    assert "2 infeasible, 8 recorded; ★" in invoke("explore", *GRID, "--seeds", 2, "--log", log).stdout
    again = answer("explore", *GRID, "--seeds", 2, "--log", log)
    assert again["counts"] == {"infeasible": 2, "recorded": 8}
    assert {(one["core"], one["target"]) for one in again["front"]} == {
        ("orup:w64", "ecp5_8"),
        ("orup:w128", "ecp5_8"),
    }
    assert len(again["measurements"]) == len(kept.load()) == 8
    words = ("explore", *GRID, "--seeds", 3, "--dry")
    planned = invoke(*words).stdout.splitlines()[:-3]
    assert [line.endswith(" (recorded)") for line in planned] == ["seed 3" not in line for line in planned]
    assert (len(planned), len(answer(*words)["recorded"])) == (12, 8)


@pytest.mark.usefixtures("kept")
def test_a_dry_run_tells_what_there_is_to_do(tmp_path: Path) -> None:
    shown = invoke("explore", *GRID, "--dry").stdout.splitlines()
    assert shown[0] == "orup:w64+RadixBits=8 (mul) on ecp5_8, seed 1"
    assert shown[-1] == "4 runs; 0 recorded already; 2 infeasible"
    file = tmp_path / "space.toml"
    file.write_text(
        'targets = ["ecp5_8"]\nscreen = { target = "xc6v" }\n[[cores]]\nfamily = "orup"\nWidth = 64\n'
    )
    shown = invoke("explore", file, "--dry").stdout.splitlines()
    assert shown[0] == "orup:w64 (mul) on xc6v"
    assert shown[-1] == "1 runs of the screen, then those near the front; 0 recorded already; 0 infeasible"
    data = json.loads(invoke("explore", *GRID, "--dry", "--json").stdout)
    assert (len(data["runs"]), len(data["infeasible"])) == (4, 2)


@pytest.mark.usefixtures("kept")
def test_the_size_of_a_large_space_is_told_first(monkeypatch: pytest.MonkeyPatch) -> None:
    def values(name: str, count: int) -> tuple[str, str]:
        return "--set", f"{name}={','.join(map(str, range(2, count + 2)))}"

    words = ("explore", "orup", "--target", "ecp5_8", *values("RadixBits", 400), *values("Width", 500))
    for more in (("--dry",), ("--dry", "--json"), ()):
        assert "the space has 200,000 points; a sweep of all takes 100,000 at most" in refused(
            2, *words, *more
        )
    assert "200,000 points; 0 recorded already" in invoke(*words, "--dry", "--search", "tpe").stdout
    monkeypatch.setattr(explore, "MANY_POINTS", 1)
    shown = invoke("explore", *GRID, "--dry")
    assert shown.stderr == "the space has 6 points; listing them takes a while\n"
    assert shown.stdout.endswith("2 infeasible\n")


@pytest.mark.parametrize(
    ("after", "said"), [(0, "no result is there yet"), (1, "1 result is"), (3, "3 results are")]
)
def test_after_an_interrupt_it_tells_what_is_kept(
    after: int, said: str, kept: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = engine.run

    def interrupted(
        client: Client, tasks: object, work: object, done: Callable[..., None], **more: object
    ) -> None:
        left = iter(range(after))

        def stop(*told: object) -> None:
            if next(left, None) is None:
                raise KeyboardInterrupt
            done(*told)

        run(client, tasks, work, stop, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(engine, "run", interrupted)
    shown = invoke("explore", *GRID, "--seeds", 2, "--jobs", 2, code=130).stderr
    assert f"{said}{' kept' if after else ''}; the same command continues\nperle: interrupted\n" in shown
    assert len(kept.load()) == after
    monkeypatch.setattr(engine, "run", run)
    again = answer("explore", *GRID, "--seeds", 2)
    assert again["counts"].get("recorded", 0) == after


@pytest.mark.usefixtures("kept")
def test_nothing_that_succeeds_is_a_failure(tmp_path: Path) -> None:
    words = ("orup", "--set", "Width=64", "--set", "RadixBits=8", "--target", "ecp5_8")
    shown = invoke("explore", *words, "--log", tmp_path / "log", code=5)
    assert "no run succeeded" in shown.stderr
    data = json.loads(invoke("explore", *words, "--json", "--log", tmp_path / "log", code=5).stdout)
    assert data["counts"] == {"recorded": 1}
    words = ("orup", "--set", "Width=64", "--set", "RadixBits=20", "--target", "ecp5_8")
    shown = invoke("explore", *words, "--log", tmp_path / "log", code=2)
    assert "no configuration can be measured" in shown.stderr


@pytest.mark.usefixtures("kept")
def test_lost_runs_and_failures_after_the_screen_are_failures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("orup", "--set", "Width=64", "--target", "ecp5_8", "--log", tmp_path / "log")
    monkeypatch.setattr(explore, "evaluate", sweeping.elsewhere)
    assert "no run succeeded" in invoke("explore", *words, code=5).stderr
    monkeypatch.setattr(explore, "evaluate", sweeping.unplaced)
    assert "no run succeeded" in invoke("explore", *words, "--screen", "xc6v", code=5).stderr


@pytest.mark.usefixtures("kept")
def test_values_of_a_parameter_add_up_and_targets_count_once() -> None:
    words = ("orup", "--set", "Width=64", "--set", "Width=128", "--target", "ecp5_8,ecp5")
    runs = invoke("explore", *words, "--dry").stdout.splitlines()[:-1]
    assert sorted(runs) == [
        f"orup:w{width} (mul) on ecp5_{grade}, seed 1" for width in (128, 64) for grade in (6, 8)
    ]


@pytest.mark.usefixtures("kept")
def test_the_benchmark_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    said = answer("bench", "explore", "--sleep", 0.01, "--jobs", 3, "--runs", 4)
    assert [one["workers"] for one in said["rates"]] == [1, 2, 3]
    for one in said["rates"]:
        assert one["seconds"] >= 4 * 0.01 / one["workers"]
        assert one["per_minute"] == pytest.approx(60 * one["runs"] / one["seconds"])
    # a tool that fails is told
    monkeypatch.setattr(bench_explore, "evaluate", sweeping.unplaced)
    monkeypatch.setattr(bench_explore, "_synthesised", lambda _: None)
    assert "placer: no room" in invoke("bench", "explore", code=5).stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("orup",), "--target is missing"),
        (("orp", "--target", "ecp5_8"), "no core family 'orp'"),
        (("orup", "--target", "ecp6"), "no target 'ecp6'"),
        (("orup", "--target", "ecp5_8@fast"), "'fast' is no clock in MHz"),
        (("orup", "--target", "ecp5_8", "--set", "Width"), "--set needs NAME=V"),
        (("orup", "--target", "ecp5_8", "--set", "Width=x"), "--set needs NAME=V"),
        (("x.toml", "--target", "ecp5_8"), "a file defines the whole space"),
        (("x.toml", "--seeds", "3"), "a file defines the whole space"),
        (("x.toml", "--part", "exp"), "a file defines the whole space"),
        (("orup", "--target", "ecp5_8", "--near", "0.1"), "--near needs --screen"),
        (("orup", "orup:w512", "--target", "ecp5_8"), "both with and without a configuration"),
    ],
)
def test_what_makes_no_sense(words: tuple[str, ...], said: str) -> None:
    assert said in refused(2, "explore", *words)


def test_the_package_that_it_needs_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "perle.explore.engine")
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delattr("perle.explore.engine")
    message = refused(5, "explore", "orup:w64", "--target", "ecp5_8")
    assert "make setup" in message
