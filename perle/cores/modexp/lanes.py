# SPDX-License-Identifier: Apache-2.0
"""Cycle counts of lanes: several exponentiators that share one multiplier.

A lane requests its next product in the cycle of the response to the last one. Requests are granted round
robin, at most one per cycle, when the multiplier accepts one (`admits` in the model of a pipelined family).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perle.cores.modexp.model import Count, product_cycles
from perle.cores.registry import Config, Pipelined


@dataclass(frozen=True)
class Span:
    """Cycle in which a lane's first request was accepted, and that of its last response."""

    begin: int
    end: int

    @property
    def cycles(self) -> int:
        """Value of the lane's cycle counter."""
        return self.end - self.begin


@dataclass
class _Lane:
    """`asks` is the cycle of the next request, None while one is in flight or after the last."""

    asks: int | None
    left: list[int]
    begin: int = -1
    end: int = -1


class _Multiplier:
    """When requests are accepted; `taken` has the cycles of the requests in flight."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.taken: list[int] = []
        self.free = 0

    def admits(self, now: int) -> bool:
        model = self.config.model
        if not isinstance(model, Pipelined):
            return now >= self.free
        return model.admits(self.config.params, self.taken, now)

    def take(self, now: int, latency: int) -> None:
        self.free = now + latency
        self.taken = [*(t for t in self.taken if now - t <= latency), now]


def spans(
    config: Config, starts: Sequence[int], counts: Sequence[Count], bits: int | None = None
) -> list[Span]:
    """Return the lanes' spans; lane i makes its first request in cycle starts[i] and computes counts[i].

    The products of a digit have to take longer than the operand check and the read of the window table, which
    run at the same time.
    """
    mul, reduce = product_cycles(config, bits)
    lanes = [
        _Lane(start, [mul] * count.products + [reduce] * count.reduces)
        for start, count in zip(starts, counts, strict=True)
    ]
    multiplier, first, offered = _Multiplier(config), 0, None
    now = min(starts)
    while any(lane.end < 0 for lane in lanes):
        asking = [i for i, lane in enumerate(lanes) if lane.asks is not None and lane.asks <= now]
        if not asking:
            now = min(lane.asks for lane in lanes if lane.asks is not None)
            continue
        # a request that was offered and not accepted may not be withdrawn
        chosen = offered if offered is not None else min(asking, key=lambda i: (i < first, i))
        if multiplier.admits(now):
            _serve(lanes[chosen], multiplier, now)
            first, offered = (chosen + 1) % len(lanes), None
        else:
            offered = chosen
        now += 1
    return [Span(lane.begin, lane.end) for lane in lanes]


def _serve(lane: _Lane, multiplier: _Multiplier, now: int) -> None:
    latency = lane.left.pop(0)
    multiplier.take(now, latency)
    if lane.begin < 0:
        lane.begin = now
    if lane.left:
        lane.asks = now + latency
    else:
        lane.asks, lane.end = None, now + latency


def between(config: Config) -> int:
    """Return the initiation interval of a saturated multiplier."""
    model = config.model
    return (model.interval if isinstance(model, Pipelined) else model.mul_cycles)(config.params)


def interval(config: Config, lanes: int, products: int = 200) -> float:
    """Average initiation interval of a multiplier shared by that many lanes, over a long run."""
    found = spans(config, list(range(lanes)), [Count(products, 0)] * lanes)
    return (max(span.end for span in found) - min(span.begin for span in found)) / (lanes * products)
