# SPDX-License-Identifier: Apache-2.0
"""A campaign that did too little does not count: it is incomplete, run again, and replaces no longer one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from perle.trust import drawn, enough, every, page
from perle.trust.enough import FLIPS, lacking, longer
from perle.trust.every import PARTS
from perle.trust.fault_cases import cases
from perle.trust.faults import SHARE
from perle.trust.fuzz import TARGETS
from perle.trust.parts import Task, campaign
from perle.trust.records import Count, Record, Records, Run


def of(part: str, case: str, counts: Mapping[str, Count], seed: int = 1, **settings: object) -> Record:
    return Run(part, case, seed, **settings).end(counts, [Path(__file__)])


def rsa(trials: int, seed: int = 1) -> Record:
    return of("faults", "a", {"trials": trials}, seed, work="rsa", flips=1)


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_a_campaign_that_did_nothing_is_incomplete(part: object) -> None:
    name = getattr(part, "name", "")
    assert lacking(of(name, "a", {}))
    assert lacking(of(name, "a", {"operations": 0, "changed": 0}))


def test_a_family_has_ten_thousand_flips_and_two_thousand_pairs() -> None:
    assert FLIPS.keys() == SHARE.keys()
    assert {(one.work, one.flips) for one in cases("orup")} == FLIPS.keys()
    totals = {
        flips: sum(least for (_, number), least in FLIPS.items() if number == flips) for flips in (1, 2)
    }
    assert totals == {1: 10_000, 2: 2_000}


def test_every_case_of_fuzzing_has_a_least() -> None:
    assert enough.INPUTS.keys() == set(TARGETS.values())


def test_what_lacks_is_told() -> None:
    assert lacking(rsa(87)) == ["87 of 1,000 trials"]
    assert lacking(rsa(1000)) == []
    assert lacking(of("bus", "a", {"reads": 6_000_000, "writes": 3_999_999})) == [
        "9,999,999 of 10,000,000 accesses"
    ]
    assert lacking(of("mutation", "orup", {"tried": 150, "places": 150})) == []
    assert lacking(of("mutation", "orup", {"tried": 20, "places": 230})) == ["20 of 200 tried"]
    assert lacking(of("mutation", "apps", {"tried": 100, "places": 407})) == []
    assert longer(rsa(900), rsa(87))
    assert not longer(rsa(2000), rsa(1000))


def run(store: Records, trials: int, *, seed: int | None = None, kept: list[str] | None = None) -> Record:
    """Run a campaign of that many trials on a store, and return the record that it yields."""
    task = Task("faults", "a", lambda _: rsa(trials, seed or 1))
    told = kept if kept is not None else []
    [found] = campaign(
        [task], store, seed=seed, kept=lambda found, _: told.append(f"{found.counts['trials']}")
    )
    return found


def test_a_short_run_is_run_again(tmp_path: Path) -> None:
    store = Records(tmp_path)
    run(store, 87)
    assert run(store, 1200).counts["trials"] == 1200
    assert run(store, 1500).counts["trials"] == 1200


def test_a_short_run_replaces_no_longer_one(tmp_path: Path) -> None:
    store, kept = Records(tmp_path), list[str]()
    run(store, 800)
    assert run(store, 87, kept=kept).counts["trials"] == 87
    assert kept == ["87"]
    assert [one.counts["trials"] for one in store.load()] == [800]


def test_a_record_of_another_seed_does_not_count(tmp_path: Path) -> None:
    store = Records(tmp_path)
    run(store, 1200)
    found = run(store, 1300, seed=77)
    assert (found.seed, found.counts["trials"]) == (77, 1300)
    assert run(store, 1400, seed=77).counts["trials"] == 1300
    assert run(store, 1400).seed == 77


def test_what_never_ran_is_missing() -> None:
    absent = every.missing([])
    assert {part for part, _ in absent} == {part.name for part in PARTS}
    assert len(absent) == len(set(absent)) > 150
    [first, *others] = absent
    assert every.missing([of(*first, {})]) == others
    assert {part for part, _ in every.missing([], PARTS[:1])} == {PARTS[0].name}


def test_the_page_tells_what_is_never_drawn() -> None:
    said = page.never_drawn()
    assert said in page.render()
    for limits in (drawn.WIDEST_OF, drawn.DEEPEST, drawn.MOST):
        assert all(name in said and f"{limit}" in said for name, limit in limits.items())
