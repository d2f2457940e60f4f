# SPDX-License-Identifier: Apache-2.0
"""The testbench's top module: the driver with its sizes, connected to the hardware."""

from __future__ import annotations

from perle.generate import tops
from perle.generate.interfaces import BUS_PREFIXES, Port, opposite
from perle.generate.ip import Ip

# Ports that the testbench holds constant: it writes whole words, and protection bits are ignored.
CONSTANT = {
    "axil_awprot_i": "'0",
    "axil_arprot_i": "'0",
    "axil_wstrb_i": "'1",
    "s_apb_pprot": "'0",
    "s_apb_pstrb": "'1",
    "wb_sel_i": "'1",
}


def bench(ip: Ip, parameters: dict[str, int]) -> str:
    """Return the testbench's top module."""
    joins = tops.ports(ip)
    lanes = [Port("input", "", f"{name}_lane_i") for name in ("wr", "rd", "cmd")]
    missing = lanes if ip.bus == "exp" and ip.lanes == 1 else []
    wires = "\n".join(f"  logic {port.gap}{port.signal};" for port in [*joins, *missing])
    hardware = tops.joined({port.name: port.signal for port in joins})
    driven = [port for port in [*joins, *missing] if port.name not in CONSTANT]
    driver = tops.joined({_driver(port): port.signal for port in driven})
    fixed = "".join(
        f"  assign {port.signal} = {CONSTANT[port.name]};\n" for port in joins if port.name in CONSTANT
    )
    if missing:
        fixed += f"  logic unused;\n  assign unused = {' ^ '.join(port.signal for port in missing)};\n"
    constant = f"\n{fixed}" if fixed else ""
    return f"""\
{tops.HEADER}// Testbench of {ip.name}: generated, not to be edited.

module {ip.name}_tb;

{wires}
{constant}
  {ip.drivers[-1].stem} #(
{tops.generics({**parameters})}
  ) u_driver (
{driver}
  );

  {ip.name} u_dut (
{hardware}
  );

endmodule
"""


def _driver(port: Port) -> str:
    """Return the name of the driver's port: an output for an input of the hardware."""
    if port.name == "rst_ni":
        return "rst_no"
    name = opposite(port)
    return next((name.removeprefix(one) for one in BUS_PREFIXES if name.startswith(one)), name)
