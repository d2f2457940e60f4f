# SPDX-License-Identifier: Apache-2.0
"""Frozen SystemVerilog: modules that are nothing but one instance, its parameter values and its ports."""

from __future__ import annotations

import re
from dataclasses import dataclass

from perle.boards import sources
from perle.boards.wrapper import TAG_BITS, wrapper
from perle.generate.ip import Ip

HEADER = "// SPDX-License-Identifier: Apache-2.0\n//\n"
NEWLINE = "\n"

# Ports that the testbench holds at one value: it writes whole words, and protection means nothing here.
CONSTANT = {"axil_awprot_i": "'0", "axil_arprot_i": "'0", "axil_wstrb_i": "'1"}


@dataclass(frozen=True)
class Port:
    """A port of the top module; `range` is empty for a single bit."""

    way: str
    range: str
    name: str

    @property
    def declaration(self) -> str:
        """As a module header has it."""
        return f"{self.way:6} logic {self.range}{' ' if self.range else ''}{self.name}"

    @property
    def signal(self) -> str:
        """Name of the wire that joins it to the testbench."""
        return re.sub(r"_(n?)[io]$", lambda end: "_n" if end[1] else "", self.name)


def vector(bits: int) -> str:
    """Return the range of a vector; nothing for a single bit that is no vector."""
    return f"[{bits - 1}:0]"


def _multiplier_ports(ip: Ip) -> list[Port]:
    lines, tags = vector(ip.shape.operand_bits), vector(TAG_BITS)
    return [
        Port("input", "", "clk_i"),
        Port("input", "", "rst_ni"),
        Port("input", f"{vector(ip.shape.const_count)}{lines}", "mod_i"),
        Port("input", "", "req_valid_i"),
        Port("output", "", "req_ready_o"),
        Port("input", "", "req_op_i"),
        Port("input", tags, "req_tag_i"),
        Port("input", lines, "req_x_i"),
        Port("input", lines, "req_y_i"),
        Port("output", "", "rsp_valid_o"),
        Port("input", "", "rsp_ready_i"),
        Port("output", tags, "rsp_tag_o"),
        Port("output", lines, "rsp_z_o"),
    ]


def ports(ip: Ip) -> list[Port]:
    """Return the ports of the top module; a board's are read off its wrapper."""
    if ip.bus == "none":
        return _multiplier_ports(ip)
    found = re.findall(r"^  (input|output) +logic (\[\d+:0\] )?(\w+),?$", _board(ip), re.MULTILINE)
    return [Port(way, bits.strip(), name) for way, bits, name in found]


def _board(ip: Ip) -> str:
    text = wrapper(ip.config, ip.word_bits, ip.config_hash)
    head, named = f"module {sources.TOP} (", f"module {ip.name} ("
    assert head in text
    return text.replace(head, named)


def _generics(values: dict[str, int | str]) -> str:
    return ",\n".join(f"    .{name}({value})" for name, value in values.items())


def top(ip: Ip) -> str:
    """Return the top module: the multiplier with one context, or the whole board."""
    if ip.bus == "axil":
        return _board(ip)
    joins = {"req_op_i": "perle_pkg::mul_op_e'(req_op_i)"}
    lines = [f"    .{port.name}({joins.get(port.name, port.name)})" for port in ports(ip)]
    lines.insert(6, "    .req_ctx_i(1'b0)")
    declared = ",\n".join(f"  {port.declaration}" for port in ports(ip))
    connected = ",\n".join(lines)
    chosen: dict[str, int | str] = {**ip.config.params, "Contexts": 1, "TagBits": TAG_BITS}
    return f"""\
{HEADER}// {ip.config.spec}, for one modulus at a time: generated, not to be edited.

module {ip.name} (
{declared}
);

  {ip.config.family.top} #(
{_generics(chosen)}
  ) u_mul (
{connected}
  );

endmodule
"""


def bench(ip: Ip, parameters: dict[str, int]) -> str:
    """Return the testbench's top module: the driver with its sizes, joined to the hardware."""
    joined = ports(ip)
    wires = "\n".join(f"  logic {port.range}{' ' if port.range else ''}{port.signal};" for port in joined)
    hardware = ",\n".join(f"    .{port.name}({port.signal})" for port in joined)
    driven = [port for port in joined if port.name not in CONSTANT]
    driver = ",\n".join(f"    .{_opposite(port)}({port.signal})" for port in driven)
    constant = "".join(
        f"  assign {port.signal} = {CONSTANT[port.name]};\n" for port in joined if port.name in CONSTANT
    )
    return f"""\
{HEADER}// Testbench of {ip.name}: generated, not to be edited.

module {ip.name}_tb;

{wires}
{constant and f"{NEWLINE}{constant}"}
  {ip.driver.stem} #(
{_generics({**parameters})}
  ) u_driver (
{driver}
  );

  {ip.name} u_dut (
{hardware}
  );

endmodule
"""


def _opposite(port: Port) -> str:
    """Name of the driver's port: an output where the hardware's is an input."""
    stem = port.signal.removeprefix("axil_")
    if port.name == "rst_ni":
        return "rst_no"
    return f"{stem}_{'o' if port.way == 'input' else 'i'}"
