# SPDX-License-Identifier: Apache-2.0
"""Rates at the bus: of an engine alone, through its streams, and through its registers.

All rates are counted in cycles of simulations with a 64-bit bus. A host that uses registers waits for
interrupts, which cost no time, and otherwise makes one access after the other; each takes the time on the bus
plus `gap` cycles.
"""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from perle.boards import driver, simulated
from perle.boards.build import build_board
from perle.boards.simulated import SimulatedBoard
from perle.cores.modexp.model import Command, Mode
from perle.cores.registry import Config
from perle.flow.cache import cached, content_hash
from perle.flow.verilator import build_so, verilator_version
from perle.generate import vectors_axis
from perle.generate.cost import engine_model
from perle.generate.generate import hardware_texts
from perle.generate.ip import Ip
from perle.generate.operands import Draw
from perle.tables import Table

CPP = Path(__file__).with_name("tb") / "axis_rate.cpp"
PUBLIC = 65537
MHZ = 100
GAPS = (0, 20, 100)
LIMIT = 1 << 34
ROUNDS = 4
"""Counted operations per lane, with all lanes busy; one before and one after them are not counted."""


@dataclass(frozen=True)
class Work:
    """An operation: name, command, mode and exponent (0: as wide as the modulus)."""

    name: str
    op: Command
    mode: Mode
    exponent: int

    def bits(self, config: Config) -> int:
        """Return the bits of the exponent; 0 for a product."""
        if self.op is not Command.EXP:
            return 0
        return self.exponent.bit_length() or config.width


WORKS = {
    "product": Work("product x·y mod M", Command.MULMOD, Mode.WINDOW, 0),
    "public": Work(f"power, e = {PUBLIC}", Command.EXP, Mode.BINARY, PUBLIC),
    "secret": Work("power, constant time", Command.EXP, Mode.WINDOW, 0),
}


@dataclass(frozen=True)
class Rate:
    """Cycles from one operation to the next; `registers`: by extra cycles per access."""

    config: str
    lanes: int
    work: str
    engine: float
    streams: float
    registers: dict[int, float]


@dataclass(frozen=True)
class Batch:
    """Operations of one kind with one modulus: an x for each, and the values that are loaded once."""

    constants: dict[int, int]
    xs: list[int]
    results: list[int]


def batch(ip: Ip, work: Work, count: int) -> Batch:
    """Return pseudo-random operations."""
    draw, config = Draw(f"{ip.config.spec} {work.name}"), ip.config
    m = draw.modulus(config.width)
    other = draw.below(m) if work.op is not Command.EXP else work.exponent or draw.bits(config.width)
    bank = driver.BANK_E if work.op is Command.EXP else driver.BANK_Y
    xs = [draw.below(m) for _ in range(count)]
    results = [pow(x, other, m) if work.op is Command.EXP else x * other % m for x in xs]
    return Batch({**driver.modulus_lines(config, m), bank: other}, xs, results)


def between(ip: Ip, ends: Sequence[int]) -> float:
    """Return the mean number of cycles between ends of operations, without the first and last of each lane.

    The mean is over whole rounds of the lanes in flight, because ends come in groups.
    """
    group = int(engine_model(ip).in_flight(ip.config.params, ip.lanes))
    count = (len(ends) - 2 * ip.lanes) // group * group
    return (ends[ip.lanes - 1 + count] - ends[ip.lanes - 1]) / count


def least_lanes(config: Config, lanes: int) -> int:
    """Return the number of lanes that keep an engine busy, which the rates require."""
    return int(engine_model(Ip(config, "axis", 64, lanes)).least_lanes(config.params))


def engine(ip: Ip, work: Work) -> float:
    """Return the cycles of the multipliers from one operation to the next."""
    model, config = engine_model(ip), ip.config
    products = model.products(config, work.op, work.mode, work.bits(config), work.exponent or 0)
    return float(products * model.product_cycles(config.params) / model.in_flight(config.params, ip.lanes))


def streams(ip: Ip, work: Work, count: int) -> float:
    """Run operations through the streams; ValueError for a wrong result."""
    todo = batch(ip, work, count)
    words: list[int] = []
    lasts = bytearray()
    for tag, x in enumerate(todo.xs):
        lines = {driver.BANK_X: x, **(todo.constants if tag < ip.lanes else {})}
        lane, banks, elen = tag % ip.lanes, vectors_axis.mask(lines), work.bits(ip.config)
        first = vectors_axis.head(work.op, lane, tag, banks, mode=work.mode, elen=elen)
        sent = vectors_axis.record(ip, first, lines)
        words += sent
        lasts += bytes(len(sent) - 1) + b"\1"
    length = ip.shape.words + 1
    library = ctypes.CDLL(str(_built(ip)))
    library.axis_run.restype = ctypes.c_uint64
    answers, ends = (ctypes.c_uint64 * (count * length))(), (ctypes.c_uint64 * count)()
    sizes = (ctypes.c_uint64(length), ctypes.c_uint64(count))
    done = library.axis_run(
        (ctypes.c_uint64 * len(words))(*words),
        (ctypes.c_uint8 * len(lasts))(*lasts),
        ctypes.c_uint64(len(words)),
        answers,
        *sizes,
        ends,
        ctypes.c_uint64(LIMIT),
    )
    if done != count:
        raise ValueError(f"{done} answers, not {count}")
    for place in range(0, count * length, length):
        tag = answers[place] >> 16 & 0xFFFF
        value = sum(answers[place + 1 + index] << 64 * index for index in range(length - 1))
        if value != todo.results[tag]:
            raise ValueError(f"the result of operation {tag} is wrong")
    return between(ip, list(ends))


def registers(ip: Ip, path: Path, work: Work, count: int, gap: int) -> float:
    """Run operations through the registers; ValueError for a wrong result."""
    todo, ends = batch(ip, work, count), []
    word = driver.command(work.op, work.mode, work.bits(ip.config))
    with SimulatedBoard(path) as board:
        lanes = [board.lane(index) for index in range(ip.lanes)]

        def access(make: Callable[[], int | None]) -> int:
            found = make()
            board.advance(gap)
            return found or 0

        def begin(lane: SimulatedBoard, x: int) -> None:
            for index, part in enumerate(vectors_axis.words(ip, x)):
                access(partial(lane.write, simulated.BANKS + 8 * index, part))
            access(partial(lane.write, simulated.CONTROL, simulated.START))

        for lane, x in zip(lanes, todo.xs, strict=False):
            for bank, value in todo.constants.items():
                lane.write_line(bank, value)
            lane.write(simulated.COMMAND, word)  # valid for all following starts
            begin(lane, x)
        for number, want in enumerate(todo.results):
            lane = lanes[number % ip.lanes]
            lane.advance(driver.CYCLE_LIMIT, until_irq=True)
            places = [simulated.RESULT + 8 * index for index in range(ip.shape.words)]
            *words, flags = (access(partial(lane.read, at)) for at in (*places, simulated.STATUS))
            found = sum(part << 64 * index for index, part in enumerate(words))
            if found != want or flags != simulated.DONE:
                raise ValueError(f"the result of operation {number} is wrong")
            ends.append(board.cycles)
            if number + ip.lanes < count:
                begin(lane, todo.xs[number + ip.lanes])
    return between(ip, ends)


def measure(
    config: Config, lanes: int, gaps: Sequence[int], works: Sequence[str], progress: Callable[[str], None]
) -> list[Rate]:
    """Measure an engine; simulations that are missing are built first."""
    ip = Ip(config, "axis", 64, lanes)
    if not ip.has_engine:
        raise ValueError(f"{config.spec} has no engine with {lanes} lanes")
    progress(f"building {ip.name}")
    _built(ip)
    board = build_board(config, lanes=lanes, progress=progress)
    found = []
    for name in works:
        work, count = WORKS[name], (ROUNDS + 2) * lanes
        progress(f"{config.spec}: {work.name}")
        by_gap = {gap: registers(ip, board, work, count, gap) for gap in gaps}
        found.append(Rate(config.spec, lanes, work.name, engine(ip, work), streams(ip, work, count), by_gap))
    return found


def table(rates: Sequence[Rate]) -> Table:
    """Return a table of measurements: cycles, and operations per second at MHZ."""
    gaps = list(rates[0].registers)
    heads = ("operation", "unit", "engine alone", "streams", *(f"registers, +{gap}" for gap in gaps))
    found = Table(heads, right=range(2, 4 + len(gaps)))
    for rate in rates:
        counted = [rate.engine, rate.streams, *rate.registers.values()]
        found.add(rate.work, "cycles", *(f"{one:,.0f}" for one in counted))
        found.add("", f"1/s at {MHZ} MHz", *(f"{MHZ * 1e6 / one:,.0f}" for one in counted))
    return found


def _built(ip: Ip) -> Path:
    """Return the simulation of the IP with streams, built once."""
    texts = hardware_texts(ip)

    def make(out: Path) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            files = []
            for name, text in texts.items():
                files.append(Path(scratch) / Path(name).name)
                files[-1].write_text(text, encoding="utf-8")
            top = ip.name
            flags = ["-CFLAGS", f'-DRATE_MODEL=V{top} -DRATE_HEADER=\\"V{top}.h\\" -fvisibility=hidden']
            build_so(top, files, [CPP], {}, out, extra=["-O3", "--x-assign", "fast", "--no-assert", *flags])

    return cached(f"rate-{ip.name}-{content_hash([CPP], texts, verilator_version())}", ".so", make)
