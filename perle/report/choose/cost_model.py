# SPDX-License-Identifier: Apache-2.0
"""Estimates of a metric that was not measured, from measurements of the same family at other sizes.

The model is a power law, y = c·s^p. Its error is found by cross-validation: each measured point is left out
in turn and predicted from the others; the largest factor between both, less one, is the error.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

Sized = tuple[float, float]
"""A size (number of multipliers or of bits) and the value that was measured at it."""

FREE = 3
"""Minimum number of points for fitting both factor and exponent; with fewer points the exponent is given."""


@dataclass(frozen=True)
class Estimate:
    """A value that may be larger or smaller by a factor of 1 + `error`; measured values have no error."""

    value: float
    error: float = 0.0


def power_law(
    points: Sequence[Sized], size: float, exponent: float, *, fixed: bool = False
) -> Estimate | None:
    """Return the estimate at a size; None from fewer than two points.

    With at least three points c and p are fitted; with two, or if `fixed`, only c, and p = `exponent`. If all
    values are zero, so is the estimate; if only some are (memories of small cores), they are ignored.
    """
    if len(points) > 1 and not any(value for _, value in points):
        return Estimate(0.0)
    used = [(at, value) for at, value in points if value > 0 and at > 0]
    if len(used) < 2:
        return None
    free = len(used) >= FREE and not fixed
    errors = []
    for left, (at, value) in enumerate(used):
        rest = used[:left] + used[left + 1 :]
        ratio = fitted(rest, exponent, free=free).at(at) / value
        errors.append(max(ratio, 1 / ratio) - 1)
    return Estimate(fitted(used, exponent, free=free).at(size), max(errors))


@dataclass(frozen=True)
class Law:
    """y = factor·s^exponent."""

    factor: float
    exponent: float

    def at(self, size: float) -> float:
        """Return y at a size."""
        return self.factor * math.pow(size, self.exponent)


def fitted(points: Sequence[Sized], exponent: float, *, free: bool) -> Law:
    """Return the law fitted to the points by least squares in logarithms; p = `exponent` unless `free`."""
    logs = [(math.log(at), math.log(value)) for at, value in points]
    mean_at = statistics.fmean(at for at, _ in logs)
    mean = statistics.fmean(value for _, value in logs)
    across = sum((at - mean_at) ** 2 for at, _ in logs)
    if free and across > 0:
        exponent = sum((at - mean_at) * (value - mean) for at, value in logs) / across
    return Law(math.exp(mean - exponent * mean_at), exponent)


def added(first: Estimate, second: Estimate) -> Estimate:
    """Return the sum of two estimates; their absolute errors are taken as independent."""
    total = first.value + second.value
    off = math.hypot(first.value * first.error, second.value * second.error)
    return Estimate(total, off / total if total else 0.0)


def scaled(first: Estimate, factor: Estimate) -> Estimate:
    """Return the product of two estimates; their errors are taken as independent factors."""
    logs = (math.log1p(one.error) for one in (first, factor))
    return Estimate(first.value * factor.value, math.expm1(math.hypot(*logs)))
