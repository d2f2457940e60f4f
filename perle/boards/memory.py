# SPDX-License-Identifier: Apache-2.0
"""Simulated boards of active memories: the C ABI of other boards, where each access is an instruction."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from perle.boards.build import (
    FLAGS_ALL,
    FLAGS_CHECKS,
    FLAGS_PLAIN,
    SIM,
    SIM_COMMON,
    SIM_HEADERS,
    config_header,
    point,
)
from perle.cores.registry import Config
from perle.flow.cache import cache_root, cached, content_hash
from perle.flow.progress import tell
from perle.flow.tools import version
from perle.flow.verilator import Trace, build_so, verilator_version

WORD_BITS = 32
SOURCES = (*SIM_COMMON, SIM / "port_memory.cpp")
# Active memory can be read back: every register is visible, in every build.
PUBLIC = SIM / "public_all.vlt"


def literal(value: int) -> str:
    """Return a SystemVerilog literal, with a size if the number does not fit into 32 bits."""
    return f"{value}" if value < 1 << 31 else f"{value.bit_length()}'h{value:x}"


def wrapper(config: Config) -> str:
    """Return the text of perle_top.sv, with the parameters of one configuration."""
    generics = ",\n".join(f"    .{key}({literal(value)})" for key, value in config.params.items())
    return f"""\
// SPDX-License-Identifier: Apache-2.0
//
// {config.spec} as active memory: written by perle.boards.memory, not to be edited.

module perle_top (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic access_i,
  input  logic write_i,
  input  logic [{config.family.addr_bits - 1}:0] addr_i,
  input  logic [{WORD_BITS - 1}:0] wdata_i,
  output logic ready_o,
  output logic [{WORD_BITS - 1}:0] rdata_o,
  output logic busy_o
);

  {config.family.top} #(
{generics}
  ) u_core (
    .clk_i,
    .rst_ni,
    .access_i,
    .write_i,
    .addr_i,
    .wdata_i,
    .ready_o,
    .rdata_o,
    .busy_o
  );

endmodule
"""


def build_memory(
    config: Config,
    *,
    trace: Trace = "none",
    checks: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Path:
    """Return the shared object of an active memory, built at the first call for its sources, options, tools.

    `trace`, `checks` and `progress` are those of `perle.boards.build.build_board`. A configuration may have
    any parameters: a modular product unit is built for each modulus.
    """
    files = [*config.family.files, *(config.family.assertions if checks else ())]
    flags = [*FLAGS_ALL, *(FLAGS_CHECKS if checks else FLAGS_PLAIN)]
    info = _info(config, trace, checks)
    tools = [verilator_version(), version("g++")]
    made_of = [*files, *SOURCES, *SIM_HEADERS, PUBLIC]
    key = content_hash(made_of, wrapper(config), tools, flags, info)

    def make(path: Path) -> None:
        (progress or tell)(f"building the simulated board {config.spec} (once; up to a minute)")
        generated = path.with_name("generated")
        generated.mkdir(exist_ok=True)
        top = generated / "perle_top.sv"
        top.write_text(wrapper(config), encoding="utf-8")
        literals = {
            "WORD_BITS": str(WORD_BITS),
            "LANES": "1",
            "ADDR_BITS": str(config.family.addr_bits),
            "TRACE": json.dumps(trace),
            "SNAPSHOT": json.dumps("all"),
        }
        extra = [*flags, *config_header(generated, info, literals), str(PUBLIC)]
        build_so("perle_top", [*files, top], SOURCES, {}, path, trace=trace, extra=extra)

    suffix = (f"-{trace}" if trace != "none" else "") + ("-checks" if checks else "")
    made = cached(f"memory-{config.family.name}-{config.name}{suffix}-{key}", ".so", make)
    point(cache_root() / "boards" / f"{config.family.name}-{config.name}{suffix}.so", made)
    return made


def _info(config: Config, trace: Trace, checks: bool) -> dict[str, object]:
    # not all JSON readers preserve numbers of more than 53 bits
    params = {key: value if value < 1 << 53 else f"{value:#x}" for key, value in config.params.items()}
    return {
        "family": config.family.name,
        "config": config.name,
        "params": params,
        "word_bits": WORD_BITS,
        "lanes": 1,
        "trace": trace,
        "snapshot": "all",
        "assertions": checks,
    }
