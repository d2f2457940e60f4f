# SPDX-License-Identifier: Apache-2.0
"""Netlists after place and route: engines of whole designs, simulated as they are configured in an ECP5.

A design of `perle soc` with an engine is built as for its bitstream. The netlist that the router writes, of
LUTs, carries, flip-flops, memories and multipliers, is simulated behind its serial line (`perle.soc.routed`),
and the host library uses it as it would use the board: products and powers of edge moduli, and private RSA
operations on all lanes at once. Every result is compared with Python's integers, and none may be refused or
repeated by the library.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from perle.boards.regs import RDL
from perle.boards.sources import kept_files
from perle.cores import leaves
from perle.cores.registry import resolve
from perle.flow.cache import cached, content_hash
from perle.flow.tools import version
from perle.host import Batch, Boards, Key, PerleError
from perle.soc import build as building
from perle.soc import directory, pll, simulation
from perle.soc.boards import Board, board
from perle.soc.core import OWN, Core
from perle.trust import fault_cases, records
from perle.trust.fault_cases import key_numbers
from perle.trust.parts import Part, Task, Wanted
from perle.trust.records import Record, Run
from perle.verify import cases as verify_cases
from perle.verify.cases import edge_moduli, random_modulus

NAME = "routed"
BOARD = "ulx3s-85f"
CORE_HZ = 40e6
BAUD = 3_000_000
"""Simulated cycles per transferred byte are fewest at the highest rate."""
RANDOM_MODULI = 6
ROUNDS = 2
"""Private RSA operations per lane. Each has two halves, so that every lane gets work."""
TOOLS = (*building.TOOLS, "verilator", "g++")


@dataclass(frozen=True)
class Case:
    """An engine: a configuration and its lanes."""

    spec: str
    lanes: int

    @property
    def name(self) -> str:
        """FAMILY:CONFIG,lanes=T."""
        return self.core.named

    @property
    def target(self) -> Board:
        """The board that the design is for."""
        return board(BOARD)

    @property
    def clocks(self) -> pll.Clocks:
        """Clocks of bus and core."""
        return pll.clocks(self.target, CORE_HZ)

    @property
    def core(self) -> Core:
        """The engine, as a part of a design."""
        return Core(resolve(self.spec), self.lanes, round(self.clocks.core), self.target.link)


CASES = (Case("stream:w64", 4), Case("tile:w64", 4))


def netlist(case: Case) -> Path:
    """Return the routed netlist of a design with an engine, cached by content."""
    files = directory.contents(case.target, case.core, case.clocks, BAUD)
    key = content_hash([], files, building.SYNTHESIS, [version(tool) for tool in building.TOOLS])

    def make(path: Path) -> None:
        folder = path.with_name("design")
        made = directory.generate(case.target, case.core, case.clocks, folder, baud=BAUD)
        building.build(folder, made.sources, case.target)
        shutil.copy(folder / building.WORK / building.ROUTED, path)

    return cached(f"routed-{case.core.config.family.name}-{key}", ".json", make)


def differences(boards: Boards, case: Case, rng: Random) -> tuple[int, list[str]]:
    """Run all operations on boards; return their number, and a description of each that was wrong."""
    count, found = 0, []
    width = case.core.config.width
    for m in [*edge_moduli(width), *(random_modulus(rng, width) for _ in range(RANDOM_MODULI))]:
        x, y, e = m - 1, rng.randrange(m), rng.getrandbits(width)
        for text, run, expected in (
            (f"{x:#x}·{y:#x} mod {m:#x}", partial(boards.mulmod, x, y, m), x * y % m),
            (f"{y:#x}^{e:#x} mod {m:#x}", partial(boards.modexp, y, e, m), pow(y, e, m)),
        ):
            count += 1
            try:
                value = run().value
            except PerleError as error:
                found.append(f"{text}: {error}")
                continue
            if value != expected:
                found.append(f"{text}: {value:#x}")
    tried, wrong = _private(boards, case.lanes * ROUNDS, rng)
    return count + tried, found + wrong


def _private(boards: Boards, number: int, rng: Random) -> tuple[int, list[str]]:
    """Run private RSA operations, all in flight together."""
    numbers, found, seen = key_numbers(rng), [], set[int]()
    n, d = numbers["n"], numbers["d"]
    messages = [rng.randrange(n) for _ in range(number)]
    with Key.from_numbers(**numbers) as key, Batch(boards) as batch:
        for tag, message in enumerate(messages):
            batch.submit(key, message.to_bytes(key.size, "big"), tag=tag, blinding=False)
        for done in batch.finished():
            seen.add(done.tag)
            power = pow(messages[done.tag], d, n).to_bytes(key.size, "big")
            if done.error is not None or done.data != power or done.repeats:
                found.append(
                    f"RSA operation {done.tag}: {done.error or done.data.hex()}, {done.repeats} repeats"
                )
    found += [f"RSA operation {tag}: lost" for tag in sorted(set(range(number)) - seen)]
    return number, found


def compare(case: Case, seed: int, routed: Path | None = None) -> Record:
    """Simulate a routed netlist, that of the case unless another is given, and record the differences."""
    files, settings = basis(case)
    mine = Run(NAME, case.name, seed, **settings)
    path = routed or netlist(case)
    cells = _cells(path)
    rng = Random(f"{seed} {case.name}")  # noqa: S311 - failures must be reproducible
    per_bit = directory.Design(case.clocks, BAUD).cycles_per_bit
    made = simulation.build_routed(path, case.target)
    with simulation.SimulatedSoc(made, case.clocks, cycles_per_bit=per_bit) as soc:
        with Boards(f"uart:{soc.place},baud={simulation.NETLIST_BAUD}") as boards:
            count, found = differences(boards, case, rng)
            faults = boards.total().faults
        cycles = soc.cycles
    if faults and not found:
        found = [f"{faults} faults that the library mended"]
    for text in found:
        mine.fail(text)
    return mine.end({"operations": count, "cells": cells, "cycles": cycles}, files, TOOLS)


def _cells(path: Path) -> int:
    [module] = json.loads(path.read_text(encoding="utf-8"))["modules"].values()
    return len(module["cells"])


def basis(case: Case) -> tuple[list[Path], dict[str, Any]]:
    """Return the files and settings that a comparison depends on."""
    kept = kept_files(case.core.config, case.lanes)
    names = [path.name for path in kept]
    device = [*leaves.inside(names).values(), *leaves.own(names).values()]
    soc = Path(simulation.__file__).parent
    design = [*soc.glob("*.toml"), *(one for one in soc.glob("*.py") if not one.name.startswith("test_"))]
    own = [Path(verify_cases.__file__), Path(fault_cases.__file__), Path(__file__)]
    files = [*kept, *device, RDL, *OWN, *sorted(design), *sorted(simulation.SIM.iterdir())]
    settings = {"board": BOARD, "core_hz": CORE_HZ, "baud": BAUD, "rounds": ROUNDS, "moduli": RANDOM_MODULI}
    settings |= {"params": case.core.config.params, "lanes": case.lanes}
    return [*files, *records.host_files(), *own], settings


def tasks(wanted: Wanted) -> Iterator[Task]:
    """Yield a task per engine."""
    for case in CASES:
        if wanted.family in (None, case.core.config.family.name):
            yield Task(NAME, case.name, partial(_task, case, wanted.seed), basis=partial(basis, case))


def _task(case: Case, seed: int, _before: Record | None) -> Record:
    return compare(case, seed)


def row(one: Record) -> Sequence[str]:
    """Return the figures of a record."""
    return tuple(f"{int(one.counts[name]):,}" for name in ("operations", "cells", "cycles"))


ROUTED = Part(
    NAME,
    "Routed netlists",
    "The netlist that place and route writes for the bitstream of an engine gives the right results, behind "
    "the board's serial line and the host library: products and powers of edge and random moduli, and "
    "private RSA operations on all lanes at once. The simulation has no delays; whether the clocks are met "
    "is reported by the router.",
    tasks,
    ("operations", "device cells", "cycles of the bus"),
    row,
)
