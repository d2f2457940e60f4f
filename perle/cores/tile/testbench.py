# SPDX-License-Identifier: Apache-2.0
"""A tile, Verilated, driven a request at a time."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType

from perle.cores.registry import CORES
from perle.flow.cache import cached, content_hash
from perle.flow.verilator import build_so, verilator_version
from perle.verify import failure

HERE = Path(__file__).parent
DRIVER = HERE / "perle_tile_testbench.cpp"
FILES = (
    *(CORES / "prim" / f"perle_{name}.sv" for name in ("ram", "block_ram")),
    *(
        HERE / f"perle_tile_{name}.sv"
        for name in (
            "pkg",
            "adder",
            "leaf_mul",
            "memory",
            "difference",
            "digit_difference",
            "block_product",
            "accumulator",
            "window",
            "datapath",
            "sequencer",
            "results",
        )
    ),
    HERE / "perle_tile.sv",
)
ASSERTIONS = tuple(HERE / f"perle_tile_{name}_sva.sv" for name in ("block_product", "accumulator"))
DEVICE = HERE / "ecp5"
CELLS = tuple(DEVICE / f"{name}.sv" for name in ("CCU2C", "DP16KD", "MULT18X18D"))
"""What the leaf cells of an ECP5 are made of."""
CONTEXTS = 4
X, Y = 1, 2
LIMIT = 10_000_000


def device_files() -> list[Path]:
    """Return the files of a tile with the leaf cells of an ECP5."""
    own = {path.name: path for path in DEVICE.glob("perle_*.sv")}
    return [*CELLS, *(own.get(path.name, path) for path in FILES)]


def build(params: Mapping[str, int], files: Iterable[Path] = FILES) -> Path:
    """Return the built bench of a tile with these parameters (kept by content hash)."""
    files = [*files, *ASSERTIONS]

    def make(out: Path) -> None:
        flags = ["--assert", "-O3", "--x-assign", "fast", "--x-initial", "unique", "-CFLAGS", failure.CFLAGS]
        build_so("perle_tile", files, [DRIVER], params, out, extra=flags, opt="-O1")

    made_of = [*files, DRIVER, failure.HEADER]
    return cached(f"tile-{content_hash(made_of, params, verilator_version())}", ".so", make)


class TileBench:
    """A tile under test."""

    def __init__(self, params: Mapping[str, int], seed: int = 1, files: Iterable[Path] = FILES) -> None:
        self.bits = 3 * params.get("RadixBits", 18)
        self.lib = ctypes.CDLL(str(build(params, files)))
        self.lib.tile_open.restype = ctypes.c_void_p
        self.lib.tile_failure.restype = ctypes.c_char_p
        for name in ("tile_now", "tile_access", "tile_request"):
            getattr(self.lib, name).restype = ctypes.c_uint64
        self.handle = ctypes.c_void_p(self.lib.tile_open(seed))
        self.n = 3

    def __enter__(self) -> TileBench:
        """Return the bench itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None
    ) -> None:
        """Free the model; an assertion that failed does not pass silently."""
        where: bytes | None = self.lib.tile_failure(self.handle)
        self.lib.tile_close(self.handle)
        if value is None:
            failure.raise_if_failed(where)

    def blocks(self, n: int) -> None:
        """Set N for all contexts."""
        self.n = n
        self.lib.tile_blocks(self.handle, n)

    def write(self, memory: int, addr: int, value: int) -> None:
        """Write a number of N blocks to X, Y or both."""
        for t in range(self.n):
            block = ctypes.c_uint64(value >> self.bits * t & (1 << self.bits) - 1)
            self.lib.tile_access(self.handle, memory, addr + t, block)

    def read(self, addr: int) -> int:
        """Read a number of N blocks from X."""
        blocks = (self.lib.tile_access(self.handle, 0, addr + t, ctypes.c_uint64(0)) for t in range(self.n))
        return sum(int(block) << self.bits * t for t, block in enumerate(blocks))

    def request(self, ctx: int, x: int, y: int, z: int, m: int) -> int:
        """Ask for a product of the numbers at x and y, to z; return the cycle in which it was taken."""
        at = int(self.lib.tile_request(self.handle, ctx, x, y, z, m))
        failure.raise_if_failed(self.lib.tile_failure(self.handle))
        return at

    def wait(self, contexts: int = (1 << CONTEXTS) - 1) -> int:
        """Clock until none of a mask of contexts is busy; return the cycle."""
        late = self.lib.tile_wait(self.handle, contexts, ctypes.c_uint64(LIMIT))
        failure.raise_if_failed(self.lib.tile_failure(self.handle))
        assert not late, "still busy"
        return int(self.lib.tile_now(self.handle))
