# SPDX-License-Identifier: Apache-2.0
"""The vectors that each family publishes beside its sources, and the hardware and models checked by them.

`perle/cores/<family>/vectors.json` has products and reductions at the edges of moduli and operands, for the
listed configurations of up to WIDEST bits, in at most MOST sets of equal widths, R and ranges. The numbers
are computed with Python's integers by the formulas of the contract (perle/cores/contract.md). Only R and the
range of operands come from a family's model, and the file states them.

`python -m perle.trust.published --write` writes all files.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from perle.cores.registry import Config, Family, families
from perle.flow.tools import ToolError
from perle.generate.operands import Draw
from perle.verify.testbench import MUL, REDUCE, ContractBench, Op

NAME = "vectors.json"
KINDS = ("multiply", "reduce", "product")
WIDEST = 256
MOST = 6
"""Maximum number of sets of a family: those of the most configurations, else the first ones."""
ABOUT = (
    "Numbers are hexadecimal strings. For each modulus m, with R = 2^r_exp and operands below limit: "
    "multiply has [x, y, x*y/R mod m]: a product of the core is congruent to it, and below limit. "
    "reduce has [y, y/R mod m], which is the result. product has [x, y, x*y mod m], for x and y below m."
)


@dataclass
class Checked:
    """What a check has done: values compared, operations of the hardware, and what was wrong."""

    values: int = 0
    operations: int = 0
    failed: list[str] = field(default_factory=list)


def moduli(width: int, draw: Draw) -> dict[int, str]:
    """Return the moduli: of both classes mod 4, full and with a clear top bit."""
    full, half = 1 << width, 1 << width - 1
    one = draw.modulus(width) & ~2
    found = {
        full - 1: f"2^{width} - 1, 3 mod 4",
        half + 1: f"2^{width - 1} + 1, 1 mod 4",
        one: "random, 1 mod 4",
        draw.modulus(width) | 2: "random, 3 mod 4",
        half - 1: f"2^{width - 1} - 1: the top bit is clear",
        draw.modulus(width - 1) & ~2: "random, the top bit is clear, 1 mod 4",
        3: "the least",
    }
    assert all(m % 2 and 3 <= m < full for m in found)
    return found


def _set(configs: Sequence[Config], draw: Draw) -> dict[str, Any]:
    model, par, width = configs[0].model, configs[0].params, configs[0].width
    r_exp = model.r_exp(par)
    r = 1 << r_exp
    entries = []
    for m, what in moduli(width, draw).items():
        limit = model.operand_limit(par, m)
        top, last = limit - 1, m - 1
        multiply = [(top, top), (last, top), (0, top), (1, last), (draw.below(limit), draw.below(limit))]
        product = [(last, draw.below(m))]
        entries.append(
            {
                "what": what,
                "m": f"{m:x}",
                "limit": f"{limit:x}",
                "multiply": [_hex(x, y, x * y * pow(r, -1, m) % m) for x, y in multiply],
                "reduce": [_hex(y, y * pow(r, -1, m) % m) for y in (top, draw.below(limit))],
                "product": [_hex(x, y, x * y % m) for x, y in product],
            }
        )
    names = [config.name for config in configs]
    return {"width": width, "r_exp": r_exp, "configurations": names, "moduli": entries}


def _hex(*numbers: int) -> list[str]:
    return [f"{number:x}" for number in numbers]


def made(family: Family) -> dict[str, Any]:
    """Return the content of a family's file."""
    sets: dict[tuple[int, ...], list[Config]] = {}
    for name in family.configs:
        config = family.config(name)
        if config.width <= WIDEST:
            model, par = config.model, config.params
            edges = ((1 << config.width) - 1, (1 << config.width - 1) + 1, 3)
            limits = (model.operand_limit(par, m) for m in edges)
            sets.setdefault((config.width, model.r_exp(par), *limits), []).append(config)
    chosen = sorted(sets, key=lambda key: -len(sets[key]))[:MOST]
    found = [_set(configs, Draw(f"{family.name} {key}")) for key, configs in sets.items() if key in chosen]
    return {"family": family.name, "about": ABOUT, "sets": found}


def text(family: Family) -> str:
    """Return a family's file: a line per modulus."""
    whole = made(family)
    lines = [f'{{"family": "{family.name}",', f'"about": {json.dumps(ABOUT)},', '"sets": [']
    for at, one in enumerate(whole["sets"]):
        head = json.dumps({name: value for name, value in one.items() if name != "moduli"})
        moduli = ",\n".join(json.dumps(entry) for entry in one["moduli"])
        lines += [f'{head[:-1]}, "moduli": [', f"{moduli}]}}{',' if at + 1 < len(whole['sets']) else ''}"]
    return "\n".join([*lines, "]}"]) + "\n"


def path(family: Family) -> Path:
    """Return the path of a family's file."""
    return family.folder / NAME


def read(family: Family, file: Path | None = None) -> list[dict[str, Any]]:
    """Return the sets of a family's file; ToolError if it has none."""
    where = file or path(family)
    try:
        sets = list(json.loads(where.read_text(encoding="utf-8"))["sets"])
        full = all(one["configurations"] and values(one) for one in sets)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ToolError("vectors", f"{where}: {error}") from None
    if not sets or not full:
        raise ToolError("vectors", f"{where} has no vectors")
    return sets


def current(family: Family) -> bool:
    """Whether a family's file is what the command writes."""
    return path(family).read_text(encoding="utf-8") == text(family)


def values(one: dict[str, Any]) -> int:
    """Return how many values a set has."""
    return sum(len(entry[kind]) for entry in one["moduli"] for kind in KINDS)


class Core(Protocol):
    """What computes the vectors of a modulus."""

    def multiply(self, pairs: Sequence[tuple[int, int]]) -> list[int]:
        """Return products in the redundant range."""

    def reduce(self, numbers: Sequence[int]) -> list[int]:
        """Return reduced numbers."""


@dataclass
class Hardware:
    """A simulated core, which has a modulus; `operations` counts what it did."""

    bench: ContractBench
    operations: int = 0

    def multiply(self, pairs: Sequence[tuple[int, int]]) -> list[int]:
        """Return products in the redundant range."""
        return self._run([Op(MUL, x, y) for x, y in pairs])

    def reduce(self, numbers: Sequence[int]) -> list[int]:
        """Return reduced numbers."""
        return self._run([Op(REDUCE, 0, y) for y in numbers])

    def _run(self, ops: Sequence[Op]) -> list[int]:
        self.operations += len(ops)
        return [done.z for done in self.bench.run(ops)]


@dataclass
class Modelled:
    """A family's model with a modulus: step by step, or by its closed formula."""

    config: Config
    m: int
    closed: bool

    def multiply(self, pairs: Sequence[tuple[int, int]]) -> list[int]:
        """Return products in the redundant range."""
        model = self.config.model
        formula = model.mont_value if self.closed else model.mont
        return [formula(self.config.params, self.m, x, y) for x, y in pairs]

    def reduce(self, numbers: Sequence[int]) -> list[int]:
        """Return reduced numbers."""
        return [self.config.model.reduce(self.config.params, self.m, y) for y in numbers]


def check_hardware(config: Config, one: dict[str, Any]) -> Checked:
    """Run a set on a simulated core."""
    out = Checked()
    with ContractBench(config) as bench:
        core = Hardware(bench)
        for entry in one["moduli"]:
            bench.load(int(entry["m"], 16))
            _compare(config, one["r_exp"], entry, core, out)
        out.operations = core.operations
    return out


def check_model(config: Config, one: dict[str, Any]) -> Checked:
    """Compute a set with the family's model."""
    out = Checked()
    for entry in one["moduli"]:
        for closed in (False, True):
            core = Modelled(config, int(entry["m"], 16), closed)
            _compare(config, one["r_exp"], entry, core, out)
    return out


def _numbers(entry: dict[str, Any], kind: str) -> list[list[int]]:
    return [[int(digits, 16) for digits in row] for row in entry[kind]]


def _compare(config: Config, r_exp: int, entry: dict[str, Any], core: Core, out: Checked) -> None:
    """Compare the values of a modulus; products modulo m are computed with R^2 mod m, as a host does."""
    m, limit = int(entry["m"], 16), int(entry["limit"], 16)
    where = f"{config.spec}, m = {entry['what']}"
    rows, halves, whole = (_numbers(entry, kind) for kind in KINDS)
    for (x, y, wanted), z in zip(rows, core.multiply([(x, y) for x, y, _ in rows]), strict=True):
        if z % m != wanted or z >= limit:
            out.failed.append(f"{where}: the product of {x:x} and {y:x} is {z:x}")
    for (y, wanted), z in zip(halves, core.reduce([y for y, _ in halves]), strict=True):
        if z != wanted:
            out.failed.append(f"{where}: {y:x} is reduced to {z:x}")
    square = pow(2, 2 * r_exp, m)
    entered = core.multiply([(number, square) for row in whole for number in row[:2]])
    products = core.reduce(core.multiply(list(zip(entered[::2], entered[1::2], strict=True))))
    for (x, y, wanted), z in zip(whole, products, strict=True):
        if z != wanted:
            out.failed.append(f"{where}: {x:x} times {y:x} mod m is {z:x}")
    out.values += len(rows) + len(halves) + len(whole)


def main() -> None:
    """Write the files of all families."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--write", action="store_true", required=True)
    parser.parse_args()
    for family in families().values():
        path(family).write_text(text(family), encoding="utf-8")


if __name__ == "__main__":
    main()
