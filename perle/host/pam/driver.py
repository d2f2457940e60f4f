# SPDX-License-Identifier: Apache-2.0
"""RSA on systems of active memories: the binding of `perle_driver.h`."""

from __future__ import annotations

from collections.abc import Sequence

from perle.host._headers import ffi
from perle.host._lib import library, record, taken
from perle.host.key import Key
from perle.host.pam.system import System, Time


def names() -> list[str]:
    """Return the drivers' names, in the order of the paper's table."""
    lib = library()
    found: list[str] = []
    while name := lib.text("perle_driver_name", len(found)):
        found.append(name)
    return found


def boards(name: str) -> list[str]:
    """Return the families of a driver's boards, in order; `mod_product:p` is one built for the prime p."""
    found = library().text("perle_driver_boards", name.encode())
    if not found:
        raise KeyError(f"no driver {name!r}; there are: {', '.join(names())}")
    return found.split(",")


def private(system: System, name: str, key: Key, blocks: Sequence[int]) -> tuple[list[int], Time]:
    """c^d mod n for every block, and the modelled time from the first access to the last.

    Raises ValueError for a block that is longer than n, and PerleError: _SPEC, _ARGUMENT (wrong boards),
    _KEY_PUBLIC, _WIDTH, _OPERAND_RANGE, _BUS, _FAULT, _KEY_WRONG.
    """
    size, lib = key.size, library()
    if any(not 0 <= block < 1 << 8 * size for block in blocks):
        raise ValueError(f"a block is a number of at most {size} bytes")
    given = b"".join(block.to_bytes(size, "big") for block in blocks)
    out = ffi.new("uint8_t[]", max(1, len(given)))
    where = (system, name.encode(), key, given, len(blocks), out, len(given))
    time = record(Time, lib.value("perle_driver_private", *where))
    found = taken(out, len(given))
    return [int.from_bytes(found[i : i + size], "big") for i in range(0, len(found), size)], time
