# SPDX-License-Identifier: Apache-2.0
"""Top modules of IP directories: one or two instances with parameter values and port connections."""

from __future__ import annotations

import re

from perle.boards import exponentiator, sources
from perle.boards.wrapper import ADDR_BITS, TAG_BITS, engine, wrapper
from perle.generate import interfaces
from perle.generate.interfaces import Port, vector
from perle.generate.ip import Ip

HEADER = "// SPDX-License-Identifier: Apache-2.0\n//\n"
ERR_BITS = 7
PORT = re.compile(r"^  (input|output) +logic ((?:\[\d+:0\])*) ?(\w+),?$", re.MULTILINE)


def tops(ip: Ip) -> dict[str, str]:
    """Return the generated modules by name, the top last."""
    if ip.registers:
        return _on_registers(ip)
    if ip.bus == "none":
        return {ip.name: _multiplier(ip)}
    if ip.bus == "exp":
        return {ip.name: _exponentiator(ip, ip.name)}
    core = f"{ip.name.removesuffix('_axis')}_exp"
    return {core: _exponentiator(ip, core), ip.name: _streams(ip, core)}


def ports(ip: Ip) -> tuple[Port, ...]:
    """Return the ports of the top module, parsed from its text."""
    return ports_of(tops(ip)[ip.name])


def ports_of(text: str) -> tuple[Port, ...]:
    """Return the ports of the only module in a text."""
    return tuple(Port(way, bits, name) for way, bits, name in PORT.findall(text))


def generics(values: dict[str, int | str]) -> str:
    """Return the parameters of an instance."""
    return ",\n".join(f"    .{name}({value})" for name, value in values.items())


def joined(pairs: dict[str, str]) -> str:
    """Return the port connections of an instance."""
    return ",\n".join(f"    .{name}({signal})" for name, signal in pairs.items())


def _module(ip: Ip, name: str, declared: list[Port], body: str, what: str) -> str:
    head = interfaces.attributed(ip, declared) if name == ip.name else [one.declaration for one in declared]
    listed = ",\n".join(f"  {line}" for line in head)
    text = f"{ip.config.spec}, {what}: generated, not to be edited."
    if any(not re.search(r"_n?[io]$", one.name) for one in declared):
        text += "\n//\n// Ports have the names that tools know their bus by."
        text += "\n// verilog_lint: waive-start port-name-suffix"
    return f"{HEADER}// {text}\n\nmodule {name} (\n{listed}\n);\n\n{body}\nendmodule\n"


def _clocked(*others: Port) -> list[Port]:
    return [Port("input", "", "clk_i"), Port("input", "", "rst_ni"), *others]


def _multiplier(ip: Ip) -> str:
    lines, tags = vector(ip.shape.operand_bits), vector(TAG_BITS)
    declared = _clocked(
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
    )
    joins = {port.name: port.name for port in declared}
    joins |= {"req_op_i": "perle_pkg::mul_op_e'(req_op_i)", "req_ctx_i": "1'b0"}
    chosen: dict[str, int | str] = {**ip.config.params, "Contexts": 1, "TagBits": TAG_BITS}
    body = f"  {ip.config.family.top} #(\n{generics(chosen)}\n  ) u_mul (\n{joined(joins)}\n  );\n"
    return _module(ip, ip.name, declared, body, "for one modulus at a time")


def _on_registers(ip: Ip) -> dict[str, str]:
    """Return the board, and the bridge in front of it for buses other than AXI4-Lite."""
    name = ip.name if ip.bus == "axil" else f"{ip.name}_board"
    text = wrapper(ip.config, ip.word_bits, ip.config_hash, ip.lanes)
    head = f"module {sources.TOP} ("
    assert head in text
    text = text.replace(head, f"module {name} (")
    if ip.bus == "axil":
        declared = ports_of(text)
        for port, line in zip(declared, interfaces.attributed(ip, list(declared)), strict=True):
            text = text.replace(f"  {port.declaration}", f"  {line}", 1)
        return {name: text}
    return {name: text, ip.name: _bridged(ip, name, ports_of(text))}


def _bridged(ip: Ip, board: str, inner: tuple[Port, ...]) -> str:
    """Return a module that connects a bus's bridge to a board."""
    bus = [port for port in inner if port.name.startswith("axil_")]
    own = interfaces.slave(ip)
    wires = "\n".join(f"  logic {port.gap}{port.signal};" for port in bus)
    bridge = {"clk_i": "clk_i", "rst_ni": "rst_ni", **{interfaces.inside(port): port.name for port in own}}
    bridge |= {interfaces.opposite(port): port.signal for port in bus}
    inside = {port.name: port.signal if port in bus else port.name for port in inner}
    sizes: dict[str, int | str] = {"AddrBits": ADDR_BITS + ip.shape.lane_bits, "WordBits": ip.word_bits}
    body = f"""\
{wires}

  {ip.adapters[-1].stem} #(
{generics(sizes)}
  ) u_bridge (
{joined(bridge)}
  );

  {board} u_board (
{joined(inside)}
  );
"""
    irq = next(port for port in inner if port.name == "irq_o")
    return _module(ip, ip.name, _clocked(*own, irq), body, f"on {ip.bus}")


def word_port(ip: Ip) -> list[Port]:
    """Return the word port of an exponentiator, or of a family's engine with its lanes."""
    form, many = ip.shape, ip.lanes > 1

    def lane(name: str) -> list[Port]:
        return [Port("input", vector(form.lane_bits) if form.lane_bits > 1 else "", name)] if many else []

    each = vector(form.lanes) if many else ""
    return [
        Port("input", "", "wr_valid_i"),
        *lane("wr_lane_i"),
        Port("input", vector(4), "wr_bank_i"),
        Port("input", vector(9), "wr_word_i"),
        Port("input", vector(form.word_bits), "wr_data_i"),
        Port("input", "", "rd_valid_i"),
        *lane("rd_lane_i"),
        Port("input", vector(9), "rd_word_i"),
        Port("output", "", "rd_ack_o"),
        Port("output", vector(form.word_bits), "rd_data_o"),
        Port("input", "", "start_i"),
        Port("input", "", "zeroize_i"),
        *lane("cmd_lane_i"),
        Port("input", vector(2), "cmd_op_i"),
        Port("input", vector(2), "cmd_mode_i"),
        Port("input", vector(13), "cmd_elen_i"),
        Port("output", each, "busy_o"),
        Port("output", each, "done_o"),
        Port("output", f"{each}{vector(ERR_BITS)}", "err_o"),
        Port("output", f"{each}{vector(32 if many else 64)}", "cycles_o"),
    ]


def _exponentiator(ip: Ip, name: str) -> str:
    """Return an exponentiator with its parameters; for a single one with `rd_ack_o` added."""
    own = engine(ip.config, ip.lanes)
    declared = _clocked(*word_port(ip))
    joins = {port.name: port.name for port in declared}
    chosen: dict[str, int | str] = {
        **ip.config.params,
        "WordBits": ip.word_bits,
        "WindowBits": ip.shape.window_bits,
    }
    answer = ""
    if own:
        chosen["Lanes"] = ip.lanes
    else:
        del joins["rd_ack_o"]
        answer = _read_ack(ip.read_cycles)
    module = own.top if own else exponentiator.top(ip.config.family)
    body = f"  {module} #(\n{generics(chosen)}\n  ) u_exp (\n{joined(joins)}\n  );\n{answer}"
    return _module(ip, name, declared, body, "behind a word port")


def _read_ack(cycles: int) -> str:
    earlier = f"{{read_q[{cycles - 2}:0], rd_valid_i}}" if cycles > 1 else "rd_valid_i"
    return f"""
  // a word comes {cycles} cycle{"s" if cycles > 1 else ""} after its read
  logic {f"[{cycles - 1}:0] " if cycles > 1 else ""}read_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) read_q <= '0;
    else read_q <= {earlier};
  end

  assign rd_ack_o = read_q{f"[{cycles - 1}]" if cycles > 1 else ""};
"""


def _streams(ip: Ip, core: str) -> str:
    """Return a module with two streams in front of an exponentiator."""
    inner = word_port(ip)
    own = interfaces.streams()
    wires = "\n".join(f"  logic {port.gap}{port.signal};" for port in inner)
    lanes = {"wr_lane_i", "rd_lane_i", "cmd_lane_i"}
    missing = [] if ip.lanes > 1 else [Port("input", "", name) for name in sorted(lanes)]
    unused = "".join(f"  logic {port.signal};\n" for port in missing)
    if missing:
        unused += f"  logic unused;\n  assign unused = {' ^ '.join(port.signal for port in missing)};\n"
    adapter = {interfaces.inside(port): port.name for port in _clocked(*own)}
    adapter |= {interfaces.opposite(port): port.signal for port in [*inner, *missing]}
    if ip.lanes == 1:
        adapter["cycles_i"] = "cycles[31:0]"
        unused += "  logic unused_cycles;\n  assign unused_cycles = ^cycles[63:32];\n"
    inside = {port.name: port.name for port in _clocked()} | {port.name: port.signal for port in inner}
    sizes: dict[str, int | str] = {
        "Lanes": ip.lanes,
        "Words": ip.shape.words,
        "ConstCount": ip.shape.const_count,
    }
    body = f"""\
{wires}
{unused}
  perle_axis #(
{generics(sizes)}
  ) u_axis (
{joined(adapter)}
  );

  {core} u_core (
{joined(inside)}
  );
"""
    return _module(ip, ip.name, _clocked(*own), body, "between two AXI4-Streams")
