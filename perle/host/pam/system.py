# SPDX-License-Identifier: Apache-2.0
"""A host and several active memories on one bus, in modelled time: the binding of `perle_system.h`.

Boards continue to work while the host accesses others or computes; an access to a busy board waits. Times are
whole picoseconds, so that sums are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

from perle.boards.memory import build_memory
from perle.cores.registry import Config
from perle.host._handle import Handle
from perle.host._headers import ffi
from perle.host._lib import PerleError, library, record

PS_PER_NS = 1000


class Access(NamedTuple):
    """One access of the host: to a byte address of a board; `data` is None for a read."""

    board: int
    address: int
    data: int | None = None


@dataclass(frozen=True)
class Timing:
    """Time of a read, a write and an instruction of the host, in picoseconds."""

    read_ps: int
    write_ps: int
    instruction_ps: int

    @classmethod
    def preset(cls, name: str) -> Timing:
        """Return a timing by name: vme68020, axi."""
        return record(cls, library().value("perle_timing_preset", name.encode()))


@dataclass(frozen=True)
class Time:
    """Modelled time by cause, in picoseconds, and numbers of accesses."""

    now_ps: int
    bus_ps: int
    waited_ps: int
    host_ps: int
    reads: int
    writes: int


class Event(NamedTuple):
    """An access in the log: begin and end on the bus, when the board accepted it, how long it was busy."""

    board: int
    address: int
    write: bool
    begin_ps: int
    end_ps: int
    taken_ps: int
    busy_cycles: int


class System(Handle):
    """Boards on a bus, each a configuration of an active memory (or its shared object) with a clock in ns.

    Not thread-safe, as it models a single host; `Boards.on_system` is.
    """

    CLOSED = "the system is closed"

    def __init__(
        self,
        boards: Sequence[tuple[Config | Path, float]],
        timing: str | Timing = "vme68020",
        *,
        progress: Callable[[str], None] | None = None,
    ) -> None:
        chosen = Timing.preset(timing) if isinstance(timing, str) else timing
        members, paths = ffi.new("perle_system_board[]", len(boards)), []
        for member, (board, clock_ns) in zip(members, boards, strict=True):
            path = board if isinstance(board, Path) else build_memory(board, progress=progress)
            paths.append(ffi.new("char[]", str(path).encode()))  # a C structure does not keep it alive
            member.path, member.clock_ps = paths[-1], round(clock_ns * PS_PER_NS)
        raw = ffi.new("perle_timing*", asdict(chosen))
        self._own(library(), "perle_system_open", members, len(boards), raw, closing="perle_system_close")

    @contextmanager
    def given_away(self) -> Iterator[None]:
        """Let a C call in this context take ownership of the system, unless it raises PerleError.

        Using the system afterwards raises ValueError. After another exception, such as KeyboardInterrupt, it
        is unknown whether C has taken ownership: the system is then closed here but not freed.
        """
        free = self.pointer.disown()
        try:
            yield
        except (PerleError, ValueError, TypeError):
            self.pointer.own(free)
            raise
        except BaseException:
            self.close()
            raise
        self.close()

    def read(self, board: int, address: int) -> int:
        """Read a word of a board."""
        data: int = self._lib.value("perle_system_read", self, board, address)
        return data

    def write(self, board: int, address: int, data: int = 0) -> None:
        """Write a word of a board."""
        self._lib.call("perle_system_write", self, board, address, data)

    def run(self, accesses: Iterable[Access]) -> list[int]:
        """Do accesses one after the other, without instructions between them; return the values read."""
        given = list(accesses)
        raw = ffi.new("perle_access[]", len(given))
        for access, one in zip(raw, given, strict=True):
            access.board, access.addr = one.board, one.address
            access.write, access.data = int(one.data is not None), one.data or 0
        self._lib.call("perle_system_run", self, raw, len(given))
        return [done.data for done, one in zip(raw, given, strict=True) if one.data is None]

    def compute(self, instructions: int) -> None:
        """Let the host compute for that many instructions."""
        self._lib.call("perle_system_compute", self, instructions)

    def step(self, board: int) -> None:
        """Advance one board only by one clock cycle."""
        self._lib.call("perle_system_step", self, board)

    @property
    def time(self) -> Time:
        """Modelled time and accesses up to now."""
        return record(Time, self._lib.value("perle_system_get_time", self))

    def reset_time(self) -> None:
        """Start counting time and accesses from zero; the boards' clocks are not reset."""
        self._lib.call("perle_system_reset_time", self)

    def record(self, most: int) -> None:
        """Start a new log of the next `most` accesses; 0 ends logging. It can reveal secret exponents."""
        self._lib.call("perle_system_log", self, most)

    def log(self) -> list[Event]:
        """Return the log."""
        count = self._lib.value("perle_system_get_log", self, None, 0)
        raw = ffi.new("perle_system_event[]", count)
        self._lib.value("perle_system_get_log", self, raw, count)
        return [
            Event(e.board, e.addr, bool(e.write), e.begin_ps, e.end_ps, e.taken_ps, e.busy_cycles)
            for e in raw
        ]

    def snapshot(self, board: int) -> str:
        """Return every register of a board as JSON text."""
        room = self._lib.value("perle_system_snapshot", self, board, None, 0)
        text = self._lib.data("perle_system_snapshot", room, self, board)
        return text.rstrip(b"\0").decode()
