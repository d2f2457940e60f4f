# SPDX-License-Identifier: Apache-2.0
"""Verilog models of the cells of a Liberty library, for simulation of a mapped netlist.

Simulation models of the PDK are not needed: Yosys derives them from each cell's `function`, `ff` and `latch`.
There are no delays: a netlist of these cells settles at once.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from perle.flow.yosys import execute

TIMEOUT = 600.0
PIN = re.compile(r'\bpin\s*\(\s*"?(\w+)"?\s*\)\s*\{(.*?)(?=\bpin\s*\(|\Z)', re.DOTALL)
"""A pin of a cell, and what follows until the next pin."""
NUMBER = r"-?\d+\.?\d*(?:[eE][-+]?\d+)?"

# Internal nets of cells do not count for the activity of a netlist.
HEADER = "/* verilator lint_off DECLFILENAME */\n/* verilator tracing_off */\n"


def models(liberty: Path, workdir: Path) -> Path:
    """Write a module for every cell of the library that has a function; return the file."""
    workdir.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(liberty, workdir / liberty.name)
    out = workdir / "cells.v"
    commands = [
        f"read_liberty -ignore_miss_func {liberty.name}",
        "proc",
        "opt_merge",
        "opt_clean -purge",
        f"write_verilog -noattr {out.name}",
    ]
    execute(commands, workdir, timeout=TIMEOUT)
    out.write_text(
        HEADER + out.read_text(encoding="utf-8") + "/* verilator tracing_on */\n", encoding="utf-8"
    )
    return out


@dataclass(frozen=True)
class LibraryCell:
    """A cell: its area in µm², the capacitance of its inputs in fF, and its outputs."""

    area_um2: float
    inputs: dict[str, float]
    outputs: frozenset[str]


Library = dict[str, LibraryCell]


def library(text: str) -> Library:
    """Return the cells of a Liberty text whose unit of capacitance is pF."""
    found = {}
    heads = [*re.finditer(r'^\s*cell\s*\(\s*"?(\w+)"?\s*\)', text, re.MULTILINE)]
    ends = [*(head.start() for head in heads[1:]), len(text)]
    for head, end in zip(heads, ends, strict=False):
        body = text[head.end() : end]
        area = re.search(rf"\barea\s*:\s*({NUMBER})", body)
        inputs, outputs = {}, set()
        for pin, rest in PIN.findall(body):
            if re.search(r'\bdirection\s*:\s*"?output', rest):
                outputs.add(pin)
                continue
            held = re.search(rf"^\s*capacitance\s*:\s*({NUMBER})", rest, re.MULTILINE)
            inputs[pin] = float(held[1]) * 1000 if held else 0.0
        found[head[1]] = LibraryCell(float(area[1]) if area else 0.0, inputs, frozenset(outputs))
    return found


def volts(text: str) -> float:
    """Return the nominal voltage of a Liberty text."""
    said = re.search(rf"\bnom_voltage\s*:\s*({NUMBER})", text)
    if said is None:
        raise ValueError("no nom_voltage")
    return float(said[1])


def averaged(text: str, off: str = "RESET_B") -> str:
    """Return a Liberty text for power analysis only, in which power does not depend on the cell's state.

    OpenSTA 2.0.17 adds the power groups of all states. Therefore a pin's groups that differ only in `when`
    are replaced by one, with the mean of their tables; states in which the active-low pin `off` is 0, and the
    groups of that pin, are left out. Arcs from a reset or set to outputs are left out too, because OpenSTA
    uses them to replace the given activity of registers by estimates.
    """
    text = _without_resets(text)
    out: list[object] = []
    at = 0
    waiting: dict[str, list[str]] = {}
    for begin, end in _groups(text, "internal_power"):
        group = text[begin:end]
        when = re.search(r'when\s*:\s*"([^"]*)"\s*;', group)
        related = re.search(r'related_pin\s*:\s*"([^"]*)"', group)
        pin = related[1] if related else ""
        # The groups of a pin are adjacent: only white space is between them.
        if text[at:begin].strip():
            waiting = {}
        if when is None and pin != off and pin not in waiting:
            continue
        out.append(text[at:begin])
        at = end
        # A group without `when` after others is for all other states, of which there are none.
        if when is None or pin == off or f"!{off}" in when[1]:
            continue
        same = waiting.setdefault(pin, [])
        same.append(group.replace(when[0], ""))
        if len(same) == 1:
            out.append(_Mean(same))
    out.append(text[at:])
    return "".join(str(one) for one in out)


def _without_resets(text: str) -> str:
    """Leave out the timing from a reset or a set to an output."""
    out, at = [], 0
    for begin, end in _groups(text, "timing"):
        if re.search(r'timing_type\s*:\s*"?(?:clear|preset)\b', text[begin:end]):
            out.append(text[at:begin])
            at = end
    return "".join([*out, text[at:]])


class _Mean:
    """The mean of groups that are still being collected, as text."""

    def __init__(self, groups: list[str]) -> None:
        self.groups = groups

    def __str__(self) -> str:
        related = re.search(r'related_pin\s*:\s*"[^"]*"\s*;', self.groups[0])
        body = "".join(_table(edge, self.groups) for edge in ("rise_power", "fall_power"))
        return f"internal_power () {{ {related[0] if related else ''} {body} }}"


def _table(edge: str, groups: list[str]) -> str:
    """Return the mean of the groups' tables of an edge; one number stands for a table of it everywhere."""
    found = [re.search(rf"{edge}\s*\((\w+)\)\s*\{{(.*?)\}}", group, re.DOTALL) for group in groups]
    tables = [(one[1], one[2].partition("values")) for one in found if one is not None]
    if not tables:
        return ""
    numbers = [[float(number) for number in re.findall(NUMBER, values)] for _, (_, _, values) in tables]
    size = max(map(len, numbers))
    name, (index, _, _) = next(table for table, row in zip(tables, numbers, strict=True) if len(row) == size)
    if any(len(row) not in (1, size) for row in numbers):
        raise ValueError(f"{edge}: tables of one pin differ in size")
    columns = zip(*(row * size if len(row) == 1 < size else row for row in numbers), strict=True)
    mean = [f"{sum(column) / len(groups):.7g}" for column in columns]
    wide = len(re.findall(NUMBER, index.rpartition("index_")[2])) - 1 if "index_2" in index else size
    rows = [", ".join(mean[i : i + wide]) for i in range(0, size, wide)]
    text = ", ".join(f'"{row}"' for row in rows)
    return f"{edge} ({name}) {{ {index} values ({text}); }} "


def _groups(text: str, name: str) -> Iterator[tuple[int, int]]:
    """Yield where the groups of that name begin and end."""
    for head in re.finditer(rf"\b{name}\s*\(\)\s*\{{", text):
        depth, at = 1, head.end()
        while depth:
            brace = text.find("{", at), text.find("}", at)
            deeper = brace[0] >= 0 and brace[0] < brace[1]
            depth += 1 if deeper else -1
            at = (brace[0] if deeper else brace[1]) + 1
        yield head.start(), at
