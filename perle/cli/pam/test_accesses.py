# SPDX-License-Identifier: Apache-2.0
"""`perle step` and `perle trace` on active memories."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from perle.cli.io.errors import Code
from perle.cli.pam import accesses
from perle.cores.registry import resolve_memory
from perle.pam.bus_mul.model import step_cycles
from perle.pam.mod_product.model import product_cycles
from perle.pam.reg_mul.model import charge_cycles, mult_cycles
from tests.cli_run import answer, invoke, refused

A, B = 0x123456789ABCDEF0F, 0xFEDCBA9876543

BUSY = {"bus_mul": step_cycles, "reg_mul": charge_cycles, "mod_product": product_cycles}


def lines(*args: object) -> list[dict[str, Any]]:
    """Run `perle step` with --json; return its lines."""
    return [json.loads(line) for line in invoke("step", *args, "--json").stdout.splitlines()]


@pytest.mark.parametrize(
    ("spec", "instructions"),
    [
        ("bus_mul:variable512", {"WriteA", "WriteB", "WriteS", "ReadP"}),
        ("sim:reg_mul:booth", {"Charge(R0, -, -)", "Mult(R1, -, R2)", "Charge(-, -, R3)", "WriteR R1[7]"}),
        ("mod_product:w254", {"WriteB", "WriteBAlign", "MultB1", "ReadP"}),
    ],
)
def test_a_product_access_by_access(spec: str, instructions: set[str]) -> None:
    *told, end = lines("mul", f"{A:x}", f"{B:x}", "--board", spec)
    accesses, shown = told[::2], told[1::2]
    assert instructions <= {one["instruction"] for one in accesses}
    assert [one["access"] for one in accesses] == list(range(1, end["accesses"] + 1))
    config = resolve_memory(spec.removeprefix("sim:"))
    assert int(end["p"], 16) == A * B % config.params.get("Modulus", 1 << 1000)
    assert len(shown) == len(accesses)
    assert all(len(one["registers"]) < len(shown[0]["registers"]) for one in shown[1:])
    assert any(one["registers"] for one in shown[1:])
    assert sorted(one["cycle"] for one in shown) == [one["cycle"] for one in shown]
    # The host waits for instructions that take longer than the next one or two accesses (18 cycles each)
    longest = max(one["waited"] for one in accesses)
    cycles = BUSY[config.family.name](config.params)
    assert cycles - 36 <= longest < cycles


def test_numbers_by_chance_in_words() -> None:
    text = invoke("step", "--board", "reg_mul:booth", "--match", "acc").stdout
    assert "WriteR R0[0] ← " in text
    assert "Mult(R1, -, R2)" in text
    a, b, p = (int(line.split()[1], 16) for line in text.splitlines() if line[:2] in {"a ", "b ", "p "})
    assert a * b == p


def test_single_clock_cycles_of_a_busy_board() -> None:
    args = (
        "mul",
        "3",
        "5",
        "--board",
        "reg_mul:booth",
        "--cycles",
        "4",
        "--all",
        "--match",
        "cycle|word",
    )
    told = lines(*args)
    assert told[-6]["instruction"].startswith("Charge") or "instruction" in told[-6]
    cycles = [one["cycle"] for one in told[-5:]]
    assert cycles == list(range(cycles[0], cycles[0] + 5))
    assert "p" not in told[-1]


def test_what_an_active_memory_does_not_do() -> None:
    assert "mul A B" in refused(Code.USAGE, "step", "exp", "3", "5", "7", "--board", "reg_mul:booth")
    assert "mul A B" in refused(Code.USAGE, "step", "mul", "3", "--board", "reg_mul:booth")
    assert "513 bits" in refused(
        Code.INPUT, "step", "mul", f"{1 << 512:x}", "3", "--board", "bus_mul:fixed512"
    )
    assert "no configuration" in refused(Code.USAGE, "step", "--board", "reg_mul:nothing")
    assert "mul X Y M" in refused(Code.USAGE, "step")
    assert ".fst" in refused(Code.USAGE, "trace", "--board", "reg_mul:booth", "-o", "x.txt")


def test_a_wrong_result_is_a_fault() -> None:
    config = resolve_memory("reg_mul:booth")
    job = accesses.Job(config, "mul", ["3", "5"])
    assert job.finish([15, *[0] * 15]) == 15
    with pytest.raises(Exception, match="wrong"):
        job.finish([16, *[0] * 15])


@pytest.mark.wide
def test_trace_of_a_product(tmp_path: Path) -> None:
    out = tmp_path / "product.vcd"
    facts = answer("trace", "mul", "3", "5", "--board", "reg_mul:booth", "-o", out)
    assert facts["r"] == "f"
    assert facts["cycles"] > mult_cycles(resolve_memory("reg_mul:booth").params)
    assert "$enddefinitions" in out.read_text(encoding="utf-8")
