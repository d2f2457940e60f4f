# SPDX-License-Identifier: Apache-2.0
"""Benches of a Verilated tile, driven one request at a time."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self, cast

from perle.cores.modexp.model import Command, Mode
from perle.cores.registry import CORES, Engine, family
from perle.flow.cache import cached, content_hash
from perle.flow.verilator import build_so, verilator_version
from perle.verify import failure

HERE = CORES / "tile"
FAMILY = family("tile")
BESIDE = ("perle_mul_reg2.sv", "perle_tile_leave.sv", "perle_tile_mul.sv", "perle_tile_narrow.sv")
"""Files of the multiplier that are not part of a tile."""
POWERS = tuple(
    path
    for path in cast(Engine, FAMILY.engine).files
    if path.parent in (HERE, CORES / "prim", CORES / "modexp") and path.name not in BESIDE
)
"""Files of a tile with its exponentiator."""
NARROW = (*POWERS[:-1], HERE / "perle_tile_narrow.sv")
"""Files of the same for moduli of different sizes."""
FILES = tuple(path for path in FAMILY.files if path.name not in BESIDE)
ASSERTIONS = tuple(HERE / f"perle_tile_{name}_sva.sv" for name in ("block_product", "accumulator"))
DEVICE = HERE / "ecp5"
CELLS = tuple(DEVICE / f"{name}.sv" for name in ("CCU2C", "DP16KD", "MULT18X18D"))
"""Device blocks that the ECP5 leaf cells instantiate."""
UNUSED = ["-Wno-UNUSEDPARAM"]
"""A tile does not use all parameters of the family's package."""
CONTEXTS = 4
X, Y = 1, 2
STATES = {Command.MONT: 3, Command.MULMOD: 4, Command.EXP: 7}
"""First state of the exponentiator's program for each command (perle_modexp_pkg::state_e)."""
LIMIT = 10_000_000


def device_files(files: Iterable[Path] = FILES) -> list[Path]:
    """Return the files of a tile with the leaf cells of an ECP5."""
    own = {path.name: path for path in DEVICE.glob("perle_*.sv")}
    return [*CELLS, *(own.get(path.name, path) for path in files)]


def build(params: Mapping[str, int], files: Iterable[Path] = FILES) -> Path:
    """Return the built bench of the last file's module with these parameters (cached by content hash)."""
    files = [*files, *ASSERTIONS]
    top = files[-1 - len(ASSERTIONS)].stem
    driver = HERE / f"{top}_testbench.cpp"

    def make(out: Path) -> None:
        cflags = f"{failure.CFLAGS} -I{HERE}"
        flags = ["--assert", "-O3", "--x-assign", "fast", "--x-initial", "unique", "-CFLAGS", cflags]
        build_so(top, files, [driver], params, out, extra=flags, opt="-O1")

    made_of = [*files, driver, *HERE.glob("*testbench.h"), failure.HEADER]
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
        """Free the simulation; raise an error if an assertion has failed."""
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
        self.most = params.get("MaxBlocks", 39)
        self.lib.tile_request.restype = ctypes.c_uint64

    def __enter__(self) -> TileBench:
        """Return the bench itself."""
        return self

    def blocks(self, *n: int) -> None:
        """Set N for all contexts, or with Sizes = 4 for each."""
        self.n = max(n)
        index_bits = (self.most + 1).bit_length()
        self.lib.tile_blocks(self.handle, sum(one << index_bits * ctx for ctx, one in enumerate(n)))

    def request(self, ctx: int, x: int, y: int, z: int, m: int, write: int = X | Y) -> int:
        """Request a product of the numbers at x and y, to z; return the cycle in which it was accepted."""
        at = int(self.lib.tile_request(self.handle, ctx, x, y, z, m, write))
        failure.raise_if_failed(self.lib.tile_failure(self.handle))
        return at


class PowersBench(_Bench):
    """A tile with exponents under test."""

    def __init__(self, params: Mapping[str, int], seed: int = 1, files: Iterable[Path] = POWERS) -> None:
        super().__init__(params, seed, files)
        self.window_bits = params.get("WindowBits", 4)
        self.places = 4 + (1 << self.window_bits - 1)
        self.bases: list[int] = []

    def __enter__(self) -> Self:
        """Return the bench itself."""
        return self

    def shape(self, n: int, before: int = 0) -> None:
        """Set N; the contexts' numbers lie one after the other, then `before` more, then those they share."""
        self.n = n
        self.bases = [ctx * n * self.places for ctx in range(CONTEXTS)]
        beta = (CONTEXTS * self.places + before) * n
        self.lib.tile_shape(self.handle, n, n * self.places, beta)
        self.write(X, beta, 1)
        self.write(Y, beta, 1 << self.bits)

    def load(self, ctx: int, x: int, y: int, e: int, mhat: int, square: int) -> None:
        """Write the operands, exponent and constants of a context: M̂, R² mod M."""
        at, n = self.bases[ctx], self.n
        self.write(X, at, x)
        self.write(Y, at + n, mhat)
        self.write(Y, at + 2 * n, y)
        self.write(Y, at + 3 * n, square)
        for t in range(2 * n):
            self.lib.tile_access(self.handle, X, at + 2 * n + t, ctypes.c_uint64(e >> 32 * t & 0xFFFFFFFF))

    def start(self, ctx: int, op: Command, mode: Mode = Mode.WINDOW, elen: int = 1) -> None:
        """Start a command of a context."""
        digits = -(-elen // self.window_bits)
        at = self.window_bits * (digits - 1) if mode is Mode.WINDOW else elen - 1
        self.lib.tile_start(self.handle, ctx, STATES[op], mode, at)


class NarrowBench(PowersBench):
    """A tile with exponents, for moduli of up to `most` blocks, under test."""

    def __init__(self, most: int, window_bits: int = 4) -> None:
        super().__init__({"MaxBlocks": most, "AddrBits": 11, "WindowBits": window_bits}, files=NARROW)
        self.shape(most, before=1)
        self.write(X, self.beta - most, 0)

    def start_with(self, n: int, ctx: int, mode: Mode, elen: int) -> None:
        """Start an exponentiation of a context with N blocks."""
        self.lib.tile_shape(self.handle, n, self.n * self.places, self.beta)
        self.start(ctx, Command.EXP, mode, elen)

    @property
    def beta(self) -> int:
        """Address of 1 and β."""
        return (CONTEXTS * self.places + 1) * self.n
