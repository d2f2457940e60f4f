# SPDX-License-Identifier: Apache-2.0
"""Costs of elements and multipliers of carter2012: as printed, as the paper counts, and as a whole."""

from __future__ import annotations

from dataclasses import dataclass

from perle.cores.registry import families, resolve
from perle.cores.scalable import model
from perle.papers import load
from perle.report.papers.table import Figure, Measured, combined, exact
from perle.results import metrics, names

PAPER = load("carter2012")
PE, CPA = "pe", "cpa"
PJ_PER_NJ = 1000

# kind → its name in claims, in configurations, and the elements of table II; the second has m = n = 256
KINDS = {"R2": ("r2", "r2", (8, 16, 32)), "R4": ("r4", "r4", (4, 8, 16)), "R4B": ("r4b", "b4", (4, 8, 16))}
EQUAL = {kind: counts[1] for kind, (_, _, counts) in KINDS.items()}


def core(kind: str, elements: int, *, ours: bool = False) -> str:
    """Return the configuration with that many elements as in the paper, or with `ours`, Perle's own ones."""
    own = "" if ours or kind == "R2" else "_paper"
    return f"scalable:{KINDS[kind][1]}_w16_p{elements}_n256{own}"


def printed(pattern: str) -> dict[str, float]:
    """Return the value of a claim for every kind.

    In `pattern`, `{}` stands for the kind's name, `{p}` for that name with its number of elements at m = n.
    """
    found = {kind: (name, f"{name}_p{EQUAL[kind]}") for kind, (name, _, _) in KINDS.items()}
    return {kind: float(PAPER[pattern.format(name, p=p)].number) for kind, (name, p) in found.items()}


@dataclass(frozen=True)
class Costs:
    """Cycles, energy in nJ, delay in ns and area in µm² of a product."""

    cycles: Figure
    energy: Figure
    delay: Figure
    area: Figure


def element_core(measured: Measured, kind: str, *, ours: bool = False) -> str:
    """Return the configuration whose element was measured: that with m = n, else another of that kind."""
    counts = sorted(KINDS[kind][2], key=lambda count: count != EQUAL[kind])
    there = {f"scalable:{name}" for name in families()["scalable"].configs}
    names_of = [name for count in counts if (name := core(kind, count, ours=ours)) in there]
    found = [one for one in names_of if measured(one, names.SILICON, names.AREA, PE).value is not None]
    return (found or names_of)[0]


def element(measured: Measured, kind: str, *, ours: bool = False) -> Costs:
    """Return the costs of one element in one cycle."""
    name = element_core(measured, kind, ours=ours)
    energy = combined(lambda pj: pj / PJ_PER_NJ, measured(name, names.SILICON, names.ENERGY, PE))
    return Costs(
        exact(1),
        energy,
        measured.period(name, names.SILICON, PE),
        measured(name, names.SILICON, names.AREA, PE),
    )


def counted(measured: Measured, kind: str, elements: int, *, ours: bool = False) -> Costs:
    """Return the costs of a product as the paper does: those of an element times elements and cycles (2)."""
    config, one = resolve(core(kind, EQUAL[kind])), element(measured, kind, ours=ours)
    cycles = model.kernel_cycles(config.params | {"Elements": elements}, config.width)
    return Costs(
        exact(cycles),
        combined(lambda energy: energy * elements * cycles, one.energy),
        combined(lambda delay: metrics.latency(cycles, delay), one.delay),
        combined(lambda area: area * elements, one.area),
    )


def whole(measured: Measured, kind: str, elements: int) -> Costs:
    """Return the costs of a product on the whole multiplier, including queue, control and unloading."""
    name = core(kind, elements)
    cycles = metrics.product_cycles(resolve(name))
    return Costs(
        exact(cycles),
        combined(lambda pj: pj / PJ_PER_NJ, measured(name, names.SILICON, names.PRODUCT_ENERGY)),
        combined(lambda period: metrics.latency(cycles, period), measured.period(name, names.SILICON)),
        measured(name, names.SILICON, names.AREA),
    )
