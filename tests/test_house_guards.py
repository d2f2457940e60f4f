# SPDX-License-Identifier: Apache-2.0
"""Guards of the hardware: each is tripped by a build that fails with its words, and core.toml refuses first.

A guard is an $error or $fatal where a module is elaborated: it stops every tool, also those that know no
core.toml.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from perle.cli.io.errors import Code
from perle.cores import registry
from perle.cores.registry import CORES, UnknownCoreError
from perle.flow import verilator
from perle.flow.tools import DesignError
from tests import house
from tests.cli_run import invoke, refused

TASK = re.compile(r"\$(?:error|fatal)\b")
GUARD = re.compile(
    r"^ *if \([^;]*?\) begin : gen_\w+\s+\$(?:error|fatal)\((?:\d, )?\"([^\"]+)\"\);\s+end$", re.MULTILINE
)
BENCHES = (house.ROOT / "perle" / "generate" / "tb", house.ROOT / "host" / "freestanding" / "tests")
PRIMITIVES = CORES / "prim" / "ecp5"


@dataclass(frozen=True)
class Trip:
    """Parameters of a module that its guard with these words refuses."""

    module: str
    words: str
    params: dict[str, int | str]
    folder: Path = field(default=PRIMITIVES, repr=False)  # a test's name has no path in it

    @property
    def family(self) -> registry.Family | None:
        """The family whose folder the module is in."""
        own = (one for one in registry.every().values() if one.folder / f"{self.module}.sv" in one.files)
        return next(own, None)


SCALABLE = "WordWidth must be a power of two"
WIDTH = "Width must be WordBits times a power of two"
REGISTERS = "Registers must be a power of two"
WORD = "WordBits must be a power of two and at least 4 * BitsPerCycle"
DELAY = "QuotientDelay must be 3 to 5, and at least 4 for digits of more than 18 bits"
MODULUS = "Modulus must be odd and at least 3"
TILE = CORES / "tile" / "ecp5"
TILE_DSP = "MULT18X18D: only what perle_tile_leaf_mul uses of it is described"
TILE_MEMORY = "DP16KD: only what perle_tile_memory and perle_ram use of it is described"
TILE_CARRY = "CCU2C: only the chain that counts its carry is described"
DSP = "MULT18X18D: only what perle_ecp5_mul uses of it is described"

TRIPS = [
    Trip("perle_scalable_mul", SCALABLE, {"WordWidth": 12}),
    Trip("perle_carry_save_mul", "RadixBits must be even", {"RadixBits": 5}),
    Trip("perle_lowlat_core", DELAY, {"RadixBits": 20, "QuotientDelay": 3}),
    Trip("perle_lowlat_core", DELAY, {"QuotientDelay": 6}),
    Trip("perle_reg_mul", WIDTH, {"Width": 96}),
    Trip("perle_reg_mul", WIDTH, {"Width": 1000}),
    Trip("perle_reg_mul", REGISTERS, {"Registers": 12}),
    Trip("perle_reg_mul", WORD, {"WordBits": 24, "Width": 192}),
    Trip("perle_reg_mul", WORD, {"WordBits": 4, "Width": 16, "BitsPerCycle": 2}),
    Trip("perle_mod_product", MODULUS, {"Modulus": 1 << 30, "Width": 32}),
    Trip("perle_mod_product", MODULUS, {"Modulus": 1, "Width": 32}),
    Trip("perle_mod_product", "RadixBits must be 1 or 2", {"RadixBits": 3}),
    Trip("perle_block_ram", "Depth must be at most 512", {"Depth": 513}),
    Trip("PDPW16KD", "words of 36 bits and no global reset", {"DATA_WIDTH_W": 18}),
    Trip("PDPW16KD", "words of 36 bits and no global reset", {"GSR": "ENABLED"}),
    Trip("DP16KD", "equal widths and no global reset", {"DATA_WIDTH_B": 9}),
    Trip("DP16KD", "equal widths and no global reset", {"GSR": "ENABLED"}),
    Trip("MULT18X18D", DSP, {"REG_OUTPUT_CLK": "NONE"}),
    Trip("MULT18X18D", DSP, {"REG_INPUTA_CLK": "NONE"}),
    Trip("MULT18X18D", DSP, {"GSR": "ENABLED"}),
    Trip("MULT18X18D", TILE_DSP, {"REG_OUTPUT_CLK": "NONE"}, TILE),
    Trip("MULT18X18D", TILE_DSP, {"REG_INPUTB_CLK": "NONE"}, TILE),
    Trip("DP16KD", TILE_MEMORY, {"GSR": "ENABLED"}, TILE),
    Trip("DP16KD", TILE_MEMORY, {"WRITEMODE_A": "NORMAL"}, TILE),
    Trip("CCU2C", TILE_CARRY, {"INJECT1_0": "YES", "INJECT1_1": "NO"}, TILE),
    Trip("CCU2C", TILE_CARRY, {"INJECT1_0": "NO", "INJECT1_1": "YES"}, TILE),
]
OWN = [trip for trip in TRIPS if trip.family]


def guards(paths: Iterable[Path]) -> tuple[set[tuple[str, str]], list[str]]:
    """Return (module, words) of the guards of files; and what would speak, if at all, only when it runs."""
    found, wrong = set(), []
    for path in paths:
        text = re.sub(r"//[^\n]*", "", house.text_of(path))
        said = GUARD.findall(text)
        found |= {(path.stem, words) for words in said}
        if len(said) != len(TASK.findall(text)):
            wrong.append(f"{path}: a guard is if (…) begin : gen_… $error(…); end of the module itself")
    return found, wrong


def modules() -> list[Path]:
    """Return the modules that may have guards: assertions and testbenches speak when they run."""
    return [
        path
        for path in house.files(".sv")
        if not path.stem.endswith("_sva") and not any(path.is_relative_to(folder) for folder in BENCHES)
    ]


def build(trip: Trip, out: Path) -> None:
    family = trip.family
    files = family.files if family else [trip.folder / f"{trip.module}.sv"]
    verilator.build_so(trip.module, files, [], trip.params, out / "x.so")


def test_every_guard_is_tripped() -> None:
    found, wrong = guards(modules())
    assert wrong == []
    assert found == {(trip.module, trip.words) for trip in TRIPS}


def test_the_search_for_guards_can_fail(tmp_path: Path) -> None:
    path = tmp_path / "m.sv"
    for text in (
        'initial begin\n  if (W == 3) $fatal(1, "x");\nend',
        'initial begin\n  $fatal(1, "x");\nend',
        'assert (W) else $error("x");',
        "if (W == 3) begin : gen_x\n  $error;\nend",
    ):
        path.write_text(f"module m;\n{text}\nendmodule\n")
        found, wrong = guards([path])
        assert len(wrong) == 1, text
        assert not found
    path.write_text('module m;\nif (W == 3) begin : gen_x\n  $fatal(1, "three");\nend\nendmodule\n')
    assert guards([path]) == ({("m", "three")}, [])


@pytest.mark.parametrize("trip", TRIPS, ids=str)
def test_a_guard_fails_the_build_with_its_words(trip: Trip, tmp_path: Path) -> None:
    with pytest.raises(DesignError, match=re.escape(f"{trip.words} ({trip.module}.sv:")):
        build(trip, tmp_path)
    assert not (tmp_path / "x.so").exists()


@pytest.mark.parametrize("trip", OWN, ids=str)
def test_core_toml_refuses_first(trip: Trip) -> None:
    assert trip.family is not None
    with pytest.raises(UnknownCoreError, match=rf"^{trip.family.name}: .*{next(iter(trip.params))}"):
        trip.family.complete({key: int(value) for key, value in trip.params.items()})


def test_the_command_says_what_the_hardware_refuses(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Were core.toml to forget a rule: no board that computes something else, but a usage error."""
    monkeypatch.setenv("PERLE_CACHE", str(tmp_path))
    for among, spec, chosen, words, command in (
        (registry.families(), "scalable:odd", {"Width": 20, "WordWidth": 12}, SCALABLE, ("mul", 3, 5, 7)),
        (registry.memories(), "reg_mul:odd", {"Width": 96}, WIDTH, ("step", "mul", 3, 5)),
    ):
        name, _, config = spec.partition(":")
        monkeypatch.setitem(among, name, replace(among[name], rules=(), configs={config: chosen}))
        told = invoke(*command, "--board", f"sim:{spec}", code=Code.USAGE).stderr.splitlines()[-1]
        assert words in told
        assert not list(tmp_path.glob("*.so"))


@pytest.mark.parametrize(
    ("board", "command"),
    [
        ("reg_mul:w96", ("step", "mul", 3, 5)),
        (
            "system:reg_straight:w1000",
            ("rsa", "sign", "--padding", "pkcs1", "--key", "k", "--in", "m", "--out", "-"),
        ),
    ],
)
def test_the_command_refuses_first(board: str, command: tuple[object, ...], tmp_path: Path) -> None:
    (tmp_path / "m").touch()
    invoke("rsa", "generate", "--bits", 512, "--out", tmp_path / "key")
    here = {"k": tmp_path / "key", "m": tmp_path / "m"}
    words = [here.get(str(word), word) for word in command]
    assert f"reg_mul: {WIDTH}: Width = " in refused(Code.USAGE, *words, "--board", board)
