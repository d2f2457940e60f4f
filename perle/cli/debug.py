# SPDX-License-Identifier: Apache-2.0
"""`perle trace` and `perle step`: an operation on a simulated board, recorded or watched step by step."""

from __future__ import annotations

import json as jsonlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from perle.boards import driver
from perle.boards.build import build_board
from perle.boards.simulated import SimulatedBoard, SimulatorError
from perle.cli.arith import PRODUCT, Force, Json, ModeName, Operation, power
from perle.cli.boards import CORE, alone
from perle.cli.io import console, files
from perle.cli.io.errors import Code, Fault, bad_input, file, usage
from perle.cli.io.numbers import to_hex
from perle.cli.machine import TraceFormat
from perle.cli.pam import accesses
from perle.cores.modexp.model import Command, Mode
from perle.cores.registry import Config
from perle.spec import check_modulus
from perle.tables import Table

FLAGS = (
    "start_busy", "access_busy", "modulus_even", "modulus_small", "modulus_wide", "operand_range", "command",
)  # fmt: skip
LONGEST_VALUE = 96

What = Annotated[
    str | None,
    typer.Argument(
        metavar="mul|exp",
        help="mul X Y M or exp BASE EXP MOD; on an active memory mul A B, or nothing for random numbers.",
        show_default=False,
    ),
]
Numbers = Annotated[
    list[str] | None, typer.Argument(metavar="HEX…", help="Operands, hexadecimal.", show_default=False)
]
Spec = Annotated[
    str | None,
    typer.Option(
        "--board",
        metavar="SPEC",
        help=f"sim:{CORE}; may be an active memory. Default: orup as wide as the modulus.",
        show_default=False,
    ),
]
ModeOption = Annotated[ModeName, typer.Option("--mode", help="Mode of exp: see perle exp.")]


class Run:
    """An operation that is ready to start on a simulated board."""

    def __init__(self, what: str | None, texts: list[str] | None, spec: str | None, mode: ModeName) -> None:
        operations: dict[str, Operation] = {"mul": PRODUCT, "exp": power(mode.mode)}
        if what not in operations or texts is None or len(texts) != len(PRODUCT.keys):
            raise usage("the operation is mul X Y M, or exp BASE EXP MOD")
        operation = operations[what]
        first, second, self.modulus = numbers = operation.numbers(
            dict(zip(operation.keys, texts, strict=True))
        )
        self.spec = operation.spec(numbers) if spec is None else spec
        self.config: Config = alone(self.spec)
        check_modulus(self.modulus, self.config.width)
        if what == "mul":
            self.word = driver.command(Command.MULMOD)
            self.lines = {driver.BANK_X: first, driver.BANK_Y: second}
            self.expected = first * second % self.modulus
        else:
            bits = max(1, second.bit_length())
            if bits > self.config.width:
                raise bad_input(f"EXP has {bits} bits, more than {self.config.width}")
            self.word = driver.command(Command.EXP, Mode(mode.mode), bits)
            self.lines = {driver.BANK_X: first, driver.BANK_E: second}
            self.expected = pow(first, second, self.modulus)

    @contextmanager
    def board(self, trace: TraceFormat | bool, steps: console.Steps) -> Iterator[SimulatedBoard]:
        """Open the board and load all operands."""
        kind = trace.kind if isinstance(trace, TraceFormat) else trace
        path = build_board(self.config, trace=kind, progress=steps)
        steps.pause()
        try:
            with SimulatedBoard(path) as board:
                driver.load_modulus(board, self.config, self.modulus)
                for window, value in self.lines.items():
                    board.write_line(window, value)
                yield board
        except SimulatorError as error:
            raise Fault(Code.BOARD, str(error)) from error

    def finish(self, board: SimulatedBoard) -> driver.Outcome:
        """Wait for the end and check the result; it is returned below M."""
        outcome = driver.finish(board)
        if outcome.errors:
            names = [name for bit, name in enumerate(FLAGS) if outcome.errors >> bit & 1]
            raise Fault(Code.BOARD, f"the board reports {', '.join(names)}")
        if outcome.result % self.modulus != self.expected:
            raise Fault(Code.BOARD, f"the board's result is wrong: {to_hex(outcome.result)}")
        return driver.Outcome(self.expected, 0, outcome.cycles)


def trace(
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            parser=file,
            help="The waveform: .vcd, or .fst, which is smaller.",
            show_default=False,
        ),
    ],
    what: What = None,
    numbers: Numbers = None,
    board: Spec = None,
    mode: ModeOption = ModeName.window,
    force: Force = False,
    json: Json = False,
) -> None:
    """Record the waveform of one operation. It shows every operand: never trace a real key.

    Example: perle trace mul 3 5 7f -o product.vcd
    """
    suffix = out.suffix.removeprefix(".")
    if suffix not in set(TraceFormat):
        raise usage(f"the name of a waveform must end in .vcd or .fst: {out}")
    memory = accesses.memory_of(board)
    job = accesses.Job(memory, what, numbers) if memory else Run(what, numbers, board, mode)
    if not out.resolve().parent.is_dir():
        raise bad_input(f"{out.parent}: no such folder")
    with console.steps() as steps, files.replaced(out, force=force) as wave:
        if isinstance(job, Run):
            spec = job.spec
            result, cycles = _traced(job, TraceFormat(suffix), wave, steps)
        else:
            spec = job.config.spec
            result, cycles = accesses.trace(job, suffix, wave, steps)
    if json:
        facts = {"r": to_hex(result), "cycles": cycles, "board": spec, "trace": str(out)}
        console.print_json({**facts, "bytes": out.stat().st_size})
    else:
        typer.echo(f"r       {to_hex(result)}\ncycles  {cycles}\ntrace   {out}")


def _traced(run: Run, kind: TraceFormat, out: Path, steps: console.Steps) -> tuple[int, int]:
    with run.board(kind, steps) as board:
        board.trace(out)
        driver.start(board, run.word)
        outcome = run.finish(board)
        board.trace(None)
    return outcome.result, outcome.cycles


def step(
    what: What = None,
    numbers: Numbers = None,
    board: Spec = None,
    mode: ModeOption = ModeName.window,
    cycles: Annotated[
        int | None,
        typer.Option(
            help="Stop after this many clock cycles. Default: at the end of the operation.",
            min=1,
            show_default=False,
        ),
    ] = None,
    every: Annotated[int, typer.Option(help="Clock cycles per step.", min=1)] = 1,
    match: Annotated[str, typer.Option(metavar="REGEX", help="Show only registers whose names match.")] = "",
    every_register: Annotated[bool, typer.Option("--all", help="Show unchanged registers too.")] = False,
    json: Json = False,
) -> None:
    """Run one operation step by step and show the registers that each step changed.

    On an active memory (reg_mul:booth) a step is a bus access of the host: its instruction, the cycles it
    waited, and the registers it changed. There, --cycles N stops at the first access that leaves the board
    busy, and steps through N of its clock cycles.
    Cycles count from the end of the bus access that starts the operation.

    --json prints a line per step, {"cycle":…,"registers":{name:hex}}, the first with all registers, and at
    the end {"r":…,"cycles":…}. Registers show every operand: never step a real key.
    """
    try:
        wanted = re.compile(match)
    except re.error as error:
        raise usage(f"--match: {error}") from None
    show = Show(wanted, every_register, json)
    memory = accesses.memory_of(board)
    if memory is not None:
        accesses.step(accesses.Job(memory, what, numbers), (cycles, every), show, json=json)
        return
    run = Run(what, numbers, board, mode)
    with console.steps() as steps, run.board(True, steps) as simulated_board:
        _steps(simulated_board, run, (cycles, every), show)
        outcome = run.finish(simulated_board) if cycles is None else None
    if outcome is None:
        return
    result = {"r": to_hex(outcome.result), "cycles": outcome.cycles}
    typer.echo(jsonlib.dumps(result) if json else f"r       {result['r']}\ncycles  {outcome.cycles}")


class Show:
    """Prints the registers after each step."""

    def __init__(self, wanted: re.Pattern[str], all_of_them: bool, json: bool) -> None:
        self._wanted = wanted
        self._all = all_of_them
        self._json = json
        self._before: dict[str, str] = {}

    def __call__(self, cycle: int, snapshot: dict[str, str]) -> None:
        """Show the registers that changed since the last call."""
        seen = {
            name: value
            for name, value in snapshot.items()
            if name != "snapshot" and self._wanted.search(name)
        }
        changed = {name for name, value in seen.items() if self._before.get(name) != value}
        shown = {name: value for name, value in seen.items() if self._all or name in changed}
        if self._json:
            typer.echo(jsonlib.dumps({"cycle": cycle, "registers": shown}))
        else:
            self._table(cycle, shown, changed)
        self._before = seen

    def _table(self, cycle: int, shown: dict[str, str], changed: set[str]) -> None:
        out = console.output()
        if not self._before and not self._all:
            out.print(
                f"cycle {cycle}: {len(shown)} registers; from here on only changed ones (--all: all of them)"
            )
            return
        table = Table(("register", "value"), title=f"cycle {cycle}")
        for name, value in shown.items():
            style = "bold" if name in changed else "dim"
            text = (
                value if len(value) <= LONGEST_VALUE else f"{value[:LONGEST_VALUE]}… ({4 * len(value)} bits)"
            )
            table.add(Text(name, style), Text(text, style))
        out.print(table if shown else f"cycle {cycle}: no change")


def _steps(board: SimulatedBoard, run: Run, limits: tuple[int | None, int], show: Show) -> None:
    most, every = limits
    driver.start(board, run.word)
    begin = board.cycles
    show(0, board.snapshot())
    while (passed := board.cycles - begin) < (driver.CYCLE_LIMIT if most is None else most):
        board.advance(min(every, (most or driver.CYCLE_LIMIT) - passed))
        snapshot = board.snapshot()
        show(board.cycles - begin, snapshot)
        if int(snapshot["u_board.u_registers.done_q"], 16):
            return
