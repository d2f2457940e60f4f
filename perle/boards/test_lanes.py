# SPDX-License-Identifier: Apache-2.0
"""Lanes: boards that share one multiplier give right results, in the cycles that the model says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from perle.boards import simulated
from perle.boards.build import build_board
from perle.boards.cocotb_builds import Design
from perle.boards.driver import BANK_E, BANK_X, BANK_Y, CYCLE_LIMIT, command, load_modulus, start
from perle.boards.regs import BUS, RDL, register_block
from perle.boards.simulated import SimulatedBoard, SimulatorError
from perle.boards.sources import ENGINE, HERE, WAIVERS
from perle.boards.wrapper import Shape
from perle.cores.karatsuba.model import depth
from perle.cores.modexp.lanes import interval, spans
from perle.cores.modexp.model import Command, Mode, count, cycles
from perle.cores.registry import CORES, Config, resolve
from perle.verify.cases import edge_moduli, random_modulus

# A multiplier with one operation at a time, one with two in turn, one with a loop of slots; more lanes than
# fit at once.
SHAPES = {"orup:w64": 3, "bit_systolic:w20": 5, "karatsuba:w40": 20}
SIMPLE = ("orup:w64", "bit_systolic:w20")


def part(name: str, **parameters: int) -> Design:
    """Return a part of a board alone: what it does at its ports is seen sooner than through a board."""
    files = [CORES / "prim" / "perle_pkg.sv", BUS, HERE / f"perle_{name}.sv"]
    return Design(name, f"perle_{name}", files, lambda _: files, parameters=parameters)


def test_every_access_reaches_its_lane(tmp_path: Path) -> None:
    part("axil_demux", Lanes=3).run("demux", tmp_path, lanes=3)


# With a power of two, the number of the next lane overflows; otherwise it must not reach what is no lane.
@pytest.mark.parametrize("lanes", [3, 4])
def test_lanes_take_turns_with_a_multiplier(lanes: int, tmp_path: Path) -> None:
    sizes = {"lanes": lanes, "operand_bits": 9, "tag_bits": 3}
    parameters = {"Lanes": lanes, "OperandBits": 9, "TagBits": 3}
    part("mul_share", **parameters).run("share", tmp_path, **sizes)


def test_lanes_tell_an_engine_what_the_host_wants(tmp_path: Path) -> None:
    form = Shape(width=100, operand_bits=130, word_bits=64, const_count=2, lanes=3)
    sizes = {"Lanes": 3, "Width": 100, "OperandBits": 130, "ConstCount": 2, "WindowBits": form.window_bits}
    sizes |= {"FamilyId": 7, "ConfigHash": 0x6EDCBA98}
    kept = [CORES / "prim" / "perle_pkg.sv", *ENGINE]

    def files(folder: Path) -> list[Path]:
        return [WAIVERS, kept[0], *register_block(form, folder), *ENGINE]

    board = Design("engine", ENGINE[-1].stem, [*kept, BUS, RDL, WAIVERS], files, parameters=sizes)
    board.run(
        "engine engine_times",
        tmp_path,
        least=3,
        lanes=3,
        words=form.words,
        banks=4 + form.const_count,
        family=sizes["FamilyId"],
        hash=sizes["ConfigHash"],
        widths=form.width | form.operand_bits << 16,
        shape=form.word_bits | form.window_bits << 8 | form.const_count << 16 | 1 << 24,
    )


class Lanes:
    """A board with lanes, and what it is."""

    def __init__(self, spec: str, lanes: int) -> None:
        self.config: Config = resolve(spec)
        self.lanes = lanes
        self.board = SimulatedBoard(build_board(self.config, lanes=lanes, checks=True))
        self.lane = [self.board.lane(i) for i in range(lanes)]


@pytest.fixture(
    scope="module",
    # The loop of slots takes two minutes to build; tests of `karatsuba` itself fill it.
    params=[*SIMPLE, *(pytest.param(spec, marks=pytest.mark.wide) for spec in SHAPES if spec not in SIMPLE)],
)
def shared(request: pytest.FixtureRequest) -> Iterator[Lanes]:
    """Yield a board of every shape."""
    opened = Lanes(request.param, SHAPES[request.param])
    yield opened
    opened.board.close()


Job = tuple[Command, Mode, int, int, int, int]


def job(rng: Random, config: Config, m: int) -> Job:
    """Draw an operation: command, mode, x, y, e, elen."""
    elen = rng.randrange(1, config.width + 1)
    op = rng.choice([Command.MULMOD, Command.EXP, Command.EXP])
    return op, rng.choice(list(Mode)), rng.randrange(m), rng.randrange(m), rng.getrandbits(elen), elen


def expected(chosen: Job, m: int) -> int:
    op, _, x, y, e, _ = chosen
    return pow(x, e, m) if op is Command.EXP else x * y % m


def run(shared: Lanes, jobs: list[Job], moduli: list[int]) -> list[int]:
    """Load all lanes, start one after the other, hold all to oracle and model; return their cycles."""
    begins = []
    for lane, m, (_, _, x, y, e, _) in zip(shared.lane, moduli, jobs, strict=True):
        load_modulus(lane, shared.config, m)
        for window, value in ((BANK_X, x), (BANK_Y, y), (BANK_E, e)):
            lane.write_line(window, value)
    for lane, (op, mode, _, _, _, elen) in zip(shared.lane, jobs, strict=True):
        start(lane, command(op, mode, elen))
        begins.append(shared.board.cycles)
    counted = []
    for lane, m, chosen in zip(shared.lane, moduli, jobs, strict=True):
        lane.advance(CYCLE_LIMIT, until_irq=True)
        assert lane.read(simulated.STATUS) == simulated.DONE
        assert lane.read_result() % m == expected(chosen, m)
        counted.append(lane.read(simulated.CYCLES_LO))
    counts = []
    for op, mode, _, _, e, elen in jobs:
        weight = (e if mode is Mode.PAPER else e & ((1 << elen) - 1)).bit_count()
        counts.append(count(shared.config, op, mode, elen, weight))
    assert counted == [span.cycles for span in spans(shared.config, begins, counts)]
    return counted


def test_registers_say_which_lane_they_are(shared: Lanes) -> None:
    for index, lane in enumerate(shared.lane):
        assert lane.read(simulated.LANES) == shared.lanes | index << 8


def test_an_address_beyond_the_lanes_is_refused(shared: Lanes) -> None:
    beyond = shared.lanes * simulated.LANE_BYTES
    with pytest.raises(SimulatorError, match="address"):
        shared.board.read(beyond)


def test_edges(shared: Lanes) -> None:
    moduli = (edge_moduli(shared.config.width) * shared.lanes)[: shared.lanes]
    full = (1 << shared.config.width) - 1
    for x_of in (lambda _: 0, lambda _: 1, lambda m: m - 1):
        for mode in Mode:
            jobs = [(Command.EXP, mode, x_of(m), 0, full, shared.config.width) for m in moduli]
            run(shared, jobs, moduli)


def test_random_operations_at_random_times(shared: Lanes) -> None:
    rng = Random(shared.config.spec)
    for _ in range(25):
        moduli = [random_modulus(rng, shared.config.width) for _ in range(shared.lanes)]
        run(shared, [job(rng, shared.config, m) for m in moduli], moduli)


def test_time_depends_on_widths_only(shared: Lanes) -> None:
    """All lanes at once in the modes for secrets, with numbers as different as can be."""
    width, rng, seen = shared.config.width, Random(1), set()
    for mode in (Mode.WINDOW, Mode.LADDER):
        for exponent in (0, 1, (1 << width) - 1, rng.getrandbits(width)):
            moduli = [random_modulus(rng, width) for _ in range(shared.lanes)]
            jobs = [(Command.EXP, mode, rng.randrange(m), 0, exponent, width) for m in moduli]
            seen.add((mode, *run(shared, jobs, moduli)))
    assert len(seen) == 2


def test_one_lane_alone_takes_the_time_of_a_board(shared: Lanes) -> None:
    lane, m, width = shared.lane[-1], (1 << shared.config.width) - 5, shared.config.width
    load_modulus(lane, shared.config, m)
    lane.write_line(BANK_X, 3)
    lane.write_line(BANK_E, m - 1)
    start(lane, command(Command.EXP, Mode.WINDOW, width))
    lane.advance(CYCLE_LIMIT, until_irq=True)
    assert lane.read_result() == pow(3, m - 1, m)
    assert lane.read(simulated.CYCLES_LO) == cycles(shared.config, Command.EXP, elen=width)


def test_a_zeroize_or_a_fault_of_one_lane_leaves_the_others_alone(shared: Lanes) -> None:
    zeroized, wrong, *others = shared.lane
    m, width = (1 << shared.config.width) - 1, shared.config.width
    for lane in shared.lane:
        load_modulus(lane, shared.config, m)
        lane.write_line(BANK_X, m - 2)
        lane.write_line(BANK_E, m)
    for lane in others:
        start(lane, command(Command.EXP, Mode.WINDOW, width))
    zeroized.write(simulated.CONTROL, simulated.ZEROIZE)
    wrong.write_line(BANK_X, m)
    start(wrong, command(Command.EXP, Mode.WINDOW, width))
    wrong.advance(CYCLE_LIMIT, until_irq=True)
    assert wrong.read(simulated.STATUS) == simulated.DONE | 1 << 13
    wrong.write(simulated.CONTROL, simulated.CLEAR_ERRORS)
    assert wrong.read_result() == 0
    for lane in others:
        assert lane.read(simulated.STATUS) in (simulated.BUSY, simulated.DONE)
        lane.advance(CYCLE_LIMIT, until_irq=True)
        assert lane.read_result() == pow(m - 2, m, m)
    assert zeroized.read(simulated.STATUS) & simulated.BUSY == 0
    start(zeroized, command(Command.MULMOD))
    zeroized.advance(CYCLE_LIMIT, until_irq=True)
    assert zeroized.read(simulated.STATUS) == simulated.DONE | 1 << 10  # the modulus is gone: zero
    zeroized.write(simulated.CONTROL, simulated.CLEAR_ERRORS)  # they would stay, for whatever test comes next


def test_a_busy_lane_shows_no_result(shared: Lanes) -> None:
    """Not even the last one, which has ended on the same lane."""
    lane, m, width = shared.lane[1], (1 << shared.config.width) - 3, shared.config.width
    load_modulus(lane, shared.config, m)
    lane.write_line(BANK_X, 5)
    lane.write_line(BANK_E, 7)
    for _ in range(2):
        start(lane, command(Command.EXP, Mode.WINDOW, width))
        assert (lane.read(simulated.RESULT), lane.read(simulated.STATUS)) == (0, simulated.BUSY | 1 << 9)
        lane.write(simulated.CONTROL, simulated.CLEAR_ERRORS)
        lane.advance(CYCLE_LIMIT, until_irq=True)
        assert (lane.read_result(), lane.read(simulated.STATUS)) == (pow(5, 7, m), simulated.DONE)


def test_lanes_fill_a_pipelined_multiplier() -> None:
    """What lanes are for: from one product a latency to one an initiation interval."""
    karatsuba = resolve("karatsuba:w512")
    assert interval(karatsuba, 1) == karatsuba.model.mul_cycles(karatsuba.params)
    # a lane waits up to a round for its slot: a quarter more lanes than slots leave none of them empty
    assert 3 <= interval(karatsuba, depth(karatsuba.params) * 5 // 4) < 3.02
    systolic = resolve("bit_systolic:w512")
    assert interval(systolic, 1) == systolic.model.mul_cycles(systolic.params)
    assert interval(systolic, 4) < 515
    assert interval(resolve("orup:w512"), 4) == 74
