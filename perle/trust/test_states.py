# SPDX-License-Identifier: Apache-2.0
"""Multipliers that begin with anything in their registers: a reset leads to one state, then they are right.

The benches of the families begin with zeros everywhere, as most FPGAs do, and cannot miss a reset.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest

from perle.cores.registry import Config, families
from perle.flow import yosys
from perle.trust import state
from perle.trust.elaborated import elaborated, written
from perle.trust.gates import expected
from perle.trust.watched import INDEX, WatchedBench, shapes, shapes_file, told
from perle.verify.cases import edge_moduli, edge_operands, operand_limit, random_modulus
from perle.verify.failure import BenchError
from perle.verify.testbench import MUL, REDUCE, Op

SEEDS = range(1, 25)
EVERY = [pytest.param(one, id=f"{name}-{one.name}") for name in families() for one in shapes(name)]


@cache
def with_reset(family: str) -> tuple[set[str], set[str]]:
    """Return the names of a family's registers with a reset: in all modules, and in some of them."""
    return state.reset(path.read_text(encoding="utf-8") for path in families()[family].files)


def after_reset(config: Config, files: list[Path] | None = None) -> list[str]:
    """Return what is wrong after a reset: registers that depend on what was before it, or on nothing told."""
    names, doubtful = with_reset(config.family.name)
    known = told(config.family.name)
    ends: dict[str, set[str]] = {}
    for seed in SEEDS:
        with WatchedBench(config, seed, files) as bench:
            for one in bench.state():
                right = one.value in known.reset.get(one.variable, [0])
                if one.variable in names | doubtful:
                    ends.setdefault(one.name, set()).add("" if right else f"{one.name} = {one.value:#x}")
    wrong = {name for name, texts in ends.items() if texts != {""}}
    sure = {name for name in wrong if INDEX.sub("", name).rpartition(".")[2] in names}
    found = [text for name in sorted(sure) for text in sorted(ends[name])[:2] if text]
    wanted, left = known.without[config.name], len(wrong - sure)
    if left != wanted:
        found.append(f"{left} registers of names with and without reset are without, not {wanted}")
    return found


def works(config: Config, seed: int, files: list[Path] | None = None) -> None:
    """Operations from a random state: values and, one at a time, cycles are the model's; with stalls too."""
    rng = Random(f"{seed} {config.spec}")
    with WatchedBench(config, seed, files) as bench:
        for m in (rng.choice(edge_moduli(config.width)), random_modulus(rng, config.width)):
            limit = operand_limit(config, m)
            values = [*edge_operands(m, limit), *(rng.randrange(limit) for _ in range(9))]
            bench.load(m)
            for stalls in (0, 0, seed):
                count = 8 if stalls else 1
                kinds = rng.choices([MUL, REDUCE], [4, 1], k=count)
                ops = [Op(kind, rng.choice(values), rng.choice(values)) for kind in kinds]
                for op, out in zip(ops, bench.run(ops, stalls), strict=True):
                    value, cycles = expected(config, m, op)
                    assert out.z == value, (hex(m), op)
                    assert out.latency == cycles or (stalls and out.latency > cycles), (op, out)


def from_any_state(config: Config, files: list[Path] | None = None) -> None:
    """Do that from many states."""
    for seed in SEEDS:
        works(config, seed, files)


LEFT_OUT = {
    "gen_refuse": "wrong parameters",
    "gen_radix": "wrong parameters",
    "gen_keep": "tile_results in the engine, which has tests of its own",
}


@pytest.mark.parametrize("family", families())
def test_every_module_and_generate_block_is_in_a_shape(family: str) -> None:
    """Others would not be in the model at all: neither random states nor coverage would say so."""
    pytest.importorskip("pyslang")
    one = families()[family]
    found = {
        name
        for config in shapes(family)
        for contexts in (1, 2)
        for name in elaborated(one.files, one.top, {**config.params, "Contexts": contexts})
    }
    assert written(one.files) - found - set(LEFT_OUT) == set()


@pytest.mark.parametrize("config", EVERY)
def test_no_register_and_no_memory_is_missed(config: Config) -> None:
    """What the tests from random states and the bit flips can reach, by bits, beside Yosys's count."""
    there = yosys.state_bits(config.family.files, config.family.top, {**config.params, "Contexts": 1})
    with WatchedBench(config, 1) as bench:
        reached = bench.bits
    # some variables have bits that are never assigned
    assert there <= reached <= 1.2 * there


@pytest.mark.whole
@pytest.mark.parametrize("config", EVERY)
def test_a_reset_leads_to_one_state(config: Config) -> None:
    """Registers with a reset are zero after it, but for those that `shapes.toml` tells of."""
    assert after_reset(config) == []


@pytest.mark.whole
@pytest.mark.parametrize("config", EVERY)
def test_it_works_from_any_state(config: Config) -> None:
    from_any_state(config)


def test_what_is_assigned_after_a_block_is_state_too() -> None:
    block = "if (a) begin b_q <= c; end d_q <= e; case (f) 1'b0: {g_q, h_q} <= i; endcase k_q[1] <= l;"
    assert state.assigned(f"begin {block} end") == ["b_q", "d_q", "g_q", "h_q", "k_q"]


def test_every_family_has_shapes() -> None:
    for name in families():
        assert shapes_file(name).is_file(), name
        assert len(with_reset(name)[0]) > 5, name


def broken(folder: Path, old: str, new: str) -> list[Path]:
    """Return orup's files, with a piece of its multiplier exchanged."""
    files = []
    for path in families()["orup"].files:
        text = path.read_text(encoding="utf-8")
        if path.stem == "perle_orup_mul":
            assert old in text
            text = text.replace(old, new, 1)
        (folder / path.name).write_text(text, encoding="utf-8")
        files.append(folder / path.name)
    return files


def test_a_missing_reset_is_seen(tmp_path: Path) -> None:
    files = broken(tmp_path, "state_q <= StIdle;", "")
    config = shapes("orup")[0]
    assert any("state_q" in text for text in after_reset(config, files))
    with pytest.raises((BenchError, AssertionError)):
        from_any_state(config, files)


def test_another_reset_value_is_seen(tmp_path: Path) -> None:
    files = broken(tmp_path, "reduce_q <= 1'b0;", "reduce_q <= 1'b1;")
    assert any("reduce_q = 0x1" in text for text in after_reset(shapes("orup")[0], files))


def test_a_missing_reset_of_a_name_that_has_none_elsewhere_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A register whose name is doubtful is counted."""
    monkeypatch.setattr("perle.trust.test_states.with_reset", lambda _: (set(), {"a_q", "state_q"}))
    found = after_reset(shapes("orup")[0])
    assert found == ["1 registers of names with and without reset are without, not 0"]
