# SPDX-License-Identifier: Apache-2.0
"""The arbiter of a shared multiplier alone: in turn, nothing withdrawn, each response to its own lane."""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import cocotb

from perle.boards.cocotb_bus import Dut, Source, Struct, Values, begin, generator, next_cycle, settled

LANES, OPERAND, TAG = (int(os.environ[f"PERLE_{name}"]) for name in ("LANES", "OPERAND_BITS", "TAG_BITS"))
PORTS = {"op": 1, "x": OPERAND, "y": OPERAND, "tag": TAG}
REQUEST = Struct(**PORTS)
CYCLES, RUN = 600, 40


class Share:
    """The arbiter between lanes with one operation in flight each, and a multiplier that answers in order."""

    def __init__(self, dut: Dut, rng: Random) -> None:
        self.dut, self.rng = dut, rng
        self.served: Counter[int] = Counter()
        self.longest = 0
        self.restart()

    def restart(self) -> None:
        """Forget all requests."""
        self.lanes = [Source(self.rng, self.rng.choice((0.1, 0.4, 1.0))) for _ in range(LANES)]
        self.ready, self.answering = (self.rng.choice((0.2, 0.6, 1.0)) for _ in range(2))
        self.flight: list[tuple[int, int]] = []  # lane and its own tag, oldest first
        self.answers = False  # the oldest is being answered
        self.offered: Values | None = None  # and was not accepted in the last cycle
        self.first = 0
        self.overtaken = [0] * LANES

    async def reset(self) -> None:
        """Pulse the reset at any time: nothing of the requests is left."""
        dut = self.dut
        dut.rst_ni.value = 0
        dut.lane_req_valid_i.value = dut.rsp_valid_i.value = 0
        await settled(dut)
        assert [int(dut.lane_rsp_tag_o.value), int(dut.req_valid_o.value)] == [0, 0]
        await next_cycle(dut)
        dut.rst_ni.value = 1
        self.restart()

    async def cycle(self) -> None:
        """Run one cycle, and hold all outputs to what they have to be."""
        dut, rng = self.dut, self.rng
        self.answers = bool(self.flight) and (self.answers or rng.random() < self.answering)
        ready = rng.getrandbits(LANES)
        answered = self.flight[0][0] if self.answers else rng.randrange(LANES)
        free = set(range(LANES)) - {lane for lane, _ in self.flight}
        if self.answers and ready >> answered & 1:
            free.add(answered)  # it may ask again in this cycle
        for lane in free:
            self.lanes[lane].offer(REQUEST.random(rng))
        asking = [lane for lane in range(LANES) if self.lanes[lane].item is not None]
        items = [one.item or REQUEST.random(rng) for one in self.lanes]
        accepts = int(rng.random() < self.ready)
        dut.lane_req_valid_i.value = sum(1 << lane for lane in asking)
        for port, bits in PORTS.items():
            together = sum(item[port] << bits * lane for lane, item in enumerate(items))
            getattr(dut, f"lane_req_{port}_i").value = together
        dut.lane_rsp_ready_i.value = ready
        dut.req_ready_i.value = accepts
        dut.rsp_valid_i.value = int(self.answers)
        # the multiplier returns the tag that it was given: the lane
        dut.rsp_tag_i.value = answered
        await settled(dut)
        self._response(ready, answered)
        if asking:
            self._request(asking, items, accepts)
        else:
            assert dut.req_valid_o.value == 0
        await next_cycle(dut)

    def _response(self, ready: int, answered: int) -> None:
        dut = self.dut
        assert int(dut.lane_rsp_valid_o.value) == int(self.answers) << answered
        assert int(dut.rsp_ready_o.value) == ready >> answered & 1
        for lane, tag in self.flight:
            assert int(dut.lane_rsp_tag_o.value) >> TAG * lane & (1 << TAG) - 1 == tag
        if self.answers and ready >> answered & 1:
            self.flight.pop(0)
            self.served[answered] += 1
            self.answers = False

    def _request(self, asking: list[int], items: list[Values], accepts: int) -> None:
        dut = self.dut
        assert dut.req_valid_o.value == 1  # at once: no cycle is lost
        lane = int(dut.req_ctx_o.value)
        assert lane in asking
        assert int(dut.req_tag_o.value) == lane
        mine = {port: int(getattr(dut, f"req_{port}_o").value) for port in PORTS if port != "tag"}
        assert mine == {port: items[lane][port] for port in mine}
        assert int(dut.lane_req_ready_o.value) == accepts << lane
        if self.offered is None:
            assert lane == min(asking, key=lambda one: (one - self.first) % LANES)
        else:
            assert mine | {"lane": lane} == self.offered
        self.offered = None if accepts else mine | {"lane": lane}
        if accepts:
            self.first = lane + 1
            self.flight.append((lane, items[lane]["tag"]))
            self.lanes[lane].take()
            self.overtaken[lane] = 0
            for other in asking:
                self.overtaken[other] += other != lane
            self.longest = max(self.longest, *self.overtaken)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def random_requests(dut: Dut) -> None:
    """Request and answer at random times, with resets in the middle."""
    await begin(dut)
    dut.rst_ni.value = 1
    share = Share(dut, generator())
    for number in range(CYCLES):
        if number % RUN == 0:
            await share.reset()
        await share.cycle()
    assert share.longest == LANES - 1  # the most that a lane may wait for others, and it did
    assert min(share.served[lane] for lane in range(LANES)) > 20, share.served
