# SPDX-License-Identifier: Apache-2.0
"""Build the simulated board of a configuration: hardware and C ABI in one shared object, cached."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from perle.boards.regs import RDL, c_header
from perle.boards.sources import WAIVERS, assertion_files, config_hash, kept_files, sources
from perle.boards.wrapper import shape, wrapper
from perle.cores.registry import Config
from perle.flow.cache import cache_root, cached, content_hash, own_folder
from perle.flow.progress import tell
from perle.flow.tools import version
from perle.flow.verilator import Trace, build_so, verilator_version

SIM = Path(__file__).with_name("sim")
SIM_COMMON = tuple(SIM / f"{name}.cpp" for name in ("perle_sim", "board", "snapshot", "static_storage"))
SIM_HEADERS = (SIM / "board.h", SIM / "perle_sim.h")
SIM_CPP = (*SIM_COMMON, SIM / "port_axil.cpp")
SIM_FILES = (*SIM_CPP, *SIM_HEADERS)

# Without hidden visibility every call inside the object would be indirect, through its symbol table.
FLAGS_ALL = ("-O3", "-CFLAGS", "-fvisibility=hidden")
FLAGS_PLAIN = ("--x-assign", "fast", "--x-initial", "fast", "--no-assert")
FLAGS_CHECKS = ("--x-assign", "unique", "--x-initial", "unique", "--assert")


@dataclass(frozen=True)
class Variant:
    """A variant of a configuration's simulator: bus width, lanes, trace format, assertions."""

    word_bits: int = 64
    lanes: int = 1
    trace: Trace = "none"
    checks: bool = False

    @property
    def suffix(self) -> str:
        """Suffix of its file name; empty for the default."""
        parts = [f"b{self.word_bits}"] if self.word_bits != 64 else []
        parts += [f"l{self.lanes}"] if self.lanes != 1 else []
        parts += [self.trace] if self.trace != "none" else []
        parts += ["checks"] if self.checks else []
        return "".join(f"-{part}" for part in parts)

    @property
    def snapshot(self) -> str:
        """Extent of a snapshot: all variables, including operands, only in builds with traces.

        Visible variables cannot be optimized away: making all visible costs more than half the speed.
        """
        return "bus" if self.trace == "none" else "all"

    @property
    def public(self) -> Path:
        """The configuration file that makes the variables of a snapshot public."""
        return SIM / f"public_{self.snapshot}.vlt"

    @property
    def flags(self) -> list[str]:
        """Return Verilator's options."""
        return [*FLAGS_ALL, *(FLAGS_CHECKS if self.checks else FLAGS_PLAIN)]


def build_board(
    config: Config,
    *,
    word_bits: int = 64,
    lanes: int = 1,
    trace: bool | Trace = False,
    checks: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Path:
    """Return the shared object of a configuration, built at the first call for its sources, options, tools.

    `lanes` boards share bus and multiplier. `trace` is "vcd" or "fst" (True: "vcd", which needs no system
    library): only such a build records traces and shows operands in snapshots. `checks` is for tests:
    assertions, and random values for undriven signals. `progress` is called before a build starts; by default
    a message goes to standard error. C programs find the object by name: `board_link`.
    """
    chosen: Trace = trace if isinstance(trace, str) else "vcd" if trace else "none"
    variant = Variant(word_bits, lanes, chosen, checks)

    def make(path: Path) -> None:
        begins = f"building the simulated board {config.spec}{variant.suffix} (once; up to some minutes)"
        (progress or tell)(begins)
        _build(config, variant, path)

    name = f"board-{config.family.name}-{config.name}{variant.suffix}-{_key(config, variant)}"
    result = cached(name, ".so", make)
    point(board_link(config, variant), result)
    return result


def board_link(config: Config, variant: Variant | None = None) -> Path:
    """Return the symbolic link by which a program finds the latest build of a configuration."""
    suffix = (variant or Variant()).suffix
    return cache_root() / "boards" / f"{config.family.name}-{config.name}{suffix}.so"


def _key(config: Config, variant: Variant) -> str:
    files = [*kept_files(config, variant.lanes), RDL, WAIVERS, *SIM_FILES, variant.public]
    files += assertion_files(config, variant.lanes) if variant.checks else []
    tools = [verilator_version(), version("peakrdl"), version("g++")]
    top = wrapper(config, variant.word_bits, config_hash(config, variant.lanes), variant.lanes)
    return content_hash(files, top, tools, variant.flags, _info(config, variant))


def _info(config: Config, variant: Variant) -> dict[str, object]:
    form = shape(config, variant.word_bits, variant.lanes)
    return {
        "family": config.family.name,
        "config": config.name,
        "params": config.params,
        "config_hash": f"{config_hash(config, variant.lanes):08x}",
        "width": form.width,
        "operand_bits": form.operand_bits,
        "word_bits": form.word_bits,
        "lanes": form.lanes,
        "trace": variant.trace,
        "snapshot": variant.snapshot,
        "assertions": variant.checks,
    }


def write_headers(config: Config, variant: Variant, out: Path) -> list[str]:
    """Write the headers that the C++ sources include into the folder `out`; return the include options."""
    c_header(shape(config, variant.word_bits), out / "perle_regs.h")
    literals = {
        "WORD_BITS": str(variant.word_bits),
        "LANES": str(variant.lanes),
        "TRACE": json.dumps(variant.trace),
        "SNAPSHOT": json.dumps(variant.snapshot),
    }
    return config_header(out, _info(config, variant), literals)


def config_header(out: Path, info: dict[str, object], literals: dict[str, str]) -> list[str]:
    """Write what the C++ sources have to know of a build; return the options that make it found."""
    every = {**literals, "INFO": json.dumps(json.dumps(info))}
    text = "".join(f"#define PERLE_SIM_{key} {value}\n" for key, value in every.items())
    (out / "perle_sim_config.h").write_text(text, encoding="utf-8")
    return ["-CFLAGS", f"-I{out}", "-CFLAGS", f"-I{SIM}"]


def _build(config: Config, variant: Variant, out: Path) -> None:
    generated = out.with_name("generated")
    board = sources(config, variant.word_bits, generated, lanes=variant.lanes, checks=variant.checks)
    extra = [
        *variant.flags,
        *write_headers(config, variant, generated),
        str(board.waivers),
        str(variant.public),
    ]
    build_so(board.top, board.files, SIM_CPP, {}, out, trace=variant.trace, extra=extra)


def point(link: Path, target: Path) -> None:
    """Make the symbolic link `link` point to the file `target`."""
    if link.is_symlink() and link.readlink() == target:
        return
    own_folder(link.parent)
    # A link can only be replaced atomically by renaming another one over it.
    with TemporaryDirectory(dir=link.parent) as scratch:
        fresh = Path(scratch) / link.name
        fresh.symlink_to(target)
        os.replace(fresh, link)
