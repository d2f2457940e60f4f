# SPDX-License-Identifier: Apache-2.0
"""Coverage of every multiplier's sources by a fixed workload: lines, decisions, toggles.

The workload runs on small shapes of a family that together use all of its files, with two moduli at a time:
edge operands of edge moduli, random products and reductions, with and without stalls, and on fewer bits if
their number is an input. Every result is compared with the model. Code that was not executed in any shape is
a hole. Each needs a reason in the family's `coverage.toml`; a hole without a reason, and a reason without a
hole, are failures. Toggles are many, and constants have none, so for them only a minimum share is required.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from perle.cores.protocols import WidthAtRunTime
from perle.cores.registry import Config, families
from perle.spec import mont
from perle.trust import watched
from perle.trust.covered import HEADER, Counts, CoveredBench
from perle.trust.records import Record, Run
from perle.verify import testbench as contract
from perle.verify.cases import edge_moduli, edge_operands, operand_limit, random_modulus
from perle.verify.failure import BenchError
from perle.verify.testbench import MUL, REDUCE, Op

NAME = "coverage"
MORE: dict[str, tuple[dict[str, int], ...]] = {
    "scalable": ({"Width": 32, "WordWidth": 4, "Elements": 2, "Kind": 2, "Paper": 1},),
    "tile": ({"Width": 250},),
}
"""Shapes besides those of `shapes.toml`: with more digits, or parameters that do not affect the state."""
EDGES = 3
"""Number of edge moduli in addition to the smallest and the largest one."""
RANDOM = 3
"""Number of pairs of random moduli, with OPERATIONS operations each."""
OPERATIONS = 40


@dataclass(frozen=True)
class Batch:
    """Consecutive operations: both moduli, bits of operands (None: Width), seed of stalls (0: none)."""

    moduli: tuple[int, int]
    bits: int | None
    ops: list[Op]
    stalls: int


def all_shapes(family: str) -> list[Config]:
    """Return the shapes of a family whose counts are added."""
    more = [watched.shape(families()[family], each) for each in MORE.get(family, ())]
    return [*watched.shapes(family), *more]


def workload(config: Config, rng: Random) -> Iterator[Batch]:
    """Yield the workload of a shape."""
    sized = isinstance(config.model, WidthAtRunTime)
    edges = edge_moduli(config.width)
    for m in [edges[0], edges[-1], *rng.sample(edges, k=min(len(edges), EDGES))]:
        moduli = (m, random_modulus(rng, config.width))
        ops = [
            op
            for ctx, modulus in enumerate(moduli)
            for values in [edge_operands(modulus, operand_limit(config, modulus))]
            for op in (
                *(Op(MUL, x, y, ctx) for x in values for y in values[ctx::2]),
                *(Op(REDUCE, x, y, ctx) for x, y in zip(values, reversed(values), strict=True)),
            )
        ]
        rng.shuffle(ops)
        yield Batch(moduli, None, ops[::2], 0)
        yield Batch(moduli, None, ops[1::2], rng.randrange(1, 1 << 30))
        if sized:
            short = max(one.bit_length() for one in moduli)
            yield Batch(moduli, rng.randrange(short, config.width + 1), ops[::16], 0)
    for _ in range(RANDOM):
        moduli = (random_modulus(rng, config.width), random_modulus(rng, config.width))
        ops = []
        for ctx in rng.choices(range(2), k=OPERATIONS):
            limit = operand_limit(config, moduli[ctx])
            ops.append(Op(rng.choice([MUL, MUL, REDUCE]), rng.randrange(limit), rng.randrange(limit), ctx))
        yield Batch(moduli, None, ops, rng.choice([0, rng.randrange(1, 1 << 30)]))


def expected(config: Config, batch: Batch, op: Op) -> int:
    """Return the model's result of an operation."""
    model, m = config.model, batch.moduli[op.ctx]
    bits = () if batch.bits is None else (batch.bits,)
    if op.kind == MUL:
        return model.mont_value(config.params, m, op.x, op.y, *bits)
    if batch.bits is not None and isinstance(model, WidthAtRunTime):
        return mont(op.y, 1, m, 1 << model.r_exp_for(config.params, batch.bits))
    return mont(op.y, 1, m, 1 << model.r_exp(config.params))


def run(config: Config, seed: int, most: int | None = None) -> tuple[Counts, int, list[str]]:
    """Run the workload, or its first `most` batches, on a shape.

    Returns the counts, the number of operations, and those that differed from the model.
    """
    rng = Random(f"{seed} {config.spec}")  # noqa: S311 - failures must be reproducible
    count, wrong = 0, []
    with CoveredBench(config) as bench:
        for batch in list(workload(config, rng))[:most]:
            bench.load(*batch.moduli, bits=batch.bits)
            try:
                found = bench.run(batch.ops, batch.stalls)
            except BenchError as error:
                return bench.counts(), count, [f"{config.spec}: {error}"]
            for op, out in zip(batch.ops, found, strict=True):
                count += 1
                if out.z != expected(config, batch, op):
                    wrong.append(f"{config.spec}: M = {batch.moduli[op.ctx]:#x}, {op}: {out.z:#x}")
        return bench.counts(), count, wrong


def holes(counts: Counts, files: Sequence[Path]) -> dict[str, str]:
    """Return the position of every line not executed and every branch not taken, by name.

    Names are `FILE: TEXT` and `FILE: TEXT: never true`, so that they do not change when lines move; if a line
    has several decisions, with its number from the left.
    """
    texts = {path.name: path.read_text(encoding="utf-8").splitlines() for path in files}
    columns: dict[str, set[int]] = {}
    for name in counts.ways:
        file, number, column = name.partition(" ")[0].split(":")
        columns.setdefault(f"{file}:{number}", set()).add(int(column))
    found: dict[str, str] = {}
    for name in sorted(
        name for kind in (counts.lines, counts.ways) for name, count in kind.items() if not count
    ):
        place, _, way = name.partition(" ")
        file, number, *rest = place.split(":")
        at = f"{file}:{number}"
        said_of = f"{file}: {texts[file][int(number) - 1].partition('//')[0].strip()}"
        if way:
            order = sorted(columns[at])
            which = f" of decision {order.index(int(rest[0])) + 1}" if len(order) > 1 else ""
            said_of += f": never {way}{which}"
        found[said_of] = at
    return found


def reasons_file(family: str) -> Path:
    """Return the file with a family's reasons for holes, and the wanted share of toggles."""
    return families()[family].folder / "coverage.toml"


def said(family: str) -> tuple[dict[str, str], int]:
    """Return a family's reasons for holes, and the share of toggles that is wanted in per cent."""
    found = tomllib.loads(reasons_file(family).read_text(encoding="utf-8"))
    return {each["hole"]: each["why"] for each in found.get("hole", [])}, found["toggles"]


def judge(mine: Run, found: dict[str, str], reasons: dict[str, str]) -> list[str]:
    """Fail for holes without a reason and reasons without a hole; return the holes with their reasons."""
    for hole, at in found.items():
        if hole not in reasons:
            mine.fail(f"{at} is not executed, without a reason: {hole}")
    for hole in reasons:
        if hole not in found:
            mine.fail(f"a reason for what is executed or gone: {hole}")
    return [
        f"`{found[hole]}: {hole.partition(': ')[2]}`: {why}" for hole, why in reasons.items() if hole in found
    ]


def compare(
    family: str, seed: int, shapes: Sequence[Config] | None = None, most: int | None = None
) -> Record:
    """Run a family's workload on its shapes, and record what it did not execute."""
    one = families()[family]
    mine = Run(NAME, family, seed)
    total, operations = Counts(), 0
    for config in shapes or all_shapes(family):
        counts, count, wrong = run(config, seed, most)
        total.add(counts)
        operations += count
        for text in wrong:
            mine.fail(text)
    reasons, floor = said(family)
    mine.settings["holes"] = judge(mine, holes(total, one.files), reasons)
    figures: dict[str, int] = {"operations": operations}
    for name, kind in zip(("lines", "ways", "toggles"), total.kinds(), strict=True):
        figures |= {name: len(kind), f"{name} executed": sum(count > 0 for count in kind.values())}
    if figures["toggles executed"] < floor / 100 * figures["toggles"]:
        mine.fail(f"{figures['toggles executed']} of {figures['toggles']} toggles, {floor}% wanted")
    return mine.end(figures, made_of(family), ("verilator", "g++"))


def made_of(family: str) -> list[Path]:
    """Return the files that a family's coverage depends on."""
    told = [watched.shapes_file(family), reasons_file(family)]
    own = [Path(__file__), Path(watched.__file__), Path(__file__).with_name("covered.py"), HEADER]
    return [*families()[family].files, *told, contract.DRIVER, *own]
