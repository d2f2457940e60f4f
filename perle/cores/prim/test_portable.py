# SPDX-License-Identifier: Apache-2.0
"""Portable leaf cells equal those of the cores, as netlists in synthesis and in two-state simulation."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.cores.registry import CORES
from perle.flow import yosys
from perle.flow.tools import ToolError

PORTABLE = CORES / "prim" / "portable"
# leaf cell, its file among the cores, and values of its parameters
LEAVES = [
    ("perle_mul_reg2", CORES / "prim", {"Width": 4}),
    ("perle_stream_sum", CORES / "stream", {"RadixBits": 3}),
]


def read(file: Path, leaf: str, params: dict[str, int], kind: str, option: str, folder: Path) -> list[str]:
    [name] = yosys.copied([file], folder / kind)
    return [
        f"{yosys.read([f'{kind}/{name}'], leaf, params)} {option}",
        "setattr -unset src *",
        "setattr -mod -unset src *",
        f"rename {leaf} {kind}",
        f"write_rtlil {kind}.il",
        f"design -stash {kind}",
    ]


def netlists(file: Path, leaf: str, own: Path, params: dict[str, int], folder: Path) -> tuple[str, str]:
    """Return the netlists of a core's leaf cell and of the portable one."""
    script = read(own / f"{leaf}.sv", leaf, params, "core", "", folder)
    yosys.execute([*script, *read(file, leaf, params, "portable", "", folder)], folder, timeout=300)
    core, portable = ((folder / f"{kind}.il").read_text() for kind in ("core", "portable"))
    return core, portable.replace("\\portable", "\\core")


def prove_equal(file: Path, leaf: str, own: Path, params: dict[str, int], folder: Path) -> None:
    """Raise ToolError unless a core's leaf cell and the portable one have equal outputs in simulation."""
    lines = read(own / f"{leaf}.sv", leaf, params, "core", "", folder)
    lines += read(file, leaf, params, "portable", "--no-synthesis-define", folder)
    lines += [f"design -copy-from {kind} -as {kind} {kind}" for kind in ("core", "portable")]
    lines += ["miter -equiv -make_assert -flatten core portable miter", "hierarchy -top miter"]
    proof = "sat -verify -prove-asserts -tempinduct -set-init-zero -maxsteps 4 miter"
    yosys.execute([*lines, "opt -full", proof], folder, timeout=300)


@pytest.mark.parametrize(("leaf", "own", "params"), LEAVES)
def test_synthesis_makes_the_same(leaf: str, own: Path, params: dict[str, int], tmp_path: Path) -> None:
    core, portable = netlists(PORTABLE / f"{leaf}.sv", leaf, own, params, tmp_path)
    assert core == portable


@pytest.mark.parametrize(("leaf", "own", "params"), LEAVES)
def test_simulators_see_the_same(leaf: str, own: Path, params: dict[str, int], tmp_path: Path) -> None:
    prove_equal(PORTABLE / f"{leaf}.sv", leaf, own, params, tmp_path)


@pytest.mark.parametrize(
    ("leaf", "old", "new"),
    [
        ("perle_mul_reg2", "x_q == '0 ||", "x_q == '1 ||"),
        ("perle_stream_sum", "carry_q <= '0;", "carry_q <= 2'd1;"),
    ],
)
def test_the_proofs_can_fail(leaf: str, old: str, new: str, tmp_path: Path) -> None:
    [(own, params)] = [(own, params) for name, own, params in LEAVES if name == leaf]
    text = (PORTABLE / f"{leaf}.sv").read_text(encoding="utf-8")
    assert old in text
    broken = tmp_path / f"{leaf}.sv"
    broken.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ToolError, match="proof did fail"):
        prove_equal(broken, leaf, own, params, tmp_path / "work")
    broken.write_text(text.replace("ifndef", "ifdef"), encoding="utf-8")
    core, portable = netlists(broken, leaf, own, params, tmp_path / "netlists")
    assert core != portable


def test_every_leaf_is_looked_at() -> None:
    assert {path.stem for path in PORTABLE.glob("*.sv")} == {leaf for leaf, _, _ in LEAVES}
