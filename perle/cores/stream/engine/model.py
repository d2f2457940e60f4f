# SPDX-License-Identifier: Apache-2.0
"""Cycle counts of the engine: of a product, of a lane, and of batches on all lanes.

No timing in perle_stream_engine depends on a value, so that the lengths and starts of all operations
determine the cycle in which each ends. The start of an operation is the cycle of the pulse at start_i.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from perle.cores import engine_products
from perle.cores.modexp.model import Command, Mode, words
from perle.cores.registry import Config
from perle.cores.stream.model import chain_cycles, digits, interval, multipliers, turn, turns

Params = dict[str, int]

window_bits = engine_products.window_bits
products = engine_products.products
zeroize_products = engine_products.zeroize_products

LOAD_CYCLES = 11
"""Cycles from the poll of a lane by the loader until its job is ready, without those for the words and digits
of its operand slots."""

OPERANDS = 6
"""Operand slots that are loaded for an operation: M, X, Y, R², M̂, mprime."""

TAKE_CYCLES = 1
"""Cycles from the start of a turn until its thread takes a job."""

RESULT_CYCLES = 22
"""Cycles from the start of the turn of an operation's last product until the unloader can take the result,
without N and the cycles through the PEs."""

UNLOAD_CYCLES = 9
"""Cycles from the poll of a lane by the unloader to the end of its operation, without one per digit."""


def threads(params: Params) -> int:
    """S, the threads: the number of lanes with a product in flight."""
    return turns(params)


def measured_lanes(params: Params) -> int:
    """Lanes of the measured engine: for each thread one to be loaded and unloaded, and one to compute."""
    return 2 * threads(params)


def least_lanes(params: Params) -> int:
    """Lanes that keep all threads busy."""
    return threads(params)


def in_flight(params: Params, lanes: int) -> int:
    """Lanes, of that many, with a product in flight: one for each thread."""
    return min(lanes, threads(params))


def capacity(params: Params, lanes: int) -> tuple[int, float]:
    """Return device multipliers, and the average initiation interval if there are enough lanes."""
    del lanes  # they share one multiplier
    return multipliers(params), interval(params)


def product_cycles(params: Params) -> int:
    """Cycles from one product of a lane to its next one: S turns in every pass."""
    return threads(params) * interval(params)


def cycles(
    config: Config, command: Command, mode: Mode = Mode.WINDOW, elen: int = 0, exponent: int = 0
) -> int:
    """Return the value of a lane's cycle counter: the cycles of its thread's turns."""
    return products(config, command, mode, elen, exponent) * product_cycles(config.params)


def operand_digits(config: Config, word_bits: int = 64) -> int:
    """Digits of an operand slot of whole words, including those above the operand."""
    return -(-words(config, word_bits) * word_bits // config.params["RadixBits"])


def load_cycles(config: Config, word_bits: int = 64) -> int:
    """Cycles from the one in which the loader polls a lane to its job: two per word, one per digit."""
    operand = 2 * words(config, word_bits) + operand_digits(config, word_bits)
    return LOAD_CYCLES + OPERANDS * operand


def unload_cycles(config: Config, word_bits: int = 64) -> int:
    """Cycles from the one in which the unloader polls a lane to the end of its operation."""
    return UNLOAD_CYCLES + operand_digits(config, word_bits)


@dataclass(frozen=True)
class Job:
    """An operation of a lane: its products, and its start, or its distance from the end of the last one.

    A command that is refused has no products.
    """

    lane: int
    products: int
    start: int | None = None
    gap: int = 0


@dataclass(frozen=True)
class Span:
    """Cycles of the start of an operation, of its first turn and of its end."""

    job: Job
    start: int
    begin: int | None
    end: int


class Engine:
    """The engine over time: loader, threads and unloader, event by event."""

    def __init__(self, config: Config, lanes: int, *, word_bits: int = 64, begin: int = 0) -> None:
        """Start idle; `begin` is the first cycle after a reset."""
        self.params, self.lanes = config.params, lanes
        self.loading, self.unloading = load_cycles(config, word_bits), unload_cycles(config, word_bits)
        self.turn, self.threads, self.fold = turn(self.params), threads(self.params), self.params["Fold"]
        self.product = product_cycles(self.params)
        self.result = chain_cycles(self.params) + digits(self.params) + RESULT_CYCLES
        self.tick = begin + self.turn  # thread 0 starts its first turn
        self.free = [self.tick] * self.threads
        # loader and unloader: since when they are idle, and which lane they poll in that cycle
        self.load_idle, self.load_lane = begin, 0
        self.unload_idle, self.unload_lane = begin, 0

    def _asked(self, idle: int, lane: int, known: dict[int, int]) -> tuple[int, int]:
        """Return the first cycle in which a ready lane is polled, and that lane; lanes are polled in turn."""
        found = []
        for other, since in known.items():
            first = idle + (other - lane) % self.lanes
            late = max(0, -(-(since - first) // self.lanes))
            found.append((first + late * self.lanes, other))
        return min(found)

    def _take(self, ready: int, products: int) -> int:
        """Return the start of the turn that takes a ready job: a first pass whose thread is free."""
        number = max(0, -(-(ready - TAKE_CYCLES - self.tick) // self.turn))
        while (number // self.threads) % self.fold or (
            self.free[number % self.threads] > self.tick + number * self.turn
        ):
            number += 1
        begin = self.tick + number * self.turn
        self.free[number % self.threads] = begin + products * self.product
        return begin

    def run(self, jobs: Sequence[Job]) -> list[Span]:
        """Return the spans of jobs in the order of their ends; the jobs of a lane run one after the other."""
        queues: dict[int, Iterator[Job]] = {
            lane: iter([job for job in jobs if job.lane == lane]) for lane in range(self.lanes)
        }
        wants: dict[int, tuple[int, Job]] = {}
        results: dict[int, int] = {}
        running: dict[int, tuple[Job, int, int]] = {}
        spans: list[Span] = []

        def next_job(lane: int, end: int) -> None:
            job = next(queues[lane], None)
            if job is not None:
                wants[lane] = (end + job.gap if job.start is None else job.start, job)

        for lane in queues:
            next_job(lane, self.load_idle)
        while wants or results:
            load = None
            if wants:
                load = self._asked(self.load_idle, self.load_lane, {k: s + 1 for k, (s, _) in wants.items()})
            unload = self._asked(self.unload_idle, self.unload_lane, results) if results else None
            if unload is None or (load is not None and load[0] <= unload[0]):
                assert load is not None
                picked, lane = load
                start, job = wants.pop(lane)
                self.load_lane = (lane + 1) % self.lanes
                if not job.products:
                    self.load_idle = end = picked + self.loading
                    spans.append(Span(job, start, None, end))
                    next_job(lane, end)
                    continue
                begin = self._take(picked + self.loading, job.products)
                self.load_idle = begin + TAKE_CYCLES + 1
                results[lane] = begin + (job.products - 1) * self.product + self.result
                running[lane] = (job, start, begin)
            else:
                picked, lane = unload
                results.pop(lane)
                self.unload_idle = end = picked + self.unloading
                self.unload_lane = (lane + 1) % self.lanes
                job, start, begin = running.pop(lane)
                spans.append(Span(job, start, begin, end))
                next_job(lane, end)
        return spans


@dataclass(frozen=True)
class Load:
    """Cycles of a batch of equal operations, loading included, and the utilization of the PE chain."""

    cycles: int
    turns: float  # share of the turns with a product
    eta: float  # share of the capacity of the multipliers that the products need


def utilisation(config: Config, between: float) -> float:
    """Return η (docs/metrics.md): 2·n² over the bit products of all multipliers between two products."""
    return 2 * config.width**2 / (between * multipliers(config.params) * config.params["RadixBits"] ** 2)


def load(
    config: Config, lanes: int, operations: int, count_of: int, *, gap: int = 0, word_bits: int = 64
) -> Load:
    """Return the load of `operations` of `count_of` products each; a lane restarts `gap` after its end."""
    queue = [Job(i % lanes, count_of, start=0 if i < lanes else None, gap=gap) for i in range(operations)]
    total = max(span.end for span in Engine(config, lanes, word_bits=word_bits).run(queue))
    work = operations * count_of
    return Load(total, work * interval(config.params) / total, utilisation(config, total / work))
