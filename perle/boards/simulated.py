# SPDX-License-Identifier: Apache-2.0
"""The simulated board from Python: a thin binding of `sim/perle_sim.h`, for hardware tests and stepping.

Users access boards through the host library; this binding is for testing the library and the hardware.
"""

from __future__ import annotations

import json
from copy import copy
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from cffi import FFI

from perle.flow.c_headers import CData, declarations
from perle.flow.tools import ToolError
from perle.flow.trusted import trusted_path

# Register addresses, which must be those of board.rdl (a test compares).
ID, FAMILY, CONFIG_HASH, WIDTHS, SHAPE = 0x000, 0x008, 0x010, 0x018, 0x020
COMMAND, CONTROL, STATUS, CYCLES_LO, CYCLES_HI = 0x028, 0x030, 0x038, 0x040, 0x048
LANES, LANE_BYTES = 0x050, 0x4000
BANKS, BANK_BYTES, RESULT = 0x1000, 0x400, 0x3000
START, ZEROIZE, CLEAR_ERRORS = 1, 2, 4
BUSY, DONE = 1, 2

ffi = FFI()
ffi.cdef(declarations(Path(__file__).with_name("sim") / "perle_sim.h"))
_numbers: CData = ffi.dlopen(None)

OK: int = _numbers.PERLE_SIM_OK
BUS_ERROR: int = _numbers.PERLE_SIM_BUS_ERROR
TIMEOUT: int = _numbers.PERLE_SIM_TIMEOUT
BAD_ARGUMENT: int = _numbers.PERLE_SIM_BAD_ARGUMENT
NO_TRACE: int = _numbers.PERLE_SIM_NO_TRACE
FAILED: int = _numbers.PERLE_SIM_FAILED
ABI: int = _numbers.PERLE_SIM_ABI
_TEXTS = {
    BUS_ERROR: "the board answered with a bus error",
    TIMEOUT: "the board does not answer",
    BAD_ARGUMENT: "address or data that the bus cannot carry",
    NO_TRACE: "this build records no such trace, or the file cannot be written",
    FAILED: "an assertion of the hardware failed",
}


class SimulatorError(RuntimeError):
    """A call failed; `code` is that of the ABI."""

    def __init__(self, code: int, what: str) -> None:
        super().__init__(f"{what}: {_TEXTS.get(code, f'code {code}')}")
        self.code = code


class SimulatorVersionError(ToolError):
    """A shared object with another version of the ABI, or without a version."""


_loaded: list[CData] = []
"""All loaded shared objects. They are never unloaded, because a board may still use the code in them."""


def _load(path: Path) -> CData:
    library = ffi.dlopen(str(trusted_path(path)))
    _loaded.append(library)
    _check_abi(library, path)
    return library


def _check_abi(library: CData, path: Path) -> None:
    version = library.perle_sim_abi() if hasattr(library, "perle_sim_abi") else 0
    if version != ABI:
        theirs = f"version {version}" if version else "no version"
        what = f"{path} speaks {theirs} of perle_sim.h, perle.boards.simulated version {ABI}"
        hint = "update Perle" if version > ABI else "build the board anew: perle build"
        raise SimulatorVersionError("simulated board", what, hint)


def _text(characters: CData) -> str:
    found = ffi.string(characters)
    assert isinstance(found, bytes)
    return found.decode()


def info(path: Path) -> dict[str, Any]:
    """Return the description of a shared object's build."""
    return dict(json.loads(_text(_load(path).perle_sim_info())))


class SimulatedBoard:
    """One handle; closes itself at the end of a `with`."""

    def __init__(self, path: Path) -> None:
        self.library = _load(path)
        self.info: dict[str, Any] = json.loads(_text(self.library.perle_sim_info()))
        self.index = 0
        self.handle = self.library.perle_sim_open()
        if not self.handle:
            raise MemoryError("no memory for a simulated board")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the board; later calls on it raise SimulatorError."""
        self.library.perle_sim_close(self.handle)
        self.handle = ffi.NULL

    def lane(self, index: int) -> Self:
        """Return lane `index` of this board: another view of the same handle, not to be closed."""
        view = copy(self)
        view.index = index
        return view

    def write(self, addr: int, data: int) -> None:
        """One AXI4-Lite write."""
        code = self.library.perle_sim_write(self.handle, self.index * LANE_BYTES + addr, data)
        if code != OK:
            raise SimulatorError(code, f"write to 0x{addr:04x}")

    def read(self, addr: int) -> int:
        """One AXI4-Lite read."""
        data = ffi.new("uint64_t *")
        code = self.library.perle_sim_read(self.handle, self.index * LANE_BYTES + addr, data)
        if code != OK:
            raise SimulatorError(code, f"read of 0x{addr:04x}")
        return int(data[0])

    def advance(self, cycles: int, *, until_irq: bool = False) -> None:
        """Advance the clock; with `until_irq` at most until the interrupt."""
        awaited = self.index + 1 if until_irq else 0
        self._check(self.library.perle_sim_advance(self.handle, cycles, awaited), "advance")

    def reset(self) -> None:
        """Reset the board and wait until it is ready."""
        self._check(self.library.perle_sim_reset(self.handle), "reset")

    def trace(self, path: Path | None) -> None:
        """Start a trace to a file, or end it (None)."""
        name = ffi.NULL if path is None else str(path).encode()
        self._check(self.library.perle_sim_trace(self.handle, name), f"trace to {path}")

    @property
    def cycles(self) -> int:
        """Clock cycles since the board was opened."""
        return int(self.library.perle_sim_cycles(self.handle))

    def snapshot(self) -> dict[str, str]:
        """Return the registers, by name, in hexadecimal."""
        # The length may change between the two calls only if another thread runs the same board.
        length = self.library.perle_sim_snapshot(self.handle, ffi.NULL, 0)
        buffer = ffi.new("char[]", max(1, length))
        self.library.perle_sim_snapshot(self.handle, buffer, length)
        return dict(json.loads(_text(buffer) or "{}"))

    def write_line(self, bank: int, value: int) -> None:
        """Write a whole operand line."""
        self._check_line(value)
        bits: int = self.info["word_bits"]
        for word in range(self.words):
            data = value >> (word * bits) & ((1 << bits) - 1)
            self.write(BANKS + bank * BANK_BYTES + word * bits // 8, data)

    def read_result(self) -> int:
        """Read the whole result line."""
        bits: int = self.info["word_bits"]
        return sum(self.read(RESULT + word * bits // 8) << (word * bits) for word in range(self.words))

    @property
    def words(self) -> int:
        """Words of an operand line."""
        return -(-int(self.info["operand_bits"]) // int(self.info["word_bits"]))

    def _check_line(self, value: int) -> None:
        if value < 0 or value >> (self.words * int(self.info["word_bits"])):
            raise ValueError("a value that an operand line cannot hold")

    @staticmethod
    def _check(code: int, what: str) -> None:
        if code != OK:
            raise SimulatorError(code, what)
