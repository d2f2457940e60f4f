# SPDX-License-Identifier: Apache-2.0
"""The suite of the contract passes a multiplier that keeps it, and fails one that breaks it in any way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import cast

import pytest

from perle.cores.iterative.test_exp import TestExponents as IterativeExponents
from perle.cores.iterative.test_rtl import TestContract as Iterative
from perle.cores.iterative.test_rtl import sized
from perle.cores.registry import Config, resolve
from perle.cores.scalable.test_rtl import TestContract as Scalable
from perle.cores.stream.test_rtl import TestContract as Stream
from perle.verify.contract import ContractSuite, expected, latencies
from perle.verify.testbench import MUL, REDUCE, ContractBench, Op, Outcome

KEEPING = [(Iterative(), "iterative:w64"), (Stream(), "stream:w64"), (Scalable(), "scalable:r2_w16_p8_n256")]
BREAKS: dict[str, Callable[[Outcome], Outcome]] = {
    "value": lambda out: replace(out, z=out.z + 1),
    "latency": lambda out: replace(out, latency=out.latency + 1),
    "gap": lambda out: replace(out, gap=out.gap + 1),
}


class Played:
    """A testbench whose multiplier is the model, but for one outcome."""

    def __init__(self, suite: ContractSuite, config: Config, broken: int, fault: str) -> None:
        self.suite, self.config, self.broken, self.fault = suite, config, broken, fault
        self.moduli: Sequence[int] = ()
        self.bits: int | None = None

    def load(self, *moduli: int, bits: int | None = None) -> None:
        self.moduli, self.bits = moduli, bits

    def run(self, ops: Sequence[Op], seed: int = 0) -> list[Outcome]:
        assert seed == 0
        latency = latencies(self.config, self.bits)
        gaps = self.suite.gaps(self.config, len(ops)) or [latency[op.kind] for op in ops[:-1]]
        found = [
            Outcome(expected(self.config, self.moduli[op.ctx], op, self.bits), latency[op.kind], gap)
            for op, gap in zip(ops, [*gaps, 0], strict=True)
        ]
        if self.fault == "context":
            other = expected(self.config, self.moduli[0], ops[self.broken], self.bits)
            found[self.broken] = replace(found[self.broken], z=other)
        elif self.fault:
            found[self.broken] = BREAKS[self.fault](found[self.broken])
        return found


@pytest.mark.parametrize("fault", ["", *BREAKS, "context"])
@pytest.mark.parametrize(("suite", "spec"), KEEPING, ids=[spec for _, spec in KEEPING])
def test_every_outcome_is_held_to_the_model(suite: ContractSuite, spec: str, fault: str) -> None:
    rng, config, moduli = Random(1), resolve(spec), [(1 << 60) - 93, (1 << 61) - 1]
    ops = [
        Op(kind, rng.getrandbits(59), rng.getrandbits(59), i % 2) for i, kind in enumerate([MUL, REDUCE] * 4)
    ]
    ops[5] = replace(ops[5], kind=MUL)
    bench = cast(ContractBench, Played(suite, config, 5, fault))
    if not fault:
        assert len(suite.check(bench, moduli, ops)) == len(ops)
        return
    with pytest.raises(AssertionError):
        suite.check(bench, moduli, ops)


def broken(config: Config, file: str, folder: Path, *faults: tuple[str, str]) -> Config:
    """Return a configuration one of whose files is broken."""
    [source] = [one for one in config.family.files if one.stem == f"perle_iterative_{file}"]
    text = source.read_text(encoding="utf-8")
    for old, new in faults:
        assert text.count(old) == 1
        text = text.replace(old, new)
    changed = folder / source.name
    changed.write_text(text, encoding="utf-8")
    files = tuple(changed if one == source else one for one in config.family.files)
    return replace(config, family=replace(config.family, files=files))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("mod_i[req_ctx_i][ConstM]", "mod_i[0][ConstM]"),
        ("(req_op_i == OpReduce)", "1'b0"),
    ],
    ids=["contexts mix", "OpReduce is not canonical"],
)
def test_broken_hardware_is_seen(old: str, new: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        Iterative().test_contexts_do_not_mix(broken(sized(8, 0, 2), "mul", tmp_path, (old, new)))


def test_a_reset_that_is_honoured_once_is_seen(tmp_path: Path) -> None:
    once = (
        "logic once_q = 1'b0;\n  always_ff @(posedge rst_ni) once_q <= 1'b1;\n  always_ff @(posedge clk_i or"
    )
    faults = ("always_ff @(posedge clk_i or", once), ("if (!rst_ni) begin", "if (!rst_ni && !once_q) begin")
    config = broken(sized(8, 0, 1), "ctrl_streamlined", tmp_path, *faults)
    with pytest.raises(AssertionError):
        IterativeExponents().test_reset_in_mid_operation(config)
