# SPDX-License-Identifier: Apache-2.0
"""Any multiplier with the contract's interface, Verilated with its assertions, driven in batches from C++."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from perle.cores.registry import Config
from perle.flow.cache import cached, content_hash
from perle.flow.verilator import build_so, verilator_version
from perle.verify import failure
from perle.verify.failure import BenchError

DRIVER = Path(__file__).with_name("contract_testbench.cpp")
MUL, REDUCE = 0, 1
FAULTS = {
    1: "no response",
    2: "wrong tag",
    3: "response changed while it waited",
    4: "response nobody asked for",
    5: "assertion",
}
LIMIT_PER_OPERATION = 200_000


@dataclass(frozen=True)
class Op:
    """One operation: kind, operands, context."""

    kind: int
    x: int
    y: int
    ctx: int = 0


@dataclass(frozen=True)
class Outcome:
    """Result, cycles to the response and cycles to the next acceptance (0 for the last of a batch)."""

    z: int
    latency: int
    gap: int


def build(config: Config, contexts: int = 1) -> Path:
    """Return the testbench of a configuration, built if necessary (cached by content hash)."""
    fam = config.family
    params = {**config.params, "Contexts": contexts}
    files = [*fam.files, *fam.assertions]

    def make(out: Path) -> None:
        flags = ["-CFLAGS", f'{failure.CFLAGS} -DBENCH_MODEL=V{fam.top} -DBENCH_HEADER=\\"V{fam.top}.h\\"']
        fast = ["--assert", "-O3", "--x-assign", "fast", "--x-initial", "fast", *flags]
        build_so(fam.top, files, [DRIVER], params, out, extra=fast, opt="-O1")

    made_of = [*files, DRIVER, failure.HEADER, Path(__file__)]
    key = f"bench-{fam.name}-{content_hash(made_of, params, verilator_version())}"
    return cached(key, ".so", make)


class ContractBench:
    """A multiplier under test; `load` a modulus (or one a context), then `run` operations or a `chain`."""

    def __init__(self, config: Config, contexts: int = 1) -> None:
        self.config = config
        self.contexts = contexts
        self.words = -(-config.operand_bits // 32)
        self._lib = ctypes.CDLL(str(build(config, contexts)))
        self._lib.bench_open.restype = ctypes.c_void_p
        self._lib.bench_failure.restype = ctypes.c_char_p
        self._handle = ctypes.c_void_p(self._lib.bench_open())

    def __enter__(self) -> ContractBench:
        """Return the testbench itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None
    ) -> None:
        """Free the model."""
        self._lib.bench_close(self._handle)

    def _raise_if(self, status: int) -> None:
        failure.raise_if_failed(self._lib.bench_failure(self._handle))
        if status:
            raise BenchError(FAULTS[status])

    def _pack(self, values: Sequence[int]) -> ctypes.Array[ctypes.c_uint32]:
        raw = b"".join(value.to_bytes(4 * self.words, "little") for value in values)
        return (ctypes.c_uint32 * (len(raw) // 4)).from_buffer_copy(raw)

    def load(self, *moduli: int, bits: int | None = None) -> None:
        """Set the constants of one modulus per context; `bits`: for operands of that many bits (Width)."""
        assert len(moduli) == self.contexts
        model, names = self.config.model, self.config.family.constants
        for_bits = () if bits is None else (bits,)
        self.present(
            [m, *(model.constants(self.config.params, m, *for_bits)[name] for name in names)] for m in moduli
        )

    def present(self, contexts: Iterable[Sequence[int]]) -> None:
        """Set the given modulus and constants of each context, unchanged."""
        bits = self.config.operand_bits
        values = [value for one in contexts for value in one]
        packed = sum(value << bits * i for i, value in enumerate(values))
        count = -(-bits * len(values) // 32)
        raw = packed.to_bytes(4 * count, "little")
        self._lib.bench_mod(self._handle, raw, ctypes.c_size_t(count))

    def run(self, ops: Sequence[Op], seed: int = 0) -> list[Outcome]:
        """Run operations back to back, or with random stalls when `seed` is not 0."""
        n = len(ops)
        z = (ctypes.c_uint32 * (n * self.words))()
        latency, gap = (ctypes.c_uint32 * n)(), (ctypes.c_uint32 * n)()
        status = self._lib.bench_run(
            self._handle,
            ctypes.c_size_t(n),
            bytes(op.kind for op in ops),
            bytes(op.ctx for op in ops),
            self._pack([op.x for op in ops]),
            self._pack([op.y for op in ops]),
            z,
            ctypes.c_size_t(self.words),
            latency,
            gap,
            ctypes.c_uint32(seed),
            ctypes.c_uint64(n * LIMIT_PER_OPERATION),
        )
        self._raise_if(status)
        raw, size = bytes(z), 4 * self.words
        values = (int.from_bytes(raw[i * size : (i + 1) * size], "little") for i in range(n))
        return [Outcome(*each) for each in zip(values, latency, gap, strict=True)]

    def chain(self, x: int, n: int) -> int:
        """Square n times; every result is the next operand, without reduction."""
        z = self._pack([x])
        limit = ctypes.c_uint64(LIMIT_PER_OPERATION)
        status = self._lib.bench_chain(
            self._handle, ctypes.c_size_t(n), z, ctypes.c_size_t(self.words), limit
        )
        self._raise_if(status)
        return int.from_bytes(bytes(z), "little")
