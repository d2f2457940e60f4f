# SPDX-License-Identifier: Apache-2.0
"""Records the waveform of a product of every family: `python -m perle.cli.waveforms --write [FAMILY…]`.

`perle trace` simulates a product of the narrowest configuration. The signals that `waveform.toml` in the
family's folder lists are taken from it, in the cycles in which one of them changes, and written to
`waveform.json` beside it, which the report draws. `--check` fails if a record differs from a new simulation.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from perle.cli import debug
from perle.cores.registry import Config, Forwarding, every, memories
from perle.flow.vcd import Vcd
from perle.report.site.waveform import RECORD
from perle.results import metrics

LISTED = "waveform.toml"
HANDSHAKE = ("req_valid_i", "req_ready_o", "req_x_i", "req_y_i")
EARLY = "req_early_i"
RESPONSE = ("rsp_valid_o", "rsp_z_o")
BUS = ("access_i", "write_i", "addr_i", "wdata_i", "ready_o", "rdata_o")
VALID = {
    **dict.fromkeys(("req_x_i", "req_y_i", EARLY), "req_valid_i"),
    "rsp_z_o": "rsp_valid_o",
    **dict.fromkeys(("write_i", "addr_i", "rdata_o"), "access_i"),
    "wdata_i": "write_i",
}
"""Signals that mean something only while another one is 1: else they are not shown."""
MULTIPLIER, MEMORY = "u_mul.", "u_core."
QUIET = 3
"""Cycles in which nothing shown changes are left out from this number on."""
MOST = 32
"""Largest number of cycles shown: beyond it, those in the middle are left out."""
FACTOR_BITS = 64
"""Width of the factors on an active memory."""


def arguments(config: Config) -> list[str]:
    """Return the operands of the product, in hexadecimal: always the same, and as wide as they can be."""

    def number(name: str, bits: int) -> int:
        digits = hashlib.shake_256(name.encode()).digest(bits // 8 + 1)
        return int.from_bytes(digits, "big") & (1 << bits) - 1

    if config.family.name in memories():
        bits = min(FACTOR_BITS, config.family.module("listing").operand_bits(config.params))
        return [f"{number(name, bits):x}" for name in "ab"]
    m = number("m", config.width) | 1 << config.width - 1 | 1
    return [f"{value:x}" for value in (number("x", config.width) % m, number("y", config.width) % m, m)]


def record(name: str) -> dict[str, Any]:
    """Simulate a product of a family and return its record."""
    family = every()[name]
    listed = tomllib.loads((family.folder / LISTED).read_text(encoding="utf-8"))
    config = family.config(listed["config"])
    numbers = arguments(config)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "product.vcd"
        debug.trace(out, "mul", numbers, f"sim:{config.spec}")
        vcd, paths = Vcd(out), _paths(config, listed["signals"])
        values = list(vcd.cycles(list(paths.values())))
        begin, end = _product(name, values)
        early = isinstance(config.model, Forwarding) and bool(values[begin][paths[EARLY]])
        last = begin + metrics.product_cycles(config) if early else end
        found = range(max(0, begin - 1), min(len(values), last + 2))
        rows = [{label: _shown(label, paths, values[cycle]) for label in paths} for cycle in found]
        columns = _columns([list(row.values()) for row in rows])
        signals = [
            {"name": label, "bits": vcd.bits(path), "values": [rows[column][label] for column in columns]}
            for label, path in paths.items()
        ]
    return {
        "board": config.spec,
        "command": f"perle trace mul {' '.join(numbers)} --board sim:{config.spec} -o product.vcd",
        "early": early,
        "cycles": end - begin + int(name in memories()),
        "columns": [found[column] - begin for column in columns],
        "signals": signals,
    }


def _paths(config: Config, own: Mapping[str, str]) -> dict[str, str]:
    """Return the paths of the signals by their labels: the ports, and the family's own between them."""
    if config.family.name in memories():
        return {**{one: one for one in BUS}, **{label: MEMORY + path for label, path in own.items()}}
    request = (*HANDSHAKE, EARLY) if isinstance(config.model, Forwarding) else HANDSHAKE
    before, after = ({one: MULTIPLIER + one for one in names} for names in (request, RESPONSE))
    return {**before, **{label: MULTIPLIER + path for label, path in own.items()}, **after}


def _shown(label: str, paths: Mapping[str, str], values: Mapping[str, int]) -> str | None:
    """Return a signal's value in hexadecimal; None where it means nothing."""
    valid = VALID.get(label)
    return None if valid and not values[paths[valid]] else f"{values[paths[label]]:x}"


def _product(name: str, values: Sequence[Mapping[str, int]]) -> tuple[int, int]:
    """Return the cycle in which the first product is accepted, and that of its response.

    Of an active memory, those of the first and the last access.
    """
    if name in memories():
        busy = [cycle for cycle, one in enumerate(values) if one["access_i"]]
        return busy[0], busy[-1]
    valid, ready, done = (f"{MULTIPLIER}{one}" for one in ("req_valid_i", "req_ready_o", "rsp_valid_o"))
    begin = next(cycle for cycle, one in enumerate(values) if one[valid] and one[ready])
    return begin, next(cycle for cycle in range(begin + 1, len(values)) if values[cycle][done])


def _columns(rows: Sequence[Sequence[str | None]]) -> list[int]:
    """Return the cycles that are shown, counted from the first one."""
    changed = [0, *(cycle for cycle in range(1, len(rows)) if rows[cycle] != rows[cycle - 1]), len(rows)]
    kept = [
        cycle
        for first, after in pairwise(changed)
        for cycle in (range(first, after) if after - first <= QUIET else (first,))
    ]
    return kept if len(kept) <= MOST else kept[: MOST // 2] + kept[-MOST // 2 :]


def text(found: Mapping[str, Any]) -> str:
    """Return a record as the text of its file: a signal a line."""
    head = {name: value for name, value in found.items() if name != "signals"}
    lines = [f"  {json.dumps(name)}: {json.dumps(value)}," for name, value in head.items()]
    signals = ",\n".join(f"    {json.dumps(one)}" for one in found["signals"])
    return "\n".join(["{", *lines, '  "signals": [', signals, "  ]", "}"]) + "\n"


def main(given: Sequence[str] | None = None) -> int:
    """Write the records, or compare them."""
    parser = argparse.ArgumentParser(prog="python -m perle.cli.waveforms", description=__doc__)
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("--write", action="store_true", help="write the records")
    choice.add_argument("--check", action="store_true", help="fail if a record differs from a new simulation")
    parser.add_argument("family", nargs="*", help="default: all families")
    options = parser.parse_args(given)
    stale = 0
    for name in options.family or every():
        path, found = every()[name].folder / RECORD, text(record(name))
        if options.write:
            path.write_text(found, encoding="utf-8")
        elif not path.is_file() or path.read_text(encoding="utf-8") != found:
            stale += 1
            sys.stderr.write(f"{path} is not what a simulation gives\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
