# SPDX-License-Identifier: Apache-2.0
"""Find the real boards of this machine: behind serial lines, mapped by the kernel, at given addresses.

for device in devices():
print(identify(device.spec))
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from perle.host.boards import Boards
from perle.host.key import PerleError

TIMEOUT_S = 2.0
"""Time limit in seconds of an operation while a board is identified, which may be in an unknown state."""


@dataclass(frozen=True)
class Device:
    """A device behind which a board may be, and the specification that names it."""

    spec: str
    path: Path


@dataclass(frozen=True)
class Attached:
    """The board found at a specification, or the reason why there is none (`fault`)."""

    spec: str
    family: str = ""
    width: int = 0
    lanes: int = 0
    core_clock_hz: int = 0
    """Frequency of the core's clock; 0 if the design does not report it."""
    version: int = 0
    """Version of the design's own registers; 0 if it has none."""
    fault: str = ""


def devices(root: Path = Path("/")) -> list[Device]:
    """Return serial and userspace I/O devices below `root`, each once, by its most stable name."""
    found: dict[Path, Device] = {}
    serial = [
        *sorted((root / "dev/serial/by-id").glob("*")),
        *sorted((root / "dev").glob("ttyUSB*")),
        *sorted((root / "dev").glob("ttyACM*")),
    ]
    for path in serial:
        found.setdefault(path.resolve(), Device(f"uart:{path}", path))
    for entry in sorted((root / "sys/class/uio").glob("uio*")):
        path = root / "dev" / entry.name
        found.setdefault(path.resolve(), Device(f"uio:{path}", path))
    return list(found.values())


def user_of(path: Path, root: Path = Path("/")) -> int | None:
    """Return a process that has a device open, or has locked it as terminal programs do, if one is visible.

    The device is not opened: opening a serial line may reset the board behind it.
    """
    device = path.resolve()
    with suppress(OSError, ValueError):
        pid = int((root / "var/lock" / f"LCK..{device.name}").read_text(encoding="ascii").split()[0])
        if (root / "proc" / str(pid)).exists():
            return pid
    for link in (root / "proc").glob("[0-9]*/fd/*"):
        with suppress(OSError):
            if link.readlink() == device:
                return int(link.parts[-3])
    return None


def identify(spec: str) -> Attached:
    """Identify the board at a specification. Takes about a second if there is no answer."""
    try:
        with Boards(spec, timeout=TIMEOUT_S) as boards:
            info, told = boards.info, json.loads(boards.snapshot())
    except PerleError as error:
        return Attached(spec, fault=str(error))
    return Attached(
        spec, info.family, info.width, info.count, int(told["core_clock_hz"]), int(told["version"])
    )


def look(device: Device) -> Attached:
    """Identify the board behind a device, unless another process uses it."""
    user = user_of(device.path)
    if user is not None:
        return Attached(device.spec, fault=f"in use by process {user}: not asked")
    return identify(device.spec)
