# SPDX-License-Identifier: Apache-2.0
"""Zeroizing leaves nothing in tiles: no register and no memory tells two secrets apart afterwards."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from perle.boards import simulated
from perle.boards.build import SIM_CPP, Variant, write_headers
from perle.boards.driver import BANK_E, BANK_X, BANK_Y, command, load_modulus, start
from perle.boards.simulated import SimulatedBoard
from perle.boards.sources import config_hash, sources
from perle.cores.modexp.model import Command, Mode
from perle.cores.tile.engine.conftest import READY, shape
from perle.flow.cache import cached, content_hash
from perle.flow.verilator import build_so, verilator_version
from perle.verify.cases import random_modulus
from perle.verify.state_leak import signals

pytestmark = pytest.mark.proves("exact")

SHOWN = ["--trace-max-array", "65536", "--trace-max-width", "65536", "--x-initial", "unique"]
LANES, WORD_BITS, WIDTH = 5, 32, 20
CONFIG = shape(WIDTH)


def make(out: Path) -> None:
    """Build the board so that a trace shows whole memories, with random contents at power-up."""
    variant = Variant(WORD_BITS, LANES, "vcd")
    generated = out.with_name("generated")
    board = sources(CONFIG, WORD_BITS, generated, lanes=LANES)
    extra = [*variant.flags, *SHOWN, *write_headers(CONFIG, variant, generated), str(board.waivers)]
    build_so(board.top, board.files, SIM_CPP, {}, out, trace="vcd", extra=extra)


@pytest.fixture(scope="module")
def path() -> Path:
    """Return the board."""
    key = content_hash([Path(__file__)], config_hash(CONFIG, LANES), verilator_version())
    return cached(f"engine-zeroize-{key}", ".so", make)


def drain(board: SimulatedBoard) -> None:
    """Wait until no lane is busy, by the clock alone."""
    board.advance(READY)
    assert not any(board.lane(index).read(simulated.STATUS) & simulated.BUSY for index in range(LANES))


def work(board: SimulatedBoard, seed: int) -> None:
    """Start an exponentiation with its own operands on every lane, in both constant-time modes."""
    drain(board)
    rng = Random(seed)
    for index in range(LANES):
        lane = board.lane(index)
        m = random_modulus(rng, WIDTH) | 1 << WIDTH - 1
        load_modulus(lane, CONFIG, m)
        for window, value in (
            (BANK_X, rng.randrange(m)),
            (BANK_Y, rng.randrange(m)),
            (BANK_E, rng.getrandbits(WIDTH)),
        ):
            lane.write_line(window, value)
        start(lane, command(Command.EXP, Mode.LADDER if index % 2 else Mode.WINDOW, WIDTH))


def zeroize(board: SimulatedBoard) -> None:
    """Finish, then zeroize every lane."""
    drain(board)
    for index in range(LANES):
        board.lane(index).write(simulated.CONTROL, simulated.ZEROIZE)
    drain(board)


def difference(path: Path, ending: Callable[[SimulatedBoard], None], folder: Path) -> list[str]:
    """Return the names of the signals that differ between two histories, ended by `ending`."""
    seen = []
    for seed in (1, 2):
        with SimulatedBoard(path) as board:
            work(board, seed)
            ending(board)
            dump = folder / f"{seed}.vcd"
            board.trace(dump)
            board.advance(1)
            board.trace(None)
        text = dump.read_text(encoding="utf-8")
        dump.write_text("\n".join(line for line in text.splitlines() if line[:1] != "#"), encoding="utf-8")
        seen.append(signals(dump))
    one, other = seen
    assert one.keys() == other.keys()
    return sorted(name for name in one if one[name] != other[name])


def test_without_a_zeroize_it_would_be_seen(path: Path, tmp_path: Path) -> None:
    """The comparison sees all that a zeroization has to clear, in every memory and in the data path."""
    seen = difference(path, lambda board: board.advance(READY), tmp_path)
    seen += difference(path, lambda board: board.advance(1500), tmp_path)
    memories = ["u_memory_x.mem", "u_memory_y.mem", "u_words.u_words.mem", "u_words.u_results.mem"]
    memories += ["u_exponents.mem", "u_moduli.mem", "mprime_mem", "kept_mem", "z_mem", "diff_mem"]
    for memory in (*memories, "result_mem", "quotient_mem", "u_diagonals", "thread_mem", "request_mem"):
        assert any(memory in name for name in seen), memory
    assert any(".u_datapath." in name for name in seen)


def test_a_zeroize_leaves_nothing(path: Path, tmp_path: Path) -> None:
    assert difference(path, zeroize, tmp_path) == []


@pytest.mark.parametrize("after", [1, 300, 1111, 2345, 4567])
def test_a_reset_in_mid_operation_leaves_nothing(path: Path, tmp_path: Path, after: int) -> None:
    def reset(board: SimulatedBoard) -> None:
        board.advance(after)
        board.reset()
        drain(board)

    assert difference(path, reset, tmp_path) == []
