# SPDX-License-Identifier: Apache-2.0
"""What `make quick` chooses."""

from __future__ import annotations

from tests.quick import LONGEST, chosen


def test_every_function_comes_before_second_cases() -> None:
    seconds = {"a[1]": 3.0, "a[2]": 1.0, "b": 4.0, "c[1]": 2.0, "c[2]": 2.0}
    assert chosen(seconds, seconds, 7.0) == {"a[2]", "b", "c[1]"}
    assert chosen(seconds, seconds, 9.0) == {"a[2]", "b", "c[1]", "c[2]"}
    assert chosen(seconds, seconds, 99.0) == set(seconds)


def test_new_tests_run_and_long_ones_do_not() -> None:
    seconds = {"a": LONGEST + 1, "b": 1.0}
    assert chosen(["a", "b", "new"], seconds, 5.0) == {"b", "new"}
    assert chosen(["new"], seconds, 0.0) == {"new"}
