# SPDX-License-Identifier: Apache-2.0
"""The README of an IP directory: interface, ranges, cycles, and what a modulus needs beforehand."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable

from perle import __version__
from perle.boards import simulated as regs
from perle.cores.modexp.model import WINDOW_BITS, Command, Mode, cycles
from perle.cores.registry import Family
from perle.generate.frozen import Port, ports
from perle.generate.ip import Ip

PUBLIC = 65537

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


def formulas(family: Family) -> dict[str, str]:
    """Return what `[constants]` of the family's core.toml says: name → formula, `operands` → their range."""
    data = tomllib.loads((family.folder / "core.toml").read_text(encoding="utf-8"))
    return {name: str(text) for name, text in data.get("constants", {}).items()}


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a Markdown table."""
    titles = list(head)
    lines = [titles, ["---"] * len(titles), *([str(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _meaning(ip: Ip, port: Port) -> str:
    if port.name in MEANINGS:
        return MEANINGS[port.name].format(constants=", ".join(ip.constants))
    stem = port.name.removeprefix("axil_")
    return CHANNELS[max((name for name in CHANNELS if stem.startswith(name)), key=len)]


def _interface(ip: Ip) -> str:
    rows = [(f"`{p.name}`", p.way, p.range or "1", _meaning(ip, p)) for p in ports(ip)]
    text = f"## Interface\n\n{table(('port', 'direction', 'bits', 'meaning'), rows)}\n"
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
    lines = table(
        ("operation", "result", "range of the result"),
        [
            ("`OpMul`", "z ≡ x·y/R (mod M)", "that of the operands: results feed back as they are"),
            ("`OpReduce`", "z = y/R mod M, x is ignored", "[0, M)"),
        ]
        if ip.bus == "none"
        else [
            ("0, Montgomery product", "x·y/R (mod M)", "that of the multiplier's operands, may be M or more"),
            ("1, product", "x·y mod M", "[0, M)"),
            ("2, power", "x^e mod M", "[0, M) in modes 0 and 1"),
        ],
    )
    return f"""\
{family.title}
([doc/{family.name}.md](doc/{family.name}.md)). {chosen}.

{lines}

M is odd and 3 ≤ M < 2^{ip.config.width}, its top bit set or not; {r}; lines of {ip.shape.operand_bits} bits.
"""


def _ranges(ip: Ip) -> str:
    known, board = formulas(ip.config.family), ip.bus == "axil"
    page = f"[doc/{ip.config.family.name}.md](doc/{ip.config.family.name}.md)"
    operands = known.get("operands", f"the range that {page} states")
    rows = [(index, f"`{name}`", known.get(name, "")) for index, name in enumerate(ip.constants)]
    rows[0] = (0, "`m`", "M, the modulus itself")
    if all(text for _, _, text in rows):
        listing = table(("index", "constant", "formula"), rows)
    else:
        listing = f"{table(('index', 'constant'), [row[:2] for row in rows])}\n\nTheir formulas: {page}."
    place = "window 4 + index" if board else "`mod_i[index]`"
    checked = "the host sees illegal values in STATUS" if board else "illegal values are not noticed"
    square = f"R² mod M = 2^{2 * ip.config.model.r_exp(ip.config.params)} mod M"
    if board:
        domain = f"{square} goes to window 2."
    else:
        domain = f"Into the domain: `OpMul` by {square}. Out of it: `OpReduce`."
    return f"""\
## Ranges, and what a modulus needs

Operands of a Montgomery product live in {operands}; every value below M is in it, and
{checked}. Computed once for a modulus, for {place}:

{listing}

{domain} `tb/vectors.hex` has all of these for a handful of moduli.
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
            rows.append((text, cycles(ip.config, op, mode, elen, exponent, word_bits=ip.word_bits)))
        note = (
            f"What CYCLES counts, without the transfer of operands; mode 0 takes {WINDOW_BITS} bits at a time"
        )
    listing = table(("operation", "cycles"), [(text, f"{count:,}") for text, count in rows])
    return f"## Cycles\n\n{note}. The test bench checks\nthose of the operations it runs.\n\n{listing}\n"


def _driving(ip: Ip) -> str:
    if ip.bus == "none":
        return ""
    step = ip.word_bits // 8
    return f"""\
## Driving it

Operand lines are {ip.shape.words} words of {ip.word_bits} bits, least significant first, written whole,
at 0x{regs.WINDOWS:04x} + 0x{regs.WINDOW_BYTES:x}·window + {step}·word. Windows: 0 X, 1 Y, 2 R², 3 exponent,
4 M, then the other constants.

1. After reset, poll STATUS (0x{regs.STATUS:02x}) until busy (bit 0) is 0.
2. Once a modulus: write its constants and R².
3. Write X and Y, or X and the exponent.
4. Write COMMAND (0x{regs.COMMAND:02x}) = operation + 16·mode + 65536·(bits of the exponent), then CONTROL
   (0x{regs.CONTROL:02x}) = 1.
5. Wait for `irq_o`, or poll STATUS until done (bit 1) is 1. Bits 8 and up are faults, cleared by CONTROL = 4.
6. Read the result at 0x{regs.RESULT:04x}, the cycles at 0x{regs.CYCLES_LO:02x} and 0x{regs.CYCLES_HI:02x}.

CONTROL = 2 clears operands, constants, result and every intermediate value. Mode 0 is the mode for secrets:
its time depends on widths only. Time means cycles; power and emission are not hidden.
"""


def readme(ip: Ip) -> str:
    """Return README.md."""
    origin = f"sources {ip.source_hash}"
    if ip.bus == "axil":
        origin += f", configuration hash {ip.config_hash:08x}"
    title = f"<!-- SPDX-License-Identifier: Apache-2.0 -->\n# {ip.name}\n\n{ip.summary}.\n"
    end = f"""\
## Using it

| with | how |
| --- | --- |
| Verilator 5 | `make sim` runs the test bench, `make lint` shows all warnings (there are none) |
| FuseSoC 2 | `fusesoc --cores-root . run --target sim perle:ip:{ip.name}`; targets `default`, `lint`, `sim` |
| Bender | `Bender.yml`; the test bench is in target `test` |
| anything else | `{ip.name}.f`: SystemVerilog-2017 in compile order, top `{ip.name}` |

`make sim` needs Verilator, make and g++. It builds with settings that suit GCC; for others set
`MAKE_SETTINGS`. The test bench (`tb/`) reads `tb/vectors.hex`, relative to where it runs;
`+vectors=PATH` names another file.

Directories of several configurations share file and module names: files with equal hashes in MANIFEST are
equal, compile one of each; a register block that differs belongs into a library of its own.

## Where it comes from

Generated by Perle {__version__} from {ip.config.spec}, {origin}.
`doc/` has the project's own pages, which speak of its repository. `sha256sum -c MANIFEST` checks the files.
Licence: [Apache-2.0](LICENSE).
"""
    return "\n".join(
        part
        for part in [title, _what(ip), _interface(ip), _ranges(ip), _cycles(ip), _driving(ip), end]
        if part
    )
