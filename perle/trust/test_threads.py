# SPDX-License-Identifier: Apache-2.0
"""Races are reported and named; a program that leaves tests out, or fails, is not taken for a good one."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.trust import threads
from perle.trust.parts import Wanted

RACE = "WARNING: ThreadSanitizer: data race: data race "


def test_a_race_is_reported() -> None:
    ran = threads.watch(threads.build(threads.RACY))
    assert (ran.status, ran.tests) == (threads.REPORTED, 1)
    [said] = threads.wrong(ran, 1)
    assert said.startswith(RACE)
    assert "racy.cpp" in said


def test_a_campaign_with_a_race_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """And so does one whose race on purpose is not reported."""
    race = threads.Ran(
        threads.REPORTED,
        9,
        "9 tests, 0 failed\nWARNING: ThreadSanitizer: data race (pid=7)\n"
        "SUMMARY: ThreadSanitizer: data race pool.cpp:30 in acquire\n",
    )
    quiet = threads.Ran(0, 9, "9 tests, 0 failed\n")
    monkeypatch.setattr(threads, "build", Path)

    def found(own: threads.Ran, control: threads.Ran) -> list[str]:
        runs = {"provider": own, threads.RACY: control}
        monkeypatch.setattr(threads, "watch", lambda program: runs[program.name])
        return threads.measure("provider", 1).failed

    assert found(quiet, race) == []
    assert found(race, race) == [f"{RACE}pool.cpp:30 in acquire"]
    assert found(quiet, quiet) == ["the sanitizer does not report a race on purpose"]


@pytest.mark.parametrize(
    ("status", "tests", "output", "said"),
    [
        (1, 9, "x.cpp:7: a == b\nFAILED full_queue\n9 tests, 1 failed\n", ["test full_queue failed"]),
        (0, 8, "8 tests, 0 failed\n", ["8 of 9 tests were run"]),
        (-6, 0, "free(): invalid\n", ["0 of 9 tests were run", "ended with status -6: free(): invalid"]),
        (
            66,
            0,
            "FATAL: ThreadSanitizer: unexpected memory mapping 0x1\n",
            ["FATAL: ThreadSanitizer: unexpected memory mapping 0x1", "0 of 9 tests were run"],
        ),
        (0, 9, "9 tests, 0 failed\n", []),
    ],
)
def test_what_is_wrong_is_named(status: int, tests: int, output: str, said: list[str]) -> None:
    assert list(threads.wrong(threads.Ran(status, tests, output), 9)) == said


def test_both_programs_are_campaigns() -> None:
    assert [task.case for task in threads.tasks(Wanted())] == list(threads.CASES.values())
    assert list(threads.tasks(Wanted("orup"))) == []
    names = [path.name for path in threads.sources("shared")]
    assert {"test_threads.cpp", "test_batch.cpp"} <= set(names)
    assert all(path.is_file() for name in threads.CASES for path in threads.made_of(name))
