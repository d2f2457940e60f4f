# SPDX-License-Identifier: Apache-2.0
"""Quantities and messages of tools as readers get them."""

from __future__ import annotations

import pytest

from perle.report.failures import lacking, readable
from perle.report.quantities import brief, quantity, seconds


def test_numbers_have_three_digits_or_two() -> None:
    assert [quantity(one) for one in (0.12345, 12.345, 123.6, 999.6, 1234567.0)] == [
        *("0.123", "12.3", "124", "1,000", "1,234,567"),
    ]  # fmt: skip
    assert [brief(one) for one in (0.12345, 1.25, 10.4, 123.6, 1234567.0)] == [
        *("0.12", "1.2", "10", "124", "1,234,567"),
    ]  # fmt: skip


def test_times_have_the_largest_unit_that_is_not_above_them() -> None:
    times = (2.5, 1.0, 0.0125, 0.001, 1.234e-5, 1e-6, 2.5e-8, 5e-10)
    assert [seconds(one) for one in times] == [
        *("2.5 s", "1 s", "12.5 ms", "1 ms", "12.3 µs", "1 µs", "25 ns", "0.5 ns"),
    ]  # fmt: skip
    assert [seconds(one) for one in (0.9996, 1500.0, 9.996e-4)] == ["1 s", "1,500 s", "1 ms"]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("LFE5U-25F: too small: 32 of 28 multipliers\nmore", "32 of 28 multipliers"),
        (
            "nextpnr: Unable to place cell 'u_core', no BELs remaining to implement cell type 'MULT18X18D'",
            "no room left for MULT18X18D",
        ),
        (
            "nextpnr: Failed to expand region (0, 0) |_> (1, 1) of 5 TRELLIS_COMBs",
            "no room for 5 TRELLIS_COMBs",
        ),
        ("nextpnr: not done after 60 s", ""),
    ],
)
def test_a_run_that_found_no_room_says_what_for(error: str, said: str) -> None:
    assert lacking(error) == said


def test_long_names_of_nets_are_left_out() -> None:
    assert readable(f"no '{'n' * 24}' at 'u_core'\nmore") == "no '…' at 'u_core'"
