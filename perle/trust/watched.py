# SPDX-License-Identifier: Apache-2.0
"""Multipliers in the contract's testbench with random initial state and readable registers and memories."""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from perle.cores.registry import Config, families
from perle.flow.cache import cached, content_hash
from perle.flow.verilator import build_so, verilator_version
from perle.trust import state
from perle.verify import failure
from perle.verify import testbench as contract
from perle.verify.testbench import ContractBench

INDEX = re.compile(r"\[\d+\]$")
FOLDER = Path(__file__).with_name("sim")
HEADERS = tuple(FOLDER / name for name in ("watched.h", "places.h", "random_state.h"))
SHAPES: dict[str, tuple[dict[str, int], ...]] = {
    "orup": (
        {"Width": 40, "RadixBits": 8},
        {"Width": 24, "RadixBits": 8, "QuotientDelay": 1},
        {"Width": 24, "RadixBits": 8, "QuotientDelay": 2},
    ),
    "scalable": (
        {"Width": 32, "WordWidth": 8, "Elements": 3, "Kind": 0},
        {"Width": 32, "WordWidth": 8, "Elements": 2, "Kind": 1},
        {"Width": 32, "WordWidth": 8, "Elements": 2, "Kind": 2},
        {"Width": 32, "WordWidth": 8, "Elements": 2, "Kind": 1, "Paper": 1},
        {"Width": 32, "WordWidth": 8, "Elements": 4, "Kind": 2, "Paper": 1},
        {"Width": 32, "WordWidth": 4, "Elements": 9, "Kind": 0},
        {"Width": 32, "WordWidth": 4, "Elements": 5, "Kind": 2},
    ),
    "iterative": ({"Width": 24, "Segment": 8}, {"Width": 24, "Segment": 0}, {"Width": 24, "PaperStates": 1}),
    "karatsuba": (
        {"Width": 40, "LeafWidth": 8, "LimbWidth": 7},
        {"Width": 24, "LeafWidth": 8, "LimbWidth": 5, "Fold": 1, "HalfProducts": 1},
        {"Width": 24, "LeafWidth": 8, "LimbWidth": 5, "WithStep4": 1, "SplitLeaf": 1},
    ),
    "bit_systolic": ({"Width": 24}, {"Width": 24, "Paper": 1}),
    "stream": (
        {"Width": 40, "RadixBits": 3, "Fold": 2},
        {"Width": 40, "RadixBits": 3},
        {"Width": 12, "RadixBits": 3, "Fold": 6},
    ),
    "lowlat": (
        {"Width": 40, "RadixBits": 8, "QuotientDelay": 3},
        {"Width": 40, "RadixBits": 8, "QuotientDelay": 4},
        {"Width": 40, "RadixBits": 8, "QuotientDelay": 5},
        {"Width": 40, "RadixBits": 20, "QuotientDelay": 4},
    ),
    "tile": ({"Width": 64}, {"Width": 128}),
    "carry_save": (
        {"Width": 24, "RadixBits": 4},
        {"Width": 24, "RadixBits": 4, "QuotientDelay": 2},
    ),
}
"""Small configurations of every family that together have all of its modules and generate blocks."""


def shapes(family: str) -> list[Config]:
    """Return a family's small shapes, named by their unusual parameters; for a new family its narrowest."""
    one = families()[family]
    if family not in SHAPES:
        return [min((one.config(name) for name in one.configs), key=lambda config: config.width)]
    return [
        Config(one, "-".join(f"{k}{v}" for k, v in each.items()), one.complete(each))
        for each in SHAPES[family]
    ]


def build(config: Config, files: Sequence[Path] | None = None) -> Path:
    """Return the testbench of a configuration, cached by content; `files` replace its own, for faults."""
    family = config.family
    used = list(files or family.files)
    params = {**config.params, "Contexts": 1}
    made_of = [*used, *family.assertions, contract.DRIVER, failure.HEADER, *HEADERS, Path(state.__file__)]
    key = content_hash(made_of, params, [verilator_version()])

    def make(out: Path) -> None:
        public = out.with_name("state.vlt")
        public.write_text(state.waiver(used), encoding="utf-8")
        model = f'-DSTATE_MODEL=V{family.top} -DSTATE_HEADER=\\"V{family.top}.h\\"'
        bench = f'-I{FOLDER} -DBENCH_MODEL=Watched -DBENCH_HEADER=\\"{HEADERS[0].name}\\"'
        extra = ["--assert", "-O3", "--x-assign", "unique", "--x-initial", "unique"]
        extra += ["-CFLAGS", f"{failure.CFLAGS} {model} {bench}", str(public)]
        sources = [*used, *family.assertions]
        build_so(family.top, sources, [contract.DRIVER], params, out, extra=extra, opt="-O1")

    return cached(f"watched-{family.name}-{key}", ".so", make)


@dataclass(frozen=True)
class Word:
    """The current value of a register or memory word; `name` is its hierarchical name."""

    name: str
    value: int

    @property
    def variable(self) -> str:
        """The name in its module."""
        return INDEX.sub("", self.name).rpartition(".")[2]


class WatchedBench(ContractBench):
    """The contract's testbench, with registers that start with values from a seed and can be read."""

    def __init__(self, config: Config, seed: int, files: Sequence[Path] | None = None) -> None:
        self.config, self.contexts = config, 1
        self.words = -(-config.operand_bits // 32)
        os.environ["PERLE_STATE"] = str(seed)
        self._lib = ctypes.CDLL(str(build(config, files)))
        self._lib.bench_open.restype = ctypes.c_void_p
        self._lib.bench_failure.restype = ctypes.c_char_p
        self._lib.state_name.restype = ctypes.c_char_p
        for name in ("state_bits", "state_places", "state_recorded"):
            getattr(self._lib, name).restype = ctypes.c_uint64
        self._handle = ctypes.c_void_p(self._lib.bench_open())

    def __enter__(self) -> Self:
        """Return the testbench itself."""
        return self

    @property
    def bits(self) -> int:
        """Number of bits in all registers and memories."""
        return sum(self._lib.state_bits(ctypes.c_size_t(i)) for i in range(self._lib.state_places()))

    def state(self) -> Iterator[Word]:
        """Yield the current values of all registers and memory words."""
        lib = self._lib
        for i in range(lib.state_places()):
            at = ctypes.c_size_t(i)
            raw = (ctypes.c_ubyte * -(-lib.state_bits(at) // 8))()
            lib.state_value(at, raw)
            value = int.from_bytes(bytes(raw), "little")
            yield Word(lib.state_name(at).decode(), value)

    def record(self, most: int) -> None:
        """Start recording how many bits of state change in each clock cycle, for at most `most` cycles."""
        self._changes = (ctypes.c_uint32 * most)()
        self._lib.state_record(self._changes, ctypes.c_size_t(most))

    def recorded(self) -> list[int]:
        """Return the record."""
        return list(self._changes[: self._lib.state_recorded()])
