# SPDX-License-Identifier: Apache-2.0
"""Searches with fake tools: they find the front of the whole space from a part of its points."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import MagicMock

import pytest

pytest.importorskip("distributed", reason="no dask: make setup")
pytest.importorskip("optuna", reason="no optuna: make setup")
from distributed import Client, LocalCluster

from perle.explore import engine, front, way
from perle.explore.evaluate import Answer, Task
from perle.explore.how import How, Method
from perle.explore.objectives import USUAL
from perle.explore.search import Search, search
from perle.explore.space import Grid, Screen, Space, SpaceError
from perle.explore.stages import plan
from perle.explore.study import Study
from perle.explore.sweep import Log, Outcome, Sweep
from perle.results import Measurement, Store
from tests import sweeping
from tests.stores import made_up

DIGITS, DELAYS, SEGMENTS = (8, 9, 11, 13, 15, 17, 20), (0, 1, 2), (1, 2, 3, 4, 6)
ORUP = Grid(
    "orup", {"Width": (128,), "RadixBits": DIGITS, "QuotientDelay": DELAYS, "ChainSegments": SEGMENTS}
)
WHOLE = Space((ORUP,), ("ecp5_8",))
"""105 points; tools fail for digits of 8 bits, and digits of 20 bits are infeasible."""
SOME = Grid("orup", {"Width": (128,), "RadixBits": (9, 11, 13), "ChainSegments": (1, 2)})


class Told:
    """A progress display that records the events in their order."""

    def __init__(self) -> None:
        self.stages: list[tuple[str, int]] = []
        self.steps: list[tuple[str, str]] = []

    def begin(self, title: str, total: int) -> None:
        self.stages.append((title, total))

    def step(self, what: str, event: str) -> None:
        self.steps.append((what, event))


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """Start one worker in this process."""
    with (
        LocalCluster(n_workers=1, processes=False, **engine.LOCAL) as own,
        Client(own, set_as_default=False) as found,
    ):
        yield found


@pytest.fixture(autouse=True)
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERLE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PRETENDED", str(tmp_path / "worker"))
    monkeypatch.setattr(sweeping, "NAP", 0.0)


def searched(
    client: Client,
    folder: Path,
    how: How,
    space: Space = WHOLE,
    *,
    work: Callable[[Task], Answer] = sweeping.pretend,
    figures: tuple[str, ...] = USUAL,
) -> tuple[Search, Outcome, Told]:
    told = Told()
    sweep = Sweep(client, Store(folder), Log(folder.parent / "log.jsonl"), told, work=work)
    found = search(space, sweep.store, how, figures)
    return found, found.carry_out(sweep), told


def measured(outcome: Outcome) -> list[str]:
    return [one.core for one in outcome.found]


@pytest.fixture(scope="module")
def whole(client: Client, tmp_path_factory: pytest.TempPathFactory) -> list[Measurement]:
    """Return the measurements of a sweep of the whole space."""
    place = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PERLE_CACHE", str(place / "cache"))
        patch.setenv("PRETENDED", str(place / "worker"))
        sweep = Sweep(client, Store(place / "store"), Log(place / "log"), Told(), work=sweeping.pretend)
        return plan(WHOLE, sweep.store).carry_out(sweep).found


@pytest.mark.parametrize(("method", "trials"), [(Method.tpe, 40), (Method.nsga2, 60)])
def test_the_front_of_the_whole_space_is_found(
    client: Client, tmp_path: Path, whole: list[Measurement], method: Method, trials: int
) -> None:
    """Needs fewer than its 90 runs; with one worker, a second search makes the same runs."""
    found, outcome, told = searched(client, tmp_path / "store", How(method, trials))
    assert (found.size, len(whole)) == (105, 90)
    assert len(set(measured(outcome))) == len(outcome.found) == trials
    best = front.worth(whole, 0.0)
    assert len(best) == 5
    assert set(front.worth(outcome.found, 0.0)) == set(best)
    assert told.stages == [("search on ecp5_8", trials)]
    _, again, _ = searched(client, tmp_path / "again", How(method, trials))
    assert measured(again) == measured(outcome)
    _, other, _ = searched(client, tmp_path / "other", How(method, 10, seed=2))
    assert measured(other) != measured(outcome)[:10]


def test_what_cannot_be_built_is_told_and_costs_no_trial(client: Client, tmp_path: Path) -> None:
    found, outcome, _ = searched(client, tmp_path / "store", How(Method.tpe, 30))
    assert outcome.counts["measured"] + outcome.counts["failed"] == 30
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    left = [one for one in lines if one["event"] == "infeasible"]
    assert len(left) == len(found.infeasible) == outcome.counts["infeasible"] > 0
    assert {one["reason"] for one in left} == {"orup: RadixBits = 20 is outside 3…18"}
    assert all("RadixBits=20" in one["what"] for one in left)


def test_after_an_interrupt_nothing_is_measured_twice(client: Client, tmp_path: Path) -> None:
    class Impatient(Told):
        def step(self, what: str, event: str) -> None:
            super().step(what, event)
            if len(self.steps) == 8:
                raise KeyboardInterrupt

    store = Store(tmp_path / "store")
    sweep = Sweep(client, store, Log(tmp_path / "log"), Impatient(), work=sweeping.pretend)
    with pytest.raises(KeyboardInterrupt):
        search(WHOLE, store, How(Method.tpe, 20)).carry_out(sweep)
    kept = {one.core for one in store.load()}
    assert len(kept) == 8
    found, outcome, told = searched(client, tmp_path / "store", How(Method.tpe, 20))
    assert {found.points[0].config(place).spec for _, place in found.recorded} == kept
    assert [event for _, event in told.steps] == [*["recorded"] * 8, *(event for _, event in told.steps[8:])]
    assert outcome.counts["recorded"] == 8
    assert outcome.counts["measured"] + outcome.counts.get("failed", 0) == 12
    assert len(set(measured(outcome))) == 20
    _, last, _ = searched(client, tmp_path / "store", How(Method.tpe, 20))
    assert last.counts == {"recorded": 20}


def test_what_is_recorded_is_learnt_from(client: Client, tmp_path: Path) -> None:
    """With recorded points that are all on the front, the search begins with similar ones."""
    good = Grid("orup", {"Width": (128,), "RadixBits": (9, 11, 13, 15), "ChainSegments": (1,)})
    bad = Grid(
        "orup", {"Width": (128,), "RadixBits": (9, 11), "QuotientDelay": (2,), "ChainSegments": (4, 6)}
    )
    sweep = Sweep(client, Store(tmp_path / "store"), Log(tmp_path / "log"), Told(), work=sweeping.pretend)
    plan(Space((good, bad), ("ecp5_8",)), sweep.store).carry_out(sweep)
    cold = searched(client, tmp_path / "cold", How(Method.tpe, 12))[1]
    warm = searched(client, tmp_path / "store", How(Method.tpe, 12))[1]
    assert warm.counts["recorded"] == 8
    assert measured(warm)[8:] != measured(cold)[:4]


def test_a_small_space_is_measured_whole(client: Client, tmp_path: Path) -> None:
    """Each seed of each point is measured once, even if two starts lead to the same point."""
    space = Space((SOME, Grid("orup", SOME.values, ("w128",))), ("ecp5_8",), seeds=2)
    found, outcome, told = searched(client, tmp_path / "store", How(Method.nsga2, 50), space)
    assert sorted(one.key for one in outcome.found) == sorted(
        run.key for run in Store(tmp_path / "store").load()
    )
    assert outcome.counts == {"measured": 12}
    assert (found.size, told.stages) == (12, [("search on ecp5_8", 24)])


def test_widths_take_turns_and_are_compared_each_with_its_own(client: Client, tmp_path: Path) -> None:
    grid = Grid("orup", {**SOME.values, "Width": (128, 256)})
    _, outcome, _ = searched(client, tmp_path / "store", How(Method.tpe, 6), Space((grid,), ("ecp5_8",)))
    widths = [one.params["Width"] for one in outcome.found]
    assert widths == [128, 256] * 3


def test_after_a_screen_what_is_near_its_front_goes_on(client: Client, tmp_path: Path) -> None:
    grid = Grid("orup", {"Width": (64,), "RadixBits": (16, 17), "QuotientDelay": (0, 1)})
    space = Space((grid,), ("ecp5_8", "ecp5_6"), seeds=2, screen=Screen("xc6v", 0.0))
    _, outcome, told = searched(client, tmp_path / "store", How(Method.tpe, 4), space)
    assert told.stages == [("search on xc6v", 4), ("ecp5_8, ecp5_6", 8)]
    placed = {one.core for one in outcome.found if one.target == "ecp5_8"}
    assert placed == {"orup:w64", "orup:w64+RadixBits=16"}
    last = replace(space, targets=("xc6v",), screen=Screen("ecp5_8", 9.0))
    before = len(Store(tmp_path / "store").load())
    with pytest.raises(SpaceError, match="xc6v does not tell 'period' of orup:w64"):
        searched(client, tmp_path / "store", How(Method.tpe, 4), last, figures=("luts", "period"))
    assert len(Store(tmp_path / "store").load()) <= before + 2


def test_all_that_is_lost_ends_too(client: Client, tmp_path: Path) -> None:
    space = Space((SOME,), ("ecp5_8",))
    _, outcome, _ = searched(client, tmp_path / "store", How(Method.tpe, 9), space, work=sweeping.elsewhere)
    assert outcome.counts == {"lost": 6}


@pytest.mark.parametrize(
    ("errors", "told"),
    [
        (["nextpnr: not done after 9 s"], "lost"),
        (["nextpnr: not done after 9 s", "nextpnr: not done after 9 s"], "lost"),
        (["nextpnr: not done after 9 s", "nextpnr: no room"], "infeasible"),
        (["nextpnr: no room"], "infeasible"),
        ([None], "lost"),
    ],
)
def test_points_that_took_too_long_are_not_told_to_be_infeasible(
    errors: list[str | None],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A timeout is not a fact about the point: similar ones are not suggested less often for it."""
    heard: list[str] = []
    for name in ("lost", "infeasible"):
        monkeypatch.setattr(Study, f"tell_{name}", lambda *_, name=name: heard.append(name))
    space = Space((SOME,), ("ecp5_8",), seeds=len(errors))
    store = Store(tmp_path)
    looking = search(space, store, How(Method.tpe, 1))
    going = way.Way(looking, MagicMock(), Outcome())
    runs = going.runs()
    for error in errors:
        run = next(runs)
        record = made_up(run.config.spec, "ecp5_8", {}, seed=run.seed, error=error or "")
        going.heard(run, None if error is None else record)
    assert heard == [told]


def test_a_search_compares_figures_that_the_part_has(tmp_path: Path) -> None:
    whole = Space((SOME,), ("ecp5_8",), part="exp")
    assert search(whole, Store(tmp_path), How(Method.tpe, 5)).compared == ("luts", "dsp", "period")
    screened = Space((SOME,), ("ecp5_8",), part="exp", screen=Screen("xc6v"))
    assert search(screened, Store(tmp_path), How(Method.tpe, 5)).compared == ("luts", "dsp")
    with pytest.raises(SpaceError, match="'interval' is of a product: mul and mul_pair have it, not exp"):
        search(whole, Store(tmp_path), How(Method.tpe, 5), ("interval",))


def test_nothing_that_can_be_built_ends_too(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(way, "PATIENCE", 5)
    space = Space((Grid("orup", {"RadixBits": tuple(range(30, 60))}),), ("ecp5_8",))
    _, outcome, _ = searched(client, tmp_path / "store", How(Method.tpe, 9), space)
    assert outcome.counts == {"infeasible": 5}


def test_figures_of_ones_own(client: Client, tmp_path: Path) -> None:
    space, how = Space((SOME,), ("ecp5_8",)), How(Method.tpe, 6)
    _, outcome, _ = searched(client, tmp_path / "store", how, space, figures=("luts", "period"))
    best = front.worth(outcome.found, 0.0, ("luts", "period"))  # without figures of cycles
    assert {core for core, _ in best} == {f"orup:w128+RadixBits=9+ChainSegments={each}" for each in (1, 2)}
    with pytest.raises(SpaceError, match="ecp5_8 does not tell 'energy' of orup:"):
        searched(client, tmp_path / "store", how, space, figures=("luts", "energy"))


def test_one_device_is_compared_on(tmp_path: Path) -> None:
    with pytest.raises(SpaceError, match="on one device, not on ecp5_6, ecp5_8: one target, or a screen"):
        search(Space((SOME,), ("ecp5",)), Store(tmp_path), How(Method.tpe, 5))
    for space in (Space((SOME,), ("none",)), Space((SOME,), ("none",), screen=Screen("xc6v"))):
        with pytest.raises(SpaceError, match="no target 'none'"):
            search(space, Store(tmp_path), How(Method.tpe, 5))


def test_all_workers_have_something_to_do(tmp_path: Path) -> None:
    """Each task waits until the other runs: one at a time, they would wait for ever."""
    with (
        LocalCluster(n_workers=2, processes=False, **engine.LOCAL) as own,
        Client(own, set_as_default=False) as two,
    ):
        space = Space((SOME,), ("ecp5_8",))
        _, outcome, _ = searched(two, tmp_path / "store", How(Method.tpe, 6), space, work=sweeping.together)
    assert outcome.counts == {"measured": 6}
