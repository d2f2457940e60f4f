# SPDX-License-Identifier: Apache-2.0
"""Sweeps with fake tools: nothing twice, nothing lost, one store for several schedulers."""

from __future__ import annotations

import io
import json
import os
import tarfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace as replaced
from itertools import count
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

pytest.importorskip("distributed", reason="no dask: make setup")
from distributed import Client, LocalCluster

from perle.explore import engine
from perle.explore.evaluate import Answer, Task, pack, unpack
from perle.explore.space import Grid, Screen, Space, SpaceError
from perle.explore.stages import plan
from perle.explore.sweep import Log, Outcome, Sweep
from perle.flow.tools import ToolMissing
from perle.measure import runner
from perle.results import Store
from tests import sweeping

ORUP = Grid("orup", {"Width": (64, 128), "RadixBits": (8, 16, 17, 20)})
PLACED = Space((ORUP,), ("ecp5_8",), seeds=2)


class Silent:
    """A progress display that records only the stages."""

    def __init__(self) -> None:
        self.stages: list[tuple[str, int]] = []

    def begin(self, title: str, total: int) -> None:
        self.stages.append((title, total))

    def step(self, what: str, event: str) -> None:
        pass


@contextmanager
def inside() -> Iterator[Client]:
    """Yield the client of a scheduler of its own, with two workers, in this process."""
    with (
        LocalCluster(n_workers=2, processes=False, **engine.LOCAL) as own,
        Client(own, set_as_default=False) as found,
    ):
        yield found


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with inside() as found:
        yield found


@pytest.fixture(autouse=True)
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERLE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PRETENDED", str(tmp_path / "worker"))


def swept(
    client: Client, space: Space, folder: Path, work: Callable[[Task], Answer] = sweeping.pretend
) -> tuple[Outcome, Sweep]:
    sweep = Sweep(client, Store(folder), Log(folder.parent / "log.jsonl"), Silent(), work=work)
    return plan(space, sweep.store).carry_out(sweep), sweep


def test_a_sweep_keeps_everything_and_does_nothing_twice(client: Client, tmp_path: Path) -> None:
    outcome, sweep = swept(client, PLACED, tmp_path / "store")
    assert outcome.counts == {"infeasible": 2, "measured": 8, "failed": 4}
    assert sorted(one.key for one in sweep.store.load()) == sorted(one.key for one in outcome.found)
    again, _ = swept(client, PLACED, tmp_path / "store")
    assert again.counts == {"infeasible": 2, "recorded": 12}
    assert again.found == outcome.found
    more, _ = swept(client, Space((ORUP,), ("ecp5_8",), seeds=3), tmp_path / "store")
    assert more.counts == {"infeasible": 2, "recorded": 12, "measured": 4, "failed": 2}


def test_the_log_has_every_event_with_its_reason(client: Client, tmp_path: Path) -> None:
    _, sweep = swept(client, PLACED, tmp_path / "store")
    lines = [json.loads(line) for line in sweep.log.path.read_text().splitlines()]
    assert Counter(one["event"] for one in lines) == {"infeasible": 2, "measured": 8, "failed": 4}
    reasons = [one["reason"] for one in lines if one["event"] == "infeasible"]
    assert reasons[0] == "orup: RadixBits = 20 is outside 3…18"
    failed = next(one for one in lines if one["event"] == "failed")
    assert (failed["error"], failed["host"]) == ("placer: no room", "there")


def test_what_tools_wrote_comes_back(client: Client, tmp_path: Path) -> None:
    swept(client, PLACED, tmp_path / "store")
    run = plan(PLACED, Store(tmp_path / "store")).runs[0]
    log = runner.work_folder(run) / "tool.log"
    assert log.is_relative_to(tmp_path / "cache")
    assert log.read_text() == f"{run.config.spec} at work\n"


def test_only_what_is_near_the_front_of_the_screen_goes_on(client: Client, tmp_path: Path) -> None:
    grid = Grid("orup", {"Width": (64,), "RadixBits": (16, 17), "QuotientDelay": (0, 1)})
    outcome, sweep = swept(
        client, Space((grid,), ("ecp5_8",), seeds=2, screen=Screen("xc6v", 0.0)), tmp_path / "store"
    )
    assert isinstance(sweep.progress, Silent)
    assert [title for title, _ in sweep.progress.stages] == ["screen on xc6v", "ecp5_8"]
    placed = {one.core for one in outcome.found if one.target == "ecp5_8"}
    # a delay of the quotient costs cycles in the model, with the same LUTs here
    assert placed == {"orup:w64", "orup:w64+RadixBits=16"}
    assert len([one for one in outcome.found if one.target == "xc6v"]) == 4


def test_a_worker_that_is_gone_is_told(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, slots = count(), {"nthreads": 1}
    monkeypatch.setattr(
        engine, "workers", lambda _: {f"tcp://{name}": slots for name in ("ab" if next(calls) < 5 else "b")}
    )
    outcome, sweep = swept(client, PLACED, tmp_path / "store")
    assert outcome.counts == {"infeasible": 2, "measured": 8, "failed": 4, "workers lost": 1}
    lines = [json.loads(line) for line in sweep.log.path.read_text().splitlines()]
    assert [one["what"] for one in lines if one["event"] == "workers lost"] == ["tcp://a"]


GONE = threading.Event()


def waits(task: Task) -> Answer:
    """End when the log tells of a worker that is gone."""
    GONE.set()
    log, begin = Path(os.environ["PRETENDED"]).with_name("log.jsonl"), time.monotonic()
    while "tcp://a" not in log.read_text():
        assert time.monotonic() < begin + 30
        time.sleep(0.01)
    return sweeping.pretend(task)


def test_a_worker_that_is_gone_is_told_before_the_next_result(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    GONE.clear()
    monkeypatch.setattr(engine, "WATCH", 0.02)
    slots = {"nthreads": 1}
    monkeypatch.setattr(
        engine, "workers", lambda _: {f"tcp://{one}": slots for one in ("b" if GONE.is_set() else "ab")}
    )
    space = Space((Grid("orup", {"Width": (64,), "RadixBits": (16,)}),), ("ecp5_8",))
    outcome, _ = swept(client, space, tmp_path / "store", waits)
    assert outcome.counts == {"measured": 1, "workers lost": 1}


def test_two_schedulers_share_a_store(tmp_path: Path) -> None:
    """Each with its own workers, at the same time: every record is complete, and stored once."""
    spaces = [
        Space((Grid("orup", {"Width": (64, 128, 256), "RadixBits": radix}),), ("ecp5_8",), seeds=4)
        for radix in ((15, 16, 17), (16, 17, 18))
    ]
    outcomes: list[Outcome] = []

    def one(client: Client, space: Space) -> None:
        outcomes.append(swept(client, space, tmp_path / "store")[0])

    with inside() as first, inside() as second:
        threads = [
            threading.Thread(target=one, args=pair) for pair in zip((first, second), spaces, strict=True)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    keys = [record.key for record in Store(tmp_path / "store").load()]
    assert len(keys) == len(set(keys)) == 3 * 4 * 4
    assert [len(outcome.found) for outcome in outcomes] == [36, 36]


def test_records_of_other_sources_are_not_kept(client: Client, tmp_path: Path) -> None:
    outcome, sweep = swept(client, PLACED, tmp_path / "store", sweeping.elsewhere)
    assert outcome.counts == {"infeasible": 2, "lost": 12}
    assert sweep.store.load() == []
    assert set(outcome.lost) == {run.text for run in plan(PLACED, sweep.store).runs}
    assert all("the worker has other sources: there: file" in why for why in outcome.lost.values())


@pytest.mark.parametrize("error", ["nextpnr: not done after 3600 s", "nextpnr: wasm trap: out of memory"])
def test_a_failure_replaces_no_result_that_another_sweep_stored(
    error: str, client: Client, tmp_path: Path
) -> None:
    """It was measured by both: the one that succeeded is kept, and is the result of both."""
    space = Space((Grid("orup", {"Width": (64,), "RadixBits": (16,)}),), ("ecp5_8",))
    store = Store(tmp_path / "store")

    def late(task: Task) -> Answer:
        good = sweeping.pretend(task)
        store.put(good.measurement)
        record = replace(good.measurement, metrics={}, error=error)
        return Answer(msgspec.json.encode(record), good.files, "there")

    outcome, _ = swept(client, space, tmp_path / "store", late)
    assert outcome.counts == {"failed": 1}
    assert [one.error for one in store.load()] == [""]
    assert outcome.found == store.load()


def test_figures_that_a_part_does_not_have_are_refused_before_anything_runs(tmp_path: Path) -> None:
    whole = Space((ORUP,), ("ecp5_8",), part="exp")
    with pytest.raises(SpaceError, match="'latency' is of a product"):
        plan(whole, Store(tmp_path), ("luts", "latency"))
    assert plan(whole, Store(tmp_path)).runs
    assert plan(replaced(whole, part="mul_pair"), Store(tmp_path), ("luts", "latency")).runs


def test_a_missing_tool_ends_the_sweep(client: Client, tmp_path: Path) -> None:
    with pytest.raises(ToolMissing, match="nextpnr: not installed"):
        swept(client, PLACED, tmp_path / "store", sweeping.lacks)
    assert Store(tmp_path / "store").load() == []


def test_a_screen_that_there_is_not(tmp_path: Path) -> None:
    with pytest.raises(SpaceError, match="no target 'none'"):
        plan(Space((ORUP,), ("ecp5_8",), screen=Screen("none")), Store(tmp_path))


def test_packed_files_are_put_beside_those_that_are_there(tmp_path: Path) -> None:
    there, here = tmp_path / "there", tmp_path / "here"
    (there / "sub").mkdir(parents=True)
    (there / "sub" / "a.log").write_text("a")
    (there / "b.log").write_text("theirs")
    (there / "large.json").write_bytes(bytes(2 << 20))
    (there / "link").symlink_to(there / "b.log")
    here.mkdir()
    (here / "b.log").write_text("mine")
    unpack(pack(there), here)
    assert {one.relative_to(here).as_posix() for one in here.rglob("*")} == {"sub", "sub/a.log", "b.log"}
    assert (here / "b.log").read_text() == "mine"
    unpack(pack(tmp_path / "nowhere"), tmp_path / "nothing")
    assert not (tmp_path / "nothing").exists()


def test_what_would_lie_elsewhere_is_refused(tmp_path: Path) -> None:
    for name, kind in (("../out", tarfile.REGTYPE), ("/tmp/out", tarfile.REGTYPE), ("link", tarfile.SYMTYPE)):
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind, "/etc/passwd"
        made = io.BytesIO()
        with tarfile.open(fileobj=made, mode="w:gz") as archive:
            archive.addfile(member)
        with pytest.raises(ValueError, match="no file of a work folder"):
            unpack(made.getvalue(), tmp_path / "here")
    assert not any(tmp_path.iterdir())
