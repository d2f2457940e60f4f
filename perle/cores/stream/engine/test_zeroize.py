# SPDX-License-Identifier: Apache-2.0
"""Zeroizing leaves nothing in the engine: no register and no memory tells two secrets apart afterwards."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import pytest

from perle.boards import simulated
from perle.boards.build import SIM_CPP, Variant, write_headers
from perle.boards.driver import BANK_E, BANK_X, BANK_Y, command, load_modulus, start
from perle.boards.simulated import SimulatedBoard
from perle.boards.sources import config_hash, sources
from perle.cores.modexp.model import Command, Mode
from perle.cores.registry import Config, family
from perle.cores.stream.engine import model
from perle.flow.cache import cached, content_hash
from perle.flow.verilator import build_so, verilator_version
from perle.verify.cases import random_modulus
from perle.verify.state_leak import signals

pytestmark = pytest.mark.proves("exact", "timed")

SHOWN = ["--trace-max-array", "65536", "--trace-max-width", "65536", "--x-initial", "unique"]
LANES, WORD_BITS = 5, 32
FAMILY = family("stream")
# Two passes: the memory on the way back has to be cleared as well.
CONFIG = Config(FAMILY, "w20_f2", FAMILY.complete({"Width": 20, "Fold": 2}))


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
    """Wait until no lane is busy, by the clock alone, and until the PE chain has only zeros."""
    lanes = [board.lane(index) for index in range(LANES)]
    board.advance(10 * model.product_cycles(CONFIG.params) * model.zeroize_products(CONFIG))
    assert not any(lane.read(simulated.STATUS) & simulated.BUSY for lane in lanes)


def work(board: SimulatedBoard, seed: int) -> None:
    """Start an exponentiation with its own operands on every lane, in both constant-time modes."""
    rng = Random(seed)
    for index in range(LANES):
        lane = board.lane(index)
        m = random_modulus(rng, 20) | 1 << 19
        load_modulus(lane, CONFIG, m)
        for window, value in (
            (BANK_X, rng.randrange(m)),
            (BANK_Y, rng.randrange(m)),
            (BANK_E, rng.getrandbits(20)),
        ):
            lane.write_line(window, value)
        start(lane, command(Command.EXP, Mode.LADDER if index % 2 else Mode.WINDOW, 20))


def zeroize(board: SimulatedBoard) -> None:
    """Finish, then zeroize every lane."""
    drain(board)
    for index in range(LANES):
        board.lane(index).write(simulated.CONTROL, simulated.ZEROIZE)
    drain(board)


def reset(board: SimulatedBoard, *, after: int) -> None:
    """Reset in the middle of the work."""
    board.advance(after)
    board.reset()
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
    """The comparison sees all that a zeroization has to clear, in every memory and in the PE chain.

    Results show when operations have ended, the PE chain while they run.
    """
    seen = difference(path, lambda board: board.advance(5000), tmp_path)
    seen += difference(path, lambda board: board.advance(2000), tmp_path)
    memories = ["u_xin", "u_xres", "u_yin", "u_yres", "u_mhat", "u_m", "u_unload.u_digits"]
    for memory in (*memories, "u_exponent.u_words", "u_words.u_words", "u_words.u_results"):
        assert any(f".{memory}.mem" in name for name in seen), memory
    assert any(".u_pe_chain." in name for name in seen)
    assert any(".u_back.u_words.mem" in name for name in seen)
    assert any(".mprime_mem" in name for name in seen)


def test_a_zeroize_leaves_nothing(path: Path, tmp_path: Path) -> None:
    assert difference(path, zeroize, tmp_path) == []


def test_a_reset_in_mid_operation_leaves_nothing(path: Path, tmp_path: Path) -> None:
    for after in (1, 300, 1111, 2345, 4567):
        assert difference(path, partial(reset, after=after), tmp_path) == []
