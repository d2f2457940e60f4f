# SPDX-License-Identifier: Apache-2.0
"""RSA on systems of active memories: the binding of `perle_driver.h`."""

from __future__ import annotations

import ctypes as c
from collections.abc import Sequence
from dataclasses import fields

from perle.host._lib import CSystemTime, library
from perle.host.key import Key
from perle.host.pam.system import System, Time


def names() -> list[str]:
    """Return the drivers' names, in the order of the paper's table."""
    dll = library().dll
    found: list[str] = []
    while (name := dll.perle_driver_name(len(found))) is not None:
        found.append(name.decode())
    return found


def boards(name: str) -> list[str]:
    """Return the families that a driver drives, in order; `mod_product:p` is one built for the prime p."""
    found: bytes | None = library().dll.perle_driver_boards(name.encode())
    if found is None:
        raise KeyError(f"no driver {name!r}; there are: {', '.join(names())}")
    return found.decode().split(",")


def private(system: System, name: str, key: Key, blocks: Sequence[int]) -> tuple[list[int], Time]:
    """c^d mod n for every block, and what it took in modelled time, from the first access to the last.

    Raises PerleError: _SPEC, _ARGUMENT (other boards), _KEY_PUBLIC, _WIDTH, _OPERAND_RANGE, _BUS, _FAULT.
    """
    size, lib = key.size, library()
    given = b"".join(block.to_bytes(size, "big") for block in blocks)
    out, raw = c.create_string_buffer(max(1, len(given))), CSystemTime()
    where = (system.handle, name.encode(), key.handle, given, len(blocks), out, len(given), c.byref(raw))
    lib.call("perle_driver_private", *where)
    taken = out.raw[: len(given)]
    numbers = [int.from_bytes(taken[i : i + size], "big") for i in range(0, len(taken), size)]
    return numbers, Time(*(getattr(raw, field.name) for field in fields(Time)))
