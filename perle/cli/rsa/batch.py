# SPDX-License-Identifier: Apache-2.0
"""`perle rsa sign --batch`: sign all files of a folder, in parallel on all boards and lanes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import typer

from perle.cli.boards import is_system
from perle.cli.io import console, files
from perle.cli.io.errors import Code, Fault, bad_input, explain, usage
from perle.cli.rsa import load
from perle.cli.rsa.options import digest_size, read_digest
from perle.cli.rsa.places import Powers, on_boards
from perle.cli.rsa.workers import Workers
from perle.flow import signals
from perle.host import Key, Padding
from perle.host.batch import Done

T = TypeVar("T")

SUFFIX = ".sig"


@dataclass(frozen=True)
class Folder:
    """Which files are signed, with which key, and where their signatures go.

    `resume` leaves out files that have a signature. `passphrase` is the file with the key's passphrase.
    """

    source: Path
    target: Path
    force: bool
    key: str
    passphrase: Path | None = None
    resume: bool = False

    def files(self) -> list[Path]:
        """Return the regular files in order, without hidden files, signatures and links."""
        with os.scandir(self.source) as entries:
            found = [entry.name for entry in entries if entry.is_file(follow_symlinks=False)]
        wanted = [
            self.source / name for name in sorted(found) if not name.startswith(".") and not _is_sig(name)
        ]
        return [one for one in wanted if not (self.resume and os.path.lexists(self.signature(one)))]

    def signature(self, path: Path) -> Path:
        """Return where the signature of a file goes."""
        return self.target / f"{path.name}{SUFFIX}"


@dataclass(frozen=True)
class Signing:
    """Padding and hash of the signatures."""

    padding: Padding
    hash: str | None
    salt: int
    prehashed: bool

    def check(self, key: Key) -> None:
        """Raise PerleError if no digest at all can be signed with a key in this way."""
        size = 0 if self.hash is None else digest_size(self.hash)
        if size:  # otherwise it depends on what a file has
            key.encode(bytes(size), padding=self.padding, hash=self.hash, salt=self.salt)

    def encoded(self, key: Key, path: Path) -> bytes:
        """Return the number whose private power is the signature of a file."""
        digest = read_digest(str(path), self.hash, self.prehashed)
        return key.encode(digest, padding=self.padding, hash=self.hash, salt=self.salt)


@dataclass
class Run:
    """Signs the files of a folder; each is read when a board can take it."""

    folder: Folder
    how: Signing
    key: Key
    tick: Callable[[], None]
    signed: int = 0
    failures: list[tuple[Path, Fault]] = field(default_factory=list)
    _begun: list[Path] = field(default_factory=list)

    def all(self, paths: list[Path], powers: Powers) -> None:
        """Sign all files; an error with one is recorded, and the others are signed nevertheless."""
        with closing(powers(self.key, self._messages(paths))) as ended:
            for done in ended:
                path = self._begun[done.tag]
                if self._attempt(path, partial(self._write, path, done)):
                    self.signed += 1
                    self.tick()

    def _messages(self, paths: list[Path]) -> Iterator[bytes]:
        """Yield the encoded message of each file that can be read."""
        for path in paths:
            message = self._attempt(path, partial(self._read, path))
            if message is not None:
                self._begun.append(path)
                yield message

    def _read(self, path: Path) -> bytes:
        target = self.folder.signature(path)
        if not self.folder.force and os.path.lexists(target):
            raise files.exists(str(target))
        return self.how.encoded(self.key, path)

    def _write(self, path: Path, done: Done) -> bool:
        if done.error is not None:
            raise done.error
        kept = {"the key": self.folder.key, "the input": str(path)}
        if self.folder.passphrase is not None:
            kept["the passphrase"] = str(self.folder.passphrase)
        target = str(self.folder.signature(path))
        with signals.held(), files.writing(target, force=self.folder.force, kept=kept) as write:
            write(done.data)
        return True

    def _attempt(self, path: Path, work: Callable[[], T]) -> T | None:
        try:
            return work()
        except Exception as error:
            fault = explain(error)
            if fault is None or fault.code in (Code.USAGE, Code.TOOL):
                raise
            self.failures.append((path, fault))
            self.tick()
            return None


def sign(
    folder: Folder,
    how: Signing,
    board: str | None,
    workers: Workers | None,
    json: bool,
) -> None:
    """Sign all files of a folder, on local boards or on workers; list failed ones on standard error."""
    paths = folder.files()
    if not folder.target.is_dir():
        raise bad_input(f"{folder.target} is not a folder")
    if board is not None and is_system(board):
        raise usage(
            f"{board.partition(',')[0]}: --batch needs boards with registers (such as sim:…), not systems"
        )
    with load.loaded(folder.key, folder.passphrase) as key:
        if not key.is_private:
            raise bad_input(f"{folder.key} is a public key, but sign needs a private one")
        how.check(key)
        spec = load.private_spec(key) if board is None else board
        with ExitStack() as stack:
            place = stack.enter_context(workers.place(spec) if workers else on_boards(spec, json))
            tick = stack.enter_context(console.counted(f"RSA-{key.bits}", len(paths)))
            run = Run(folder, how, key, tick)
            begin = time.perf_counter()
            run.all(paths, place.powers)
            speed = place.speed(run.signed, time.perf_counter() - begin)
        used = "workers" not in speed or any(one["board"] == spec for one in speed["workers"])
        facts = {
            "key_bits": key.bits,
            "padding": how.padding.name.lower(),
            "hash": how.hash,
            "board": spec if used else None,  # workers may have boards of their own
        }
    _report(run, facts | speed, place.said(facts | speed), json)
    if run.failures:
        raise typer.Exit(max(fault.code for _, fault in run.failures))


def _report(run: Run, facts: dict[str, Any], said: list[str], json: bool) -> None:
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
    first, *others = said
    console.note(f"sign: {run.signed} of {count} files of {run.folder.source} signed, {first}")
    for line in others:
        console.note(f"sign: {line}")


def _is_sig(name: str) -> bool:
    return name.endswith(SUFFIX)
