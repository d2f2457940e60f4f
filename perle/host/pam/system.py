# SPDX-License-Identifier: Apache-2.0
"""A host and several active memories on one bus, in modelled time: the binding of `perle_system.h`.

Boards work on while the host talks to others or computes; an access to a busy board waits. Time is in
picoseconds, so that it adds up exactly.
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
    """How long the host and its bus take, in picoseconds: a read, a write, an instruction."""

    read_ps: int
    write_ps: int
    instruction_ps: int

    @classmethod
    def preset(cls, name: str) -> Timing:
        """Return a timing by name: vme68020, axi."""
        return record(cls, library().value("perle_timing_preset", name.encode()))


@dataclass(frozen=True)
class Time:
    """Where the time went, in picoseconds, and how many accesses there were."""

    now_ps: int
    bus_ps: int
    waited_ps: int
    host_ps: int
    reads: int
    writes: int


class Event(NamedTuple):
    """An access in the log: on the bus from begin to end; when the board took it, and was busy how long."""

    board: int
    address: int
    write: bool
    begin_ps: int
    end_ps: int
    taken_ps: int
    busy_cycles: int


class System(Handle):
    """Boards on a bus, each a configuration of an active memory (or its shared object) with a clock in ns.

    One thread at a time may use it, as the host is one. `Boards.on_system` is for any number of threads.
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
            paths.append(ffi.new("char[]", str(path).encode()))  # a structure of C does not keep it
            member.path, member.clock_ps = paths[-1], round(clock_ns * PS_PER_NS)
        raw = ffi.new("perle_timing*", asdict(chosen))
        self._own(library(), "perle_system_open", members, len(boards), raw, closing="perle_system_close")

    @contextmanager
    def given_away(self) -> Iterator[None]:
        """Let a call of C within take the system over, unless it raises what a refusal raises.

        Using the system afterwards raises ValueError. After an exception of another kind, such as Ctrl-C's,
        nobody knows who has it: it is closed here, and freed by nobody.
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
        """Make accesses one after the other, as straight-line code does; return what the reads gave."""
        given = list(accesses)
        raw = ffi.new("perle_access[]", len(given))
        for access, one in zip(raw, given, strict=True):
            access.board, access.addr = one.board, one.address
            access.write, access.data = int(one.data is not None), one.data or 0
        self._lib.call("perle_system_run", self, raw, len(given))
        return [done.data for done, one in zip(raw, given, strict=True) if one.data is None]

    def compute(self, instructions: int) -> None:
        """Let the host compute for so many instructions."""
        self._lib.call("perle_system_compute", self, instructions)

    def step(self, board: int) -> None:
        """Let one clock cycle pass on one board alone."""
        self._lib.call("perle_system_step", self, board)

    @property
    def time(self) -> Time:
        """Where the time went, up to now."""
        return record(Time, self._lib.value("perle_system_get_time", self))

    def reset_time(self) -> None:
        """Count time and accesses from here on; the boards' clocks go on."""
        self._lib.call("perle_system_reset_time", self)

    def record(self, most: int) -> None:
        """Note the next `most` accesses in a log, from nothing; 0 ends it. It can tell secret exponents."""
        self._lib.call("perle_system_log", self, most)

    def log(self) -> list[Event]:
        """Return what has been noted."""
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
