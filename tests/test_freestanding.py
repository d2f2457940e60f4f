# SPDX-License-Identifier: Apache-2.0
"""The freestanding driver gives the results of Python's integers on boards of every family."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from perle.boards.build import build_board
from perle.cores import registry
from perle.flow import tools
from perle.generate.firmware import firmware
from perle.generate.ip import Ip
from perle.host.sample import sample
from perle.verify.cases import edge_moduli
from tests import house

FOLDER = house.ROOT / "host" / "freestanding"
BOARDS = (
    *(
        "orup:w64",
        "orup:w512_d1",
        "iterative:w64",
        "bit_systolic:w64",
        "karatsuba:w64",
        "karatsuba:w128_step4",
    ),
    *("scalable:r2_w16_p8_n256", "scalable:r4_w16_p4_n256", "scalable:b4_w16_p4_n256"),
    *("stream:w64", "stream:w128_f2", "lowlat:w64", "tile:w64", "carry_save:w64"),
)
LONG = ("orup:w512_d1", "scalable:r4_w16_p4_n256", "scalable:b4_w16_p4_n256")
"""The other elements of a family whose simplest ones are tried too; a quarter of a minute each."""
NAMES = ("RadixBits", "QuotientDelay", "Fold", "Kind", "WordWidth", "Elements")
OK, NO_BOARD, PARAMETER, MODULUS, OPERAND, TIMEOUT, FLAGGED, FAULT = range(8)


class Driver:
    """The driver in a process of its own, under sanitizers."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def answer(self) -> tuple[int, int, int]:
        """Return the status, the board's cycles and the result."""
        assert self.process.stdout is not None
        status, cycles, *z = self.process.stdout.readline().split()
        return int(status), int(cycles), int(z[0], 16) if z else 0

    def __call__(self, *words: str) -> tuple[int, int, int]:
        assert self.process.stdin is not None
        self.process.stdin.write(" ".join(words) + "\n")
        self.process.stdin.flush()
        return self.answer()


def number(value: int, length: int) -> str:
    return value.to_bytes(length, "big").hex()


def parameters(config: registry.Config) -> list[str]:
    return [str(config.params.get(name, 0)) for name in NAMES]


@contextmanager
def driver(
    config: registry.Config, told: list[str] | None = None, status: int = OK, bits: int = 2048
) -> Iterator[Driver]:
    board = build_board(config)
    made = house.ROOT / "build" / "host" / (f"fw{bits}" if bits != 2048 else "")
    tools.run(["make", "-C", FOLDER, "run", f"BITS={bits}", f"OUT={made}"], timeout=300)
    command: list[str | Path] = [
        made / "fw_run",
        board,
        *(parameters(config) if told is None else told),
    ]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        one = Driver(process)
        assert one.answer()[0] == status
        yield one
        _, said = process.communicate(timeout=60)
        assert (process.returncode, said) == (0, "")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.wide if name in LONG else ()) for name in BOARDS]
)
def test_products_and_powers(name: str) -> None:
    config = registry.resolve(name)
    width, random = config.width, Random(name)
    with driver(config) as call:
        for m in (*edge_moduli(width), 3, random.getrandbits(width - 9) | 1):
            length = (m.bit_length() + 7) // 8
            assert call("load", number(m, length))[0] == OK
            pairs = [(0, m - 1), (1, 1), (m - 1, m - 1)]
            pairs += [(random.randrange(m), random.randrange(m)) for _ in range(9)]
            powers = pairs if width <= 128 else pairs[:5]  # one takes as many products as it has bits
            for x, y in pairs:
                status, cycles, z = call("mul", number(x, length), number(y, length))
                assert (status, z) == (OK, x * y % m)
                assert cycles > 0
                if (x, y) in powers:
                    status, _, z = call("exp", number(x, length), number(y, length))
                    assert (status, z) == (OK, pow(x, y, m))
        assert call("zeroize")[0] == OK
        assert call("mul", "00", "00")[0] == MODULUS


def test_the_interrupt_ends_the_wait() -> None:
    config = registry.resolve("orup:w64")
    m = (1 << 64) - 59
    with driver(config) as call:
        assert call("load", number(m, 8))[0] == OK
        assert call("wait", "1")[0] == OK
        assert call("exp", number(3, 8), number(m - 1, 8))[::2] == (OK, 1)


def test_an_operation_that_ends_late_does_not_spoil_the_next() -> None:
    """As after a timeout: a board that is busy refuses operands, so that old ones would be multiplied."""
    config = registry.resolve("orup:w64")
    m = (1 << 64) - 59
    with driver(config) as call:
        assert call("load", number(m, 8))[0] == OK
        status, cycles, _ = call("exp", number(3, 8), number(m - 1, 8))
        assert status == OK
        for left in range(0, 120, 2):
            call("late", "64", str(cycles - left))
            x, y = 1000 + left, 77 + left
            assert call("mul", number(x, 8), number(y, 8))[::2] == (OK, x * y), left
            call("late", "64", str(cycles - left))
            assert call("exp", number(x, 8), "03")[::2] == (OK, x**3), left
            call("late", "64", str(cycles - left))
            assert call("load", number(m - 2 * left, 8))[0] == OK
            assert call("mul", number(x, 8), number(m - 2 * left - 1, 8))[::2] == (OK, m - 2 * left - x), left


@pytest.mark.parametrize(
    ("name", "status"), [("iterative:w512", OK), ("scalable:b4_w16_p4_n256+Width=512", MODULUS)]
)
def test_a_board_that_is_much_wider_than_the_longest_number(name: str, status: int) -> None:
    """Only where constants are as wide as the board does that matter."""
    with driver(registry.resolve_any(name), bits=64) as call:
        assert call("load", number((1 << 64) - 59, 8))[0] == status
        if status == OK:
            assert call("mul", number(1 << 63, 8), number(4, 8))[::2] == (OK, 118)


def test_what_is_illegal_is_refused() -> None:
    config = registry.resolve("orup:w64")
    with driver(config) as call:
        for m in ("00", "01", "0000000000000001", number((1 << 64) + 1, 9), number(1 << 63, 8), "04"):
            assert call("load", m)[0] == MODULUS
        assert call("load", number(101, 1))[0] == OK
        for words in (("mul", "65", "01"), ("mul", "01", "ff"), ("exp", "65", "03")):
            assert call(*words)[0] == OPERAND
        assert call("exp", "02", "00" * 17)[0] == OPERAND
        assert call("exp", "02", "05")[::2] == (OK, 32)


@pytest.mark.parametrize("told", [["16", *"00000"], ["17", "1", *"0000"], ["0"] * 6])
def test_parameters_that_are_not_the_boards(told: list[str]) -> None:
    with driver(registry.resolve("orup:w64"), told, PARAMETER):
        pass


def rsa(bits: int) -> dict[str, int]:
    """Return the numbers of a key, always the same, by their names in perle_fw_rsa_key; and d."""
    key = sample(bits, bits // 2, bits // 2)
    dp, dq = key.halves
    crt = {"dp": dp, "dq": dq, "qinv": pow(key.q, -1, key.p)}
    return {"n": key.n, "p": key.p, "q": key.q, **crt, "e": key.e, "d": key.d}


def operation(call: Driver, key: dict[str, int], data: int) -> tuple[int, int]:
    whole, half = (key["n"].bit_length() + 7) // 8, (key["p"].bit_length() + 7) // 8
    names = ("p", "q", "dp", "dq", "qinv")
    words = [number(key["n"], whole), *(number(key[name], half) for name in names), f"{key['e']:x}"]
    status, _, z = call("rsa", *words, number(data, whole))
    return status, z


@pytest.mark.parametrize(
    ("name", "bits"), [("orup:w64", 128), ("orup:w256", 512), ("scalable:r2_w16_p8_n256", 512)]
)
def test_rsa(name: str, bits: int) -> None:
    random = Random(bits)
    with driver(registry.resolve(name)) as call:
        for key in (rsa(bits), rsa(bits - 2)):
            for data in (0, 1, key["n"] - 1, key["p"], random.randrange(key["n"])):
                assert operation(call, key, data) == (OK, pow(data, key["d"], key["n"]))
        assert operation(call, key, key["n"])[0] == OPERAND
        # A result that is wrong is not released, whatever it was that was wrong: here the key.
        for part in ("dp", "dq", "qinv"):
            assert operation(call, {**key, part: key[part] ^ 2}, 5) == (FAULT, 0)
        assert call("mul", "00", "00")[0] == MODULUS  # nothing is left on the board


@pytest.mark.wide
def test_rsa_2048() -> None:
    key = rsa(2048)
    with driver(registry.resolve("orup:w1024")) as call:
        data = Random(2).randrange(key["n"])
        assert operation(call, key, data) == (OK, pow(data, key["d"], key["n"]))


def test_the_readmes_program_is_compiled(tmp_path: Path) -> None:
    [program] = house.blocks("c", house.text_of(FOLDER / "README.md"))
    (tmp_path / "example.c").write_text(program, encoding="utf-8")
    for name, text in firmware(Ip(registry.resolve("orup:w64"), word_bits=32)).items():
        (tmp_path / Path(name).name).write_text(text, encoding="utf-8")
    flags = ["-std=c11", "-ffreestanding", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
    tools.run(["gcc", *flags, tmp_path / "example.c"], timeout=60)


def test_it_needs_no_library(tmp_path: Path) -> None:
    """Alone, it leaves nothing open for a linker but what a compiler's own run time may have."""
    sources = sorted(FOLDER.glob("perle_fw*.c"))
    flags = ["-std=c11", "-Os", "-ffreestanding", "-nostdlib", "-Wall", "-Wextra", "-Werror", "-Wconversion"]
    tools.run(["gcc", *flags, "-r", "-o", tmp_path / "fw.o", *sources], timeout=120)
    undefined = tools.run(["nm", "-u", tmp_path / "fw.o"], timeout=60).stdout.split()
    assert set(undefined) <= {
        "U",
        "memcpy",
        "memset",
        "memmove",
        "memcmp",
        "_GLOBAL_OFFSET_TABLE_",
        "__stack_chk_fail",
    }
