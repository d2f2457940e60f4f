# SPDX-License-Identifier: Apache-2.0
"""The generated wrapper `perle_top` of one configuration: parameter values and port connections only.

The text depends only on the configuration and the hash, so that it is reproducible.
"""

from __future__ import annotations

from dataclasses import dataclass

from perle.cores import engine_products
from perle.cores.modexp.model import WINDOW_BITS, early_cycles
from perle.cores.registry import Config, Engine, Forwarding

TAG_BITS = 4
ADDR_BITS = 14

# Number of constant banks in the register map (a test compares).
MAX_CONSTANTS = 4
MAX_LINE_BITS = 0x400 * 8

MAX_LANES = 64


@dataclass(frozen=True)
class Shape:
    """Parameters of a board besides those of the family."""

    width: int
    operand_bits: int
    word_bits: int
    const_count: int
    lanes: int = 1
    window_bits: int = WINDOW_BITS

    @property
    def tag_bits(self) -> int:
        """Bits of the multiplier's tag, which identifies the lane."""
        return max(TAG_BITS, self.lane_bits)

    @property
    def lane_bits(self) -> int:
        """Address bits that select a lane."""
        return (self.lanes - 1).bit_length()

    @property
    def words(self) -> int:
        """Words of an operand."""
        return -(-self.operand_bits // self.word_bits)


def engine(config: Config, lanes: int) -> Engine | None:
    """Return the engine of a board that has one instead of exponentiators that share a multiplier."""
    return config.family.engine if lanes > 1 else None


def shape(config: Config, word_bits: int, lanes: int = 1) -> Shape:
    """Return the shape of a board of this configuration; 32 or 64 bits of data bus, 1 to 64 lanes."""
    if word_bits not in (32, 64):
        raise ValueError(f"a board's data bus has 32 or 64 bits, not {word_bits}")
    if not 1 <= lanes <= MAX_LANES:
        raise ValueError(f"a board has 1 to {MAX_LANES} lanes, not {lanes}")
    own = engine(config, lanes)
    window_bits = engine_products.window_bits(config) if own else WINDOW_BITS
    const_count = 1 + len(config.family.constants)
    found = Shape(config.width, config.operand_bits, word_bits, const_count, lanes, window_bits)
    if found.const_count > MAX_CONSTANTS or found.operand_bits > MAX_LINE_BITS:
        raise ValueError(
            f"{config.spec} fits no board: {found.const_count} constants of {found.operand_bits} bits, "
            f"at most {MAX_CONSTANTS} of {MAX_LINE_BITS}"
        )
    return found


# Ports of the AXI4-Lite slave that perle_top passes on: direction, bits (A: address, W: data bus), name.
_AXIL = (
    ("input", "1", "awvalid_i"),
    ("output", "1", "awready_o"),
    ("input", "A", "awaddr_i"),
    ("input", "3", "awprot_i"),
    ("input", "1", "wvalid_i"),
    ("output", "1", "wready_o"),
    ("input", "W", "wdata_i"),
    ("input", "W/8", "wstrb_i"),
    ("output", "1", "bvalid_o"),
    ("input", "1", "bready_i"),
    ("output", "2", "bresp_o"),
    ("input", "1", "arvalid_i"),
    ("output", "1", "arready_o"),
    ("input", "A", "araddr_i"),
    ("input", "3", "arprot_i"),
    ("output", "1", "rvalid_o"),
    ("input", "1", "rready_i"),
    ("output", "W", "rdata_o"),
    ("output", "2", "rresp_o"),
)
ADDRESSES = ("awaddr", "araddr")


def _range(bits: str, form: Shape) -> str:
    named = {"A": ADDR_BITS + form.lane_bits, "W": form.word_bits, "W/8": form.word_bits // 8}
    count = named.get(bits) or int(bits)
    return "" if count == 1 else f"[{count - 1}:0] "


def _generics(values: dict[str, str]) -> str:
    return ",\n".join(f"    .{name}({value})" for name, value in values.items())


def _bus() -> str:
    """Return the connections of the bus ports to its structs, and to the lane of each address."""

    def fields(way: str) -> list[str]:
        return [name[:-2] for direction, _, name in _AXIL if direction == way]

    request = ",\n".join(
        f"    {name}: axil_{name}_i{f'[{ADDR_BITS - 1}:0]' if name in ADDRESSES else ''}"
        for name in fields("input")
    )
    answer = "\n".join(f"  assign axil_{name}_o = axil_rsp.{name};" for name in fields("output"))
    return f"""\
  perle_bus_pkg::axil_req_t axil_req;
  perle_bus_pkg::axil_rsp_t axil_rsp;
  assign axil_req = '{{
{request}
  }};
{answer}
"""


def _joins(form: Shape) -> str:
    """Return the connections of a board's bus."""
    lanes = [
        f"    .{name[:2]}_lane_i(axil_{name}_i[{ADDR_BITS + form.lane_bits - 1}:{ADDR_BITS}])"
        for name in ADDRESSES
        if form.lanes > 1
    ]
    return ",\n".join([*lanes, "    .axil_i(axil_req)", "    .axil_o(axil_rsp)"])


def _head(config: Config, form: Shape) -> str:
    """Return the text up to the ports of perle_top."""
    what = f"{form.word_bits}-bit board" + (f" of {form.lanes} lanes" if form.lanes > 1 else "")
    lines = ["input  logic clk_i", "input  logic rst_ni"]
    lines += [f"{way:6} logic {_range(bits, form)}axil_{name}" for way, bits, name in _AXIL]
    ports = ",\n".join(f"  {port}" for port in [*lines, f"output logic {_range(str(form.lanes), form)}irq_o"])
    return f"""\
// SPDX-License-Identifier: Apache-2.0
//
// {config.spec} on a {what}: written by perle.boards.wrapper, not to be edited.

module perle_top (
{ports}
);
"""


# Ports between perle_board_engine and an engine: who drives, type and bits (L: a lane's number, N: lanes,
# W: data bus), name.
_ENGINE = (
    ("board", "logic", "1", "wr_valid"),
    ("board", "logic", "L", "wr_lane"),
    ("board", "logic", "4", "wr_bank"),
    ("board", "logic", "9", "wr_word"),
    ("board", "logic", "W", "wr_data"),
    ("board", "logic", "1", "rd_valid"),
    ("board", "logic", "L", "rd_lane"),
    ("board", "logic", "9", "rd_word"),
    ("engine", "logic", "1", "rd_ack"),
    ("engine", "logic", "W", "rd_data"),
    ("board", "logic", "1", "start"),
    ("board", "logic", "1", "zeroize"),
    ("board", "logic", "L", "cmd_lane"),
    ("board", "logic", "2", "cmd_op"),
    ("board", "logic", "2", "cmd_mode"),
    ("board", "logic", "13", "cmd_elen"),
    ("engine", "logic", "N", "busy"),
    ("engine", "logic", "N", "done"),
    ("engine", "perle_pkg::err_t", "N", "err"),
    ("engine", "logic", "N of 32", "cycles"),
)


def _engine_wrapper(config: Config, own: Engine, form: Shape, config_hash: int) -> str:
    """Return the text of perle_top.sv with the family's engine behind the registers of all lanes."""
    named = {"L": form.lane_bits, "N": form.lanes, "W": form.word_bits}

    def wire(kind: str, bits: str, name: str) -> str:
        head, _, each = bits.partition(" of ")
        dimensions = f" [{(named.get(head) or int(head)) - 1}:0]" if bits != "1" else ""
        return f"  {kind}{dimensions}{f'[{int(each) - 1}:0]' if each else ''} {name};"

    wires = "\n".join(wire(kind, bits, name) for _, kind, bits, name in _ENGINE)
    board, core = (
        ",\n".join(f"    .{name}_{'o' if who == side else 'i'}({name})" for who, _, _, name in _ENGINE)
        for side in ("board", "engine")
    )
    registers = {
        "Lanes": f"{form.lanes}",
        "Width": f"{form.width}",
        "OperandBits": f"{form.operand_bits}",
        "ConstCount": f"{form.const_count}",
        "WindowBits": f"{form.window_bits}",
        "FamilyId": f"32'd{config.family.id}",
        "ConfigHash": f"32'h{config_hash:08x}",
    }
    shared = {
        "Lanes": registers["Lanes"],
        "WordBits": f"{form.word_bits}",
        "WindowBits": registers["WindowBits"],
    }
    chosen = {**{key: f"{value}" for key, value in config.params.items()}, **shared}
    return f"""\
{_head(config, form)}
{_bus()}
{wires}

  perle_board_engine #(
{_generics(registers)}
  ) u_board (
    .clk_i,
    .rst_ni,
{_joins(form)},
    .irq_o,
{board}
  );

  {own.top} #(
{_generics(chosen)}
  ) u_engine (
    .clk_i,
    .rst_ni,
{core}
  );

endmodule
"""


def _forwarding(*, used: bool) -> tuple[str, str, str]:
    """Return the declarations of the two signals, and the ports of who drives and of who takes them."""
    names = ("early", "forward")
    drives, takes = ("".join(f"    .req_{name}_{way}(req_{name}),\n" for name in names) for way in "oi")
    if used:
        return "  logic req_early, req_forward;\n", drives, takes
    unused = "  logic req_early, req_forward, unused;\n  assign unused = req_early ^ req_forward;\n"
    return unused, drives, ""


def wrapper(config: Config, word_bits: int, config_hash: int, lanes: int = 1) -> str:
    """Return the text of perle_top.sv."""
    form = shape(config, word_bits, lanes)
    own = engine(config, lanes)
    if own:
        return _engine_wrapper(config, own, form, config_hash)
    board = {
        "Width": f"{form.width}",
        "OperandBits": f"{form.operand_bits}",
        "ConstCount": f"{form.const_count}",
        "WindowBits": f"{form.window_bits}",
        "TagBits": f"{form.tag_bits}",
        "FamilyId": f"32'd{config.family.id}",
        "ConfigHash": f"32'h{config_hash:08x}",
        **({"Lanes": f"{lanes}"} if lanes > 1 else {}),
    }
    chosen = {key: f"{value}" for key, value in config.params.items()}
    core = {**chosen, "Contexts": f"{lanes}", "TagBits": f"{form.tag_bits}"}
    forwarding = lanes == 1 and isinstance(config.model, Forwarding)
    if forwarding:
        board["Early"] = f"{config.model.mul_cycles(config.params) - early_cycles(config)}"
        core["Forward"] = "1'b1"
    early_decl, early_out, early_in = _forwarding(used=forwarding) if lanes == 1 else ("", "", "")
    by_lane = f"[{lanes - 1}:0]" if lanes > 1 else ""
    ctx = "req_ctx" if lanes > 1 else "1'b0"
    ctx_decl = f"  logic [{form.lane_bits - 1}:0] req_ctx;\n" if lanes > 1 else ""
    ctx_out = "    .req_ctx_o(req_ctx),\n" if lanes > 1 else ""
    return f"""\
{_head(config, form)}
{_bus()}
  logic {by_lane}[{form.const_count - 1}:0][{form.operand_bits - 1}:0] modulus;
  logic req_valid, req_ready, rsp_valid, rsp_ready;
  perle_pkg::mul_op_e req_op;
{early_decl}{ctx_decl}  logic [{form.tag_bits - 1}:0] req_tag, rsp_tag;
  logic [{form.operand_bits - 1}:0] req_x, req_y, rsp_z;

  {"perle_board" if lanes == 1 else "perle_board_lanes"} #(
{_generics(board)}
  ) u_board (
    .clk_i,
    .rst_ni,
{_joins(form)},
    .irq_o,
    .mod_o(modulus),
    .req_valid_o(req_valid),
    .req_ready_i(req_ready),
    .req_op_o(req_op),
{early_out}{ctx_out}    .req_tag_o(req_tag),
    .req_x_o(req_x),
    .req_y_o(req_y),
    .rsp_valid_i(rsp_valid),
    .rsp_ready_o(rsp_ready),
    .rsp_tag_i(rsp_tag),
    .rsp_z_i(rsp_z)
  );

  {config.family.forwarding if forwarding else config.family.top} #(
{_generics(core)}
  ) u_mul (
    .clk_i,
    .rst_ni,
    .mod_i(modulus),
    .req_valid_i(req_valid),
    .req_ready_o(req_ready),
    .req_op_i(req_op),
{early_in}    .req_ctx_i({ctx}),
    .req_tag_i(req_tag),
    .req_x_i(req_x),
    .req_y_i(req_y),
    .rsp_valid_o(rsp_valid),
    .rsp_ready_i(rsp_ready),
    .rsp_tag_o(rsp_tag),
    .rsp_z_o(rsp_z)
  );

endmodule
"""
