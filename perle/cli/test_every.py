# SPDX-License-Identifier: Apache-2.0
"""Every named configuration of every family from the command line, compared with Python's arithmetic.

`make wide` runs all of them, alone and with lanes. `make test` runs a small relative of every kind: a small
configuration with the same hardware features. A new configuration of another kind needs its own relative.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from perle.boards.build import build_board
from perle.boards.memory import build_memory
from perle.boards.wrapper import engine
from perle.cli import test_families, test_lanes
from perle.cli.pam import accesses
from perle.cores import registry
from perle.cores.modexp.model import Command, Mode, cycles
from perle.cores.registry import Config, Family
from perle.cores.stream.engine.conftest import SHAPES
from perle.cores.tile.engine.conftest import shape as tile
from perle.cores.tile.model import CONTEXTS
from perle.host import boards as host_boards
from perle.host.pam.driver import names
from perle.host.pam.spec import OTHERS, ROWS
from perle.host.sample import sample
from perle.pam.mod_product.test_rtl import TINY
from tests.cli_run import answer, invoke

EXPONENT_BITS = 19
LANES = 2

SIZES = {
    *("Width", "Words", "WordWidth", "Elements", "Modulus"),
    *("LimbWidth", "ChainSegments", "Segment", "ResolveBits"),
}
"""Parameters that only change the size of the hardware."""

CHOICES = {"Kind"}
"""Parameters each of whose values is another hardware; of all others only whether they are the default."""

SMALL: dict[str, dict[str, int]] = {
    "orup:late": {"Width": 20, "RadixBits": 16, "QuotientDelay": 1},
    "iterative:paper": {"Width": 20, "PaperStates": 1, "Segment": 0},
    "bit_systolic:one": {"Width": 20, "Paper": 1},
    "scalable:radix4_paper": {"Width": 20, "WordWidth": 8, "Elements": 3, "Kind": 1, "Paper": 1},
    "scalable:booth_paper": {"Width": 20, "WordWidth": 8, "Elements": 3, "Kind": 2, "Paper": 1},
    "scalable:radix2": {"Width": 20, "WordWidth": 8, "Elements": 3, "Kind": 0},
    "scalable:booth": {"Width": 20, "WordWidth": 8, "Elements": 3, "Kind": 2},
    "karatsuba:half": {"Width": 20, "LeafWidth": 8, "HalfProducts": 1},
    "karatsuba:split": {"Width": 20, "LeafWidth": 8, "LimbWidth": 8, "WithStep4": 1, "SplitLeaf": 1},
    "karatsuba:folded": {"Width": 20, "LeafWidth": 8, "Fold": 1},
    "karatsuba:folded_half": {"Width": 20, "LeafWidth": 8, "HalfProducts": 1, "Fold": 1},
    "stream:folded": {"Width": 40, "RadixBits": 17, "Fold": 3},
    "lowlat:later": {"Width": 20, "QuotientDelay": 4},
    "lowlat:longer": {"Width": 20, "RadixBits": 20, "QuotientDelay": 5},
    "tile:small": {"Width": 20},
    "carry_save:small": {"Width": 20},
    "carry_save:wider": {"Width": 20, "RadixBits": 8},
    "carry_save:late": {"Width": 20, "RadixBits": 8, "QuotientDelay": 2},
}
"""Boards of this test only."""

NARROW = tile(128, narrow=1, powers=4)
ENGINES = [SHAPES["w40-2-6"], (NARROW, CONTEXTS, 64)]
"""Engines with several passes, and with moduli of different sizes: configuration, lanes, bits of a word."""
RADIX2 = TINY[2]
BUILT = {one.spec: one.params for one in (*(engine[0] for engine in ENGINES), RADIX2)}
"""Configurations that other tests simulate too, with assertions."""

DRIVERS = sorted({row.driver for row in ROWS + OTHERS})

MEMORIES = [
    *("bus_mul:fixed512", "bus_mul:variable512", "reg_mul:serial", "reg_mul:booth"),
    *("mod_product:fast", "mod_product:fast_spread", RADIX2.spec),
]


def elsewhere() -> list[str]:
    """Return the boards on which other files of `make test` run the commands."""
    found = [test_lanes.SPEC]
    for listed in test_families.CONFIGS:
        spec: Any = listed if not isinstance(listed, str) else pytest.param(listed)
        if "wide" not in [mark.name for mark in spec.marks]:
            found.append(spec.values[0])
    return found


@pytest.fixture
def relatives(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the relatives to the registry by name."""
    for spec, params in {**SMALL, **BUILT}.items():
        family, _, name = spec.partition(":")
        monkeypatch.setitem(registry.every()[family].configs, name, params)


def config_of(spec: str) -> Config:
    """Return a named configuration, or one of the relatives."""
    chosen = {**SMALL, **BUILT}.get(spec)
    if chosen is None:
        return registry.resolve_any(spec)
    name, _, config = spec.partition(":")
    family = registry.every()[name]
    return Config(family, config, family.complete(chosen))


def batch(command: str, board: str, work: list[dict[str, int]]) -> list[dict[str, Any]]:
    """Run operations as a stream; return its answers."""
    stdin = "".join(json.dumps({key: f"{value:x}" for key, value in one.items()}) + "\n" for one in work)
    done = invoke(command, "--batch", "-", "--board", board, stdin=stdin)
    return [json.loads(line) for line in done.stdout.splitlines()]


def run(spec: str, lanes: int = 1) -> None:
    """Compute products and powers modulo numbers of full width, and a short one."""
    config, rng = config_of(spec), Random(spec)
    board = f"sim:{spec}" + (f",lanes={lanes}" if lanes > 1 else "")
    top = 1 << config.width
    moduli = [top - 1, top // 2 + 1, top // 2 | rng.getrandbits(config.width - 1) | 1, 5]
    work = [{"x": m - 1 - m // 3, "y": rng.randrange(m), "m": m} for m in moduli]
    found = batch("mul", board, work)
    assert [one["r"] for one in found] == [f"{one['x'] * one['y'] % one['m']:x}" for one in work]
    powers = [
        {"b": m - 2, "e": rng.getrandbits(EXPONENT_BITS) | 1 << EXPONENT_BITS - 1, "m": m} for m in moduli
    ]
    raised = batch("exp", board, powers)
    assert [one["r"] for one in raised] == [f"{pow(one['b'], one['e'], one['m']):x}" for one in powers]
    if lanes == 1:
        bits = [m.bit_length() for m in moduli]
        assert [one["cycles"] for one in found] == [cycles(config, Command.MULMOD, bits=n) for n in bits]
        assert [one["cycles"] for one in raised] == [
            cycles(config, Command.EXP, Mode.WINDOW, max(n, EXPONENT_BITS), bits=n) for n in bits
        ]


def step(spec: str) -> None:
    """Compute a product of the longest numbers, access by access."""
    config = config_of(spec)
    bits = config.params["Width"] if "Width" in config.params else 32 * config.params["Words"]
    a, b = (1 << bits) - 1, (1 << bits) // 3
    modulus = config.params.get("Modulus", 1 << 2 * bits)
    lines = invoke("step", "mul", f"{a:x}", f"{b:x}", "--board", spec, "--json").stdout.splitlines()
    assert int(json.loads(lines[-1])["p"], 16) == a * b % modulus


def named(among: dict[str, Family]) -> list[str]:
    return [f"{family.name}:{name}" for family in among.values() for name in family.configs]


@pytest.mark.whole
@pytest.mark.usefixtures("relatives")
@pytest.mark.parametrize("spec", SMALL)
def test_a_small_relative(spec: str) -> None:
    run(spec)


@pytest.mark.usefixtures("relatives")
@pytest.mark.parametrize(("config", "lanes", "word"), ENGINES)
def test_lanes_of_an_engine(config: Config, lanes: int, word: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_boards, "build_board", partial(build_board, word_bits=word, checks=True))
    run(config.spec, lanes)


@pytest.mark.usefixtures("relatives")
@pytest.mark.parametrize("spec", MEMORIES)
def test_an_active_memory(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accesses, "build_memory", partial(build_memory, checks=True))
    step(spec)


@pytest.mark.wide
@pytest.mark.parametrize("lanes", [1, LANES])
@pytest.mark.parametrize("spec", named(registry.families()))
def test_every_board(spec: str, lanes: int) -> None:
    run(spec, lanes)


@pytest.mark.wide
@pytest.mark.parametrize("spec", named(registry.memories()))
def test_every_active_memory(spec: str) -> None:
    step(spec)


@pytest.mark.wide
@pytest.mark.parametrize("driver", DRIVERS)
def test_every_system(driver: str, tmp_path: Path) -> None:
    known = sample("RSA-508", 254, 254)
    with known.key() as key:
        (tmp_path / "key.pem").write_bytes(key.to_pem())
        m, e = key.n, key.e
    (tmp_path / "block").write_bytes((m // 3).to_bytes(64, "big"))
    facts = answer(
        *("rsa", "raw", "--key", tmp_path / "key.pem", "--in", tmp_path / "block"),
        *("--board", f"system:{driver}"),
    )
    assert pow(int(facts["data"], 16), e, m) == m // 3


def traits(config: Config) -> set[tuple[str, int]]:
    """Return the kind of hardware of a configuration, without sizes."""
    params = config.family.params
    return {
        (key, value if key in CHOICES else int(value != params[key].default))
        for key, value in config.params.items()
        if key not in SIZES
    }


def without_relative(family: Family, shown_by: list[Config]) -> list[str]:
    """Return the named configurations without a relative in `make test`."""
    shown = {trait for config in shown_by if config.family.name == family.name for trait in traits(config)}
    return [name for name in family.configs if traits(family.config(name)) - shown]


def run_here_and_elsewhere() -> list[Config]:
    """Return the configurations that `make test` runs."""
    return [config_of(spec) for spec in [*SMALL, *BUILT, *MEMORIES, *elsewhere()]]


@pytest.mark.parametrize("name", registry.every())
def test_house_every_configuration_has_a_relative_that_is_run(name: str) -> None:
    assert without_relative(registry.every()[name], run_here_and_elsewhere()) == []


def test_house_every_system_is_run() -> None:
    assert sorted(names()) == DRIVERS


def test_house_lanes_of_every_kind_are_run() -> None:
    engines = {bool(engine(config_of(spec), LANES)) for spec in (NARROW.spec, test_lanes.SPEC)}
    assert engines == {bool(family.engine) for family in registry.families().values()}


def test_house_a_configuration_without_a_relative_is_found() -> None:
    family = registry.families()["stream"]
    plain = [config_of("stream:w256")]
    assert without_relative(family, plain) == [
        *("w128_f2", "w512_f2", "w1024_f3", "w1024_f4", "w2048_f2", "w2048_f6", "w1024_r17")
    ]
    assert without_relative(registry.families()["scalable"], [config_of("scalable:r2_w16_p8_n256")]) == [
        name for name in registry.families()["scalable"].configs if name.startswith(("r4", "b4"))
    ]
