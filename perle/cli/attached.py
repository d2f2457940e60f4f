# SPDX-License-Identifier: Apache-2.0
"""The hardware boards connected to this machine, for `perle boards`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from perle.cli.io.console import Steps
from perle.host.attached import Attached, devices, identify, look
from perle.tables import Table

ROOT = Path("/")


def attached(hosts: Sequence[str], steps: Steps, *, ask: bool) -> list[Attached]:
    """Return the boards on this machine's devices and on given hosts; devices are probed only if `ask`."""
    found = []
    for device in devices(ROOT):
        steps.work(f"probing {device.spec}")
        found.append(look(device) if ask else Attached(device.spec, fault="not probed"))
    for host in hosts:
        spec = f"etherbone:{host.removeprefix('etherbone:')}"
        steps.work(f"probing {spec}")
        found.append(identify(spec))
    return found


def table(found: Sequence[Attached]) -> Table:
    """Return a table with one row per board."""
    out = Table(("attached", "core", "lanes", "clock", "found"), right=(2, 3))
    for one in found:
        if one.fault:
            out.add(one.spec, "", "", "", one.fault)
            continue
        clock = f"{one.core_clock_hz / 1e6:g} MHz" if one.core_clock_hz else "unknown"
        version = f"a design of version {one.version}" if one.version else "registers only"
        out.add(one.spec, f"{one.family}, {one.width} bits", str(one.lanes), clock, version)
    return out
