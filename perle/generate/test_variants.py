# SPDX-License-Identifier: Apache-2.0
"""Every bus, lanes, engines, prefixes: no warnings, and several directories in one design."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.cores.registry import families, resolve
from perle.flow import verilator, yosys
from perle.flow.tools import ToolError, run
from perle.generate import here, vectors_axis, vectors_host
from perle.generate.generate import contents
from perle.generate.ip import BUSES, Bus, IllegalIpError, Ip
from perle.generate.output import write
from perle.generate.prefix import names, prefixed
from perle.generate.test_generate import SMALLEST, SPECS, fusesoc, lint
from perle.generate.test_plain import TINY, tiny

ENGINES = [spec for spec in SPECS if resolve(spec).family.engine]
BESIDE_REGISTERS: tuple[Bus, ...] = ("exp", "axis")
LANES = 3  # not a power of two, so that some lane addresses are unused


def bits(bus: Bus) -> int:
    return 32 if bus == "apb" else 64


def wide(spec: str, *, quick: bool) -> object:
    return spec if quick else pytest.param(spec, marks=pytest.mark.wide)


def made(ip: Ip, out: Path, *, copy: bool = False) -> Path:
    write(contents(ip, copy=copy), out)
    return out


def listed(folder: Path, top: str) -> list[Path]:
    lines = (folder / f"{top}.f").read_text().splitlines()
    return [folder / line for line in lines if not line.startswith("//")]


def check(ip: Ip, folder: Path) -> None:
    """Lint the hardware, and the testbench with assertions, with the Makefile's options."""
    made(ip, folder)
    lint(folder, ip.top)
    recipe = (folder / "Makefile").read_text().partition("--build ")[2].partition("\n\n")[0].split()
    bench = [folder / word for word in recipe if word.endswith(".sv")]
    options = ["--timing", "--assert", "-Wno-SYNCASYNCNET", *map(str, (folder / "rtl").glob("*.vlt"))]
    verilator.lint([*listed(folder, ip.top), *bench], f"{ip.top}_tb", {}, options)


# One family with each bus, every family with the bus that depends on it; `make wide` runs everything.
@pytest.mark.parametrize("bus", ["apb", "wishbone", "axis", "exp"])
@pytest.mark.parametrize("spec", [wide(spec, quick=spec == "orup:w64") for spec in SMALLEST])
def test_other_buses_have_no_warnings(spec: str, bus: Bus, tmp_path: Path) -> None:
    check(Ip(resolve(spec), bus, bits(bus)), tmp_path / "ip")


@pytest.mark.parametrize("spec", [spec for spec in SMALLEST if spec != "orup:w64"])
def test_exponentiators_have_no_warnings(spec: str, tmp_path: Path) -> None:
    folder = made(Ip(resolve(spec), "exp"), tmp_path / "ip")
    lint(folder, Ip(resolve(spec), "exp").top)


@pytest.mark.parametrize("spec", SMALLEST)
def test_lanes_have_no_warnings(spec: str, tmp_path: Path) -> None:
    ip = Ip(resolve(spec), "axil", lanes=LANES)
    lint(made(ip, tmp_path / "ip"), ip.top)


@pytest.mark.parametrize("bus", BESIDE_REGISTERS)
@pytest.mark.parametrize(
    "spec", [wide(spec, quick=spec in ("stream:w64", "stream:w512")) for spec in ENGINES]
)
def test_engines_have_no_warnings(spec: str, bus: Bus, tmp_path: Path) -> None:
    check(Ip(resolve(spec), bus, lanes=LANES), tmp_path / "ip")


@pytest.mark.wide
@pytest.mark.parametrize("spec", SPECS)
def test_every_configuration_has_lanes_without_warnings(spec: str, tmp_path: Path) -> None:
    ip = Ip(resolve(spec), "axil", lanes=LANES)
    lint(made(ip, tmp_path / "ip"), ip.top)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "bus", "lanes"),
    [
        ("stream", "axis", 5),
        *(
            pytest.param(name, bus, lanes, marks=pytest.mark.wide)
            for name, bus, lanes in (
                *(("tile", "axis", 4), ("orup", "apb", 1), ("orup", "wishbone", LANES), ("lowlat", "exp", 1)),
                ("iterative", "wishbone", 5),  # its products are shorter than the check of the operands
            )
        ),
    ],
)
def test_bench_runs_with_its_assertions(
    name: str, bus: Bus, lanes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors_host, "MODULI", 2)
    monkeypatch.setattr(vectors_axis, "MODULI", 2)
    # the model of lowlat has no cycles for tiny widths
    config = resolve("lowlat:w64") if name == "lowlat" else tiny(name, TINY[name][0])
    folder = made(Ip(config, bus, bits(bus), lanes), tmp_path / "ip")
    here.write(folder)
    assert "PASS " in run(["make", "-C", folder, "sim"], timeout=1200).stdout


@pytest.mark.wide
def test_streams_run_through_fusesoc(tmp_path: Path) -> None:
    folder = made(Ip(tiny("stream", TINY["stream"][0]), "axis", lanes=5), tmp_path / "ip")
    assert "PASS " in fusesoc(folder, "sim")


def test_what_there_is_no_hardware_for() -> None:
    orup = resolve("orup:w64")
    wrong: list[tuple[Bus, int, int, str]] = [
        ("none", 64, 2, "has no lanes"),
        ("apb", 64, 1, "32 bits"),
        ("axis", 32, 1, "64 bits"),
        ("exp", 64, 2, "share a multiplier"),
        ("axis", 64, 2, "share a multiplier"),
    ]
    for bus, word_bits, lanes, why in wrong:
        with pytest.raises(IllegalIpError, match=why):
            Ip(orup, bus, word_bits, lanes)
    for prefix in ("1a", "a-b", "ä", "a" * 32):
        with pytest.raises(IllegalIpError, match="a letter first"):
            Ip(orup, prefix=prefix)


def test_every_module_package_and_file_has_the_prefix() -> None:
    plain = contents(Ip(resolve("orup:w64"), "apb", 32, LANES))
    files = contents(Ip(resolve("orup:w64"), "apb", 32, LANES, "left"))
    assert names(files) == {f"left_{name}" for name in names(plain)}
    kept = {"LICENSE", "MANIFEST", "Makefile", "Bender.yml", "README.md", "tb/vectors.hex"}
    # The C driver is the same for all boards, so that one copy is enough.
    kept |= {name for name in files if name.startswith("sw/")}
    for name in files:
        stem = name.rpartition("/")[2]
        assert (
            stem.startswith("left_") or name in kept or not name.endswith((".sv", ".v", ".f", ".core", ".h"))
        )
    assert {text.replace("left_", "") for name, text in files.items() if name.endswith(".sv")} == {
        text for name, text in plain.items() if name.endswith(".sv")
    }


def test_headers_of_several_cores_in_one_program(tmp_path: Path) -> None:
    """Guards, macros and types have the prefix, so that both headers can be included."""
    left, right = resolve("orup:w64"), resolve("iterative:w64")
    for ip in (Ip(left, "apb", 32, prefix="left"), Ip(right, "apb", 32, prefix="right")):
        files = contents(ip)
        [header] = [name for name in files if name.startswith("include/")]
        (tmp_path / f"{ip.prefix}.h").write_text(files[header])
    (tmp_path / "both.c").write_text(
        "#include <stddef.h>\n#include <stdint.h>\n"
        '#include "left.h"\n#include "right.h"\n'
        '_Static_assert(offsetof(left_perle_regs_t, x) == offsetof(right_perle_regs_t, x), "");\n'
        "_Static_assert(sizeof(((left_perle_regs_t*)0)->constant) == "
        '3 * sizeof(((right_perle_regs_t*)0)->constant), "");\n'
        '_Static_assert(LEFT_PERLE_REGS__ID__MAGIC_reset == RIGHT_PERLE_REGS__ID__MAGIC_reset, "");\n'
    )
    run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "both.c"], cwd=tmp_path)


def test_a_core_of_one_modulus() -> None:
    """With two bits the only modulus is 3, which all records of a stream use."""
    assert contents(Ip(resolve("iterative:w2"), "axis"))


def test_what_a_readme_says_of_exponents() -> None:
    for ip, most, digit in (
        (Ip(resolve("orup:w64"), "axil"), 128, 4),
        (Ip(resolve("orup:w64"), "exp"), 128, 4),
        (Ip(resolve("stream:w64"), "axis", 64, 5), 128, 5),
        (Ip(resolve("stream:w64"), "axil", 32, 5), 96, 5),
    ):
        page = contents(ip)["README.md"]
        assert f"An exponent has 1 to {most} bits; a command with another length is a fault." in page, ip
        assert f"Mode 0 takes digits of {digit} bits:" in page


def test_what_a_readme_says_of_lanes_and_responses() -> None:
    for ip, lanes, responses in (
        (Ip(resolve("stream:w64"), "exp", 64, 3), True, False),
        (Ip(resolve("orup:w64"), "exp"), False, False),
        (Ip(resolve("orup:w64"), "axil", 64, 3), False, True),
    ):
        page = contents(ip)["README.md"]
        assert ("Lanes are numbered 0 to 2. No other number may be used" in page) == lanes, ip
        assert ("RREADY must not wait for BVALID, nor BREADY for RVALID" in page) == responses, ip


def test_what_a_readme_says_of_the_driver() -> None:
    """The caller has to blind, and to pad exponents; without registers there is no driver."""
    driven: dict[Bus, bool] = {"axil": True, "wishbone": True, "exp": False, "none": False}
    for bus, there in driven.items():
        files = contents(Ip(resolve("orup:w64"), bus, bits(bus)))
        assert ("sw/perle_fw.h" in files) == there
        text = " ".join(files["README.md"].split())
        assert ("blinds nothing: the caller has to" in text) == there, bus
        assert ("pad a secret exponent to a public length" in text) == there, bus


def test_a_prefix_is_put_before_whole_names_only() -> None:
    files = {
        "a.sv": "module a (\n);\nendmodule\nmodule a_b;\n  a u_a (.a(a_c));\nendmodule\n",
        "a.txt": "a_v2 a",
    }
    found = prefixed(files, "x")
    assert (
        found["x_a.sv"] == "module x_a (\n);\nendmodule\nmodule x_a_b;\n  x_a u_a (.x_a(a_c));\nendmodule\n"
    )
    assert found["x_a.txt"] == "a_v2 x_a"
    assert prefixed(files, "") is files


PAIRS: dict[str, tuple[Ip, Ip]] = {
    "configurations": (
        Ip(resolve("orup:w64"), "axil", 64, prefix="left"),
        Ip(resolve("orup:w65"), "axil", 32, LANES, prefix="right"),
    ),
    "families": (
        Ip(resolve("stream:w64"), "axis", 64, 4, prefix="left"),
        Ip(resolve("orup:w64"), "wishbone", 64, prefix="right"),
    ),
    "same": (
        Ip(resolve("orup:w64"), "apb", 32, prefix="left"),
        Ip(resolve("orup:w64"), "apb", 32, prefix="right"),
    ),
}


def both(pair: tuple[Ip, Ip], out: Path) -> tuple[list[Path], list[str]]:
    """Write two directories and a module with both tops; return their hardware and waivers."""
    files, waivers = [], []
    for ip in pair:
        folder = made(ip, out / ip.prefix)
        files += listed(folder, ip.top)
        waivers += [str(path) for path in (folder / "rtl").glob("*.vlt")]
    joined = out / "both.sv"
    body = "".join(f"  (* keep *) {ip.top} u_{ip.prefix} ();\n" for ip in pair)
    joined.write_text(f"module both;\n{body}endmodule\n")
    return [*files, joined], waivers


@pytest.mark.parametrize("name", PAIRS)
def test_two_live_in_one_design(name: str, tmp_path: Path) -> None:
    files, waivers = both(PAIRS[name], tmp_path)
    verilator.lint(files, "both", {}, ["-Wno-PINMISSING", *waivers])
    work = tmp_path / "work"
    read = yosys.read(yosys.copied(files, work), "both", {})
    yosys.execute([f"{read} --keep-hierarchy", "hierarchy -check", "tee -q -o mods ls"], work, timeout=600)
    modules = {
        line.strip().strip("\\").partition("$")[0] for line in (work / "mods").read_text().splitlines()
    }
    assert {"both", *(ip.top for ip in PAIRS[name])} <= modules


def test_two_without_prefixes_do_not(tmp_path: Path) -> None:
    ip = Ip(resolve("orup:w64"), "apb", 32, prefix="left")
    same = Ip(resolve("orup:w65"), "apb", 32, prefix="left")
    files = [*listed(made(ip, tmp_path / "a"), ip.top), *listed(made(same, tmp_path / "b"), same.top)]
    with pytest.raises(ToolError, match=r"redefinition|duplicate"):
        yosys.elaborate(files, ip.top, {}, tmp_path / "work", check=False)


def test_buses_are_those_of_the_families() -> None:
    assert set(BUSES) == {"axil", "apb", "wishbone", "axis", "exp", "none"}
    assert {name for name in families() if families()[name].engine} == {"stream", "tile"}
