# SPDX-License-Identifier: Apache-2.0
"""Modular arithmetic on boards: a thin, typed binding of libperle. RSA keys are in `perle.host.key`.

Numbers are Python integers, data is bytes. Errors of libperle raise PerleError, whose `name` and `code` are
those of perle.h. All objects are thread-safe.

libperle zeroizes its own copies of secrets. Python cannot: integers and bytes that pass through it (results,
an exponent given to `modexp`, the content of a key file, a passphrase) stay in memory until Python reuses
it.
"""

from __future__ import annotations

import operator
import re
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import astuple, dataclass
from enum import IntEnum
from pathlib import Path
from typing import Self

from perle.boards.build import build_board
from perle.boards.wrapper import MAX_LANES
from perle.cores import registry
from perle.flow.cache import cache_root
from perle.flow.tools import SettingError
from perle.host._handle import Handle
from perle.host._headers import constants, ffi
from perle.host._lib import library, record, string
from perle.host.key import Key, Output, Padding, PerleError
from perle.host.pam.system import System

__all__ = [
    "BoardInfo", "BoardStats", "Boards", "Key", "Mode", "Output", "Padding", "PerleError", "Result",
    "is_link", "resolve_spec", "take_lanes",
]  # fmt: skip

MODULI_KEPT = 64
LINKS = ("uart:", "etherbone:", "uio:")


class Mode(IntEnum):
    """Modes of exponentiation: WINDOW and LADDER in constant time, BINARY for public exponents.

    PAPER is that of tang2003: all bits of the exponent register, and the final reduction on the host.
    """

    WINDOW = constants.PERLE_MODE_WINDOW
    BINARY = constants.PERLE_MODE_BINARY
    PAPER = constants.PERLE_MODE_PAPER
    LADDER = constants.PERLE_MODE_LADDER


@dataclass(frozen=True)
class Result:
    """A number and the board cycles it took."""

    value: int
    cycles: int


@dataclass(frozen=True)
class BoardInfo:
    """Properties of the boards of a set, which are all equal."""

    family: str
    family_id: int
    config_hash: int
    width: int
    operand_bits: int
    word_bits: int
    window_bits: int
    exponent_bits: int
    count: int
    simulated: bool


@dataclass(frozen=True)
class BoardStats:
    """Statistics of one board since it was opened or its counters were reset."""

    operations: int = 0
    cycles: int = 0
    bus_writes: int = 0
    bus_reads: int = 0
    bytes_written: int = 0
    bytes_read: int = 0
    modulus_loads: int = 0
    faults: int = 0
    timeouts: int = 0
    resets: int = 0
    recoveries: int = 0
    retirements: int = 0
    key_errors: int = 0

    def __add__(self, other: BoardStats) -> BoardStats:
        """Return the sums, for totals of several boards."""
        return BoardStats(
            *(mine + theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True))
        )


OPTION = re.compile(r"boards=[1-9]\d*")
"""The option of a simulated board that is left when `lanes` has been taken."""


def resolve_spec(spec: str, progress: Callable[[str], None] | None = None) -> str:
    """Return `sim:/PATH.so[,…]` for `sim:FAMILY:CONFIG[,lanes=T][,…]`, building that board if absent.

    The path of a shared object may be relative to the working folder (`sim:./PATH.so`), as in a shell.
    Any other specification is returned unchanged; libperle checks it.
    """
    core, *options = spec.split(",")
    if core.startswith("sim:") and core.endswith(".so"):
        return ",".join([f"sim:{Path(core[4:]).absolute()}", *options])
    taken = take_lanes(options)
    if not core.startswith("sim:") or core.startswith("sim:/") or taken is None:
        return spec
    lanes, others = taken
    if not all(OPTION.fullmatch(one) for one in others) or len(others) > 1:
        return spec  # refused by libperle, which need not wait for a build
    if "," in str(cache_root()):
        why = f"{cache_root()} has a comma, which separates options in a board's specification"
        raise SettingError("cache", why, "give the path of a folder without one: PERLE_CACHE=/FOLDER")
    return ",".join(
        [f"sim:{build_board(registry.resolve(core[4:]), lanes=lanes, progress=progress)}", *others]
    )


def is_link(spec: str) -> bool:
    """Whether a specification names a real board: behind a link, or mapped into memory."""
    return spec.startswith(LINKS)


def take_lanes(options: list[str]) -> tuple[int, list[str]] | None:
    """Return T of lanes=T among the options of a board (1 without) and the others; None if illegal."""
    lanes = [option for option in options if option.startswith("lanes")]
    if not lanes:
        return 1, options
    legal = len(lanes) == 1 and re.fullmatch(r"lanes=[1-9]\d?", lanes[0])
    if not legal or int(lanes[0][6:]) > MAX_LANES:
        return None
    return int(lanes[0][6:]), [option for option in options if option not in lanes]


def _number(value: int, what: str) -> bytes:
    """Big-endian bytes of a number, at least one."""
    number = operator.index(value)
    if number < 0:
        raise ValueError(f"{what} is negative")
    return number.to_bytes(max(1, (number.bit_length() + 7) // 8), "big")


class _Modulus(Handle):
    """A perle_mod; freed when its last user releases it."""

    CLOSED = "the boards are closed"

    def __init__(self, boards: Boards, m: int) -> None:
        data = _number(m, "modulus")
        self._own(library(), "perle_mod_new", boards, data, len(data), closing="perle_mod_free")


class Boards(Handle):
    """One or several equal boards that share the work.

    `spec` is `sim:FAMILY:CONFIG[,lanes=T][,boards=N]` (built when missing), or `sim:/PATH.so[,boards=N]`, or
    the Path of a simulated board; or a real one: `uart:/DEVICE[,baud=N]`, `etherbone:HOST[:PORT]` or
    `uio:/DEVICE`. Lanes are boards that share one multiplier; several threads keep it busy. An
    operation that takes longer than `timeout` seconds of wall-clock time, or on simulated boards than
    `timeout_cycles` board cycles, raises PERLE_ERR_TIMEOUT. Software computes every result too, and a wrong
    result of a board raises PERLE_ERR_FAULT; without `check` only the range of products and powers is
    checked. RSA results, and all results behind serial lines, are always checked.
    """

    CLOSED = "the boards are closed"

    def __init__(
        self,
        spec: str | Path,
        *,
        timeout: float | None = None,
        timeout_cycles: int | None = None,
        check: bool = True,
        progress: Callable[[str], None] | None = None,
    ) -> None:
        text = f"sim:{spec.resolve()}" if isinstance(spec, Path) else resolve_spec(spec, progress)
        self._adopt("perle_boards_open", text.encode())
        self.set_timeout(timeout, timeout_cycles)
        self._lib.call("perle_boards_set_check", self, int(check))

    @classmethod
    def on_system(cls, system: System, driver: str) -> Self:
        """Make boards of a system of active memories, for private RSA operations by the given driver.

        Takes ownership of the system: it is closed with the boards. `Key.private`, `Key.sign`, `Key.decrypt`,
        `info`, `stats`, `zeroize` and `snapshot` work; everything else raises PERLE_ERR_UNSUPPORTED. The time
        of an operation (`Output.time_ps`) depends on the bits of the private exponent.
        """
        boards = cls.__new__(cls)
        with system.given_away():
            boards._adopt("perle_boards_on_system", system, driver.encode())  # noqa: SLF001 - its own
        return boards

    def _adopt(self, opening: str, *args: object) -> None:
        self._moduli: OrderedDict[int, _Modulus] = OrderedDict()
        self._own(library(), opening, *args, closing="perle_boards_close")

    def close(self) -> None:
        """Close them, and zeroize the cached moduli; see `Handle.close`."""
        super().close()
        self._moduli.clear()

    @property
    def info(self) -> BoardInfo:
        """Properties of the boards."""
        raw = self._lib.value("perle_boards_info", self)
        return record(BoardInfo, raw, family=string(raw.family), simulated=bool(raw.simulated))

    def set_timeout(self, seconds: float | None, cycles: int | None = None) -> None:
        """Set the timeouts of one operation; None is libperle's default."""
        if seconds is not None and not 0 <= seconds < float("inf"):
            raise ValueError(f"a time limit is finite and not negative: {seconds}")
        milliseconds = 0 if seconds is None else max(1, round(seconds * 1000))
        self._lib.call("perle_boards_set_timeout", self, milliseconds, cycles or 0)

    def stats(self) -> list[BoardStats]:
        """Return the statistics of each board."""
        every = range(self.info.count)
        return [record(BoardStats, self._lib.value("perle_boards_stats", self, i)) for i in every]

    def total(self) -> BoardStats:
        """Return the sum of the statistics of all boards."""
        return sum(self.stats(), BoardStats())

    def reset_stats(self) -> None:
        """Set all counters to zero."""
        self._lib.call("perle_boards_stats_reset", self)

    def zeroize(self) -> None:
        """Zeroize operands, exponents, moduli and results on every board."""
        self._lib.call("perle_boards_zeroize", self)

    def montmul(self, x: int, y: int, m: int) -> Result:
        """x·y·R^-1 modulo m, not fully reduced; ranges and R depend on the family."""
        return self._product("perle_montmul", x, y, m)

    def mulmod(self, x: int, y: int, m: int) -> Result:
        """x·y mod m, for x, y < m."""
        return self._product("perle_mulmod", x, y, m)

    def modexp(
        self, base: int, exponent: int, m: int, *, mode: Mode = Mode.WINDOW, bits: int | None = None
    ) -> Result:
        """base^exponent mod m, for base < m.

        `bits` is the public width of the exponent, which alone determines the time of `Mode.WINDOW` and
        `Mode.LADDER`. Default: in these modes the width of the modulus, or of the exponent if that is longer;
        in the other modes the width of the exponent.
        """
        x, e, cost = _number(base, "base"), _number(exponent, "exponent"), ffi.new("perle_cost*")
        hidden = m.bit_length() if mode in (Mode.WINDOW, Mode.LADDER) else 1
        width = max(hidden, exponent.bit_length()) if bits is None else bits
        if width < 1:
            raise ValueError("an exponent has at least one bit")
        modulus = self._modulus(m)  # a reference: another thread may remove it from the cache
        before = (self, modulus, x, len(x), e, len(e), width, int(mode))
        out = self._lib.data("perle_modexp", self._room(m), *before, after=(cost,))
        return record(Result, cost, value=int.from_bytes(out, "big"))

    def _product(self, function: str, x: int, y: int, m: int) -> Result:
        left, right, cost = _number(x, "x"), _number(y, "y"), ffi.new("perle_cost*")
        modulus = self._modulus(m)  # a reference, as above
        before = (self, modulus, left, len(left), right, len(right))
        out = self._lib.data(function, self._room(m), *before, after=(cost,))
        return record(Result, cost, value=int.from_bytes(out, "big"))

    def _room(self, m: int) -> int:
        """Bytes that hold any result, also one that is not fully reduced."""
        return m.bit_length() // 8 + self.info.operand_bits // 8 + 2

    def _modulus(self, m: int) -> _Modulus:
        # Without a lock, which a child of fork would inherit from a thread that it does not have.
        found = self._moduli.get(m) or _Modulus(self, m)
        self._moduli[m] = found
        with suppress(KeyError):  # removed by another thread
            self._moduli.move_to_end(m)
            if len(self._moduli) > MODULI_KEPT:
                self._moduli.popitem(last=False)
        return found

    def read(self, address: int, index: int = 0) -> int:
        """Read one register of board `index`."""
        data: int = self._lib.value("perle_board_read", self, index, address)
        return data

    def write(self, address: int, data: int, index: int = 0) -> None:
        """Write one register or bank word of board `index`."""
        self._lib.call("perle_board_write", self, index, address, data)

    def advance(self, cycles: int, *, until_irq: bool = False, index: int = 0) -> int:
        """Advance a simulated board by clock cycles; returns how many have passed."""
        passed: int = self._lib.value("perle_board_advance", self, index, cycles, int(until_irq))
        return passed

    def snapshot(self, index: int = 0) -> str:
        """Return the registers of a simulated board, or a real board's description of its design, as JSON."""
        room = self._lib.value("perle_board_snapshot", self, index, None, 0)
        return self._lib.data("perle_board_snapshot", room, self, index).rstrip(b"\0").decode()

    def trace(self, path: Path | None, index: int = 0) -> None:
        """Start a trace (.vcd, .fst) of a simulated board; None ends it. It contains all operands."""
        name = None if path is None else str(path).encode()
        self._lib.call("perle_board_trace", self, index, name)
