# SPDX-License-Identifier: Apache-2.0
"""Directories of designs, and their builds; test_simulation.py tests whether designs work."""

from __future__ import annotations

import hashlib
import importlib
import math
import re
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from perle.boards.simulated import LANE_BYTES
from perle.cores.leaves import BLOCKS
from perle.cores.registry import resolve
from perle.flow import ecppack, verible, verilator, yosys
from perle.flow.nextpnr import Crossing, Routed
from perle.flow.tools import DesignError, ToolMissing
from perle.results import names
from perle.soc import build, design, directory, modules, page, pll, records
from perle.soc.boards import Board, board, boards
from perle.soc.core import BLACKBOXES, PARAM_WORDS, RTL, TOP, Core, IllegalSocError, written

BOARDS = list(boards().values())
WAIVERS = Path(build.__file__).parents[1] / "boards" / "perle_regs.vlt"


def core_of(target: Board, spec: str = "") -> tuple[Core, pll.Clocks]:
    clocks = pll.clocks(target, 1e6 * target.core_mhz)
    chosen, _, options = (spec or target.core).partition(",lanes=")
    return Core(resolve(chosen), int(options or 1), round(clocks.core), target.link), clocks


@pytest.mark.parametrize("target", BOARDS, ids=boards())
def test_clocks_are_of_the_pll(target: Board) -> None:
    for most in (45e6, 80e6, 101e6, 133.3e6):
        got = pll.clocks(target, most)
        assert most * 0.9 < got.core <= most
        assert abs(got.sys / pll.SYS_HZ[target.link] - 1) <= pll.SYS_MARGIN + 1e-9
        assert pll.clocks(target, 1e6 * (math.ceil(got.core) / 1e6)) == got
    for core in {one.core for one in pll.settings(target) if one.core > 100e6}:
        chosen = pll.clocks(target, core)
        printed = float(page.options(chosen, design.BAUD).split()[1])
        assert pll.clocks(target, 1e6 * printed) == chosen
    with pytest.raises(DesignError, match="no clock"):
        pll.clocks(target, 1e6)


# A board whose default core takes a minute is also tested with a small one.
DESIGNS = [
    pytest.param(board("ulx3s-85f"), "orup:w64", id="ulx3s-85f-small"),
    *(
        pytest.param(one, "", id=one.name, marks=pytest.mark.wide if one.name == "ulx3s-85f" else ())
        for one in BOARDS
    ),
]


@pytest.mark.parametrize(("target", "spec"), DESIGNS)
def test_every_board_has_a_design_that_yosys_reads(target: Board, spec: str, tmp_path: Path) -> None:
    """LiteX's output is reproducible, and all parts fit together in synthesis (without mapping)."""
    pytest.importorskip("litex", reason=modules.INSTALL)
    core, clocks = core_of(target, spec)
    made = directory.generate(target, core, clocks, tmp_path / "a")
    again = directory.generate(target, core, clocks, tmp_path / "b")
    for line in (made.folder / "MANIFEST").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            digest, name = line.split("  ")
            assert hashlib.sha256((again.folder / name).read_bytes()).hexdigest() == digest
    lpf = (made.folder / "perle_soc.lpf").read_text(encoding="utf-8")
    assert f"{target.mhz:g}" in lpf
    work = tmp_path / "work"
    work.mkdir()
    (work / "perle_soc.v").write_bytes((made.folder / "perle_soc.v").read_bytes())
    boxes = [name for name in BLACKBOXES if f"rtl/{name}.sv" in made.sources]
    names = yosys.copied([made.folder / name for name in made.sources], work)
    script = [
        yosys.read(names, TOP, {}, boxes),
        "read_verilog perle_soc.v",
        "synth_ecp5 -top perle_soc -run begin:coarse",
        "tee -q -o stat.json stat -json",
    ]
    yosys.execute(script, work, timeout=300)
    assert yosys.Netlist(work).cells["EHXPLLL"] == 1


@pytest.mark.parametrize(
    ("name", "transmit", "receive"),
    [("trellisboard", 1, 5), ("colorlight-i9", 0, 5), ("acorn-baseboard", 1, 0)],
)
def test_delays_of_rgmii_are_those_that_the_boards_do_not_add(name: str, transmit: int, receive: int) -> None:
    """2 ns are 80 steps; they delay the transmitter's clock, and the receiver's data and control."""
    pytest.importorskip("litex", reason=modules.INSTALL)
    target = board(name)
    made = design.generate(target, pll.clocks(target, 1e6 * target.core_mhz))
    assert made.verilog.count("(7'd80)") == transmit + receive


def test_products_of_the_design_before_are_removed(tmp_path: Path) -> None:
    pytest.importorskip("litex", reason=modules.INSTALL)
    target = board("ulx3s-85f")
    core, clocks = core_of(target, "orup:w64")
    folder = directory.generate(target, core, clocks, tmp_path / "a").folder
    old = [folder / name for name in ("perle_soc.bit", "build/routed.json")]
    (folder / "build").mkdir()
    for one in (*old, folder / "build" / "mine"):
        one.write_text("old")
    with pytest.raises(FileExistsError):
        directory.generate(target, core, clocks, folder)
    assert all(one.exists() for one in old)
    directory.generate(target, core, clocks, folder, force=True)
    assert not any(one.exists() for one in old)
    assert (folder / "build" / "mine").exists()
    text = (folder / "README.md").read_text(encoding="utf-8")
    command = f"perle soc ulx3s-85f --core orup:w64 --clock {clocks.core / 1e6:.8g} -o DIR --force --build"
    assert command in text


def test_own_hardware_has_no_warnings(tmp_path: Path) -> None:
    verible.lint(RTL.glob("*.sv"))
    for spec in ("orup:w64", "stream:w512,lanes=3"):
        core, _ = core_of(board("trellisboard"), spec)
        files = written(core.texts(device=False), tmp_path / core.config.family.name)
        verible.lint([files[-1]])
        verilator.lint([WAIVERS, *files], TOP, {})


def test_leaf_cells_are_the_devices_own() -> None:
    core, _ = core_of(board("ulx3s-85f"))
    device, portable = core.texts(device=True), core.texts(device=False)
    assert {f"rtl/{block}.sv" for block in BLOCKS} & set(device)
    assert not {f"rtl/{block}.sv" for block in BLOCKS} & set(portable)
    assert list(device)[-1] == list(portable)[-1] == f"rtl/{TOP}.sv"


def test_parameters_must_fit() -> None:
    core, _ = core_of(board("ulx3s-85f"))
    many = {f"Parameter{i}": i for i in range(30)}
    crowded = replace(core, config=replace(core.config, params={**core.config.params, **many}))
    with pytest.raises(IllegalSocError, match=str(4 * PARAM_WORDS)):
        crowded.top()


def routed(core: float, *crossings: Crossing) -> Routed:
    wanted = {"$glbnet$clkout0": 50.0, "$glbnet$clkout1": 100.0}
    return Routed({"$glbnet$clkout0": 70.0, "$glbnet$clkout1": core}, {"LUT": 3}, (), crossings, wanted)


def test_missed_clocks_and_slow_crossings_are_told() -> None:
    good = build.timing(routed(100.5), 1)
    assert good.missed == []
    assert (good.core_mhz, good.bus_mhz) == (100.5, 70.0)
    [missed] = build.timing(routed(99.0), 1).missed
    assert "clkout1 reaches 99.0 MHz, 100.0 are wanted" in missed
    to_core = Crossing("$glbnet$clkout0", "$glbnet$clkout1", 10.5)
    [slow] = build.timing(routed(120.0, to_core), 1).missed
    assert "10.5 ns" in slow
    back = Crossing("$glbnet$clkout1", "$glbnet$clkout0", 10.5)
    assert build.timing(routed(120.0, back), 1).missed == []


def test_without_litex_the_command_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> object:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(importlib, "import_module", absent)
    with pytest.raises(ToolMissing, match="not found, needed for designs"):
        modules.litex("litex")


def test_a_core_may_take_all_multipliers_of_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    target = board("ulx3s-85f")
    core, _ = core_of(target, "orup:w64")
    monkeypatch.setitem(names.CAPACITY, "ecp5", names.CAPACITY["ecp5"] | {names.DSP: core.multipliers})
    core.check_fits(target)
    monkeypatch.setitem(names.CAPACITY, "ecp5", names.CAPACITY["ecp5"] | {names.DSP: core.multipliers - 1})
    with pytest.raises(IllegalSocError, match="5 of 4 multipliers"):
        core.check_fits(target)


def test_what_may_help_is_a_slower_clock_if_only_that_of_the_core_is_missed() -> None:
    assert "try --clock 99 or another" in build.timing(routed(99.9), 1).hint
    slow = Crossing("$glbnet$clkout0", "$glbnet$clkout1", 10.5)
    bus = {"$glbnet$clkout0": 49.0, "$glbnet$clkout1": 99.0}
    for missed in (routed(99.0, slow), replace(routed(99.0), fmax=bus)):
        assert build.timing(missed, 1).hint == "try another --seed, with --force"


@pytest.mark.parametrize(("reached", "packed"), [(100.0, 1), (99.0, 0)])
def test_no_bitstream_is_made_of_a_design_that_misses_its_clock(
    reached: float, packed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[object] = []
    monkeypatch.setattr(build, "synthesize", lambda *_: tmp_path / "netlist")
    monkeypatch.setattr(build, "place", lambda *_: build.timing(routed(reached), 1))
    monkeypatch.setattr(ecppack, "pack", lambda *of: done.append(of))
    seen: list[build.Timing] = []
    with nullcontext() if packed else pytest.raises(DesignError, match=r"clkout1 reaches 99\.0 MHz"):
        build.build(tmp_path, [], board("ulx3s-85f"), seen=seen.append)
    assert (len(done), [one.core_mhz for one in seen]) == (packed, [reached])


def test_a_record_has_the_clocks_and_cells_of_its_build() -> None:
    pytest.importorskip("litex", reason=modules.INSTALL)
    target = board("ulx3s-85f")
    core, clocks = core_of(target, "stream:w64,lanes=2")
    cells = {"TRELLIS_COMB": 4, "TRELLIS_FF": 3, "TRELLIS_RAMW": 7, "MULT18X18D": 2, "DP16KD": 1}
    found = records.record(target, core, clocks, build.timing(replace(routed(99.0), used=cells), 5), 1.26)
    wanted = {"wanted_mhz": clocks.core / 1e6, "reached_mhz": 99, "bus_mhz": 70}
    assert found.metrics == wanted | {"luts": 4, "ff": 3, "dsp": 2, "bram": 1}
    assert (found.part, found.seed, found.seconds) == (f"2 lanes at {clocks.core / 1e6:.1f} MHz", 5, 1.3)
    assert "clkout1 reaches 99.0 MHz" in found.settings["missed"][0]


def test_limits_of_the_pll_are_those_of_litex() -> None:
    pytest.importorskip("litex", reason=modules.INSTALL)
    known = modules.litex("litex.soc.cores.clock").ECP5PLL
    assert (known.vco_freq_range, known.clko_freq_range) == (pll.VCO, pll.OUTPUT)
    assert known.pfd_freq_range[0] == pll.LEAST_PFD
    assert known.clko_div_range[1] - 1 == pll.MOST_DIVIDER


@pytest.mark.parametrize(("name", "pressed"), [("ulx3s-85f", "rst"), ("ecp5-evn", "(~rst_n)")])
def test_the_button_of_a_board_resets(name: str, pressed: str) -> None:
    pytest.importorskip("litex", reason=modules.INSTALL)
    target = board(name)
    made = design.generate(target, pll.clocks(target, 1e6 * target.core_mhz))
    assert re.search(
        rf"assign (\w+) = \({re.escape(pressed)} \| \w+\);.*\.RST +\(\1\)", made.verilog, re.DOTALL
    )
    for pin in target.high:
        assert f"assign {pin} = 1'd1;" in made.verilog


def test_the_page_names_addresses_and_the_rate_of_the_line() -> None:
    target = board("ulx3s-85f")
    core, clocks = core_of(target, "stream:w64,lanes=2")
    text = page.page(target, core, clocks, [], 9600)
    assert f"registers of lane 0; lane i 0x{LANE_BYTES:x}·i higher" in text
    assert "UARTBone, 9600 baud" in text
    assert "perle mul --board uart:/dev/ttyUSB0,baud=9600 3 5 1d" in text
    assert f"{page.options(clocks, 9600)} -o DIR --force --build" in text
    assert page.options(clocks, 9600).endswith(" --baud 9600")


def test_parameters_are_text_in_words() -> None:
    """The first word has the first four characters, the first of them in its lowest byte."""
    core, _ = core_of(board("ulx3s-85f"), "orup:w64")
    last = core.top().partition(".Params    ({\n")[2].partition("\n    })")[0].split(",")[-1].strip()
    assert bytes.fromhex(last.removeprefix("32'h"))[::-1].decode() == core.parameters[:4]


def test_a_design_is_read_for_its_own_board_only(tmp_path: Path) -> None:
    pytest.importorskip("litex", reason=modules.INSTALL)
    target = board("ulx3s-85f")
    core, clocks = core_of(target, "orup:w64")
    made = directory.contents(target, core, clocks, 9600)
    (tmp_path / directory.FACTS).write_text(made[directory.FACTS], encoding="utf-8")
    found = directory.read(tmp_path, target)
    assert (found.clocks, found.baud) == (clocks, 9600)
    assert found.cycles_per_bit == round(clocks.sys / 9600)
    with pytest.raises(IllegalSocError, match="is for ulx3s-85f, not for trellisboard"):
        directory.read(tmp_path, board("trellisboard"))
    with pytest.raises(IllegalSocError, match="has no design"):
        directory.read(tmp_path / "absent", target)
    for broken in ("[]", "null", "{}", '{"bus_hz": null}', "{"):
        (tmp_path / directory.FACTS).write_text(broken, encoding="utf-8")
        with pytest.raises(IllegalSocError, match="has no design"):
            directory.read(tmp_path, target)
