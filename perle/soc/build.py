# SPDX-License-Identifier: Apache-2.0
"""Builds the bitstream of a design's directory with Yosys, nextpnr and ecppack; fails if timing is missed."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from perle.flow import ecppack, nextpnr, yosys
from perle.flow.ecppack import Bitstream
from perle.flow.nextpnr import Routed
from perle.flow.tools import DesignError, version
from perle.soc.boards import Board
from perle.soc.core import BLACKBOXES, TOP
from perle.soc.design import NAME

SYNTHESIS = (
    f"read_verilog {NAME}.v",
    f"synth_ecp5 -top {NAME}",
)
SYNTHESIS_TIMEOUT, ROUTE_TIMEOUT = 1800.0, 3600.0
WORK = "build"
ROUTED = "routed.json"
"""Netlist of device cells after place and route."""
PRODUCTS = (
    *(f"{NAME}.{suffix}" for suffix in ("json", "config", "bit", "svf")),
    *(f"{WORK}/{name}" for name in (f"{NAME}.config", ROUTED, "timing.json")),
)
"""Files that a build adds to a design's directory."""
BUS_CLOCK, CORE_CLOCK = "clkout0", "clkout1"
"""Outputs of the PLL for bus and core, with LiteX's names."""
TOOLS = (yosys.TOOL, nextpnr.TOOL, "litex", "liteeth", "litex-boards")
NO_CLOCK_MHZ = 25.0
"""Target frequency in MHz for clocks without a constraint."""


@dataclass(frozen=True)
class Timing:
    """The router's report: required and reached MHz by clock, and the clock crossings that are too slow."""

    wanted: dict[str, float]
    reached: dict[str, float]
    slow_crossings: tuple[str, ...]
    seed: int
    cells: dict[str, int]

    @property
    def late(self) -> list[str]:
        """The clocks that are not reached."""
        return [name for name, mhz in self.reached.items() if mhz < self.wanted[name]]

    @property
    def missed(self) -> list[str]:
        """Descriptions of the requirements that are not met; empty for a usable design."""
        clocks = [
            f"{name} reaches {self.reached[name]:.1f} MHz, {self.wanted[name]:.1f} are wanted"
            for name in self.late
        ]
        return [*clocks, *self.slow_crossings]

    @property
    def core_mhz(self) -> float:
        """The highest possible clock of the core."""
        return self._of(CORE_CLOCK)

    @property
    def bus_mhz(self) -> float:
        """The highest possible clock of the bus."""
        return self._of(BUS_CLOCK)

    @property
    def hint(self) -> str:
        """What may help, with --force: another seed, or a slower core clock if only that one is missed."""
        late = self.late
        if late and not self.slow_crossings and all(name.endswith(CORE_CLOCK) for name in late):
            return f"try --clock {math.floor(self.core_mhz)} or another --seed, with --force"
        return "try another --seed, with --force"

    def _of(self, clock: str) -> float:
        return next((mhz for name, mhz in self.reached.items() if name.endswith(clock)), 0.0)


@dataclass(frozen=True)
class Built:
    """A bitstream and its timing."""

    bitstream: Bitstream
    timing: Timing


def remove_products(folder: Path) -> None:
    """Remove the files that a build added to a directory, because they do not belong to the next design."""
    for name in PRODUCTS:
        (folder / name).unlink(missing_ok=True)


def synthesize(folder: Path, names: list[str], work: Path) -> Path:
    """Synthesize a directory's design; return its netlist. `names`: SystemVerilog files in compile order."""
    work.mkdir(parents=True, exist_ok=True)
    (work / f"{NAME}.v").write_bytes((folder / f"{NAME}.v").read_bytes())
    made = yosys.synthesize(
        [folder / name for name in names], TOP, {}, SYNTHESIS, work,
        blackboxes=[name for name in BLACKBOXES if f"rtl/{name}.sv" in names], timeout=SYNTHESIS_TIMEOUT,
    )  # fmt: skip
    nextpnr.reset_on_clock_network(made.json, NAME)
    return made.json


def place(netlist: Path, board: Board, lpf: Path, work: Path, seed: int = 1) -> Timing:
    """Place and route; writes NAME.config, the netlist ROUTED and the report timing.json to `work`."""
    routed = nextpnr.route(
        netlist,
        work,
        device=board.arch,
        package=board.package,
        speed=board.speed,
        freq=NO_CLOCK_MHZ,
        seed=seed,
        timeout=ROUTE_TIMEOUT,
        pins=lpf,
        config=work / f"{NAME}.config",
        written=work / ROUTED,
    )
    found = timing(routed, seed)
    report = {
        **asdict(found),
        "path": routed.path,
        "missed": found.missed,
        "tools": {tool: version(tool) for tool in TOOLS},
    }
    (work / "timing.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return found


def timing(routed: Routed, seed: int) -> Timing:
    """Return the timing of a routed design; a path into another clock domain may take a period of it."""
    slow = tuple(
        f"from {one.source} to {one.sink} a path takes {one.delay:.1f} ns, more than a period"
        for one in routed.crossings
        if one.delay * routed.wanted.get(one.sink, 0.0) > 1000.0
    )
    used = {name: count for name, count in routed.used.items() if count}
    return Timing(dict(routed.wanted), dict(routed.fmax), slow, seed, used)


def build(
    folder: Path,
    names: list[str],
    board: Board,
    *,
    seed: int = 1,
    seen: Callable[[Timing], None] = lambda _: None,
) -> Built:
    """Write the bitstream of a design into its directory; DesignError if timing is missed.

    `seen` is called with the timing, missed or not.
    """
    work = folder / WORK
    remove_products(folder)
    netlist = synthesize(folder, names, work)
    found = place(netlist, board, folder / f"{NAME}.lpf", work, seed)
    seen(found)
    if found.missed:
        raise DesignError(
            "timing", "; ".join(found.missed), f"{found.hint}; the report: {work / 'timing.json'}"
        )
    return Built(ecppack.pack(work / f"{NAME}.config", folder, NAME), found)
