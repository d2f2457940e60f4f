# SPDX-License-Identifier: Apache-2.0
"""Converts a routed ECP5 netlist to Verilog for simulation, a statement per cell.

LUTs, carries, flip-flops, LUT memories, multipliers and block memories behave as described by Project Trellis
and Yosys's models. An undriven pin is 1, as on the device. The PLL is left out: its two clocks are inputs,
and it is locked once `sys_rst` is 0. All delays are zero; the router reports whether the clocks are met.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from perle.flow.tools import ToolError
from perle.soc.boards import Board
from perle.soc.design import NAME

ONE, ZERO = "1'b1", "1'b0"
PORTS = ("sys_clk", "sys_rst", "core_clk", "serial_rx", "serial_tx")
# Read address inputs of a LUT memory, highest bit first; address and data inputs of the slice that writes it.
DPRAM_READ = "ACBD"
RAMW = {"WADO0": "D0", "WADO1": "B0", "WADO2": "C0", "WADO3": "A0"}
RAMW |= {"WDO0": "C1", "WDO1": "A1", "WDO2": "D1", "WDO3": "B1"}
PLACES = ("INPUTA", "INPUTB", "PIPELINE", "OUTPUT")
"""Positions in a device multiplier where there may be registers."""
BLOCK_WIDTHS = (1, 2, 4, 9, 18, 36)
NORMAL, THROUGH = "NORMAL", "WRITETHROUGH"
"""Write modes of a block memory's port: its output keeps its value, or shows what is written."""


class RoutedCell:
    """A cell of the device: parameters and the nets at its pins; `label` is its name in Verilog."""

    def __init__(self, label: str, name: str, said: dict[str, Any]) -> None:
        self.label, self.name, self.kind = label, name, str(said["type"])
        self.params = {key: str(value).strip() for key, value in said["parameters"].items()}
        self.nets = {pin: f"n{bits[0]}" for pin, bits in said["connections"].items() if bits}

    def pin(self, name: str, undriven: str = ONE) -> str:
        """Return the signal at an input: a net, its inverse or a constant."""
        mux, net = self.params.get(f"{name}MUX", name), self.nets.get(name, undriven)
        return {"0": ZERO, "1": ONE, "INV": f"~{net}"}.get(mux, net)

    def bus(self, name: str, bits: int) -> str:
        """Return the signals at numbered inputs, highest number first."""
        return "{" + ", ".join(self.pin(f"{name}{i}") for i in reversed(range(bits))) + "}"

    def outputs(self, name: str, bits: int) -> Iterator[tuple[int, str]]:
        """Yield number and net of the numbered outputs that are connected."""
        for i in range(bits):
            if net := self.nets.get(f"{name}{i}"):
                yield i, net

    def number(self, name: str) -> int:
        """Return the value of a parameter that is a binary number."""
        return int(self.params.get(name, "0") or "0", 2)


def verilog(path: Path, board: Board) -> str:
    """Return the module for a routed netlist (nextpnr's JSON) of a design with a serial line.

    Raises ToolError for cells without a description here.
    """
    [module] = json.loads(path.read_text(encoding="utf-8"))["modules"].values()
    cells = [RoutedCell(f"u{n}", *one) for n, one in enumerate(module["cells"].items())]
    unknown = Counter(cell.kind for cell in cells if cell.kind not in (*STATEMENTS, "TRELLIS_FF"))
    if unknown:
        listed = ", ".join(sorted(unknown))
        raise ToolError("routed netlist", f"cells that no simulation here knows: {listed}")
    started = dict(_started(cells))
    nets = sorted({net for cell in cells for net in cell.nets.values()} - started.keys())
    lines = [f"module {NAME} (", *(f"  {_direction(name)} logic {name}," for name in PORTS)]
    lines[-1] = lines[-1].removesuffix(",") + "\n);"
    lines += [f"  logic {net} = {value};" for net, value in started.items()]
    lines += [f"  logic {net};" for net in nets]
    lines += _pins(module["ports"], board)
    for cell in cells:
        if cell.kind != "TRELLIS_FF":
            lines += STATEMENTS[cell.kind](cell)
    lines += _flip_flops([cell for cell in cells if cell.kind == "TRELLIS_FF"])
    return "\n".join([*lines, "endmodule", ""])


def _direction(name: str) -> str:
    return "output" if name == "serial_tx" else "input "


def _pins(ports: dict[str, Any], board: Board) -> Iterator[str]:
    reset, active_low = board.reset.removeprefix("!"), board.reset.startswith("!")
    for name, port in ports.items():
        [bit] = port["bits"]
        if port["direction"] == "output":
            if name in PORTS:
                yield f"  assign {name} = n{bit};"
        elif name in PORTS:
            yield f"  assign n{bit} = {name};"
        else:
            yield f"  assign n{bit} = {ONE if name == reset and active_low else ZERO};"


def _started(cells: list[RoutedCell]) -> Iterator[tuple[str, str]]:
    """Yield the nets of flip-flops, and their values after configuration of the device."""
    for cell in cells:
        if cell.kind == "TRELLIS_FF" and "Q" in cell.nets:
            yield cell.nets["Q"], ONE if cell.params.get("REGSET") == "SET" else ZERO


def _comb(cell: RoutedCell) -> Iterator[str]:
    mode, init = cell.params.get("MODE", "LOGIC"), cell.number("INITVAL")
    f = cell.nets.get("F", "")
    if mode == "DPRAM" and f:
        name, at = cell.label, ", ".join(cell.pin(pin) for pin in DPRAM_READ)
        write = ", ".join(cell.pin(f"WAD{i}") for i in (3, 2, 1, 0))
        yield f"  logic [15:0] {name} = 16'h{init:04x};"
        yield (
            f"  always @(posedge {cell.pin('WCK')}) "
            f"if ({cell.pin('WRE')}) {name}[{{{write}}}] <= {cell.pin('WD')};"
        )
        yield f"  assign {f} = {name}[{{{at}}}];"
        return
    if mode in ("DPRAM", "RAMW_BLOCK"):
        return
    lut = _lut(init, *(cell.pin(pin) for pin in "DCBA"))
    carry = mode == "CCU2" and cell.params.get("CCU2_INJECT1") != "YES"
    if f:
        yield f"  assign {f} = {lut} ^ {cell.pin('FCI') if carry else ZERO};"
    if mode == "CCU2" and (fco := cell.nets.get("FCO")):
        generated = _lut(init & 15, ZERO, ZERO, cell.pin("B"), cell.pin("A")) if carry else ZERO
        yield f"  assign {fco} = {lut} ? {cell.pin('FCI')} : {generated};"
    if ofx := cell.nets.get("OFX"):
        one, other = ("FXB", "FXA") if "FXA" in cell.nets else ("F1", "F")
        low = cell.nets.get(other, ONE) if other != "F" else f or lut
        yield f"  assign {ofx} = {cell.pin('M')} ? {cell.pin(one)} : {low};"


def _lut(init: int, *inputs: str) -> str:
    if init in (0, 0xFFFF):
        return ONE if init else ZERO
    return f"1'(16'h{init:04x} >> {{{', '.join(inputs)}}})"


def _ramw(cell: RoutedCell) -> Iterator[str]:
    for out, pin in RAMW.items():
        if net := cell.nets.get(out):
            yield f"  assign {net} = {cell.pin(pin)};"


def _io(cell: RoutedCell) -> Iterator[str]:
    out, net = ("O", "B") if cell.params["DIR"] == "INPUT" else ("B", "I")
    if cell.params["DIR"] not in ("INPUT", "OUTPUT"):
        raise ToolError("routed netlist", f"pin {cell.name} goes both ways")
    if out in cell.nets:
        yield f"  assign {cell.nets[out]} = {cell.pin(net)};"


def _clock_buffer(cell: RoutedCell) -> Iterator[str]:
    yield f"  assign {cell.nets['CLKO']} = {cell.pin('CLKI')} & {cell.pin('CE')};"


def _pll(cell: RoutedCell) -> Iterator[str]:
    given = {"CLKOP": "sys_clk", "CLKOS": "core_clk", "LOCK": "~sys_rst"}
    for pin in (*given, "CLKOS2", "CLKOS3", "INTLOCK"):
        if net := cell.nets.get(pin):
            yield f"  assign {net} = {given.get(pin, ZERO)};"


def _multiplier(cell: RoutedCell) -> Iterator[str]:
    clocks = {place: cell.params.get(f"REG_{place}_CLK", "NONE") for place in PLACES}
    if set(clocks.values()) - {"NONE", "CLK0"}:
        raise ToolError("routed netlist", f"multiplier {cell.name} has several clocks")
    name, data = cell.label, "AB"
    registered = {place: clock != "NONE" for place, clock in clocks.items()}
    clock = f"always @(posedge {cell.pin('CLK0')}) if ({cell.pin('RST0', ZERO)})"
    operands = [f"{name}_{one.lower()}" for one in data]
    for operand, one in zip(operands, data, strict=True):
        signed = cell.pin(f"SIGNED{one}")
        value = f"{{{{18{{{signed} & {cell.pin(f'{one}17')}}}}}, {cell.bus(one, 18)}}}"
        yield from _stage(operand, value, registered[f"INPUT{one}"], clock, cell.pin("CE0"))
    yield from _stage(f"{name}_m", " * ".join(operands), registered["PIPELINE"], clock, cell.pin("CE0"))
    yield from _stage(name, f"{name}_m", registered["OUTPUT"], clock, cell.pin("CE0"))
    yield from (f"  assign {net} = {name}[{i}];" for i, net in cell.outputs("P", 36))


def _stage(name: str, value: str, registered: bool, clock: str, enable: str) -> Iterator[str]:
    """Yield a 36-bit signal, with or without a register."""
    yield f"  logic [35:0] {name};"
    if registered:
        yield f"  {clock} {name} <= '0; else if ({enable}) {name} <= {value};"
    else:
        yield f"  assign {name} = {value};"


def _block_memory(cell: RoutedCell) -> Iterator[str]:
    widths = [cell.number(f"DATA_WIDTH_{port}") or 18 for port in "AB"]
    filled = any(key.startswith("INITVAL") for key in cell.params)
    if filled or set(widths) - set(BLOCK_WIDTHS):
        raise ToolError("routed netlist", f"block memory {cell.name} is of widths {widths}, or has contents")
    modes = [cell.params.get(f"WRITEMODE_{port}", NORMAL) for port in "AB"]
    if set(modes) - {NORMAL, THROUGH} or (THROUGH in modes and 36 in widths):
        raise ToolError("routed netlist", f"block memory {cell.name} has write modes {modes}")
    name = cell.label
    settings = [f".Width{port}({width})" for port, width in zip("AB", widths, strict=True)]
    settings += [f".Through{port}({int(mode == THROUGH)})" for port, mode in zip("AB", modes, strict=True)]
    settings += [f".Register{port}({int(cell.params.get(f'REGMODE_{port}') == 'OUTREG')})" for port in "AB"]
    pins = []
    for port in "AB":
        low = port.lower()
        wanted = cell.params.get(f"CSDECODE_{port}", "0b000").removeprefix("0b")
        selected = f"{cell.bus(f'CS{port}', 3)} == 3'b{wanted}"
        pins += [
            f".{low}_clk_i({cell.pin(f'CLK{port}')})",
            f".{low}_ce_i({cell.pin(f'CE{port}')} & ({selected}))",
            f".{low}_oce_i({cell.pin(f'OCE{port}')})",
            f".{low}_we_i({cell.pin(f'WE{port}')})",
            f".{low}_addr_i({cell.bus(f'AD{port}', 14)})",
            f".{low}_data_i({cell.bus(f'DI{port}', 18)})",
            f".{low}_data_o({name}_{low})",
        ]
        yield f"  logic [17:0] {name}_{low};"
        yield from (f"  assign {net} = {name}_{low}[{i}];" for i, net in cell.outputs(f"DO{port}", 18))
    yield f"  perle_soc_block_memory #({', '.join(settings)}) {name} ({', '.join(pins)});"


def _flip_flops(cells: list[RoutedCell]) -> Iterator[str]:
    """Yield flip-flops, those with the same clock, reset and enable together."""
    groups: defaultdict[tuple[str, str, bool, str], list[RoutedCell]] = defaultdict(list)
    for cell in cells:
        clock, reset = cell.pin("CLK"), cell.pin("LSR", ZERO)
        groups[clock, reset, cell.params.get("SRMODE") == "ASYNC", cell.pin("CE")].append(cell)
    for (clock, reset, at_once, enable), group in groups.items():
        taken = [cell for cell in group if "Q" in cell.nets]
        states = {cell.nets["Q"]: ONE if cell.params.get("REGSET") == "SET" else ZERO for cell in taken}
        data = {cell.nets["Q"]: cell.pin("DI" if cell.params.get("SD") == "1" else "M") for cell in taken}
        yield f"  always @(posedge {clock}{f', posedge {reset}' if at_once and reset != ZERO else ''})"
        yield f"    if ({reset}) begin"
        yield from (f"      {q} <= {value};" for q, value in states.items())
        yield f"    end else if ({enable}) begin"
        yield from (f"      {q} <= {value};" for q, value in data.items())
        yield "    end"


STATEMENTS: dict[str, Callable[[RoutedCell], Iterator[str]]] = {
    "TRELLIS_COMB": _comb,
    "TRELLIS_RAMW": _ramw,
    "TRELLIS_IO": _io,
    "DCCA": _clock_buffer,
    "EHXPLLL": _pll,
    "MULT18X18D": _multiplier,
    "DP16KD": _block_memory,
}
