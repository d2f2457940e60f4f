# SPDX-License-Identifier: Apache-2.0
"""What `make test` leaves to `make wide`."""

from __future__ import annotations

from tests.limit import beyond


def test_a_function_has_its_time_and_one_case_in_any_case() -> None:
    seconds = {"a[1]": 3.0, "a[2]": 1.0, "a[3]": 2.0, "b": 9.0, "c[1]": 8.0, "c[2]": 7.0}
    assert beyond(seconds, seconds, 3.0) == {"a[1]", "c[1]"}
    assert beyond(seconds, seconds, 6.0) == {"c[1]"}
    assert beyond(seconds, seconds, 15.0) == set()


def test_new_cases_are_in_make_test() -> None:
    seconds = {"a[1]": 3.0, "a[2]": 9.0}
    assert beyond([*seconds, "a[new]", "new"], seconds, 2.0) == {"a[2]"}


def test_a_case_that_takes_no_time_is_not_all_there_is_of_a_function() -> None:
    seconds = {"a[skipped]": 0.1, "a[1]": 9.0, "a[2]": 9.5}
    assert beyond(seconds, seconds, 2.0) == {"a[2]"}
