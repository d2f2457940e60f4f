# SPDX-License-Identifier: Apache-2.0
"""LiteEth's Etherbone, with three corrections.

1. LiteEth executes a record while the next one waits in the frame buffers, which are too small for it. Then
   words in the middle of a record are lost, and all later records are misread. Here datagrams are buffered in
   front of it. One without room is dropped whole, as networks do, and the host sends it again.
2. A record of writes and reads leaves its return address where the address of the first read is expected.
3. If the last word of a record finds no room, the FIFO counts the record again in every cycle that the word
   waits, and later records are misread.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from perle.soc.core import RECORD_WORDS
from perle.soc.modules import litex

MAC, IP_ADDRESS, UDP_PORT = 0x10E2D5000000, "192.168.1.50", 1234
BUFFER_WORDS, DATAGRAM_WORDS = 1024, 384
"""Size in 32-bit words of the buffer for waiting records, and the free space required to accept a datagram:
more than an Ethernet frame has."""


def add_etherbone(soc: Any, phy: Any) -> None:  # noqa: ANN401 - packages without types
    """Let datagrams from `phy` (clock domains eth_rx and eth_tx) master the bus."""
    migen, core, etherbone = (litex(one) for one in ("migen", "liteeth.core", "liteeth.frontend.etherbone"))
    soc.ethphy = phy
    ethernet = core.LiteEthUDPIPCore(phy, MAC, IP_ADDRESS, clk_freq=soc.clk_freq, arp_entries=1, dw=8)
    soc.ethernet = migen.ClockDomainsRenamer({"sys": "eth_rx"})(ethernet)
    soc.cd_etherbone = migen.ClockDomain()
    soc.comb += [
        soc.cd_etherbone.clk.eq(migen.ClockSignal("sys")),
        soc.cd_etherbone.rst.eq(migen.ResetSignal("sys")),
    ]
    crossbar = SimpleNamespace(dw=8, get_port=lambda *asked, **more: _port(soc, *asked, **more))
    gathered = SimpleNamespace(crossbar=crossbar)
    soc.etherbone = made = etherbone.LiteEthEtherbone(
        gathered, UDP_PORT, buffer_depth=RECORD_WORDS["ethernet"], cd="etherbone"
    )
    receiver = made.record.receiver
    state = "RECEIVE_BASE_RET_ADDR"
    assert state in receiver.fsm.actions
    receiver.fsm.act(state, receiver.fifo.source.ready.eq(1))
    for fifo in (receiver.fifo, made.record.sender.fifo):
        # A later statement overrides LiteX's own.
        fifo.comb += fifo.param_fifo.sink.valid.eq(
            fifo.sink.valid & fifo.sink.last & fifo.payload_fifo.sink.ready
        )
    soc.bus.add_master(name="etherbone", master=made.wishbone.bus)


def _port(soc: Any, *asked: Any, **more: Any) -> Any:  # noqa: ANN401 - likewise
    """Return a port of the UDP crossbar with a receive buffer, in 32-bit words of the bus's clock domain."""
    migen, stream, common = (
        litex(one) for one in ("migen", "litex.soc.interconnect.stream", "liteeth.common")
    )
    inner = soc.ethernet.udp.crossbar.get_port(*asked, **more)
    layout = common.eth_udp_user_description(32)
    port = SimpleNamespace(sink=inner.sink, source=stream.Endpoint(layout))
    soc.submodules.datagrams = fifo = stream.SyncFIFO(layout, BUFFER_WORDS, buffered=True)
    begun, taken, takes = migen.Signal(), migen.Signal(), migen.Signal()
    came = inner.source
    soc.comb += [
        takes.eq(migen.Mux(begun, taken, fifo.level <= BUFFER_WORDS - DATAGRAM_WORDS)),
        came.connect(fifo.sink, omit={"valid", "ready"}),
        fifo.sink.valid.eq(came.valid & takes),
        came.ready.eq(1),
        fifo.source.connect(port.source),
    ]
    soc.sync += migen.If(came.valid, begun.eq(~came.last), taken.eq(takes))
    return port
