# SPDX-License-Identifier: Apache-2.0
"""Perle's part of a design: a core behind Wishbone, a clock crossing and a control block."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from perle.cores.leaves import BLOCKS, for_ecp5
from perle.cores.registry import Config
from perle.generate.cost import engine_model
from perle.generate.generate import hardware_texts
from perle.generate.ip import Ip
from perle.soc.boards import Board, Link

RTL = Path(__file__).with_name("rtl")
OWN = tuple(RTL / f"perle_soc_{name}.sv" for name in ("sync", "reset", "cross", "slave"))
TOP = "perle_soc_core"
BLACKBOXES = BLOCKS

WORD_BITS = 32
ADDR_BITS = 14
PARAM_WORDS = 64

LANES_AT, CONTROL_AT, SPACE = 0x3000_0000, 0x3100_0000, 0x0200_0000
"""Byte addresses on the bus of the lanes' registers and of the control block, and the size in bytes of the
region with both."""


RECORD_WORDS: dict[Link, int] = {"uart": 0, "ethernet": 256}
"""Maximum length in 32-bit words of an Etherbone record, because LiteEth hangs on a longer one; 0 for a link
without records."""


class IllegalSocError(ValueError):
    """A core or a directory that no design can be made of."""


@dataclass(frozen=True)
class Core:
    """A core with its lanes, at its own clock in Hz, behind a link."""

    config: Config
    lanes: int
    clock_hz: int
    link: Link = "uart"

    @property
    def ip(self) -> Ip:
        """The core behind Wishbone."""
        return Ip(self.config, "wishbone", WORD_BITS, self.lanes)

    @property
    def named(self) -> str:
        """FAMILY:CONFIG, with ,lanes=T if there are several."""
        return self.config.spec + (f",lanes={self.lanes}" if self.lanes > 1 else "")

    @property
    def multipliers(self) -> int:
        """Device multipliers."""
        if self.ip.has_engine:
            return int(engine_model(self.ip).capacity(self.config.params, self.lanes)[0])
        return self.config.model.multipliers(self.config.params)

    def check_fits(self, board: Board) -> None:
        """Raise IllegalSocError if a board's device has too few multipliers; other cells are not counted."""
        if self.multipliers > board.multipliers:
            counted = f"{self.multipliers} of {board.multipliers} multipliers"
            raise IllegalSocError(f"{self.named} does not fit {board.title}: {counted}")

    @property
    def parameters(self) -> str:
        """The parameters that a host needs and no register has; the control block contains them as text."""
        return " ".join(f"{name}={value}" for name, value in self.config.params.items())

    def texts(self, *, device: bool) -> dict[str, str]:
        """Return all files in compile order; with `device` the leaf cells are those of ECP5."""
        files = hardware_texts(self.ip)
        if device:
            files = for_ecp5(files)
        files |= {f"rtl/{path.name}": path.read_text(encoding="utf-8") for path in OWN}
        return files | {f"rtl/{TOP}.sv": self.top()}

    def top(self) -> str:
        """Return the text of perle_soc_core: instances with parameters and connections."""
        bits = ADDR_BITS + (self.lanes - 1).bit_length()
        words = _words(self.parameters)
        listed = ",\n      ".join(f"32'h{word:08x}" for word in reversed(words))
        return f"""\
// SPDX-License-Identifier: Apache-2.0
//
// {self.ip.summary}, behind a clock crossing and a control block:
// generated, not to be edited.

module {TOP} (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        cyc_i,
  input  logic        stb_i,
  input  logic        we_i,
  input  logic [22:0] adr_i,
  input  logic [31:0] dat_i,
  output logic        ack_o,
  output logic [31:0] dat_o,
  input  logic        core_clk_i
);

  logic core_rst_n, cyc, we, ack, err;
  logic [{bits - 1}:0] addr;
  logic [31:0] wdata, rdata;
  logic {f"[{self.lanes - 1}:0] " if self.lanes > 1 else ""}irq;

  perle_soc_slave #(
    .Lanes     ({self.lanes}),
    .AddrBits  ({bits}),
    .ClockHz   ({self.clock_hz}),
    .RecordWords({RECORD_WORDS[self.link]}),
    .ParamWords({len(words)}),
    .Params    ({{
      {listed}
    }})
  ) u_slave (
    .clk_i,
    .rst_ni,
    .cyc_i,
    .stb_i,
    .we_i,
    .adr_i,
    .dat_i,
    .ack_o,
    .dat_o,
    .core_clk_i,
    .core_rst_no(core_rst_n),
    .core_cyc_o (cyc),
    .core_we_o  (we),
    .core_addr_o(addr),
    .core_data_o(wdata),
    .core_ack_i (ack),
    .core_err_i (err),
    .core_data_i(rdata)
  );

  {self.ip.top} u_ip (
    .clk_i (core_clk_i),
    .rst_ni(core_rst_n),
    .wb_cyc_i(cyc),
    .wb_stb_i(cyc),
    .wb_we_i(we),
    .wb_adr_i(addr),
    .wb_dat_i(wdata),
    .wb_sel_i(4'hf),
    .wb_ack_o(ack),
    .wb_err_o(err),
    .wb_dat_o(rdata),
    .irq_o (irq)
  );

  // A host asks; none of these links can tell it by itself.
  logic unused;
  assign unused = ^irq;

endmodule
"""


def _words(text: str) -> list[int]:
    data = text.encode("ascii")
    if len(data) > 4 * PARAM_WORDS:
        raise IllegalSocError(f"parameters of {len(data)} characters, of {4 * PARAM_WORDS} at most: {text}")
    padded = data.ljust(-(-len(data) // 4) * 4, b"\0")
    return [int.from_bytes(padded[at : at + 4], "little") for at in range(0, len(padded), 4)]


def written(files: dict[str, str], folder: Path) -> list[Path]:
    """Write files into a folder, by name; return their paths in the same order."""
    paths = []
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths


def names(files: Iterable[str]) -> list[str]:
    """Return the names of SystemVerilog files."""
    return [name for name in files if name.endswith(".sv")]
