# SPDX-License-Identifier: Apache-2.0
"""Owner of the cycle counts of lanes: several exponentiators that share one multiplier.

A lane asks for its next product in the cycle of its last one's response. Lanes that ask are served in turn,
one a cycle at most, whenever the multiplier takes a request (`admits` of a pipelined family's model).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perle.cores.modexp.model import Count, product_cycles
from perle.cores.registry import Config, Pipelined


@dataclass(frozen=True)
class Span:
    """When a lane's first product was taken and its last one answered."""

    begin: int
    end: int

    @property
    def cycles(self) -> int:
        """What the lane's cycle counter shows."""
        return self.end - self.begin


@dataclass
class _Lane:
    """`asks` is the cycle of the next request, None while one is in flight or after the last."""

    asks: int | None
    left: list[int]
    begin: int = -1
    end: int = -1


class _Multiplier:
    """When requests are taken and answered."""

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
    """Return the lanes' spans; lane i first asks in cycle starts[i] and does the products counts[i].

    Products have to take longer than the check of the operands and the reading of the table beside them.
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
        # a request that was offered and not taken stays the one on offer
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
    """Cycles from one product to the next when the multiplier is full."""
    model = config.model
    return (model.interval if isinstance(model, Pipelined) else model.mul_cycles)(config.params)


def interval(config: Config, lanes: int, products: int = 200) -> float:
    """Average cycles per product when that many lanes multiply without end, over a long run."""
    found = spans(config, list(range(lanes)), [Count(products, 0)] * lanes)
    return (max(span.end for span in found) - min(span.begin for span in found)) / (lanes * products)
