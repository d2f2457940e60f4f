# SPDX-License-Identifier: Apache-2.0
"""Files for vendors' tools and kernels: Tcl for Vivado's packager, constraints, a device tree."""

from __future__ import annotations

from perle import __version__
from perle.boards import simulated as regs
from perle.generate.ip import Ip

HASH = "# SPDX-License-Identifier: Apache-2.0\n"
SLASHES = "// SPDX-License-Identifier: Apache-2.0\n"
MHZ = 100
ADDRESS = 0xA000_0000


def vendor(ip: Ip, rtl: list[str]) -> dict[str, str]:
    """Return the files by name; `rtl` is the hardware in compile order."""
    found = {
        f"vivado/{ip.name}.tcl": _vivado(ip, rtl),
        f"constraints/{ip.name}.xdc": _sdc("Vivado"),
        f"constraints/{ip.name}.sdc": _sdc("Quartus, OpenSTA and others that read SDC"),
        f"constraints/{ip.name}.lpf": _lpf(),
    }
    if ip.registers:
        found[f"dts/{ip.name}.dtsi"] = _device_tree(ip)
    return found


def _vivado(ip: Ip, rtl: list[str]) -> str:
    files = "".join(f"  {name}\n" for name in rtl)
    return f"""\
{HASH}#
# Packages the IP for Vivado's catalogue: vivado -mode batch -source vivado/{ip.name}.tcl
# Bus interfaces are inferred from the attributes of the top module's ports.

set root [file normalize [file join [file dirname [info script]] ..]]
set part [expr {{[info exists ::env(PART)] ? $::env(PART) : "xc7a200tfbg676-2"}}]

set rtl {{
{files}}}

create_project -in_memory -part $part {ip.name}
foreach name $rtl {{
  read_verilog -sv [file join $root $name]
}}
# in a design the clock is the design's: these constraints are for the core by itself
read_xdc -mode out_of_context [file join $root constraints/{ip.name}.xdc]
set_property top {ip.name} [current_fileset]
update_compile_order -fileset sources_1

ipx::package_project -root_dir [file join $root vivado/ip] -vendor perle -library ip \\
  -taxonomy /UserIP -import_files -set_current true
set core [ipx::current_core]
set_property name {ip.name} $core
set_property version {__version__} $core
set_property display_name {{{ip.name}}} $core
set_property description {{{ip.summary}}} $core
ipx::create_xgui_files $core
ipx::update_checksums $core
ipx::check_integrity $core
ipx::save_core $core
"""


def _sdc(tool: str) -> str:
    return f"""\
{HASH}#
# For {tool}: the clock that is asked for, in nanoseconds.
# The reset comes from a register of this clock that releases it: recovery and removal are checked from there.
# Delays of the other ports are those of your design.

create_clock -name clk -period {1000 / MHZ:.3f} [get_ports clk_i]
set_input_delay -clock clk 0 [get_ports rst_ni]
"""


def _lpf() -> str:
    return f"""\
{HASH}#
# For nextpnr and Diamond: the clock that is asked for. A register of this clock must release the reset.

FREQUENCY PORT "clk_i" {MHZ} MHZ;
"""


def _device_tree(ip: Ip) -> str:
    size = regs.LANE_BYTES << ip.shape.lane_bits
    lanes = f"Lane i is at {regs.LANE_BYTES:#x}·i, its interrupt is bit i of irq_o. "
    return f"""\
{SLASHES}//
// {ip.summary}, for Linux: registers and interrupt for a program, through /dev/uio*.
// {lanes if ip.lanes > 1 else ""}Set the address, and add `interrupts` and
// `interrupt-parent`, as your system has them; boot with uio_pdrv_genirq.of_id=generic-uio.
// In `reg` addresses and sizes have two cells each, as on 64-bit systems: where `#address-cells` of the root
// is 1, leave out each 0x0.

/ {{
\t{ip.name}: accelerator@{ADDRESS:x} {{
\t\tcompatible = "perle,board-1.0", "generic-uio";
\t\treg = <0x0 {ADDRESS:#x} 0x0 {size:#x}>;
\t}};
}};
"""
