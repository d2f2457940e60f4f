# SPDX-License-Identifier: Apache-2.0
"""Streams of operations: JSON lines in and out. Answers keep the order of the lines.

Lines are answered while later ones are still being read. By default there are as many simulated boards as
processor cores, at most 16.
"""

from __future__ import annotations

import io
import json
import sys
import threading
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from queue import Queue
from typing import TYPE_CHECKING

import typer

from perle.cli.boards import cpus, opened
from perle.cli.io import console
from perle.cli.io.errors import Code, Fault, bad_input, explain
from perle.cli.io.numbers import to_hex
from perle.host import Boards

if TYPE_CHECKING:
    from perle.cli.arith import Operation

# Largest number of lines read but not yet answered.
AHEAD = 64

Answer = dict[str, object]


class Pool:
    """The boards of a stream: one set per width, opened when a line first needs it."""

    def __init__(
        self, operation: Operation, spec: str | None, steps: console.Steps, stack: ExitStack
    ) -> None:
        self._operation = operation
        self._spec = spec
        self._steps = steps
        self._stack = stack
        self._open: dict[str, Boards] = {}
        if spec is not None:
            self._boards(spec)

    def boards(self, numbers: tuple[int, int, int]) -> Boards:
        """Return the boards for these numbers."""
        return self._boards(self._spec or self._operation.spec(numbers, cpus()))

    def _boards(self, spec: str) -> Boards:
        if spec not in self._open:
            self._open[spec] = self._stack.enter_context(opened(spec, self._steps))
        return self._open[spec]


class Answers:
    """Prints answers in the order of their lines, each as soon as possible; keeps the worst exit code."""

    def __init__(self) -> None:
        self.worst = Code.OK
        self.broken: BaseException | None = None
        self._queue: Queue[tuple[int, Future[Answer]] | None] = Queue(AHEAD)
        self._thread = threading.Thread(target=self._print_all, daemon=True)
        self._thread.start()

    def put(self, number: int, answer: Future[Answer]) -> None:
        """Add the future answer of line `number`."""
        self._queue.put((number, answer))

    def finish(self) -> None:
        """Wait until all answers are printed."""
        self._queue.put(None)
        self._thread.join()

    def _print_all(self) -> None:
        while (entry := self._queue.get()) is not None:
            if self.broken is None:
                self._print(*entry)

    def _print(self, number: int, answer: Future[Answer]) -> None:
        try:
            line = self._line(number, answer)
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()
        except BaseException as error:  # noqa: BLE001 - the main thread raises it
            self.broken = error

    def _line(self, number: int, answer: Future[Answer]) -> Answer:
        try:
            return answer.result()
        except Exception as error:
            fault = explain(error)
            if fault is None or fault.code is Code.TOOL:
                raise
            self.worst = max(self.worst, fault.code)
            return {"error": str(fault), "line": number}


def run(operation: Operation, source: str, spec: str | None) -> None:
    """Answer every line of `source`; ends with the exit code of the worst line."""
    with ExitStack() as stack:
        lines = _lines(source, stack)
        steps = stack.enter_context(console.steps(quiet=True))
        pool = Pool(operation, spec, steps, stack)
        answers = _answer(lines, operation, pool)
    if answers.broken is not None:
        raise answers.broken
    if answers.worst is not Code.OK:
        raise typer.Exit(answers.worst)


def _lines(source: str, stack: ExitStack) -> Iterable[str]:
    """Return the lines; invalid UTF-8 makes a line an error, but does not end the stream."""
    if source != "-":
        return stack.enter_context(Path(source).open(encoding="utf-8", errors="replace"))
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    return sys.stdin


def _answer(lines: Iterable[str], operation: Operation, pool: Pool) -> Answers:
    # a thread per line: each waits for a free board, and there may be many lanes
    answers, workers = Answers(), ThreadPoolExecutor(AHEAD)
    failed: Exception | None = None
    try:
        for number, line in enumerate(lines, 1):
            if answers.broken is not None:
                break
            if line.strip():
                answers.put(number, _begin(line, operation, pool, workers))
    except Exception as error:  # noqa: BLE001 - raised again when the started lines are done
        failed = error
    answers.finish()
    workers.shutdown(cancel_futures=True)
    if failed is not None:
        raise failed
    return answers


def _begin(line: str, operation: Operation, pool: Pool, workers: ThreadPoolExecutor) -> Future[Answer]:
    """Start a line's operation; an error in the line becomes its answer."""
    try:
        numbers = _parse(line, operation)
        boards = pool.boards(numbers)
    except (Fault, ValueError) as error:
        failed: Future[Answer] = Future()
        failed.set_exception(error)
        return failed
    return workers.submit(_work, operation, boards, numbers)


def _parse(line: str, operation: Operation) -> tuple[int, int, int]:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise bad_input(f"not JSON: {error}") from error
    if not isinstance(entry, dict):
        raise bad_input("not a JSON object")
    for key in operation.keys:
        if key not in entry:
            raise bad_input(f"{key!r} is missing")
    return operation.numbers(entry)


def _work(operation: Operation, boards: Boards, numbers: tuple[int, int, int]) -> Answer:
    result = operation.run(boards, *numbers)
    return {"r": to_hex(result.value), "cycles": result.cycles}
