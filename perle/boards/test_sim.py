# SPDX-License-Identifier: Apache-2.0
"""The simulated board through its C ABI: results, cycle counts, errors, handles and threads."""

from __future__ import annotations

import random
import threading
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from perle.boards import driver, simulated
from perle.boards.build import Variant, board_link, build_board
from perle.boards.driver import command
from perle.boards.simulated import SimulatedBoard, SimulatorError
from perle.boards.sources import config_hash
from perle.cores.modexp import model
from perle.cores.modexp.model import Command, Mode
from perle.cores.registry import Config, resolve
from perle.flow.tools import ToolError

W64 = resolve("orup:w64")
W128 = resolve("orup:w128")
NULL = simulated.ffi.NULL


def checking(config: Config = W64, word_bits: int = 64) -> Path:
    return build_board(config, word_bits=word_bits, checks=True)


def odd(rng: random.Random, bits: int) -> int:
    return rng.getrandbits(bits) | 1 << (bits - 1) | 1


@pytest.fixture
def board() -> SimulatedBoard:
    return SimulatedBoard(checking())


@pytest.mark.parametrize(
    ("config", "word_bits"), [(W64, 32), (W64, 64), (W128, 64)], ids=("w64-32", "w64-64", "w128-64")
)
def test_identification(config: Config, word_bits: int) -> None:
    with SimulatedBoard(checking(config, word_bits)) as board:
        assert board.read(simulated.ID) == 0x5045524C
        assert board.read(simulated.FAMILY) == config.family.id
        assert board.read(simulated.CONFIG_HASH) == config_hash(config)
        assert board.read(simulated.WIDTHS) == config.width | config.operand_bits << 16
        constants = 1 + len(config.family.constants)
        assert board.read(simulated.SHAPE) == word_bits | model.WINDOW_BITS << 8 | constants << 16 | 1 << 24
        shown = {key: board.info[key] for key in ("family", "config", "params", "word_bits", "config_hash")}
        assert shown == {
            "family": "orup",
            "config": config.name,
            "params": config.params,
            "word_bits": word_bits,
            "config_hash": f"{config_hash(config):08x}",
        }


@pytest.mark.parametrize("word_bits", [32, 64])
def test_operations(word_bits: int) -> None:
    """Every operation and mode: bit-exact to the model, right to Python, in the model's cycles."""
    rng = random.Random(word_bits)
    with SimulatedBoard(checking(W64, word_bits)) as board:
        for bits in (64, 63, 33, 2):
            m = odd(rng, bits)
            driver.load_modulus(board, W64, m)
            x, y = rng.randrange(m), rng.randrange(m)
            mont = driver.run(board, command(Command.MONT), x=x, y=y)
            assert mont.result == model.run(W64, Command.MONT, m, x, y)
            assert mont.cycles == model.cycles(W64, Command.MONT)
            product = driver.run(board, command(Command.MULMOD), x=x, y=y)
            assert (product.result, product.errors) == (x * y % m, 0)
            assert product.cycles == model.cycles(W64, Command.MULMOD)
            for mode in Mode:
                check_power(board, m, x, rng.getrandbits(bits), mode, bits)


def check_power(board: SimulatedBoard, m: int, x: int, e: int, mode: Mode, elen: int) -> None:
    power = driver.run(board, command(Command.EXP, mode, elen), x=x, e=e)
    assert power.errors == 0
    assert power.result == model.run(W64, Command.EXP, m, x, e=e, mode=mode, elen=elen)
    assert power.result % m == pow(x, e, m)
    assert mode is Mode.PAPER or power.result < m
    assert power.cycles == model.cycles(W64, Command.EXP, mode, elen, e)


def test_many_handles_in_threads() -> None:
    """Two configurations, two handles each, at once in one process: nobody disturbs anybody."""
    shared = {config.name: checking(config) for config in (W64, W128)}
    wrong: list[str] = []

    def work(config: Config, seed: int) -> None:
        rng = random.Random(seed)
        with SimulatedBoard(shared[config.name]) as board:
            for _ in range(8):
                m = odd(rng, config.width)
                x, e = rng.randrange(m), rng.getrandbits(config.width)
                driver.load_modulus(board, config, m)
                outcome = driver.run(board, command(Command.EXP, elen=config.width), x=x, e=e)
                if (outcome.result, outcome.errors) != (pow(x, e, m), 0):
                    wrong.append(f"{config.name} {seed}")

    threads = [threading.Thread(target=work, args=(c, i)) for i, c in enumerate((W64, W128, W64, W128))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_one_handle_in_threads(board: SimulatedBoard) -> None:
    """Accesses of several threads on one handle happen one after the other, none lost or mixed up."""
    registers = {simulated.ID: 0x5045524C, simulated.FAMILY: 1, simulated.CONFIG_HASH: config_hash(W64)}
    before = board.cycles
    wrong: list[int] = []

    def work(addr: int, value: int) -> None:
        wrong.extend(addr for _ in range(3000) if board.read(addr) != value)

    threads = [threading.Thread(target=work, args=item) for item in registers.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert board.cycles - before == 3 * 3000 * 2


@pytest.mark.parametrize("addr", [0x058, 0x0FF8, 0x2C00, 0x2FF8, 0x3400, 0x3FF8])
def test_no_such_register(board: SimulatedBoard, addr: int) -> None:
    with pytest.raises(SimulatorError) as error:
        board.read(addr)
    assert error.value.code == simulated.BUS_ERROR
    with pytest.raises(SimulatorError) as error:
        board.write(addr, 1)
    assert error.value.code == simulated.BUS_ERROR
    assert board.read(simulated.ID) == 0x5045524C


def test_wrong_direction(board: SimulatedBoard) -> None:
    for addr in (simulated.ID, simulated.STATUS, simulated.CYCLES_HI, simulated.RESULT):
        with pytest.raises(SimulatorError, match="bus error"):
            board.write(addr, 1)
    for addr in (simulated.CONTROL, simulated.BANKS, simulated.BANKS + 6 * simulated.BANK_BYTES):
        with pytest.raises(SimulatorError, match="bus error"):
            board.read(addr)
    assert board.read(simulated.STATUS) == 0


def test_bad_arguments() -> None:
    with SimulatedBoard(checking(W64, 32)) as board:
        for addr, data in ((0x4000, 0), (0x2, 0), (simulated.COMMAND, 1 << 32)):
            with pytest.raises(SimulatorError) as error:
                board.write(addr, data)
            assert error.value.code == simulated.BAD_ARGUMENT
        assert board.library.perle_sim_read(board.handle, simulated.ID, NULL) == simulated.BAD_ARGUMENT
    library = board.library
    codes = [
        library.perle_sim_write(NULL, 0, 0),
        library.perle_sim_read(NULL, 0, simulated.ffi.new("uint64_t *")),
        library.perle_sim_advance(NULL, 1, 0),
        library.perle_sim_reset(NULL),
        library.perle_sim_trace(NULL, NULL),
    ]
    assert codes == [simulated.BAD_ARGUMENT] * 5
    assert (library.perle_sim_cycles(NULL), library.perle_sim_snapshot(NULL, NULL, 0)) == (0, 0)
    library.perle_sim_close(NULL)


def test_advance(board: SimulatedBoard) -> None:
    before = board.cycles
    board.advance(1234)
    assert board.cycles - before == 1234
    driver.load_modulus(board, W64, 2**64 - 59)
    board.write_line(driver.BANK_X, 3)
    board.write_line(driver.BANK_E, 5)
    driver.start(board, command(Command.EXP, elen=64))
    started = board.cycles
    board.advance(10, until_irq=True)
    assert board.cycles - started == 10
    assert board.read(simulated.STATUS) == simulated.BUSY
    board.advance(10**9, until_irq=True)
    took = board.cycles - started
    assert 0 <= took - model.cycles(W64, Command.EXP, elen=64) < 10
    board.advance(10**9, until_irq=True)
    assert board.cycles - started == took
    board.advance(50)
    assert board.cycles - started == took + 50
    assert board.read(simulated.STATUS) == simulated.DONE


def test_lines_hold_whole_words(board: SimulatedBoard) -> None:
    bits = 64 * board.words
    for value in (0, (1 << bits) - 1):
        board.write_line(driver.BANK_X, value)
    for value in (-1, 1 << bits):
        with pytest.raises(ValueError, match="cannot hold"):
            board.write_line(driver.BANK_X, value)


def test_a_closed_board_is_given_back_and_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[object] = []
    with SimulatedBoard(checking()) as board:
        handle, library = board.handle, board.library

        class Noting:
            perle_sim_read = library.perle_sim_read

            def perle_sim_close(self, one: object) -> None:
                given.append(one)
                library.perle_sim_close(one)

        monkeypatch.setattr(board, "library", Noting())
    assert given == [handle]
    with pytest.raises(SimulatorError) as error:
        board.read(simulated.ID)
    assert error.value.code == simulated.BAD_ARGUMENT


def test_another_version_of_the_interface_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    path = checking()
    newer = SimpleNamespace(perle_sim_abi=lambda: simulated.ABI + 1)
    for library, theirs, hint in (
        (newer, f"version {simulated.ABI + 1}", "update Perle"),
        (object(), "no version", "build the board anew"),
    ):
        monkeypatch.setattr(simulated, "ffi", SimpleNamespace(dlopen=lambda _, found=library: found))
        with pytest.raises(simulated.SimulatorVersionError, match=f"speaks {theirs} of [^→]*→ {hint}"):
            simulated.info(path)


def test_reset_in_mid_operation(board: SimulatedBoard) -> None:
    m, x, e = 2**64 - 59, 2**63 + 12345, 2**64 - 2
    driver.load_modulus(board, W64, m)
    for pause in (0, 1, 7, 100, 1500):
        board.write_line(driver.BANK_X, x)
        board.write_line(driver.BANK_E, e)
        driver.start(board, command(Command.EXP, elen=64))
        board.advance(pause)
        board.reset()
        assert board.read(simulated.STATUS) == 0
        assert board.read(simulated.COMMAND) == 0
        assert board.read_result() == 0
        driver.load_modulus(board, W64, m)
        outcome = driver.run(board, command(Command.EXP, elen=64), x=x, e=e)
        assert (outcome.result, outcome.errors) == (pow(x, e, m), 0)


def test_built_once_and_found_by_name() -> None:
    told: list[str] = []
    first = build_board(W64, checks=True, progress=told.append)
    assert first == checking()
    assert told == [] or "orup:w64" in told[0]
    assert board_link(W64, Variant(checks=True)).resolve() == first.resolve()
    assert checking(W64, 32) != first
    plain = build_board(W64)
    assert board_link(W64).name == "orup-w64.so"
    assert board_link(W64).resolve() == plain.resolve()


def test_a_board_that_others_can_write_to_is_not_loaded(tmp_path: Path) -> None:
    copy = tmp_path / "board.so"
    copy.write_bytes(checking().read_bytes())
    assert simulated.info(copy)["config"] == "w64"
    copy.chmod(0o666)
    for load in (simulated.info, SimulatedBoard):
        with pytest.raises(ToolError, match="can be written by others"):
            load(copy)


def rest(board: SimulatedBoard) -> None:
    """Wait for the end of a zeroization."""
    while board.read(simulated.STATUS) & simulated.BUSY:
        board.advance(10)


def test_a_zeroize_reaches_every_word_of_the_exponent() -> None:
    """A line of 32 words, as many as a zeroization has steps: of M, E and X nothing is left."""
    config = resolve("iterative:w1020")
    m = (1 << config.width) - 159
    with SimulatedBoard(build_board(config, word_bits=32)) as board:
        for clear in (partial(board.write, simulated.CONTROL, simulated.ZEROIZE), board.reset):
            driver.load_modulus(board, config, m)
            board.write_line(driver.BANK_E, (1 << config.width) - 1)
            clear()
            rest(board)
            driver.load_modulus(board, config, m)
            assert driver.run(board, command(Command.EXP, Mode.BINARY, config.width), x=3).result == 1


def test_a_start_with_a_zeroization_is_none_and_flagged(board: SimulatedBoard) -> None:
    with board:
        driver.load_modulus(board, W64, 101)
        assert driver.run(board, command(Command.MULMOD), x=7, y=9).result == 63
        board.write(simulated.CONTROL, simulated.START | simulated.ZEROIZE)
        rest(board)
        assert board.read(simulated.STATUS) == simulated.DONE | 1 << 8
        assert board.read_result() == 0
