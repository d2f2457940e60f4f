# SPDX-License-Identifier: Apache-2.0
"""The part of a configuration that is measured: a top module, its files and its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from perle.cores.engine_products import window_bits
from perle.cores.registry import Config, Engine
from perle.results.parts import PLACED, Member, filling, members, part_files

WORD_BITS = 64
"""Width in bits of the data bus of a measured engine."""

PARTS = {
    "mul": "the multiplier behind its contract",
    "exp": "the exponentiator around it",
    "engine": "the family's own exponentiator of many lanes, as many as saturate it",
    "pe": "one processing element",
    "cpa": "the adder beside the elements that makes three times a number, word by word",
    "board": "an active memory, whole",
    "mul_pair": "two multipliers, co-placed",
    "exp_pair": "dual exponentiator: two multipliers, each with its exponentiator, co-placed",
    "engines": "engines that fill a device, co-placed: this one, and those its family puts with it",
}


@dataclass(frozen=True)
class Design:
    """Files in compile order; `params` are those that the top module takes.

    `co_placed` share the device, the clock and the reset with it. `placing` is the hash of the rules that
    place some of its cells before the placer runs.
    """

    top: str
    files: tuple[Path, ...]
    params: Mapping[str, int]
    co_placed: tuple[Design, ...] = ()
    placing: str = ""

    def with_leaves(self, leaves: Mapping[str, Path]) -> Design:
        """Return the design with leaf cells of a device in place of the generic ones of the same name."""
        return replace(self, files=tuple(leaves.get(path.name, path) for path in self.files))


CPA, CPA_KIND = "perle_scalable_feed", 1
"""Module with the adder that computes three times a number, and the kind that needs it: radix 4."""


class NoSuchPartError(ValueError):
    """The family has no such part."""


def parts(config: Config) -> tuple[str, ...]:
    """Return the parts of a configuration that can be measured; the first is `perle measure`'s default."""
    if config.family.kind == "active_memory":
        return ("board",)
    more = {
        "engine": config.family.engine is not None,
        "engines": filling(config),
        "pe": processing_element(config) is not None,
        "cpa": CPA in {path.stem for path in config.family.files} and config.params["Kind"] == CPA_KIND,
    }
    return ("mul", "exp", "mul_pair", "exp_pair", *(part for part, there in more.items() if there))


def processing_element(config: Config) -> str | None:
    """Return the module of the repeated element of a family's array, if it is measured separately."""
    kind = config.name.partition("_")[0]
    name = f"perle_{config.family.name}_pe_{kind}"
    there = {path.stem for path in config.family.files}
    own = f"{name}_paper" if config.params.get("Paper") else name
    return own if own in there else name if name in there else None


def _engine(own: Engine, config: Config, files: tuple[Path, ...], lanes: int) -> Design:
    """Return an engine with that many lanes; by default as many as saturate it."""
    more = {
        "Lanes": Member(config, lanes).engine_lanes,
        "WordBits": WORD_BITS,
        "WindowBits": window_bits(config),
    }
    return Design(own.top, files, config.params | more)


def design(config: Config, part: str, target: str = "", *, lanes: int = 0) -> Design:
    """Return a part of a configuration on a target; NoSuchPartError names the existing parts.

    Engines that fill a device are chosen for the target. An engine has `lanes` lanes, by default as many as
    saturate it.
    """
    if part not in parts(config):
        raise NoSuchPartError(f"{config.spec} has no part {part!r}; it has: {', '.join(parts(config))}")
    if part in PLACED:
        several = members(config, part, target)
        first, *others = (design(one.config, PLACED[part], lanes=one.lanes) for one in several)
        return replace(first, co_placed=tuple(others))
    files, params = part_files(config, part), dict(config.params)
    if part == "exp":
        return Design(files[-1].stem, files, params)
    if part == "engine" and config.family.engine is not None:
        return _engine(config.family.engine, config, files, lanes)
    if part == "pe":
        own, top = {"WordWidth": params["WordWidth"]}, str(processing_element(config))
        if params.get("Paper") and not top.endswith("_paper"):
            own["Paper"] = 1
        return Design(top, files, own)
    if part == "cpa":
        return Design(CPA, files, {name: params[name] for name in ("WordWidth", "Kind")})
    return Design(config.family.top, files, params)
