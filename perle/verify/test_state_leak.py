# SPDX-License-Identifier: Apache-2.0
"""Zeroizing leaves nothing: no register and no memory, of any family, tells two secrets apart afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.cores.karatsuba.model import depth
from perle.cores.modexp.model import Command, Mode
from perle.cores.registry import Config, families, family
from perle.verify import state_leak
from perle.verify.state_leak import EXPONENT_BITS, difference, interrupt, signals, zeroize
from perle.verify.word import WordBench

# What makes other hardware than a family's defaults do.
VARIANTS: dict[str, list[dict[str, int]]] = {
    "iterative": [{"PaperStates": 0}, {"PaperStates": 1}, {"Segment": 0}],
    # products that follow each other keep their turn in the row at an even width, and change it at an odd one
    "bit_systolic": [{"Width": 64}, {"Width": 65}, {"Width": 64, "Paper": 1}],
    # radix 4 first: how often M is subtracted, up to three times, tells most results apart there
    "scalable": [{"WordWidth": 8, "Elements": 4, "Kind": kind} for kind in (1, 0, 2)],
    "karatsuba": [{"HalfProducts": 0}, {"HalfProducts": 1}, {"WithStep4": 1, "LimbWidth": 16}, {"Fold": 1}],
}

# One context of four works: what is in the others' memories was there at power-up, and no operand changes it.
# So both histories begin with the same contents.
IDLE_PARTS = {"tile"}


def variants() -> list[Config]:
    """Return every family, as small as a product of real work goes."""
    return [
        Config(fam, "-".join([name, *map(str, chosen.values())]), fam.complete({"Width": 64, **chosen}))
        for name, fam in families().items()
        for chosen in VARIANTS.get(name, [{}])
    ]


# One of every family each time; the others, each a simulator to build, with the wide ones.
CHOSEN = {config.family.name: config for config in reversed(variants())}


@pytest.fixture(
    params=[
        pytest.param(config, marks=() if config == CHOSEN[config.family.name] else pytest.mark.wide)
        for config in variants()
    ],
    ids=lambda config: config.name,
)
def config(request: pytest.FixtureRequest) -> Config:
    """Yield each variant in turn."""
    chosen: Config = request.param
    return chosen


@pytest.fixture(autouse=True)
def same_start(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin both histories alike, where parts are never used."""
    if (
        "config" not in request.fixturenames
        or request.getfixturevalue("config").family.name not in IDLE_PARTS
    ):
        return

    def bench(config: Config, *, traced: bool, seed: int) -> WordBench:
        assert seed in (1, 2)
        return WordBench(config, traced=traced, seed=1)

    monkeypatch.setattr(state_leak, "WordBench", bench)


def at_work(bench: WordBench) -> None:
    """Leave off in the middle of a second exponentiation."""
    bench.start(Command.EXP, Mode.WINDOW, EXPONENT_BITS)
    product = bench.config.model.mul_cycles(bench.config.params)
    bench.lib.word_advance(bench.handle, 3 * product + product // 2)
    bench.errors()


def test_a_zeroize_leaves_nothing(config: Config, tmp_path: Path) -> None:
    assert difference(config, zeroize, tmp_path) == []


def test_a_reset_in_mid_operation_leaves_nothing(config: Config, tmp_path: Path) -> None:
    product = config.model.mul_cycles(config.params)
    for cycles in (1, product // 2, 2 * product + 3, 5 * product - 1):
        assert difference(config, interrupt(cycles), tmp_path) == []


def test_without_a_zeroize_it_would_be_seen(config: Config, tmp_path: Path) -> None:
    """At work, operands and secrets show in the multiplier as in the store: the comparison is not blind."""
    seen = difference(config, at_work, tmp_path)
    assert sum(".u_mul." in name for name in seen) >= 10, seen
    assert any(".u_store." in name for name in seen)


def test_signals_of_a_dump(tmp_path: Path) -> None:
    """Every name of a value that several places show, and words of memories one by one."""
    dump = tmp_path / "state.vcd"
    dump.write_text(
        "$timescale 1ps $end\n $scope module TOP $end\n  $var wire 1 # a $end\n"
        "  $scope module inner $end\n   $var wire 1 # b $end\n   $var wire 4 $ mem_q[0] [3:0] $end\n"
        "  $upscope $end\n $upscope $end\n$enddefinitions $end\n\n#0\n1#\nb0101 $\n",
        encoding="utf-8",
    )
    assert signals(dump) == {"TOP.a": "1", "TOP.inner.b": "1", "TOP.inner.mem_q[0][3:0]": "b0101"}


def test_memories_and_deep_layers_are_looked_at(tmp_path: Path) -> None:
    """The words in which t1 waits, and the innermost products of the recursion, are among the signals."""
    fam = family("karatsuba")
    config = Config(fam, "karatsuba-0", fam.complete({"Width": 64}))
    with WordBench(config, traced=True) as bench:
        bench.lib.word_dump(bench.handle, str(tmp_path / "state.vcd").encode())
    names = signals(tmp_path / "state.vcd")
    parts = -(-2 * config.operand_bits // 32)  # the memory is cut into columns of 32 bits
    assert sum(".t1_mem[" in name for name in names) == depth(config.params) * parts
    assert any(name.count(".gen_layer.") == 2 and ".u_mul.p_o" in name for name in names)
