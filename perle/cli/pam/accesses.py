# SPDX-License-Identifier: Apache-2.0
"""`perle step` and `perle trace` on active memories: a product, one host access after the other."""

from __future__ import annotations

import json as jsonlib
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, cast

import typer

from perle.boards.memory import WORD_BITS, build_memory
from perle.boards.simulated import SimulatedBoard, SimulatorError
from perle.cli.io import console
from perle.cli.io.errors import Code, Fault, bad_input, usage
from perle.cli.io.numbers import from_hex, to_hex
from perle.cores.registry import Config, memories, resolve_memory
from perle.host.pam.system import Access, System

CLOCK_NS = 40
"""Clock period in ns of register multipliers in the paper's table 1."""
TIMING = "vme68020"
DEFAULT_BITS = 64
WORD_BYTES = WORD_BITS // 8
PS_PER_NS = 1000

Show = Callable[[int, dict[str, str]], None]


class Listing(Protocol):
    """Interface of `listing.py` in the folder of an active memory."""

    def text(self, params: dict[str, int], write: bool, addr: int) -> str:
        """Return the instruction that an access executes."""

    def operand_bits(self, params: dict[str, int]) -> int:
        """Largest number of bits of a factor."""

    def product(self, params: dict[str, int], a: int, b: int) -> list[tuple[bool, int, int]]:
        """Return the accesses of a product: write, word address, data."""

    def value(self, params: dict[str, int], a: int, b: int, reads: list[int]) -> int:
        """Return the result, from the data of its reads."""

    def expected(self, params: dict[str, int], a: int, b: int) -> int:
        """Return the correct result."""


def memory_of(spec: str | None) -> Config | None:
    """Return the active memory that `[sim:]FAMILY:CONFIG` names; None for any other board."""
    name = (spec or "").removeprefix("sim:")
    return resolve_memory(name) if name.partition(":")[0] in memories() else None


class Job:
    """A product on an active memory, of two given or random numbers."""

    def __init__(self, config: Config, what: str | None, numbers: list[str] | None) -> None:
        self.config = config
        self.listing = cast(Listing, config.family.module("listing"))
        if what not in {None, "mul"} or len(numbers or []) not in ({2} if what else {0}):
            raise usage("on an active memory the operation is mul A B, or none for random numbers")
        most = self.listing.operand_bits(config.params)
        self.a, self.b = self._operands(numbers, most)
        self.accesses = self.listing.product(config.params, self.a, self.b)

    @staticmethod
    def _operands(numbers: list[str] | None, most: int) -> tuple[int, int]:
        if not numbers:
            bits = min(DEFAULT_BITS, most)
            return secrets.randbits(bits), secrets.randbits(bits)
        a, b = (from_hex(name, text) for text, name in zip(numbers, ("A", "B"), strict=True))
        for name, value in (("A", a), ("B", b)):
            if value.bit_length() > most:
                raise bad_input(f"{name} has {value.bit_length()} bits, more than {most}")
        return a, b

    def text(self, write: bool, addr: int) -> str:
        """Return the text of the instruction that an access executes."""
        return self.listing.text(self.config.params, write, addr)

    def finish(self, reads: list[int]) -> int:
        """Check the result, and return it."""
        found = self.listing.value(self.config.params, self.a, self.b, reads)
        if found != self.listing.expected(self.config.params, self.a, self.b):
            raise Fault(Code.BOARD, f"the board's result is wrong: {to_hex(found)}")
        return found


def trace(job: Job, kind: str, out: Path, steps: console.Steps) -> tuple[int, int]:
    """Record a product whose accesses follow without a pause; return the result and the cycles."""
    path = build_memory(job.config, trace="fst" if kind == "fst" else "vcd", progress=steps)
    steps.pause()
    reads = []
    try:
        with SimulatedBoard(path) as board:
            board.trace(out)
            begin = board.cycles
            for write, addr, data in job.accesses:
                if write:
                    board.write(WORD_BYTES * addr, data)
                else:
                    reads.append(board.read(WORD_BYTES * addr))
            cycles = board.cycles - begin
            board.trace(None)
    except SimulatorError as error:
        raise Fault(Code.BOARD, str(error)) from error
    return job.finish(reads), cycles


def step(job: Job, limits: tuple[int | None, int], show: Show, *, json: bool) -> None:
    """Run a product and show each access; with a limit, end with clock cycles of the busy board."""
    cycles, every = limits
    with console.steps() as steps:
        path = build_memory(job.config, progress=steps)
    with System([(path, CLOCK_NS)], TIMING) as system:
        system.record(len(job.accesses))
        reads = []
        if not json:
            typer.echo(f"a       {to_hex(job.a)}\nb       {to_hex(job.b)}")
        for write, addr, data in job.accesses:
            reads += system.run([Access(0, WORD_BYTES * addr, data if write else None)])
            _tell(job, system, data if write else reads[-1], json=json)
            show(*_registers(system))
            if cycles is not None and system.log()[-1].busy_cycles:
                for passed in range(1, cycles + 1):
                    system.step(0)
                    if passed % every == 0:
                        show(*_registers(system, passed))
                return
    result = {"p": to_hex(job.finish(reads)), "accesses": len(job.accesses)}
    typer.echo(jsonlib.dumps(result) if json else f"p       {result['p']}\naccesses {len(job.accesses)}")


def _registers(system: System, passed: int = 0) -> tuple[int, dict[str, str]]:
    at = system.log()[-1].taken_ps // (CLOCK_NS * PS_PER_NS) + passed
    return at, dict(jsonlib.loads(system.snapshot(0)))


def _tell(job: Job, system: System, data: int, *, json: bool) -> None:
    """Print the instruction of the last access, and how long the board made it wait."""
    log = system.log()
    last, clock = log[-1], CLOCK_NS * PS_PER_NS
    # An idle board accepts an access at the first clock edge after it begins.
    waited = last.taken_ps // clock - last.begin_ps // clock - 1
    text = job.text(last.write, last.address // WORD_BYTES)
    if json:
        told = {"access": len(log), "instruction": text, "data": to_hex(data), "waited": max(0, waited)}
        typer.echo(jsonlib.dumps(told))
    else:
        arrow = "←" if last.write else "→"
        typer.echo(f"{len(log):>4}  {text} {arrow} {data:08x}" + (f", waited {waited}" if waited > 0 else ""))
