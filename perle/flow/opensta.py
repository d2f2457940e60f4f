# SPDX-License-Identifier: Apache-2.0
"""OpenSTA: delays and power of a netlist of library cells.

Wires are those that the library estimates (its default wire-load model, which knows the fan-out of a net but
not the size of the design), none, or those of a placement (parasitics in SPEF). Clocks are ideal.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from perle.flow.tools import ToolError, run, system_tool

PACKAGE = "opensta"
NEEDED_FOR = "delays and power in 130 nm"
# Constraints are relative to it; no result depends on it.
PERIOD_NS = 10.0
# Time of the falling clock edge. A latch that is open while the clock is low acts like a register: its output
# has the whole cycle to reach the next register, and its input may arrive until the end of the cycle.
EARLY, LATE = 0.001, PERIOD_NS - 0.001
FROM_REGISTERS = "-from [all_registers -clock_pins]"
REGISTERS = "[all_registers -data_pins -edge_triggered]"
LATCHES = "[all_registers -data_pins -level_sensitive]"


class Estimate(StrEnum):
    """Wires before placement; the values are commands."""

    LIBRARY = ""
    NONE = "set_wire_load_model -name Zero"


Wires = Estimate | Path
"""An estimate, or parasitics in SPEF, a file in the folder of the netlist; other nets have none."""


@dataclass(frozen=True)
class Timing:
    """Shortest clock period in ns by register-to-register paths, and the worst of them, as reported."""

    period_ns: float
    path: str


@dataclass(frozen=True)
class Power:
    """Watts at a clock period of PERIOD_NS: `internal` of cells, `switching` of nets, `leakage`."""

    internal: float
    switching: float
    leakage: float

    @property
    def dynamic_pj(self) -> float:
        """Return the dynamic energy of a cycle in pJ."""
        return (self.internal + self.switching) * PERIOD_NS * 1e3


def sta(script: Sequence[str], workdir: Path, name: str, *, timeout: float) -> str:
    """Run a script in `workdir`, where it is kept as `name`.tcl; return its output."""
    program = system_tool("sta", PACKAGE, NEEDED_FOR)
    path = workdir / f"{name}.tcl"
    path.write_text("\n".join(script) + "\n", encoding="utf-8")
    # OpenSTA continues after an error, and exits with 0.
    output = run(
        [program, "-no_splash", "-exit", path.name], cwd=workdir, log=workdir / "sta.log", timeout=timeout
    ).stdout
    wrong = re.search(r"^(?:Error: |Warning: .*\.spef, line ).*", output, re.MULTILINE)
    if wrong is not None:
        raise ToolError("sta", wrong[0])
    return output


def _linked(liberty: Path, netlists: Iterable[Path], top: str, clock: str, wires: Wires) -> list[str]:
    parasitics = [f"read_spef {wires.name}"] if isinstance(wires, Path) else []
    return [
        f"read_liberty {liberty}",
        *(f"read_verilog {path.name}" for path in netlists),
        f"link_design {top}",
        wires if isinstance(wires, Estimate) else Estimate.NONE,
        *parasitics,
        _clock(clock),
    ]


def _clock(port: str, period_ns: float = PERIOD_NS, falls: float = EARLY) -> str:
    return f"create_clock -name clk -period {period_ns:.4f} -waveform {{0 {falls}}} [get_ports {port}]"


def timing(
    liberty: Path,
    netlists: Iterable[Path],
    top: str,
    workdir: Path,
    *,
    clock: str = "clk_i",
    wires: Wires = Estimate.LIBRARY,
    timeout: float,
) -> Timing:
    """Find the shortest period; paths from and to ports are not counted."""
    name = f"timing-{liberty.stem}"
    report = f"report_checks -path_delay max {FROM_REGISTERS} -fields {{capacitance slew}} -digits 4 -to"
    script = [
        *_linked(liberty, netlists, top, clock, wires),
        f"{report} {REGISTERS}",
        _clock(clock, falls=LATE),
        f"if {{[llength {LATCHES}]}} {{ {report} {LATCHES} }}",
    ]
    output = sta(script, workdir, name, timeout=timeout)
    slacks = re.findall(r"(-?\d+\.\d+)\s+slack \((?:MET|VIOLATED)\)", output)
    if not slacks:
        raise ToolError("sta", "no path from a register to a register")
    (workdir / f"{name}.rpt").write_text(output, encoding="utf-8")
    return Timing(round(PERIOD_NS - min(map(float, slacks)), 4), output)


# Version of the power analysis: part of the identity of results, so change it with the method.
POWER_METHOD = 2


def power(
    liberty: Path,
    netlists: Iterable[Path],
    top: str,
    activity: Mapping[str, tuple[float, float]],
    workdir: Path,
    *,
    clock: str = "clk_i",
    gated: Iterable[str] = (),
    only: str = "",
    wires: Estimate = Estimate.LIBRARY,
    timeout: float,
) -> Power:
    """Return power; `activity`: transitions per cycle and share of time at 1, for every pin except clocks.

    The library's internal power must not depend on states (`perle.flow.liberty.averaged`), and no pin of
    `activity` may depend on an input of `top` through logic (`perle.measure.gates`): version 2.0.17 replaces
    the activity of such pins by estimates. ToolError if it used another activity than the given one.

    A key is a pin, `g7/Y`. `gated`: pins at which the clock ends and what is given counts. `only`: a pattern
    of instances, `u_b/*`, not all; ToolError unless the power of each is reported.
    """
    where = f" -instances [get_cells {only}]" if only else ""
    script = _linked(liberty, netlists, top, clock, wires)
    # The internal commands of `set_clock_sense` and, below, `set_power_activity`, which fail in version
    # 2.0.17.
    script += [f"sta::set_clock_sense_cmd [get_pins {pin}] [get_clocks clk] 0 0 1" for pin in gated]
    # The first report estimates all activities and discards those that were set before.
    script.append("report_power > first.rpt")
    for key, (transitions, duty) in activity.items():
        script.append(f"sta::set_power_pin_activity [get_pins {key}] {transitions:.6g} {duty:.6g}")
    script.append(f"report_power{where} -digits 10")
    if only:
        script.append(f'puts "INSTANCES [llength [get_cells {only}]]"')
    script.append('proc taken {pin} { puts "TAKEN $pin [get_property [get_pins $pin] activity]" }')
    script += [f"taken {key}" for key in activity]
    output = sta(script, workdir, f"power-{liberty.stem}", timeout=timeout)
    _taken(activity, output)
    return _sum(output, per_instance=bool(only))


def _taken(activity: Mapping[str, tuple[float, float]], output: str) -> None:
    """Raise ToolError unless the activities used are the given ones, to the printed precision."""
    taken = re.findall(r"^TAKEN (\S+) (\S+) (\S+) (\S+)$", output, re.MULTILINE)
    # Cells without a clock are those that tie a net to 0 or 1: their energy is not counted.
    found = {
        pin: activity[pin] if by == "defaulted" else (float(density) * PERIOD_NS * 1e-9, float(duty))
        for pin, density, duty, by in taken
    }
    lost = [pin for pin, given in activity.items() if not _same(found.get(pin), given)]
    if lost:
        raise ToolError("sta", f"the activity of {len(lost)} pins was not taken, of {lost[0]} among them")


def _same(found: tuple[float, float] | None, given: tuple[float, float]) -> bool:
    return (
        found is not None
        and math.isclose(found[0], given[0], rel_tol=1e-3, abs_tol=1e-9)
        and math.isclose(found[1], given[1], abs_tol=1e-3)
    )


def _sum(output: str, *, per_instance: bool) -> Power:
    """Return the sum over the instances, or the total; ToolError if one is missing or is no number."""
    number = r"\s+(-?(?:\d+\.\d+e[-+]\d+|nan|inf))"  # the internal power of an instance may be negative
    line = rf"^{number * 4}\s+(\S+)$" if per_instance else rf"^Total{number * 4}()"
    rows = re.findall(line, output, re.MULTILINE)
    counted = re.search(r"^INSTANCES (\d+)$", output, re.MULTILINE)
    if not rows or (counted and int(counted[1]) != len(rows)):
        of = f" for {counted[1]} instances" if counted else ""
        raise ToolError("sta", f"report_power has {len(rows)} rows{of}")
    for *row, name in rows:
        if not all(math.isfinite(float(one)) for one in row):
            raise ToolError("sta", f"the power of {name or 'Total'} is no number")
    columns = list(zip(*rows, strict=True))
    internal, switching, leakage = (sum(map(float, column)) for column in columns[:3])
    # Version 2.0.17 adds the energies of a rising and of a falling edge for every transition in a cell.
    return Power(internal / 2, switching, leakage)


# Tries, path by path, every size of each cell on the worst paths, and keeps improvements.
RESIZE = """
foreach cell [get_lib_cells */*] {{
  set name [get_property $cell name]
  if {{[regexp {{^(.*)_(\\d+)$}} $name - base size]}} {{ lappend family($base) $name }}
}}
proc kind {{gate}} {{ get_property [get_property [get_cells $gate] liberty_cell] name }}
proc goal {{}} {{ expr {{1000 * [worst_slack -max] + [total_negative_slack -max]}} }}
proc swap {{gate to}} {{ foreach place {{{places}}} {{ replace_cell $place$gate $to }} }}
set last "[lindex {{{places}}} end]"
set best [goal]
set tries 0
while {{$tries < {tries}}} {{
  set before $best
  array unset seen
  foreach path [find_timing_paths -path_delay max -group_count {paths}] {{
    foreach point [get_property $path points] {{
      set pin [get_full_name [get_property $point pin]]
      if {{![regexp {{^(?:{pattern})(g\\d+)/}} $pin - gate] || [info exists seen($gate)]}} continue
      set seen($gate) 1
      set now [kind $last$gate]
      if {{![regexp {{^(.*)_\\d+$}} $now - base]}} continue
      foreach to $family($base) {{
        if {{$to eq $now}} continue
        swap $gate $to
        incr tries
        set found [goal]
        if {{$found > $best + 1e-6}} {{
          set best $found
          set now $to
          set changed($gate) $to
        }} else {{ swap $gate $now }}
      }}
    }}
  }}
  if {{$best <= $before + 1e-6}} break
}}
foreach gate [lsort [array names changed]] {{ puts "RESIZED $gate $changed($gate)" }}
"""
RESIZE_PATHS = 8


def resize(
    liberty: Path,
    netlists: Iterable[Path],
    top: str,
    workdir: Path,
    *,
    places: Sequence[str] = ("",),
    wires: Wires = Estimate.LIBRARY,
    period_ns: float,
    tries: int,
    timeout: float,
) -> dict[str, str]:
    """Return cells of other sizes for gates on the worst paths, to shorten the period.

    `places`: the instances of the netlist whose gates these are, `u_a/`, `u_b/`; "": the top itself.
    """
    body = RESIZE.format(
        places=" ".join(f"{{{place}}}" for place in places),
        pattern="|".join(places),
        tries=tries,
        paths=RESIZE_PATHS,
    )
    clock = _clock("clk_i", period_ns)
    linked = _linked(liberty, netlists, top, "clk_i", wires)
    output = sta([*linked, clock, body], workdir, "resize", timeout=timeout)
    return dict(re.findall(r"^RESIZED (\S+) (\S+)$", output, re.MULTILINE))
