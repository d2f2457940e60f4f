# SPDX-License-Identifier: Apache-2.0
"""Every top at every named configuration is free of warnings, and every family has all of its pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from perle.boards.memory import wrapper
from perle.boards.sources import TOP, sources
from perle.cores import leaves
from perle.cores.registry import Config, Family, every, families, memories, resolve
from perle.flow import verilator, yosys
from perle.flow.tools import ToolError

CONFIGS = [family.config(name) for family in families().values() for name in family.configs]
USUAL_BITS = 256
"""What is wider is linted by `make wide` and `make lint`."""
MEMORIES = [family.config(name) for family in memories().values() for name in family.configs]
PAGES = ("README.md", "core.toml", "model.py", "test_model.py", "test_rtl.py")
EXPONENTS = "test_exp.py"

POWERS_OF_TWO = (
    *("iterative:w1020", "orup:w990", "scalable:w63+WordWidth=16", "scalable:w255+WordWidth=16"),
    *("scalable:w12+WordWidth=4+Elements=64", "stream:w250", "stream:w60+RadixBits=16"),
)
"""Lines of 32 words, the widest modulus 2^n − 1, more elements than bits, 16 and 5 digits."""


def incomplete(family: Family) -> list[str]:
    """Find pages that a family's folder lacks, and files that only its core.toml knows."""
    listed = [*family.files, *family.assertions]
    pages = (*PAGES, *([EXPONENTS] if family.kind == "multiplier" else []))
    found = [f"{family.name} has no {page}" for page in pages if not (family.folder / page).is_file()]
    return found + [f"{path} does not exist" for path in listed if not path.is_file()]


def unlisted(family: Family) -> list[Path]:
    """Return modules of the folder that are part of nothing."""
    own = family.engine
    listed = {*family.files, *family.assertions, *((*own.files, *own.assertions) if own else ())}
    names = {path.name for path in listed}
    listed |= {*leaves.own(names).values(), *leaves.inside(names).values(), *leaves.for_ihp130([*listed])}
    return [path for path in sorted(family.folder.rglob("*.sv")) if path not in listed]


def lint(files: Iterable[Path], top: str, params: Mapping[str, int] | None = None) -> None:
    # `disable iff` is no second, synchronous use of the reset.
    verilator.lint(files, top, params or {}, ["--assert", "-Wno-SYNCASYNCNET"])


def lint_board(config: Config, word_bits: int, folder: Path, lanes: int = 1) -> None:
    """All hardware of a configuration: multiplier, exponentiator, board, and their assertions."""
    board = sources(config, word_bits, folder, lanes=lanes, checks=True)
    lint([board.waivers, *board.files], board.top)


def by_spec(config: Config) -> str:
    return config.spec


# With 64-bit words, and elaborated for synthesis, it is as perle/generate makes it: its tests show that.
@pytest.mark.parametrize(
    "config",
    [pytest.param(one, marks=pytest.mark.wide if one.width > USUAL_BITS else ()) for one in CONFIGS],
    ids=by_spec,
)
def test_hardware_has_no_warnings(config: Config, tmp_path: Path) -> None:
    lint_board(config, 32, tmp_path)


@pytest.mark.parametrize("family", every().values(), ids=lambda family: family.name)
def test_every_module_is_part_of_something(family: Family) -> None:
    assert unlisted(family) == []


@pytest.mark.parametrize("config", [one for one in CONFIGS if one.family.engine], ids=by_spec)
def test_engine_has_no_warnings(config: Config) -> None:
    own = config.family.engine
    assert own is not None
    for word_bits in (32, 64):
        params = {**config.params, "Lanes": 14, "WordBits": word_bits, "WindowBits": own.window_bits}
        lint([*own.files, *own.assertions], own.top, params)


@pytest.mark.parametrize("spec", POWERS_OF_TWO)
def test_a_count_of_a_power_of_two_has_no_warnings(spec: str, tmp_path: Path) -> None:
    """As a constant of as many bits as an index has, such a count is zero, and nothing is below it."""
    lint_board(resolve(spec), 32, tmp_path)


def test_lint_can_fail(tmp_path: Path) -> None:
    bad = tmp_path / "bad.sv"
    bad.write_text("module bad (output logic [3:0] q_o);\n  assign q_o = 5'd1;\nendmodule\n")
    with pytest.raises(ToolError, match="WIDTHTRUNC"):
        lint([bad], "bad")


def test_lint_reaches_the_assertions(tmp_path: Path) -> None:
    config = resolve("orup:w64")
    bad = tmp_path / "bad_sva.sv"
    body = "module bad_sva;\n  logic [3:0] q;\n  assign q = 5'd1;\nendmodule\n"
    bad.write_text(body + "bind perle_orup_mul bad_sva u_bad ();\n")
    worse = replace(config, family=replace(config.family, assertions=(*config.family.assertions, bad)))
    with pytest.raises(ToolError, match="bad_sva"):
        lint_board(worse, 32, tmp_path)


def test_board_with_lanes_has_no_warnings(tmp_path: Path) -> None:
    for spec in ("orup:w64", "bit_systolic:w128", "karatsuba:w128"):
        lint_board(resolve(spec), 64, tmp_path / spec.partition(":")[0], lanes=3)


@pytest.mark.parametrize("config", MEMORIES, ids=by_spec)
def test_memory_has_no_warnings_and_elaborates(config: Config, tmp_path: Path) -> None:
    top = tmp_path / f"{TOP}.sv"
    top.write_text(wrapper(config), encoding="utf-8")
    checked = [*config.family.files, *config.family.assertions, top]
    lint(checked, TOP)
    stat = yosys.elaborate([*config.family.files, top], TOP, {}, tmp_path / "work", check=False)
    assert stat["design"]["num_cells"] > 0


@pytest.mark.parametrize("family", every().values(), ids=every())
def test_family_is_complete(family: Family) -> None:
    assert incomplete(family) == []


def test_completeness_can_fail(tmp_path: Path) -> None:
    for name in (*PAGES, EXPONENTS, "x_sva.sv", "x.sv"):
        (tmp_path / name).touch()
    family = Family("x", 9, "", "", tmp_path, "x", (tmp_path / "x.sv",), (tmp_path / "x_sva.sv",), (), {})
    assert incomplete(family) == []
    assert unlisted(family) == []
    (tmp_path / "extra.sv").touch()
    assert unlisted(family) == [tmp_path / "extra.sv"]
    (tmp_path / "README.md").unlink()
    (tmp_path / "x.sv").unlink()
    assert len(incomplete(family)) == 2


def test_there_are_families() -> None:
    assert resolve("orup:w1024").params["Width"] == 1024
    assert len(CONFIGS) >= len(families()) >= 1
