# SPDX-License-Identifier: Apache-2.0
"""The catalogue of core families: reads every `core.toml` of `cores/` and `pam/`.

A family is a folder; its `core.toml` names the top module, files, parameters and configurations. Nothing
else in the project lists cores. There are two kinds: multipliers with the interface of `contract.md`
("multiplier"), and accelerators that a host reads and writes like memory ("active_memory", see `memory.md`).
"""

from __future__ import annotations

import importlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import cast

from perle.cores import core_toml
from perle.cores.core_toml import Instruction, Placed, number
from perle.cores.params import Param, Rule, fault
from perle.cores.protocols import Forwarding, Model, Pipelined, WidthAtRunTime

# Re-exported: the interfaces of the models belong to the catalogue.
__all__ = ["Forwarding", "Model", "Pipelined", "WidthAtRunTime"]

CORES = Path(__file__).resolve().parent
FOLDERS = CORES, CORES.parent / "pam"
"""Folders that contain families: multipliers with their engines, and the active memories of 1990."""


class UnknownCoreError(KeyError):
    """Unknown family or configuration; the message names the existing ones."""

    def __str__(self) -> str:
        """Return the message without KeyError's quotes."""
        return str(self.args[0])


@dataclass(frozen=True)
class Engine:
    """A family's own exponentiator with many lanes: files, Python module with its cycles, bits of a window.

    `fills`: by device and configuration, all engines that together fill that device, with their lanes.
    `co_placed`: by configuration, the engines placed beside its own on devices that `fills` does not list.
    """

    top: str
    files: tuple[Path, ...]
    assertions: tuple[Path, ...]
    model: str
    window_bits: int
    co_placed: Mapping[str, tuple[str, ...]]
    fills: Mapping[str, Mapping[str, tuple[Placed, ...]]]


@dataclass(frozen=True)
class Family:
    """One core family: everything its `core.toml` says.

    `floorplanned`: parts that are measured with a floorplan: their multipliers are placed in the order of
    their names or, with `copies` (a pattern of instance names), every copy of a module in its own region.
    `forwarding`: the module that replaces `top` in an exponentiator that does not share its multiplier
    (model: `Forwarding`), or "".
    `port_cycles`: register stages to the exponentiator's word port and back (`perle_modexp_port`).
    """

    name: str
    id: int
    title: str
    paper: str
    folder: Path
    top: str
    files: tuple[Path, ...]
    assertions: tuple[Path, ...]
    constants: tuple[str, ...]
    params: dict[str, Param]
    configs: dict[str, dict[str, int]] = field(default_factory=dict)
    kind: str = "multiplier"
    addr_bits: int = 0
    instructions: dict[str, Instruction] = field(default_factory=dict)
    engine: Engine | None = None
    floorplanned: tuple[str, ...] = ()
    copies: str = ""
    forwarding: str = ""
    port_cycles: int = 0
    rules: tuple[Rule, ...] = ()

    def module(self, name: str) -> ModuleType:
        """Import a module of the family's package, even if `folder` is a copy elsewhere."""
        home = "pam" if self.kind == "active_memory" else "cores"
        return importlib.import_module(f"perle.{home}.{self.name}.{name}")

    def config(self, name: str) -> Config:
        """Return the named configuration; `wN` stands for Width = N even where it is not listed.

        `NAME+RadixBits=16` is configuration NAME with this parameter changed; more `+…` change others.
        """
        base, *changes = name.split("+")
        return Config(self, name, self.complete({**self._chosen(base), **dict(map(self._change, changes))}))

    def config_of(self, params: Mapping[str, int]) -> Config:
        """Return the configuration with these parameters, with the name that has the fewest `+` changes."""
        wanted = self.complete(dict(params))
        width = wanted.get("Width")
        bases = {name: self.complete(chosen) for name, chosen in self.configs.items()}
        if width is not None:
            bases[f"w{width}"] = bases.get(f"w{width}") or {**self.complete({}), "Width": width}
        names = {
            name: "".join(f"+{key}={value}" for key, value in wanted.items() if base[key] != value)
            for name, base in bases.items()
        }
        name = min(names, key=lambda one: (names[one].count("+"), one not in self.configs, len(one), one))
        return Config(self, name + names[name], wanted)

    def _change(self, text: str) -> tuple[str, int]:
        name, equals, value = text.partition("=")
        if not equals or not re.fullmatch(r"\d{1,20}", value):
            raise UnknownCoreError(f"{self.name}: {text!r} is not PARAMETER=NUMBER")
        return name, int(value)

    def _chosen(self, name: str) -> dict[str, int]:
        chosen = self.configs.get(name)
        if chosen is None:
            wide = re.fullmatch(r"w([1-9]\d*)", name)
            if wide is None or "Width" not in self.params:
                raise UnknownCoreError(
                    f"family {self.name} has no configuration {name!r}; it has: {', '.join(self.configs)}"
                )
            chosen = {"Width": int(wide[1])}
        return chosen

    def complete(self, chosen: dict[str, int]) -> dict[str, int]:
        """Fill in defaults and check ranges and rules."""
        for key in chosen:
            if key not in self.params:
                raise UnknownCoreError(f"family {self.name} has no parameter {key}")
        values = {key: chosen.get(key, par.default) for key, par in self.params.items()}
        if wrong := fault(self.params, self.rules, values):
            raise UnknownCoreError(f"{self.name}: {wrong}")
        return values


@dataclass(frozen=True)
class Config:
    """A family with all its parameters chosen."""

    family: Family
    name: str
    params: dict[str, int]

    def __hash__(self) -> int:
        # equal ones have equal names
        return hash((self.family.name, self.name))

    @property
    def spec(self) -> str:
        """FAMILY:CONFIG."""
        return f"{self.family.name}:{self.name}"

    @property
    def listed(self) -> bool:
        """Whether the family lists it, so that tests run it; an empty name means the family as a whole."""
        return not self.name or self.name in self.family.configs

    @property
    def width(self) -> int:
        """Widest modulus, in bits."""
        return self.params["Width"]

    @property
    def model(self) -> Model:
        """The family's bit-exact model module."""
        return cast(Model, self.family.module("model"))

    @property
    def operand_bits(self) -> int:
        """Bits of an operand."""
        return self.model.operand_bits(self.params)


def load(toml: Path) -> Family:
    """Read one family's core.toml; ValueError names the file, the key and the error."""
    said = core_toml.read(toml)
    core, own = said.core, said.engine

    def paths(names: Iterable[str]) -> tuple[Path, ...]:
        return tuple((toml.parent / name).resolve() for name in names)

    engine = None
    if own is not None:
        files, assertions = paths(own.files), paths(own.assertions)
        engine = Engine(own.top, files, assertions, own.model, own.window_bits, own.co_placed, own.fills)
    return Family(
        name=core.name,
        id=core.id,
        title=core.title,
        paper=core.paper,
        folder=toml.parent,
        top=core.top,
        files=paths(core.files),
        assertions=paths(core.assertions),
        constants=core.constants,
        params={
            key: Param(number(one.default), number(one.range[0]), number(one.range[1]), one.doc)
            for key, one in said.params.items()
        },
        configs={
            name: {key: number(value) for key, value in chosen.items()}
            for name, chosen in said.configs.items()
        },
        kind=core.kind,
        addr_bits=core.addr_bits,
        instructions=said.instructions,
        engine=engine,
        floorplanned=core.floorplanned,
        copies=core.copies,
        forwarding=core.forwarding,
        port_cycles=core.port_cycles,
        rules=tuple(Rule(one.holds, one.says) for one in said.rules),
    )


def run_time_width(config: Config) -> WidthAtRunTime | None:
    """Return the family's model if the width is chosen at run time; None if it is fixed."""
    model = config.model
    return model if isinstance(model, WidthAtRunTime) else None


def folder_files(name: str) -> tuple[Path, ...]:
    """Return the SystemVerilog files of a folder of `cores/`, packages first, without assertions."""
    found = (path for path in (CORES / name).glob("*.sv") if not path.stem.endswith("_sva"))
    return tuple(sorted(found, key=lambda path: (not path.stem.endswith("_pkg"), path.name)))


def exponentiator_files(family: Family) -> tuple[Path, ...]:
    """Return the files to compile after a family's own to build `perle_modexp` with it."""
    memories = [CORES / "prim" / f"perle_{name}.sv" for name in ("ram", "block_ram")]
    return (*(one for one in memories if one not in family.files), *folder_files("modexp"))


@cache
def every() -> dict[str, Family]:
    """Every family of either kind, by name, in the order of their ids."""
    return catalogue(load(path) for folder in FOLDERS for path in folder.glob("*/core.toml"))


def catalogue(found: Iterable[Family]) -> dict[str, Family]:
    """Return families by name, in the order of their ids; ValueError where two have the same name or id."""
    families = sorted(found, key=lambda fam: fam.id)
    for what in ("id", "name"):
        for value, count in Counter(getattr(fam, what) for fam in families).items():
            if count > 1:
                same = ", ".join(str(fam.folder) for fam in families if getattr(fam, what) == value)
                raise ValueError(f"{same}: all have the {what} {value}")
    return {fam.name: fam for fam in families}


@cache
def families() -> dict[str, Family]:
    """Every family of multipliers (`contract.md`), by name."""
    return {name: fam for name, fam in every().items() if fam.kind == "multiplier"}


@cache
def memories() -> dict[str, Family]:
    """Every family of active memories, by name."""
    return {name: fam for name, fam in every().items() if fam.kind == "active_memory"}


def family(name: str) -> Family:
    """Return the family of multipliers of that name."""
    return _named(name, families())


def any_family(name: str) -> Family:
    """Return the family of either kind of that name."""
    return _named(name, every())


def _named(name: str, among: dict[str, Family]) -> Family:
    try:
        return among[name]
    except KeyError:
        raise UnknownCoreError(f"no core family {name!r}; there are: {', '.join(among)}") from None


def resolve(spec: str) -> Config:
    """Return the configuration of a multiplier that FAMILY:CONFIG names."""
    return _resolve(spec, families(), "is an active memory, not a multiplier: see `perle show {name}`")


def resolve_memory(spec: str) -> Config:
    """Return the configuration of an active memory that FAMILY:CONFIG names."""
    return _resolve(spec, memories(), "is a multiplier, not an active memory: see `perle show {name}`")


def resolve_any(spec: str) -> Config:
    """Return the configuration of either kind that FAMILY:CONFIG names."""
    return _resolve(spec, every(), "")


def _resolve(spec: str, among: dict[str, Family], otherwise: str) -> Config:
    name, _, config = spec.partition(":")
    if not config:
        raise UnknownCoreError(f"{spec!r} is not FAMILY:CONFIG")
    if name in every() and name not in among:
        raise UnknownCoreError(f"{name} {otherwise.format(name=name)}; of this kind are: {', '.join(among)}")
    return _named(name, among).config(config)
