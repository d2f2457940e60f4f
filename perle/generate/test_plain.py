# SPDX-License-Identifier: Apache-2.0
"""The copy in Verilog-2005 in a four-state simulator: registers start with X, and idle inputs are X."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from perle.cores.registry import Config, families, resolve
from perle.flow.tools import ToolError, run
from perle.generate import vectors_axis, vectors_host, vectors_mul
from perle.generate.generate import contents
from perle.generate.ip import PORTABLE, Bus, Ip
from perle.generate.output import write

WITH_ICARUS = pytest.mark.skipif(
    shutil.which("iverilog") is None,
    reason="no Icarus Verilog (apt-get install iverilog): X is not simulated",
)

# The smallest configurations of every family with all of its parts; several if there are several kinds.
TINY: dict[str, list[dict[str, int]]] = {
    "orup": [{"Width": 16}],
    "iterative": [{"Width": 16}],
    "bit_systolic": [{"Width": 16}, {"Width": 16, "Paper": 1}],
    "scalable": [{"Width": 16, "WordWidth": 8, "Elements": 2, "Kind": kind} for kind in range(3)],
    "karatsuba": [{"Width": 16}],
    "stream": [{"Width": 16, "RadixBits": 6}, {"Width": 16, "RadixBits": 6, "Fold": 2}],
    "lowlat": [{"Width": 16}, {"Width": 16, "RadixBits": 20, "QuotientDelay": 4}],
    "tile": [{"Width": 16}],
    "carry_save": [{"Width": 16}, {"Width": 16, "QuotientDelay": 2}],
}
MULTIPLIERS = [(name, more) for name in families() for more in TINY[name]]


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run few operations, which suffice to find X, because Icarus is slow."""
    monkeypatch.setattr(vectors_mul, "MOST", 4)
    monkeypatch.setattr(vectors_host, "MODULI", 2)
    monkeypatch.setattr(vectors_axis, "MODULI", 2)


def tiny(name: str, more: dict[str, int]) -> Config:
    family = families()[name]
    first = family.config(next(iter(family.configs)))
    assert more.keys() <= first.params.keys()
    return replace(first, name="tiny", params=first.params | more)


def directory(out: Path, ip: Ip) -> Path:
    write(contents(ip), out / "ip")
    return out / "ip"


def simulate(folder: Path, *settings: str) -> str:
    return run(["make", "-s", "-C", folder, "sim-icarus", *settings], timeout=600).stdout


@WITH_ICARUS
@pytest.mark.parametrize(("name", "more"), MULTIPLIERS)
def test_no_x_comes_out_of_a_multiplier(name: str, more: dict[str, int], tmp_path: Path) -> None:
    folder = directory(tmp_path, Ip(tiny(name, more), "none"))
    assert "PASS " in simulate(folder)


# Boards with one lane and with several, of both kinds; the adapters to the bus are the same for all.
WRAPPED: list[tuple[str, Bus, int, int]] = [
    ("orup", "axil", 64, 3),
    ("orup", "apb", 32, 1),
    ("orup", "wishbone", 64, 1),
    ("orup", "axis", 64, 1),
    ("stream", "axil", 32, 1),
    ("stream", "exp", 64, 5),
]
LONG: list[tuple[str, Bus, int, int]] = [("stream", "apb", 32, 5), ("stream", "axis", 64, 5)]


@WITH_ICARUS
@pytest.mark.parametrize(
    ("name", "bus", "word_bits", "lanes"),
    [*WRAPPED, *(pytest.param(*one, marks=pytest.mark.wide) for one in LONG)],
)
def test_no_x_comes_out_of_a_board(name: str, bus: Bus, word_bits: int, lanes: int, tmp_path: Path) -> None:
    folder = directory(tmp_path, Ip(tiny(name, TINY[name][0]), bus, word_bits, lanes))
    assert "PASS " in simulate(folder)


@WITH_ICARUS
@pytest.mark.wide
def test_no_x_comes_out_of_tiles(tmp_path: Path) -> None:
    folder = directory(tmp_path, Ip(tiny("tile", TINY["tile"][0]), "exp", 64, 5))
    assert "PASS " in simulate(folder)


@WITH_ICARUS
def test_no_x_comes_out_of_an_exponentiator_with_a_registered_port(tmp_path: Path) -> None:
    folder = directory(tmp_path, Ip(resolve("lowlat:w64"), "exp", 32))
    assert "PASS " in simulate(folder)


@WITH_ICARUS
def test_x_is_seen(tmp_path: Path) -> None:
    """The text for synthesis, with Verilog's arithmetic on X, keeps X for ever."""
    folder = directory(tmp_path, Ip(tiny("stream", TINY["stream"][0]), "none"))
    with pytest.raises(ToolError, match=r"z is 0x0?x"):
        simulate(folder, "IVERILOG=iverilog -DSYNTHESIS")


def test_modules_keep_their_names_and_their_attributes() -> None:
    """Equal modules become one; leaf cells with text for synthesis and for simulation have both."""
    files = contents(Ip(tiny("stream", TINY["stream"][0]), "none"))
    text = files["verilog/perle_stream_tiny.v"]
    modules = re.findall(r"^module (\S+) ", text, re.MULTILINE)
    sources = {Path(name).stem for name in files if name.startswith("rtl/")}
    assert {re.sub(r"_v\d+$", "", module) for module in modules} == sources - {
        *(
            "perle_pkg",
            "perle_stream_pkg",
            "perle_stream_pass_scheduler",
            "perle_stream_delay",
        )  # only with Fold > 1
    }
    assert {module for module in modules if modules.count(module) > 1} == {
        path.stem for path in PORTABLE.values()
    }
    assert modules.count("perle_stream_element_v2") == 1  # the first one differs from the others
    assert "perle_stream_element_v3" not in modules
    assert text.count("(* keep = 1'h1 *)") >= 1
    assert text.count("(* no_rw_check = 1'h1 *)") == 1
    assert "src" not in text
