# SPDX-License-Identifier: Apache-2.0
"""The cost model: exact fits, and errors by leaving points out."""

from __future__ import annotations

import math

import pytest

from perle.report.choose.cost_model import Estimate, added, power_law, scaled


@pytest.mark.parametrize("exponent", [0.0, 1.0, 1.58])
def test_a_power_law_is_found(exponent: float) -> None:
    found = power_law([(n, 7 * n**exponent) for n in (64, 256, 512, 1024)], 2048, exponent=3.0)
    assert found is not None
    assert found.value == pytest.approx(7 * 2048**exponent)
    assert found.error == pytest.approx(0, abs=1e-9)


def test_the_error_is_the_worst_of_the_points_left_out() -> None:
    """From 10 at size 1 and 30 at size 2, y = c·s predicts each by the other: 15 for 10, and 20 for 30.

    20 has to be multiplied by 1.5 to be 30: an error of a third of 30 would not reach it.
    """
    found = power_law([(1, 10), (2, 30)], 2, exponent=1)
    assert found is not None
    assert found.error == pytest.approx(0.5)
    half = power_law([(1, 1), (2, 2), (4, 4), (8, 16)], 1, exponent=1)
    assert half is not None
    assert 8 * (1 + half.error) == pytest.approx(16)
    assert found.value == pytest.approx(math.sqrt(10 * 15) * 2)


def test_three_points_left_out_one_by_one() -> None:
    """From 8, 16 and 64 at sizes 1, 2 and 4, two predict the third: 4 for 8, √(8·64) for 16, 32 for 64."""
    found = power_law([(1, 8), (2, 16), (4, 64)], 1, exponent=0)
    assert found is not None
    assert found.error == pytest.approx(1)
    fixed = power_law([(1, 8), (2, 16), (4, 64)], 1, exponent=0, fixed=True)
    assert fixed is not None
    assert fixed.value == pytest.approx((8 * 16 * 64) ** (1 / 3))


def test_points_that_tell_nothing() -> None:
    assert power_law([], 1, 1) is None
    assert power_law([(1, 5)], 1, 1) is None
    assert power_law([(1, 0), (2, 5)], 1, 1) is None
    assert power_law([(1, 0), (2, 0)], 3, 1) == Estimate(0.0)
    # memories that the smallest size lacks
    found = power_law([(1, 0), (2, 4), (4, 8)], 8, 1)
    assert found is not None
    assert (found.value, found.error) == pytest.approx((16, 0))


def test_errors_add_up() -> None:
    total, product = added(Estimate(30, 0.1), Estimate(40, 0.1)), scaled(Estimate(10, 0.3), Estimate(2, 0.4))
    assert (total.value, total.error) == pytest.approx((70, 5 / 70))
    assert added(Estimate(0), Estimate(0)) == Estimate(0)
    off = math.exp(math.hypot(math.log(1.3), math.log(1.4)))
    assert (product.value, 1 + product.error) == pytest.approx((20, off))
