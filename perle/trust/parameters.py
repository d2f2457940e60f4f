# SPDX-License-Identifier: Apache-2.0
"""Boards with random legal parameters: results, cycles, flags, zeroization, and use through libperle.

A board is drawn (`perle.trust.drawn`), built with its assertions, and tested: operations on edge and random
numbers on all lanes at once, with results compared with Python's integers and, for one lane, cycles with the
model; commands with illegal operands; operations through libperle, which must derive the constants for these
parameters; and all registers and memory words, which after a zeroization or a reset must be equal for two
histories with different secrets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from perle.boards import simulated
from perle.boards.driver import BANK_CONST, BANK_X, CYCLE_LIMIT
from perle.boards.simulated import SimulatedBoard, SimulatorError
from perle.boards.sources import assertion_files, kept_files
from perle.cores.modexp.model import Command, Mode, cycles
from perle.cores.registry import families, run_time_width
from perle.flow.tools import ToolError
from perle.host import Boards, PerleError
from perle.host import Mode as HostMode
from perle.host.arithmetic import modexps, mulmods
from perle.spec import mont
from perle.trust import drawn, records
from perle.trust.drawn import Drawn, DrawnHistories, draw
from perle.trust.parts import Part, Task, Wanted
from perle.trust.records import Record, Run
from perle.verify.cases import operand_limit
from perle.verify.engines import zeroized
from perle.verify.engines.board import Work, put, start

NAME = "parameters"
SECONDS = 3600.0
OPERATIONS = 24
"""Minimum number of operations on each board, on all of its lanes together."""
FIRST: tuple[Sequence[int], ...] = ((1,), range(2, drawn.LANES + 1))
"""Numbers of lanes of a family's first boards."""
OPERAND_RANGE, MODULUS_EVEN = 1 << 13, 1 << 10
COLUMNS = {
    "boards": "boards",
    "of these with one lane": "one lane",
    "lanes": "lanes",
    "operations": "operations",
}
"""Columns of the table, and the counts that they show."""
ASSERTIONS = "_sva."
"""Occurs in the names of registers that belong to assertions, and so exist in simulations only."""


def right(one: Drawn, lane: SimulatedBoard, work: Work) -> str:
    """Return what is wrong with a completed operation; "" if it is right."""
    status, found, config = lane.read(simulated.STATUS), lane.read_result(), one.config
    if status != simulated.DONE:
        return f"STATUS is {status:#x}"
    if work.op is Command.MONT:
        sized, bits = run_time_width(config), work.m.bit_length()
        r_exp = sized.r_exp_for(config.params, bits) if sized else config.model.r_exp(config.params)
        expected, limit = mont(work.x, work.y, work.m, 1 << r_exp), operand_limit(config, work.m)
    else:
        expected, limit = work.value, work.m
    paper = work.op is Command.EXP and work.mode is Mode.PAPER
    if found % work.m != expected or (found >= limit and not paper):
        return f"{found:#x}, not {expected:#x}"
    if one.lanes > 1:
        return ""
    took = lane.read(simulated.CYCLES_LO)
    told = cycles(config, work.op, work.mode, work.elen, work.e, bits=work.m.bit_length())
    return "" if took == told else f"{took} cycles, not {told}"


def operate(one: Drawn, board: SimulatedBoard, rng: Random, run: Run) -> int:
    """Run operations on all lanes at once; return how many."""
    lanes, count = one.each(board), 0
    while count < OPERATIONS:
        works = [drawn.work(one.config, rng) for _ in lanes]
        for lane, work in zip(lanes, works, strict=True):
            put(lane, one.config, work)
        for lane, work in zip(lanes, works, strict=True):
            start(lane, work)
        for index, (lane, work) in enumerate(zip(lanes, works, strict=True)):
            lane.advance(CYCLE_LIMIT, until_irq=True)
            if wrong := right(one, lane, work):
                run.fail(f"{one.name}, lane {index}: {wrong}, of {work}")
        count += len(lanes)
    return count


def refuse(one: Drawn, board: SimulatedBoard, rng: Random, run: Run) -> None:
    """Start commands with an operand equal to M, and with an even modulus: they must be refused."""
    lane = one.each(board)[-1]
    work = drawn.work(one.config, rng)
    wide = max(work.m, 5)  # so that the even modulus below is not too small
    for flag, m, x in ((OPERAND_RANGE, work.m, work.m), (MODULUS_EVEN, wide - 1, 1)):
        put(lane, one.config, work)
        lane.write_line(BANK_X, x)
        lane.write_line(BANK_CONST, m)
        start(lane, Work(Command.MULMOD, m, x, 1, elen=1))
        lane.advance(CYCLE_LIMIT, until_irq=True)
        status = lane.read(simulated.STATUS)
        if not status & flag or lane.read_result():
            run.fail(f"{one.name}: STATUS is {status:#x} for M = {m:#x}, x = {x:#x}")
        lane.write(simulated.CONTROL, simulated.CLEAR_ERRORS)


def through_library(one: Drawn, path: Path, rng: Random, run: Run) -> None:
    """Multiply and exponentiate through libperle, on all lanes at a time."""
    count = max(2, one.lanes)
    with Boards(path, check=False) as boards:
        for mode in HostMode:
            work = drawn.work(one.config, rng)
            m, xs = work.m, [work.x % work.m, *(rng.randrange(work.m) for _ in range(count - 1))]
            es = [work.e, *(rng.getrandbits(work.elen) for _ in range(count - 1))]
            try:
                products = [each.value for each in mulmods(boards, xs, xs[::-1], m)]
                powers = [each.value for each in modexps(boards, xs, es, m, mode=mode)]
            except PerleError as error:
                run.fail(f"{one.name}: libperle says {error} of M = {m:#x}")
                continue
            if products != [x * y % m for x, y in zip(xs, xs[::-1], strict=True)]:
                run.fail(f"{one.name}: libperle's products of {xs} modulo {m:#x} are {products}")
            if powers != [pow(x, e, m) for x, e in zip(xs, es, strict=True)]:
                run.fail(
                    f"{one.name}: libperle's powers {mode.name} of {xs} to {es} modulo {m:#x} are {powers}"
                )


def left(histories: DrawnHistories, ending: Callable[[SimulatedBoard], None]) -> list[str]:
    """Return the signals that differ between two histories after their ending."""
    with TemporaryDirectory() as folder:
        different = histories.difference(ending, Path(folder))
    return [name for name in different if ASSERTIONS not in name]


def trial(one: Drawn, rng: Random, run: Run) -> Counter[str]:
    """Test one board; return counts of what was done, and report failures, also of assertions, to `run`."""
    done = Counter(boards=1, lanes=one.lanes)
    try:
        path = one.build()
        with SimulatedBoard(path) as board:
            done["operations"] = operate(one, board, rng, run)
            refuse(one, board, rng, run)
        through_library(one, path, rng, run)
        histories = one.histories()
        endings = {"zeroization": histories.zeroize, "reset": histories.reset(rng.randint(20, 3000))}
        for name, ending in endings.items():
            if signals_left := left(histories, ending):
                run.fail(f"{one.name}: left by a {name}: {', '.join(signals_left[:5])}")
    except (ToolError, SimulatorError) as error:
        run.fail(f"{one.name}: {error}")
    return done


def campaign(family: str, seed: int, seconds: float, least: int = len(FIRST)) -> Record:
    """Test boards of a family for `seconds`, at least `least`; the same seed gives the same boards.

    The first board has one lane, so that cycles are compared with the model in every family.
    """
    mine, counts, files = Run(NAME, family, seed), Counter[str](), set[Path]()
    while counts["boards"] < least or mine.seconds < seconds:
        rng = Random(f"{seed} {family} {counts['boards']}")  # noqa: S311 - not for real secrets
        one = draw(families()[family], rng, FIRST[counts["boards"]] if counts["boards"] < len(FIRST) else ())
        counts += trial(one, rng, mine)
        counts["one lane"] += one.lanes == 1
        files |= {*kept_files(one.config, one.lanes), *assertion_files(one.config, one.lanes)}
    own = [Path(each) for each in (__file__, drawn.__file__, zeroized.__file__)]
    return mine.end(counts, [*sorted(files), *records.host_files(), *own], ("verilator", "g++"))


def tasks(wanted: Wanted) -> Iterator[Task]:
    """Yield a task per family."""
    chosen = [wanted.family] if wanted.family else list(families())
    seconds = (wanted.seconds or SECONDS) / len(chosen)
    for family in chosen:
        yield Task(NAME, family, partial(_task, family, wanted.seed, seconds))


def _task(family: str, seed: int, seconds: float, _before: Record | None) -> Record:
    return campaign(family, seed, seconds)


def row(one: Record) -> tuple[str, ...]:
    """Return the figures of a record."""
    return tuple(f"{int(one.counts.get(name, 0)):,}" for name in COLUMNS.values())


PARAMETERS = Part(
    NAME,
    "Any legal parameters",
    f"Boards whose parameters are drawn from all legal ones (moduli of at most {drawn.WIDEST} bits), with a "
    f"bus of 32 or 64 bits and 1 to {drawn.LANES} lanes, give right results on edge and random numbers, "
    "those with one lane in the model's cycles. They flag illegal operands. libperle drives them. After a "
    "zeroization or a reset no register and no memory depends on a secret.",
    tasks,
    tuple(COLUMNS),
    row,
)
