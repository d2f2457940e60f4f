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

HERE = CORES / "tile"
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
ENGINE = (*FILES, HERE / "perle_tile_exponents.sv", HERE / "perle_tile_engine.sv")
ASSERTIONS = tuple(HERE / f"perle_tile_{name}_sva.sv" for name in ("block_product", "accumulator"))
DEVICE = HERE / "ecp5"
CELLS = tuple(DEVICE / f"{name}.sv" for name in ("CCU2C", "DP16KD", "MULT18X18D"))
"""What the leaf cells of an ECP5 are made of."""
CONTEXTS = 4
X, Y = 1, 2
LIMIT = 10_000_000


def device_files(files: Iterable[Path] = FILES) -> list[Path]:
    """Return the files of a tile with the leaf cells of an ECP5."""
    own = {path.name: path for path in DEVICE.glob("perle_*.sv")}
    return [*CELLS, *(own.get(path.name, path) for path in files)]


def build(params: Mapping[str, int], files: Iterable[Path] = FILES) -> Path:
    """Return the built bench of the last file's module with these parameters (kept by content hash)."""
    files = [*files, *ASSERTIONS]
    top = files[-1 - len(ASSERTIONS)].stem
    driver = HERE / f"{top}_testbench.cpp"

    def make(out: Path) -> None:
        flags = ["--assert", "-O3", "--x-assign", "fast", "--x-initial", "unique", "-CFLAGS", failure.CFLAGS]
        build_so(top, files, [driver], params, out, extra=flags, opt="-O1")

    made_of = [*files, driver, failure.HEADER]
    return cached(f"tile-{content_hash(made_of, params, verilator_version())}", ".so", make)


class _Bench:
    """A module with the tile's memories under test."""

    def __init__(self, params: Mapping[str, int], seed: int, files: Iterable[Path]) -> None:
        self.bits = 3 * params.get("RadixBits", 18)
        self.lib = ctypes.CDLL(str(build(params, files)))
        self.lib.tile_open.restype = ctypes.c_void_p
        self.lib.tile_failure.restype = ctypes.c_char_p
        self.lib.tile_now.restype = self.lib.tile_access.restype = ctypes.c_uint64
        self.handle = ctypes.c_void_p(self.lib.tile_open(seed))
        self.n = 3

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None
    ) -> None:
        """Free the model; an assertion that failed does not pass silently."""
        where: bytes | None = self.lib.tile_failure(self.handle)
        self.lib.tile_close(self.handle)
        if value is None:
            failure.raise_if_failed(where)

    def write(self, memory: int, addr: int, value: int) -> None:
        """Write a number of N blocks to X, Y or both."""
        for t in range(self.n):
            block = ctypes.c_uint64(value >> self.bits * t & (1 << self.bits) - 1)
            self.lib.tile_access(self.handle, memory, addr + t, block)

    def read(self, addr: int) -> int:
        """Read a number of N blocks from X."""
        blocks = (self.lib.tile_access(self.handle, 0, addr + t, ctypes.c_uint64(0)) for t in range(self.n))
        return sum(int(block) << self.bits * t for t, block in enumerate(blocks))

    def wait(self, contexts: int = (1 << CONTEXTS) - 1) -> int:
        """Clock until none of a mask of contexts is busy; return the cycle."""
        late = self.lib.tile_wait(self.handle, contexts, ctypes.c_uint64(LIMIT))
        failure.raise_if_failed(self.lib.tile_failure(self.handle))
        assert not late, "still busy"
        return int(self.lib.tile_now(self.handle))


class TileBench(_Bench):
    """A tile under test."""

    def __init__(self, params: Mapping[str, int], seed: int = 1, files: Iterable[Path] = FILES) -> None:
        super().__init__(params, seed, files)
        self.lib.tile_request.restype = ctypes.c_uint64

    def __enter__(self) -> TileBench:
        """Return the bench itself."""
        return self

    def blocks(self, n: int) -> None:
        """Set N for all contexts."""
        self.n = n
        self.lib.tile_blocks(self.handle, n)

    def request(self, ctx: int, x: int, y: int, z: int, m: int, write: int = X | Y) -> int:
        """Ask for a product of the numbers at x and y, to z; return the cycle in which it was taken."""
        at = int(self.lib.tile_request(self.handle, ctx, x, y, z, m, write))
        failure.raise_if_failed(self.lib.tile_failure(self.handle))
        return at


class EngineBench(_Bench):
    """A tile with exponents under test."""

    def __init__(self, params: Mapping[str, int], seed: int = 1) -> None:
        super().__init__(params, seed, ENGINE)
        self.digit_bits = params.get("DigitBits", 4)
        self.bases: list[int] = []

    def __enter__(self) -> EngineBench:
        """Return the bench itself."""
        return self

    def shape(self, n: int, exponent_bits: int) -> None:
        """Set N, and how many bits exponents have; contexts lie one after the other."""
        each = self.bits // self.digit_bits
        block, digit = divmod(-(-exponent_bits // self.digit_bits) - 1, each)
        self.n = n
        stride = n * (3 + (1 << self.digit_bits - 1))
        self.bases = [ctx * stride for ctx in range(CONTEXTS)]
        beta = CONTEXTS * stride
        self.lib.tile_shape(self.handle, n, block, digit, stride, beta)
        self.write(Y, beta, 1 << self.bits)

    def load(self, ctx: int, x: int, e: int, mhat: int, one: int, square: int) -> None:
        """Write the base, exponent and constants of a context: M̂, R mod M, R² mod M."""
        at, n = self.bases[ctx], self.n
        each = self.bits // self.digit_bits * self.digit_bits
        self.write(X, at, x)
        self.write(Y, at, square)
        self.write(Y, at + n, mhat)
        blocks = (e >> each * t & (1 << each) - 1 for t in range(n))
        self.write(X, at + 2 * n, sum(block << self.bits * t for t, block in enumerate(blocks)))
        self.write(Y, at + 2 * n, one)
        self.write(X, at + 3 * n, one)

    def start(self, contexts: int) -> None:
        """Start the exponentiations of a mask of contexts."""
        self.lib.tile_start(self.handle, contexts)
