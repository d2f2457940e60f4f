# SPDX-License-Identifier: Apache-2.0
"""Multipliers in the contract's testbench with random initial state and readable registers and memories."""

from __future__ import annotations

import ctypes
import os
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from perle.cores.registry import Config, Family, families
from perle.flow.cache import cached, content_hash
from perle.flow.verilator import build_so, verilator_version
from perle.trust import state
from perle.verify import failure
from perle.verify import testbench as contract
from perle.verify.testbench import ContractBench

INDEX = re.compile(r"\[\d+\]$")
FOLDER = Path(__file__).with_name("sim")
HEADERS = tuple(FOLDER / name for name in ("watched.h", "places.h", "random_state.h"))
FILE = "shapes.toml"


@dataclass(frozen=True)
class Shapes:
    """A family's small configurations that together have all of its modules and generate blocks.

    `reset` has the values after a reset of registers that are then not zero; `without`, by configuration, how
    many registers have no reset though others of that name have one.
    """

    configs: tuple[Config, ...]
    reset: dict[str, list[int]]
    without: dict[str, int]


def shape(family: Family, params: dict[str, int]) -> Config:
    """Return a small configuration, named by its unusual parameters."""
    return Config(family, "-".join(f"{k}{v}" for k, v in params.items()), family.complete(params))


def shapes_file(family: str) -> Path:
    """Return the file of a family that `told` reads."""
    return families()[family].folder / FILE


def told(family: str) -> Shapes:
    """Return what a family's `shapes.toml` tells; of a new family without that file, its narrowest one."""
    one = families()[family]
    if not shapes_file(family).is_file():
        return Shapes((min((one.config(name) for name in one.configs), key=lambda each: each.width),), {}, {})
    found = tomllib.loads(shapes_file(family).read_text(encoding="utf-8"))
    configs = [shape(one, each["params"]) for each in found["shape"]]
    counts = {
        config.name: each.get("without", 0) for config, each in zip(configs, found["shape"], strict=True)
    }
    return Shapes(tuple(configs), found.get("reset", {}), counts)


def shapes(family: str) -> tuple[Config, ...]:
    """Return a family's small configurations."""
    return told(family).configs


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
