# SPDX-License-Identifier: Apache-2.0
"""A simulated board with a bus master that does everything that the protocol allows (`sim/bus.cpp`).

Only `Bus` can open such a board: its ABI differs from that of the boards that libperle opens.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cffi import FFI

from perle.boards.build import FLAGS_ALL, FLAGS_CHECKS, SIM, Variant, write_headers
from perle.boards.regs import RDL
from perle.boards.sources import WAIVERS, config_hash, kept_files, sources
from perle.boards.wrapper import ADDR_BITS, shape, wrapper
from perle.cores.registry import Config
from perle.flow.cache import cached, content_hash
from perle.flow.progress import tell
from perle.flow.tools import version
from perle.flow.verilator import build_so, verilator_version

BUS = Path(__file__).with_name("sim") / "bus.cpp"
CPP = (SIM / "static_storage.cpp", BUS)

ffi = FFI()
ffi.cdef(
    "typedef struct Host Host;"
    "typedef struct { uint64_t cycles, writes, reads, refused, operations; } perle_bus_counts;"
    "Host* perle_bus_open(void); void perle_bus_close(Host* host);"
    "int perle_bus_run(Host* host, uint64_t seed, uint64_t accesses);"
    "int perle_bus_write(Host* host, uint32_t addr, uint64_t data);"
    "int perle_bus_read(Host* host, uint32_t addr, uint64_t* data);"
    "void perle_bus_count(const Host* host, perle_bus_counts* counts);"
    "const char* perle_bus_fault(const Host* host);"
)


class BusError(Exception):
    """The board violated the protocol or its register map; the text says where."""


@dataclass(frozen=True)
class Change:
    """A replaced line of a hardware source, for a board with a fault."""

    file: str
    old: str
    new: str


def made_of(config: Config, lanes: int) -> list[Path]:
    """Return the files that determine the behaviour of such a board."""
    return [*kept_files(config, lanes), RDL, WAIVERS, *CPP, Path(__file__)]


def build(config: Config, variant: Variant, change: Change | None = None) -> Path:
    """Return the shared object of a board with its assertions, built at the first call."""
    hashed = config_hash(config, variant.lanes)
    top = wrapper(config, variant.word_bits, hashed, variant.lanes)
    form = shape(config, variant.word_bits, variant.lanes)
    own = {"CONSTANTS": len(config.family.constants) + 1, "ADDR_BITS": ADDR_BITS + form.lane_bits}
    flags = [*FLAGS_ALL, *FLAGS_CHECKS, "-CFLAGS", " ".join(f"-DPERLE_BUS_{k}={v}" for k, v in own.items())]
    tools = [verilator_version(), version("peakrdl")]
    key = content_hash(made_of(config, variant.lanes), top, flags, tools, repr(change))

    def make(path: Path) -> None:
        tell(f"building the board {config.spec}{variant.suffix} behind a host of random accesses (once)")
        generated = path.with_name("generated")
        board = sources(config, variant.word_bits, generated, lanes=variant.lanes)
        files = [_changed(one, change, path.parent) for one in board.files]
        extra = [*flags, *write_headers(config, variant, generated), str(board.waivers)]
        build_so(board.top, files, CPP, {}, path, extra=extra)

    return cached(f"bus-{config.family.name}-{config.name}{variant.suffix}-{key}", ".so", make)


def _changed(path: Path, change: Change | None, folder: Path) -> Path:
    if change is None or path.name != change.file:
        return path
    text = path.read_text(encoding="utf-8")
    if text.count(change.old) != 1:
        raise ValueError(f"{change.file}: {text.count(change.old)} times {change.old!r}, not once")
    broken = folder / path.name
    broken.write_text(text.replace(change.old, change.new), encoding="utf-8")
    return broken


class Bus:
    """A board of a shared object, out of reset; raises BusError at the first violation."""

    def __init__(self, path: Path) -> None:
        self._library = ffi.dlopen(str(path))
        self._host = ffi.gc(self._library.perle_bus_open(), self._library.perle_bus_close)

    def run(self, seed: int, accesses: int) -> None:
        """Make that many random accesses, and wait for their responses."""
        self._check(self._library.perle_bus_run(self._host, seed, accesses))

    def write(self, addr: int, data: int) -> None:
        """Write one word, all strobes set."""
        self._check(self._library.perle_bus_write(self._host, addr, data))

    def read(self, addr: int) -> int:
        """Read one word."""
        data = ffi.new("uint64_t*")
        self._check(self._library.perle_bus_read(self._host, addr, data))
        return int(data[0])

    @property
    def counts(self) -> Mapping[str, int]:
        """Cycles, writes, reads, refused accesses, and completed operations."""
        found = ffi.new("perle_bus_counts*")
        self._library.perle_bus_count(self._host, found)
        names = ("cycles", "writes", "reads", "refused", "operations")
        return {name: int(getattr(found, name)) for name in names}

    def _check(self, result: int) -> None:
        if result != 0:
            text = ffi.string(self._library.perle_bus_fault(self._host))
            assert isinstance(text, bytes)
            raise BusError(text.decode() or f"response {result}")
