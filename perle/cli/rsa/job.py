# SPDX-License-Identifier: Apache-2.0
"""Common part of all RSA commands: files, key, boards, report."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perle.cli.boards import in_background, refuse_system
from perle.cli.io import console, files
from perle.cli.io.errors import bad_input, usage
from perle.cli.pam.systems import opened_for
from perle.cli.rsa import load
from perle.host import Boards, Key, Output

SOFTWARE = "none"
PS_PER_MS = 10**9


def check_one_stream(names: dict[str, str]) -> None:
    """Raise the fault if more than one option reads standard input."""
    streams = [option for option, name in names.items() if name == files.STREAM]
    if len(streams) > 1:
        raise usage(f"{' and '.join(streams)} cannot both be standard input: give a file for one of them")


@dataclass(frozen=True)
class Job:
    """The common settings of an operation."""

    name: str
    key: str
    source: str
    out: str | None
    board: str | None
    passphrase: Path | None
    json: bool
    force: bool = False  # overwrite an existing output
    text: bool = False  # the output may be printed on a terminal
    private: bool = True
    secret: bool = False  # only its owner may read the output
    read: Callable[[str], bytes] = files.read
    check: Callable[[Key, bytes], object] = lambda _key, _data: None
    """Raises the error of a key and data that do not fit, before a board is built or opened."""

    def run(self, work: Callable[[Boards | None, Key, bytes], Output], **facts: str | None) -> None:
        """Read the input, run the operation, write the output, report."""
        if self.json and files.is_output(self.out):
            both = f"--json and --out {self.out} both write to standard output"
            raise usage(f"{both}; without --out the JSON holds the data")
        if self.out is None and not self.json and not self.text and sys.stdout.isatty():
            raise usage("binary data is not written to a terminal: give --out FILE, or --out -")
        check_one_stream({"--key": self.key, "--in": self.source})
        with ExitStack() as stack:
            data = self.read(self.source)
            key = stack.enter_context(load.loaded(self.key, self.passphrase))
            if self.private and not key.is_private:
                raise bad_input(f"{self.key} is a public key, but {self.name} needs a private one")
            out = files.STREAM if self.out is None else self.out
            kept = {"the key": self.key, "the input": self.source}
            if self.passphrase is not None:
                kept["the passphrase"] = str(self.passphrase)
            write = (
                None
                if self.json and self.out is None
                else stack.enter_context(files.writing(out, private=self.secret, force=self.force, kept=kept))
            )
            self.check(key, data)
            spec, result, wall = self.compute(key, lambda boards: work(boards, key, data))
            if write is not None:
                write(result.data)
        self._report(result, {"key_bits": key.bits, **facts, "board": spec, "wall_seconds": round(wall, 6)})

    def compute(self, key: Key, work: Callable[[Boards | None], Any]) -> tuple[str | None, Any, float]:
        """Run the operation on boards; return their specification, the result and the duration in seconds."""
        if self.board == SOFTWARE and not self.private:
            begin = time.perf_counter()
            return None, work(None), time.perf_counter() - begin
        usual = load.private_spec if self.private else load.public_spec
        spec = usual(key) if self.board is None else self.board
        if not self.private:
            refuse_system(spec)
        with console.steps(quiet=self.out is None) as steps, opened_for(spec, key, steps) as boards:
            steps.work(f"{self.name}: RSA-{key.bits} on {spec}")
            begin = time.perf_counter()
            result = in_background(lambda: work(boards))
            return spec, result, time.perf_counter() - begin

    def _report(self, result: Output, facts: dict[str, Any]) -> None:
        if self.json:
            data = {"data": result.data.hex()} if self.out is None else {"out": self.out}
            cost = {"cycles": result.cycles, "elapsed_cycles": result.elapsed, "time_ps": result.time_ps}
            console.print_json({"operation": self.name, **facts, "bytes": len(result.data), **cost, **data})
        elif self.out not in (None, files.STREAM):
            console.note(
                f"{self.name}: {len(result.data)} bytes in {self.out}, {_cost(result, facts['board'])}"
            )


def _cost(result: Output, board: str | None) -> str:
    if board is None:
        return "in software"
    if result.time_ps:
        return f"{result.time_ps / PS_PER_MS:,.3f} ms of modelled time on {board}"
    return f"{result.elapsed:,} board cycles on {board}"
