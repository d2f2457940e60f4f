# SPDX-License-Identifier: Apache-2.0
"""Campaigns on targets whose tools are one line of shell."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from msgspec.structs import replace

from perle.cores.registry import Config, resolve
from perle.flow.circuit import Circuit
from perle.flow.tools import ToolEnded, ToolError, ToolMissing, run
from perle.measure import runner
from perle.measure.design import Design
from perle.measure.target import Job
from perle.results import Measurement, Store, spread

pytestmark = pytest.mark.usefixtures("own_cache")

CORE = resolve("orup:w64")


@dataclass
class Fake:
    """A target whose result is a number that its `script` prints in the job's folder."""

    script: str = "echo $SEED > file; cat file"
    name: str = "fake"
    title: str = "nothing at all"
    tools: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    seeded: bool = True
    settings: dict[str, object] = field(default_factory=dict)
    jobs: list[Job] = field(default_factory=list)
    extra: tuple[Path, ...] = ()
    placed: Circuit | None = None
    rules: str = ""

    def circuit(self, job: Job) -> Circuit | None:  # noqa: ARG002
        return self.placed

    def prepare(self, design: Design, config: Config, part: str) -> Design:  # noqa: ARG002
        return Design(design.top, (*design.files, *self.extra), design.params, placing=self.rules)

    def run(self, job: Job) -> dict[str, float]:
        self.jobs.append(job)
        env = {"SEED": str(job.seed)}
        done = run(["sh", "-c", self.script], cwd=job.workdir, timeout=job.timeout, env=env)
        return {"figure": float(done.stdout)}


def runs(target: Fake, seeds: int = 3) -> list[runner.Wanted]:
    return runner.wanted(CORE, "mul", [target], seeds)


def test_results_are_stored_as_they_were_measured(store: Store) -> None:
    target = Fake()
    found = runner.campaign(runs(target), store)
    assert [(one.seed, one.metrics) for one in found] == [(n, {"figure": float(n)}) for n in (1, 2, 3)]
    assert store.load("fake") == found
    (line, *_) = (store.folder / "fake.jsonl").read_text().splitlines()
    kept = json.loads(line)
    assert kept["core"] == "orup:w64"
    assert kept["params"] == CORE.params
    assert kept["error"] == ""
    over = spread(found, "figure")
    assert over is not None
    assert (over.median, over.least, over.most, over.count) == (2, 1, 3, 3)
    assert spread(found, "no such") is None


def test_what_is_known_is_not_run_again(store: Store) -> None:
    target = Fake()
    first = runner.campaign(runs(target, 2), store)
    assert runner.campaign(runs(target, 3), store)[:2] == first
    assert [job.seed for job in target.jobs] == [1, 2, 3]
    runner.campaign(runs(target, 1), store, again=True)
    assert [job.seed for job in target.jobs] == [1, 2, 3, 1]


def test_other_sources_or_settings_are_another_run(store: Store, tmp_path: Path) -> None:
    leaf = tmp_path / "leaf.sv"
    leaf.write_text("one")
    target = Fake(extra=(leaf,))
    runner.campaign(runs(target, 1), store)
    leaf.write_text("two")
    runner.campaign(runs(target, 1), store)
    target.settings["grade"] = 8
    runner.campaign(runs(target, 1), store)
    runner.campaign(runs(target, 1), store)
    assert len(target.jobs) == 3
    assert len({job.workdir for job in target.jobs}) == 3
    assert len(store.load()) == 1  # of one key, the last


def test_the_same_circuit_of_other_sources_is_not_run_again(store: Store, tmp_path: Path) -> None:
    leaf = tmp_path / "leaf.sv"
    leaf.write_text("one")
    target = Fake(extra=(leaf,), placed=Circuit("names", "shape"))
    [first] = runner.campaign(runs(target, 1), store)
    leaf.write_text("two")
    [same] = runner.campaign(runs(target, 1), store)
    assert not runs(target, 1)[0].changes(same)
    assert not same.renamed
    leaf.write_text("three")
    target.placed = Circuit("other names", "shape")
    [renamed] = runner.campaign(runs(target, 1), store)
    assert (renamed.renamed, renamed.date, renamed.circuit) == (True, first.date, first.circuit)
    assert len(target.jobs) == 1


def test_other_rules_of_a_floorplan_are_the_same_run_if_the_circuit_has_the_same_sites(store: Store) -> None:
    target = Fake(placed=Circuit("names", "shape"), rules="before")
    runner.campaign(runs(target, 1), store)
    target.rules = "after"
    [same] = runner.campaign(runs(target, 1), store)
    assert (len(target.jobs), same.settings["placing"]) == (1, "after")
    target.rules, target.placed = "other sites", Circuit("names", "other")
    runner.campaign(runs(target, 1), store)
    assert len(target.jobs) == 2


@pytest.mark.parametrize("what", ["circuit", "settings", "tools"])
def test_another_circuit_or_another_way_to_place_it_is_another_run(
    what: str, store: Store, tmp_path: Path
) -> None:
    leaf = tmp_path / "leaf.sv"
    leaf.write_text("one")
    target = Fake(extra=(leaf,), placed=Circuit("names", "shape"), tools=("verilator",))
    [first] = runner.campaign(runs(target, 1), store)
    leaf.write_text("two")
    if what == "circuit":
        target.placed = Circuit("names", "other")
    elif what == "settings":
        target.settings["grade"] = 8
    else:
        store.put(replace(first, tools={"verilator": "older"}))
    runner.campaign(runs(target, 1), store)
    assert len(target.jobs) == 2


def test_a_campaign_keeps_what_it_brought_up_to_date(store: Store, tmp_path: Path) -> None:
    """Other sources, the same circuit: no run is done again, and each record is today's from then on."""
    leaf = tmp_path / "leaf.sv"
    leaf.write_text("one")
    target = Fake(extra=(leaf,), placed=Circuit("names", "shape"))
    runner.campaign(runs(target, 2), store)
    leaf.write_text("two")
    found = runner.campaign(runs(target, 2), store)
    assert (len(target.jobs), [one.metrics["figure"] for one in found]) == (2, [1, 2])
    assert store.load() == found
    assert runner.known(store, runs(target, 1)[0]) == found[0]


def test_records_are_brought_up_to_date(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaf = tmp_path / "leaf.sv"
    leaf.write_text("one")
    target = Fake(extra=(leaf,), placed=Circuit("names", "shape"))
    monkeypatch.setattr(runner, "named", lambda _: target)
    [first] = runner.campaign(runs(target, 1), store)
    before = replace(first, circuit={})
    assert runner.brought_up_to_date(store, before) == first
    leaf.write_text("two")
    fresh = runner.brought_up_to_date(store, first)
    assert fresh is not None
    assert (fresh.circuit, fresh.files == first.files) == (first.circuit, False)
    store.put(before)
    assert runner.brought_up_to_date(store, before) is None


@pytest.mark.parametrize("change", ["echo two >", "rm"])
def test_sources_that_change_during_the_run_leave_no_result(
    change: str, store: Store, tmp_path: Path
) -> None:
    leaf = tmp_path / "leaf.sv"
    leaf.write_text("one")
    target = Fake(script=f"{change} {leaf}; echo 1", extra=(leaf,))
    (found,) = runner.campaign(runs(target, 1), store)
    assert "changed" in found.error
    assert found.metrics == {}
    leaf.write_text("three")
    assert runner.known(store, runs(target, 1)[0]) is None


def test_a_failure_is_recorded_and_the_rest_goes_on(store: Store) -> None:
    target = Fake(script="test $SEED != 2 || { echo no room >&2; exit 3; }; echo 7")
    found = runner.campaign(runs(target), store)
    assert [one.metrics for one in found] == [{"figure": 7.0}, {}, {"figure": 7.0}]
    assert found[1].error == "sh: exit status 3"
    assert store.load("fake") == found


def test_a_time_out_is_recorded(store: Store) -> None:
    (found,) = runner.campaign(runs(Fake(script="sleep 60; echo 1"), 1), store, timeout=0.3)
    assert found.error == "sh: not done after 0.3 s"
    assert 0.3 <= found.seconds < 30
    assert store.load("fake") == [found]


@pytest.mark.parametrize("placed", [None, Circuit("names", "shape")])
def test_a_longer_time_tries_again_and_a_shorter_one_replaces_nothing(
    store: Store, placed: Circuit | None
) -> None:
    target = Fake(script="sleep 60; echo 1", placed=placed)
    (late,) = runner.campaign(runs(target, 1), store, timeout=0.3)
    assert runner.campaign(runs(target, 1), store, timeout=0.2) == [late]
    target.script = "echo 7"
    (good,) = runner.campaign(runs(target, 1), store, timeout=60)
    assert good.metrics == {"figure": 7.0}
    target.script = "sleep 60; echo 1"
    (late,) = runner.campaign(runs(target, 1), store, timeout=0.3, again=True)
    assert late.error
    assert store.load("fake") == [good]


def test_a_missing_tool_ends_the_campaign_and_records_nothing(store: Store) -> None:
    target = Fake(tools=("no-such-tool",))
    with pytest.raises(ToolMissing, match="no-such-tool"):
        runner.campaign(runs(target), store)
    assert store.load() == []


def test_a_tool_that_was_killed_ends_the_campaign_and_records_nothing(store: Store) -> None:
    """What was recorded before stays: out of memory, or killed by a person, is nothing about a core."""
    [before] = runner.campaign(runs(Fake(script="echo 7"), 1), store)
    with pytest.raises(ToolEnded, match="ended by SIGKILL"):
        runner.campaign(runs(Fake(script="kill -9 $$"), 1), store, again=True)
    assert store.load("fake") == [before]


def test_a_tool_that_crashes_is_a_failure(store: Store) -> None:
    (found,) = runner.campaign(runs(Fake(script="kill -SEGV $$"), 1), store)
    assert found.error == "sh: exit status -11"
    assert store.load("fake") == [found]


def test_two_campaigns_at_once_run_it_once(store: Store) -> None:
    """The second one waits for the first, and takes its result."""
    begun = threading.Event()

    class Slow(Fake):
        def run(self, job: Job) -> dict[str, float]:
            self.jobs.append(job)
            begun.set()
            time.sleep(0.3)
            return {"figure": float(len(self.jobs))}

    target = Slow()
    with ThreadPoolExecutor() as pool:
        first = pool.submit(runner.campaign, runs(target, 1), store)
        assert begun.wait(60)
        second = pool.submit(runner.campaign, runs(target, 1), store)
        assert first.result() == second.result()
    assert len(target.jobs) == 1


def test_parallel_jobs_do_not_meet(store: Store) -> None:
    """All are under way at once, each with its own folder; the store loses none."""
    count = 6
    barrier = threading.Barrier(count, timeout=60)

    class Together(Fake):
        def run(self, job: Job) -> dict[str, float]:
            (job.workdir / "file").write_text(str(job.seed))
            barrier.wait()
            return {"figure": float((job.workdir / "file").read_text())}

    begun: Counter[int] = Counter()
    found = runner.campaign(
        runs(Together(), count), store, jobs=count, begun=lambda one: begun.update([one.seed])
    )
    assert [one.metrics["figure"] for one in found] == [float(one.seed) for one in found]
    assert {one.seed for one in store.load("fake")} == set(range(1, count + 1)) == set(begun)
    assert set(begun.values()) == {1}


def test_several_writers_lose_nothing(store: Store) -> None:
    def measured(seed: int) -> Measurement:
        return Measurement("a:b", "mul", "fake", seed, {}, {}, "", 0.0, {"x": float(seed)})

    threads = [threading.Thread(target=store.put, args=(measured(seed),)) for seed in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.seed for one in store.load("fake")] == list(range(20))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"seed": 2', '"seed": "two"', r"Expected `int`, got `str`.*\$\.seed"),
        ('"seed": 2', '"sead": 2', "`sead`"),
        ('"seed": 2, ', "", "missing required field `seed`"),
        ('"seed": 2', '"seed" 2', "malformed"),
    ],
)
def test_a_faulty_record_is_told(store: Store, old: str, new: str, told: str) -> None:
    for seed in (1, 2):
        store.put(Measurement("a:b", "mul", "fake", seed, {}, {}, "", 0.0))
    path = store.folder / "fake.jsonl"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ValueError, match=rf"fake\.jsonl:2: .*{told}"):
        store.load()


def test_an_end_from_outside_leaves_what_was_done(store: Store) -> None:
    """As with Ctrl-C: what is under way is ended and not recorded, what waits does not begin."""

    class Stopped(Fake):
        def run(self, job: Job) -> dict[str, float]:
            if job.seed == 2:
                raise KeyboardInterrupt
            return super().run(job)

    target = Stopped()
    with pytest.raises(KeyboardInterrupt):
        runner.campaign(runs(target, 5), store)
    assert 2 not in {one.seed for one in store.load()}
    assert 1 in {one.seed for one in store.load()}
    done = [job.seed for job in target.jobs]
    runner.campaign(runs(Fake(), 5), store)
    assert {one.seed for one in store.load()} == {1, 2, 3, 4, 5}
    assert len(done) < 5


def test_a_seedless_target_is_run_once() -> None:
    (one,) = runs(Fake(seeded=False), 7)
    assert one.seed == runner.UNSEEDED
    assert "seed" not in one.text


def test_tool_errors_say_their_first_line_only(store: Store) -> None:
    class Failing(Fake):
        def run(self, job: Job) -> dict[str, float]:
            raise ToolError("tool", f"first\nsecond of {job.seed}")

    (found,) = runner.campaign(runs(Failing(), 1), store)
    assert found.error == "tool: first"
