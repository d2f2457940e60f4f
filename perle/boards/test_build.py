# SPDX-License-Identifier: Apache-2.0
"""What Verilator is given for a simulated board, and where its result is found; nothing is compiled here."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from perle.boards import build, memory
from perle.boards.build import FLAGS_CHECKS, FLAGS_PLAIN, SIM_CPP, Variant, board_link, build_board
from perle.boards.memory import build_memory
from perle.cores.registry import Config, resolve, resolve_memory

W64 = resolve("orup:w64")
PRODUCT = resolve_memory("mod_product:w254")


@dataclass
class Calls:
    """What Verilator and the compiler were asked for; stands in for `build_so`."""

    tops: list[str] = field(default_factory=list)
    names: list[set[str]] = field(default_factory=list)
    texts: list[dict[str, str]] = field(default_factory=list)
    flags: list[list[str]] = field(default_factory=list)

    def build_so(
        self,
        top: str,
        files: tuple[Path, ...],
        cpp: tuple[Path, ...],
        params: dict[str, int],
        out: Path,
        *,
        trace: str,
        extra: list[str],
    ) -> None:
        """Take the arguments; every file of theirs is there."""
        assert params == {}
        assert all(path.is_file() for path in (*files, *cpp))
        assert all(Path(word).is_file() for word in extra if word.endswith(".vlt"))
        folders = [Path(word.removeprefix("-I")) for word in extra if word.startswith("-I")]
        found = {path.name: path for folder in folders for path in folder.iterdir() if path.is_file()}
        self.tops.append(f"{top} {trace}")
        self.names.append({path.name for path in (*files, *cpp)} | found.keys())
        self.texts.append({path.name: path.read_text(encoding="utf-8") for path in (*files, *found.values())})
        self.flags.append(extra)
        out.write_text(top)


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Calls:
    """Nothing is there yet, and nothing is compiled."""

    def cached(key: str, suffix: str, make: Callable[[Path], None]) -> Path:
        path = tmp_path / f"{key}{suffix}" / f"{key}{suffix}"
        if not path.exists():
            path.parent.mkdir()
            make(path)
        return path

    found = Calls()
    for module in (build, memory):
        monkeypatch.setattr(module, "build_so", found.build_so)
        monkeypatch.setattr(module, "cached", cached)
        monkeypatch.setattr(module, "cache_root", lambda: tmp_path)
    return found


def test_a_board_is_built_of_all_its_files_once(calls: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    made = build_board(W64)
    assert capsys.readouterr().err.count("building the simulated board orup:w64 (once") == 1
    assert (calls.tops, build_board(W64)) == (["perle_top none"], made)
    assert capsys.readouterr().err == ""
    wanted = {path.name for path in (*W64.family.files, *SIM_CPP)}
    wanted |= {"perle_top.sv", "perle_board.sv", "perle_bus_pkg.sv", "perle_regs.h", "perle_sim_config.h"}
    assert wanted <= calls.names[0]
    assert not {path.name for path in W64.family.assertions} & calls.names[0]
    assert " ".join(FLAGS_PLAIN) in " ".join(calls.flags[0])
    assert any(word.endswith("public_bus.vlt") for word in calls.flags[0])
    config = calls.texts[0]["perle_sim_config.h"]
    for line in ("WORD_BITS 64", "LANES 1", 'TRACE "none"', 'SNAPSHOT "bus"'):
        assert f"#define PERLE_SIM_{line}\n" in config


def test_a_board_with_everything(calls: Calls) -> None:
    told: list[str] = []
    made = build_board(W64, word_bits=32, lanes=3, trace=True, checks=True, progress=told.append)
    assert told == ["building the simulated board orup:w64-b32-l3-vcd-checks (once; up to some minutes)"]
    assert calls.tops == ["perle_top vcd"]
    assert {path.name for path in W64.family.assertions} <= calls.names[0]
    assert {"perle_board_lanes.sv", "perle_mul_share.sv", "perle_axil_demux.sv"} <= calls.names[0]
    assert " ".join(FLAGS_CHECKS) in " ".join(calls.flags[0])
    assert any(word.endswith("public_all.vlt") for word in calls.flags[0])
    link = board_link(W64, Variant(32, 3, "vcd", checks=True))
    assert (link.name, link.resolve()) == ("orup-w64-b32-l3-vcd-checks.so", made.resolve())


def test_a_link_is_replaced_only_if_it_points_elsewhere(tmp_path: Path) -> None:
    link, made = tmp_path / "boards" / "orup-w64.so", [tmp_path / "one.so", tmp_path / "two.so"]
    build.point(link, made[0])
    first = link.lstat()
    build.point(link, made[0])
    assert (link.readlink(), link.lstat().st_ino) == (made[0], first.st_ino)
    build.point(link, made[1])
    assert link.readlink() == made[1]


def test_names_tell_variants_apart() -> None:
    names = {Variant(): "", Variant(lanes=2): "-l2", Variant(32): "-b32", Variant(trace="fst"): "-fst"}
    assert {variant: variant.suffix for variant in names} == names
    assert Variant(checks=True).suffix == "-checks"


def test_assertions_decide_about_a_board_only_where_it_has_them(calls: Calls, tmp_path: Path) -> None:
    """Another text of an assertion is another board, but the same one without assertions."""
    assertion = tmp_path / "own_sva.sv"
    config = replace(W64, family=replace(W64.family, assertions=(assertion,)))
    made: dict[bool, set[Path]] = {False: set(), True: set()}
    for text in ("// one\n", "// another\n"):
        assertion.write_text(text)
        for checks, found in made.items():
            found.add(build_board(config, checks=checks, progress=lambda _: None))
    assert {checks: len(found) for checks, found in made.items()} == {False: 1, True: 2}
    assert len(calls.tops) == 3


def test_a_memory_is_built_of_all_its_files_once(calls: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    made = build_memory(PRODUCT)
    assert capsys.readouterr().err.count("building the simulated board mod_product:w254 (once") == 1
    assert (calls.tops, build_memory(PRODUCT)) == (["perle_top none"], made)
    assert capsys.readouterr().err == ""
    assert {path.name for path in (*PRODUCT.family.files, *memory.SOURCES)} <= calls.names[0]
    assert not {path.name for path in PRODUCT.family.assertions} & calls.names[0]
    assert " ".join(FLAGS_PLAIN) in " ".join(calls.flags[0])
    top = calls.texts[0]["perle_top.sv"]
    for key, value in PRODUCT.params.items():
        assert f".{key}({memory.literal(value)})" in top
    config = calls.texts[0]["perle_sim_config.h"]
    assert 'SNAPSHOT "all"' in config
    assert f"ADDR_BITS {PRODUCT.family.addr_bits}\n" in config
    link = made.parents[1] / "boards" / "mod_product-w254.so"
    assert link.resolve() == made.resolve()


def test_a_memory_that_records_and_checks_itself(calls: Calls) -> None:
    told: list[str] = []
    made = build_memory(PRODUCT, trace="vcd", checks=True, progress=told.append)
    assert told == ["building the simulated board mod_product:w254 (once; up to a minute)"]
    assert calls.tops == ["perle_top vcd"]
    assert {path.name for path in PRODUCT.family.assertions} <= calls.names[0]
    assert " ".join(FLAGS_CHECKS) in " ".join(calls.flags[0])
    assert (made.parents[1] / "boards" / "mod_product-w254-vcd-checks.so").resolve() == made.resolve()


def shown(config: Config, calls: Calls) -> str:
    build_memory(config, progress=lambda _: None)
    [params] = re.findall(r'params\\\\?": (\{.*?\})', calls.texts[-1]["perle_sim_config.h"])
    return str(params)


def test_numbers_that_readers_of_json_would_round_are_text(calls: Calls) -> None:
    """A number of JSON is exact up to 2^53 − 1."""
    name = next(iter(PRODUCT.params))
    for value, text in (((1 << 53) - 1, "9007199254740991"), (1 << 53, "0x20000000000000")):
        config = replace(PRODUCT, params=PRODUCT.params | {name: value})
        assert text in shown(config, calls)
