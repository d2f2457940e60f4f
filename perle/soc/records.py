# SPDX-License-Identifier: Apache-2.0
"""Records of built designs in `results/soc`, which `perle soc … --build --record` writes.

They have the format of measurements: the target is a board, the part has lanes and the requested clock.
"""

from __future__ import annotations

from datetime import UTC, datetime

from perle.flow.cache import content_hash
from perle.flow.tools import version
from perle.results import DESIGNS, Measurement, Store
from perle.soc.boards import Board
from perle.soc.build import TOOLS, Timing
from perle.soc.core import Core
from perle.soc.pll import Clocks

STORE = Store(DESIGNS, None)
CELLS = {"luts": "TRELLIS_COMB", "ff": "TRELLIS_FF", "dsp": "MULT18X18D", "bram": "DP16KD"}


def hardware(core: Core) -> str:
    """Return a hash of a core's hardware with registers and crossing, which a record is valid for."""
    return content_hash([], core.texts(device=True))


def keep(target: Board, core: Core, clocks: Clocks, timing: Timing, seconds: float) -> None:
    """Store a build, replacing one with the same board, core, clock and seed."""
    STORE.put(record(target, core, clocks, timing, seconds))


def record(target: Board, core: Core, clocks: Clocks, timing: Timing, seconds: float) -> Measurement:
    """Return the record of a build, whether its clocks were met or not."""
    reached = {name: timing.cells.get(cell, 0) for name, cell in CELLS.items()}
    return Measurement(
        core=core.config.spec,
        part=f"{core.lanes} lane{'s' if core.lanes > 1 else ''} at {clocks.core / 1e6:.1f} MHz",
        target=target.name,
        seed=timing.seed,
        params=dict(core.config.params),
        tools={tool: version(tool) for tool in TOOLS},
        date=datetime.now(UTC).date().isoformat(),
        seconds=round(seconds, 1),
        metrics={
            "wanted_mhz": clocks.core / 1e6,
            "reached_mhz": timing.core_mhz,
            "bus_mhz": timing.bus_mhz,
            **{name: float(count) for name, count in reached.items()},
        },
        files={"hardware": hardware(core)},
        settings={"link": core.link, "missed": timing.missed},
        device=target.title,
    )
