# SPDX-License-Identifier: Apache-2.0
"""Reading waveforms (VCD): the values of some signals in every clock cycle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

CLOCK = "clk_i"


class VcdError(ValueError):
    """A waveform that lacks a signal."""


class Vcd:
    """A waveform. Signals are named below the two outermost scopes: `u_mul.rsp_z_o`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._codes: dict[str, str] = {}
        self._bits: dict[str, int] = {}
        scopes: list[str] = []
        with path.open(encoding="ascii") as file:
            for line in file:
                words = line.split()
                if words[:1] == ["$enddefinitions"]:
                    break
                if words[:1] == ["$scope"]:
                    scopes.append(words[2])
                elif words[:1] == ["$upscope"]:
                    scopes.pop()
                elif words[:1] == ["$var"]:
                    name = ".".join([*scopes[2:], words[4]])
                    self._codes[name], self._bits[name] = words[3], int(words[2])

    def bits(self, signal: str) -> int:
        """Return the width of a signal."""
        self._check([signal])
        return self._bits[signal]

    def cycles(self, signals: Sequence[str]) -> Iterator[Mapping[str, int]]:
        """Yield the values of the signals in every clock cycle; unknown bits are read as zeros.

        A cycle ends with a rising edge of the outermost `clk_i`: its values are those before it, which
        registers take.
        """
        self._check([CLOCK, *signals])
        codes = {name: self._codes[name] for name in signals}
        clock = self._codes[CLOCK]
        values, before = dict.fromkeys([*codes.values(), clock], 0), dict[str, int]()
        with self._path.open(encoding="ascii") as file:
            for line in file:
                if line.startswith("#"):
                    before = {name: values[code] for name, code in codes.items()}
                    continue
                value, code = _change(line)
                if code not in values:
                    continue
                if code == clock and value and not values[code]:
                    yield before
                values[code] = value

    def _check(self, signals: Sequence[str]) -> None:
        missing = [name for name in signals if name not in self._codes]
        if missing:
            raise VcdError(f"{self._path} has no {', '.join(missing)}")


def _change(line: str) -> tuple[int, str]:
    """Return value and code of a line; no code if it changes nothing."""
    vector, line = line.startswith("b"), line.rstrip()
    digits, _, code = line[1:].partition(" ") if vector else (line[:1], "", line[1:])
    digits = digits.replace("x", "0").replace("z", "0")
    return (int(digits, 2), code) if digits and set(digits) <= {"0", "1"} else (0, "")
