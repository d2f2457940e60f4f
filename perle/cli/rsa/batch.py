# SPDX-License-Identifier: Apache-2.0
"""`perle rsa sign --batch`: all files of a folder, several at a time on all boards and lanes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import typer

from perle.cli.boards import closing, is_system, opened
from perle.cli.io import console, files
from perle.cli.io.errors import Code, Fault, bad_input, explain, usage
from perle.cli.provider_speed import measured_clock
from perle.cli.rsa import load
from perle.cli.rsa.options import read_digest
from perle.host import Key, Padding
from perle.host.batch import Batch, BatchStats, Done, QueueFullError

SUFFIX = ".sig"
MHZ = 1e6


@dataclass(frozen=True)
class Folder:
    """Which files are signed, with which key, and where their signatures go."""

    source: Path
    target: Path
    force: bool
    key: str

    def files(self) -> list[Path]:
        """Return the regular files in order; no hidden ones, no signatures, no links."""
        with os.scandir(self.source) as entries:
            found = [entry.name for entry in entries if entry.is_file(follow_symlinks=False)]
        return [
            self.source / name for name in sorted(found) if not name.startswith(".") and not _is_sig(name)
        ]

    def signature(self, path: Path) -> Path:
        """Return where the signature of a file goes."""
        return self.target / f"{path.name}{SUFFIX}"


@dataclass(frozen=True)
class Signing:
    """What a signature is made of."""

    padding: Padding
    hash: str | None
    salt: int
    prehashed: bool

    def encoded(self, key: Key, path: Path) -> bytes:
        """Return the number whose private power is the signature of a file."""
        digest = read_digest(str(path), self.hash, self.prehashed)
        return key.encode(digest, padding=self.padding, hash=self.hash, salt=self.salt)


@dataclass
class Run:
    """Signs the files of a folder, one after the other as the batch takes them."""

    folder: Folder
    how: Signing
    key: Key
    batch: Batch
    tick: Callable[[], None]
    signed: int = 0
    failures: list[tuple[Path, Fault]] = field(default_factory=list)
    _under_way: dict[int, Path] = field(default_factory=dict)

    def all(self, paths: list[Path]) -> None:
        """Sign them all; what goes wrong with a file is kept, and the others are signed nevertheless."""
        for path in paths:
            self._attempt(path, partial(self._begin, path))
        for done in self.batch.finished():
            self._end(done)

    def _begin(self, path: Path) -> None:
        target = self.folder.signature(path)
        if not self.folder.force and os.path.lexists(target):
            raise files.exists(str(target))
        message = self.how.encoded(self.key, path)
        while True:
            try:
                self._under_way[self.batch.submit(self.key, message)] = path
                return
            except QueueFullError:
                for done in self.batch.poll():
                    self._end(done)

    def _end(self, done: Done) -> None:
        path = self._under_way.pop(done.tag)
        if self._attempt(path, partial(self._write, path, done)):
            self.signed += 1
            self.tick()

    def _write(self, path: Path, done: Done) -> None:
        if done.error is not None:
            raise done.error
        kept = {"the key": self.folder.key, "the input": str(path)}
        with files.writing(str(self.folder.signature(path)), force=self.folder.force, kept=kept) as write:
            write(done.data)

    def _attempt(self, path: Path, work: Callable[[], None]) -> bool:
        try:
            work()
        except Exception as error:
            fault = explain(error)
            if fault is None or fault.code in (Code.USAGE, Code.TOOL):
                raise
            self.failures.append((path, fault))
            self.tick()
            return False
        return True


def sign(folder: Folder, how: Signing, board: str | None, passphrase: Path | None, json: bool) -> None:
    """Sign all files of a folder; names on standard error every one that failed."""
    paths = folder.files()
    if not folder.target.is_dir():
        raise bad_input(f"{folder.target} is no folder")
    if board is not None and is_system(board):
        raise usage(
            f"{board.partition(',')[0]}: --batch works on boards with registers (sim:…), not on systems"
        )
    with load.loaded(folder.key, passphrase) as key:
        if not key.is_private:
            raise bad_input(f"{folder.key} is a public key, but sign takes a private one")
        spec = board or load.private_spec(key)
        with ExitStack() as stack:
            with console.steps(quiet=json) as steps:
                boards = stack.enter_context(opened(spec, steps))
            batch = stack.enter_context(closing(Batch(boards)))
            tick = stack.enter_context(console.counted(f"RSA-{key.bits}", len(paths)))
            run = Run(folder, how, key, batch, tick)
            begin = time.perf_counter()
            run.all(paths)
            wall, stats = time.perf_counter() - begin, batch.stats
        facts = {"key_bits": key.bits, "padding": how.padding.name.lower(), "hash": how.hash, "board": spec}
    _report(run, facts | _speed(stats, run.signed, wall, spec), json)
    if run.failures:
        raise typer.Exit(max(fault.code for _, fault in run.failures))


def _speed(stats: BatchStats, signed: int, wall: float, spec: str) -> dict[str, Any]:
    clock, words = measured_clock(spec)
    known = clock is not None and signed > 0 and stats.cycles > 0
    return {
        "cycles": stats.cycles,
        "busy_cycles": stats.busy_cycles,
        "halves_at_a_time": round(stats.in_flight, 3),
        "halves_repeated": stats.repeated,
        "wall_seconds": round(wall, 6),
        "ops_per_second": signed / wall,
        "clock_mhz": clock,
        "clock": words,
        "device_ops_per_second": clock * MHZ * signed / stats.cycles if known and clock else None,
    }


def _report(run: Run, facts: dict[str, Any], json: bool) -> None:
    for path, fault in run.failures:
        console.note(f"perle: {path}: {fault}")
    count = run.signed + len(run.failures)
    if json:
        failed = [
            {"file": str(path), "error": str(fault), "code": int(fault.code)} for path, fault in run.failures
        ]
        places = {"batch": str(run.folder.source), "out_dir": str(run.folder.target)}
        numbers = {"files": count, "signed": run.signed, "failed": failed}
        console.print_json({"operation": "sign", **places, **numbers, **facts})
        return
    console.note(
        f"sign: {run.signed} of {count} files of {run.folder.source} signed, on {facts['board']}: "
        f"{facts['cycles']:,} simulated cycles, {facts['halves_at_a_time']:.1f} halves at a time, "
        f"{facts['ops_per_second']:,.1f} signatures per second on this machine"
    )
    if facts["device_ops_per_second"] is not None:
        console.note(
            f"sign: {facts['device_ops_per_second']:,.0f} per second at the clock of {facts['clock']}"
        )


def _is_sig(name: str) -> bool:
    return name.endswith(SUFFIX)
