# SPDX-License-Identifier: Apache-2.0
"""`perle mul`, `perle exp` and their streams, `perle trace` and `perle step`."""

from __future__ import annotations

import contextlib
import json
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from perle.boards import driver
from perle.cli import arith, boards
from perle.cli.io.errors import Code
from perle.cores import registry
from perle.cores.modexp.model import Command, Mode, cycles
from perle.flow import verilator
from perle.flow.tools import ToolMissing, has_header
from perle.host import Boards, Result
from perle.host._lib import PerleError
from tests.cli_run import answer, environment, invoke, program, refused, spawn, stated

W64 = registry.resolve("orup:w64")
M = 0xF0E1D2C3B4A59687
X, Y = M // 3, M - 2


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def products(count: int, widths: tuple[int, ...]) -> list[tuple[int, int, int]]:
    rng = random.Random(7)
    found = []
    for _ in range(count):
        bits = rng.choice(widths)
        m = rng.getrandbits(bits) | 1 << (bits - 1) | 1
        found.append((rng.randrange(m), rng.randrange(m), m))
    return found


def test_mul() -> None:
    assert answer("mul", f"{X:x}", f"0x{Y:X}", f"{M:X}") == {
        "r": f"{X * Y % M:x}",
        "cycles": cycles(W64, Command.MULMOD),
        "board": "sim:orup:w64",
    }
    assert f"r       {X * Y % M:x}\n" in invoke("mul", f"{X:x}", f"{Y:x}", f"{M:x}").stdout


@pytest.mark.parametrize("mode", ["window", "binary", "paper"])
def test_exp(mode: str) -> None:
    wanted = cycles(W64, Command.EXP, Mode[mode.upper()], Y.bit_length(), Y)
    found = answer("exp", "--mode", mode, f"{X:x}", f"{Y:x}", f"{M:x}")
    assert found == {"r": f"{pow(X, Y, M):x}", "cycles": wanted, "board": "sim:orup:w64"}


def test_exp_of_nothing() -> None:
    assert answer("exp", "5", "0", "7")["r"] == "1"
    assert answer("exp", "0", "5", "7")["r"] == "0"


def test_a_long_exponent_gets_a_wide_board() -> None:
    exponent = (1 << 120) + 7
    assert answer("exp", "5", f"{exponent:x}", "7f") == {
        "r": f"{pow(5, exponent, 127):x}",
        "cycles": cycles(registry.resolve("orup:w128"), Command.EXP, Mode.WINDOW, 121, exponent),
        "board": "sim:orup:w128",
    }


BAD = [
    (("3", "5", "f0"), "even"),
    (("3", "5", "0"), "zero"),
    (("3", "5", "1"), "one"),
    (("f1", "5", "f1"), "not below"),
    (("three", "5", "f1"), "hexadecimal"),
    (("3", "-5", "f1"), ""),
    (("3", "", "f1"), "hexadecimal"),
    (("3", "5", f"{(1 << 4096) + 1:x}"), "4097 bits"),
]


@pytest.mark.parametrize(("numbers", "told"), BAD)
@pytest.mark.parametrize("command", ["mul", "exp"])
def test_bad_numbers_are_refused(command: str, numbers: tuple[str, ...], told: str) -> None:
    assert told in refused(Code.INPUT, command, "--", *numbers)


def test_the_second_factor_must_be_below_the_modulus() -> None:
    assert "Y is not below" in refused(Code.INPUT, "mul", "3", "f1", "f1")
    assert answer("exp", "3", "f1", "f1")["r"] == f"{pow(3, 0xF1, 0xF1):x}"


def test_a_modulus_wider_than_the_board() -> None:
    args = ("--board", "sim:orup:w64", "3", "5", f"{(1 << 64) + 13:x}")
    assert "65 bits" in refused(Code.INPUT, "mul", *args)
    assert "65 bits" in refused(Code.INPUT, "step", "mul", *args)


def test_a_board_fault_has_its_own_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(_boards: Boards, _x: int, _y: int, _m: int) -> Result:
        raise PerleError(18, "PERLE_ERR_FAULT", "the board's result is wrong")

    monkeypatch.setattr(arith, "PRODUCT", arith.Operation(**{**vars(arith.PRODUCT), "run": fault}))
    assert "result is wrong" in refused(Code.BOARD, "mul", "3", "5", "7")
    result = invoke("mul", "--batch", "-", stdin='{"x":"3","y":"5","m":"7"}\n[]\n', code=Code.BOARD)
    assert "result is wrong" in lines(result.stdout)[0]["error"]


@pytest.mark.parametrize("spec", [None, "sim:orup:w128", "sim:orup:w128,boards=2"])
def test_batch_answers_in_order(spec: str | None, tmp_path: Path) -> None:
    work = products(300, (8, 64, 100, 128))
    path = tmp_path / "work.jsonl"
    path.write_text(
        "".join(json.dumps({"x": f"{x:X}", "y": hex(y), "m": f"{m:x}"}) + "\n" for x, y, m in work)
    )
    done = spawn("mul", "--batch", path, *(["--board", spec] if spec else []))
    assert done.returncode == 0, done.stderr.decode()
    found = lines(done.stdout.decode())
    assert [entry["r"] for entry in found] == [f"{x * y % m:x}" for x, y, m in work]
    assert {tuple(entry) for entry in found} == {("r", "cycles")}
    w128 = cycles(registry.resolve("orup:w128"), Command.MULMOD)
    narrow = w128 if spec else cycles(W64, Command.MULMOD)
    assert [entry["cycles"] for entry in found] == [narrow if m < 1 << 64 else w128 for _, _, m in work]


def test_a_modulus_lives_as_long_as_it_is_in_use() -> None:
    """Two busy boards evict each other's moduli; runs in its own process because it may crash."""
    work = products(2000, (64,))
    stdin = "".join(json.dumps({"x": f"{x:x}", "y": f"{y:x}", "m": f"{m:x}"}) + "\n" for x, y, m in work)
    script = "import perle.cli, perle.host; perle.host.boards.MODULI_KEPT = 1; perle.cli.main()"
    args = ["mul", "--batch", "-", "--board", "sim:orup:w64,boards=2"]
    words = [sys.executable, "-c", script, *args]
    done = subprocess.run(words, input=stdin.encode(), capture_output=True, check=False, env=environment())
    assert done.returncode == 0, done.stderr.decode()
    assert [entry["r"] for entry in lines(done.stdout.decode())] == [f"{x * y % m:x}" for x, y, m in work]


@pytest.mark.parametrize("mode", ["window", "binary", "paper"])
def test_batch_of_powers(mode: str) -> None:
    work = products(20, (30, 64))
    stdin = "".join(json.dumps({"b": f"{b:x}", "e": f"{e:x}", "m": f"{m:x}"}) + "\n" for b, e, m in work)
    result = invoke("exp", "--batch", "-", "--mode", mode, stdin=stdin)
    found = lines(result.stdout)
    assert [entry["r"] for entry in found] == [f"{pow(b, e, m):x}" for b, e, m in work]
    shape = Mode[mode.upper()]
    assert [entry["cycles"] for entry in found] == [
        cycles(W64, Command.EXP, shape, stated(mode, e, m), e) for _, e, m in work
    ]


def test_a_bad_line_is_answered_and_the_stream_goes_on() -> None:
    good = '{"x":"3","y":"5","m":"7f"}'
    bad = [
        ("not json", "JSON"),
        ("[" * 100_000, "JSON"),
        ("[]", "object"),
        ('{"x":"3","y":"5"}', "'m'"),
        ('{"x":3,"y":"5","m":"7f"}', "X"),
        ('{"x":"3","y":"g","m":"7f"}', "Y"),
        ('{"x":"3","y":"5","m":"7e"}', "even"),
        ('{"x":"7f","y":"5","m":"7f"}', "X"),
        ("\xff\xfe", "JSON"),
    ]
    stdin = "".join(f"{line}\n{good}\n\n" for line, _ in bad).encode("latin-1")
    done = spawn("mul", "--batch", "-", stdin=stdin)
    assert done.returncode == Code.INPUT
    assert done.stderr == b""
    found = lines(done.stdout.decode())
    assert [entry["r"] for entry in found[1::2]] == ["f"] * len(bad)
    assert [entry["line"] for entry in found[::2]] == [1 + 3 * index for index in range(len(bad))]
    for entry, (_, told) in zip(found[::2], bad, strict=True):
        assert told in entry["error"]


def test_batch_refusals(tmp_path: Path) -> None:
    assert "none.jsonl" in refused(Code.INPUT, "mul", "--batch", tmp_path / "none.jsonl")
    assert "either" in refused(Code.USAGE, "mul", "--batch", "-", "3", "5", "7", stdin="")
    assert "orup" in refused(Code.USAGE, "mul", "--batch", "-", "--board", "sim:none:w64", stdin="")


def test_a_missing_tool_ends_the_stream_after_what_was_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    real = boards.opened

    def missing(spec: str, *rest: Any) -> Any:  # noqa: ANN401
        if "w128" in spec:
            raise ToolMissing("g++", "apt-get install g++")
        return real(spec, *rest)

    monkeypatch.setattr("perle.cli.json_lines.opened", missing)
    stdin = '{"x":"3","y":"5","m":"7f"}\n{"x":"3","y":"5","m":"1%s1"}\n' % ("0" * 20)
    result = invoke("mul", "--batch", "-", stdin=stdin, code=Code.TOOL)
    assert [entry["r"] for entry in lines(result.stdout)] == ["f"]
    assert "apt-get install g++" in result.stderr


@pytest.fixture
def stream() -> Iterator[subprocess.Popen[bytes]]:
    invoke("build", "orup:w64")
    # tests that run in the background ignore SIGINT, and children inherit that
    words = ["env", "--default-signal=INT", *program(), "mul", "--batch", "-"]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, env=environment()) as process:
        limit = threading.Timer(60, process.kill)  # ends the test if a line never comes
        limit.start()
        yield process
        limit.cancel()
        process.kill()
        assert process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # of a line that could not be written any more
            process.stdin.close()


def test_a_stream_answers_each_line_at_once(stream: subprocess.Popen[bytes]) -> None:
    assert stream.stdin is not None
    assert stream.stdout is not None
    for y in (2, 3):
        stream.stdin.write(b'{"x":"3","y":"%d","m":"7f"}\n' % y)
        stream.stdin.flush()
        assert json.loads(stream.stdout.readline())["r"] == f"{3 * y:x}"


def test_ctrl_c_ends_a_stream(stream: subprocess.Popen[bytes]) -> None:
    assert stream.stdin is not None
    assert stream.stdout is not None
    stream.stdin.write(b'{"x":"3","y":"5","m":"7f"}\n')
    stream.stdin.flush()
    stream.stdout.readline()
    stream.send_signal(signal.SIGINT)
    _, told = stream.communicate(timeout=20)
    assert (stream.returncode, told) == (Code.INTERRUPTED, b"perle: interrupted\n")


def test_a_reader_that_goes_away_ends_a_stream(stream: subprocess.Popen[bytes]) -> None:
    assert stream.stdin is not None
    assert stream.stdout is not None
    stream.stdout.close()
    deadline = time.monotonic() + 60
    while stream.poll() is None and time.monotonic() < deadline:
        try:
            stream.stdin.write(b'{"x":"3","y":"5","m":"7f"}\n')
            stream.stdin.flush()
        except BrokenPipeError:
            break
        time.sleep(0.01)
    assert stream.wait(20) == 141
    assert stream.stderr is not None
    assert stream.stderr.read() == b""


def test_trace(tmp_path: Path) -> None:
    out = tmp_path / "product.vcd"
    facts = answer("trace", "mul", f"{X:x}", f"{Y:x}", f"{M:x}", "-o", out)
    assert facts["r"] == f"{X * Y % M:x}"
    assert facts["cycles"] == cycles(W64, Command.MULMOD)
    assert facts["bytes"] == out.stat().st_size
    text = out.read_text()
    assert "$enddefinitions" in text
    assert re.search(rf"b0*{X:b} ", text), "the operand is not in the waveform"
    assert "no such folder" in refused(
        Code.INPUT, "trace", "mul", "3", "5", "7", "-o", tmp_path / "a" / "b.vcd"
    )


def test_fst_trace(tmp_path: Path) -> None:
    if not (has_header("lz4.h") and has_header("zlib.h")):
        assert "apt-get install" in refused(
            Code.TOOL, "trace", "mul", "3", "5", "7", "-o", tmp_path / "x.fst"
        )
        return
    out = tmp_path / "power.fst"
    assert answer("trace", "exp", "3", "5", "7f", "-o", out)["r"] == f"{3**5 % 0x7F:x}"
    assert out.stat().st_size > 1000


def test_fst_without_its_libraries(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def missing(header: str, package: str, needed_for: str) -> None:
        raise ToolMissing(header, f"apt-get install {package}", needed_for)

    monkeypatch.setenv("PERLE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(verilator, "need_header", missing)
    told = invoke("trace", "mul", "3", "5", "7", "-o", tmp_path / "x.fst", code=Code.TOOL).stderr
    assert "perle: lz4.h" in told
    assert "apt-get install liblz4-dev" in told


def test_step_shows_what_changes() -> None:
    args = ("step", "mul", f"{X:x}", f"{Y:x}", f"{M:x}", "--every", "10")
    *steps, end = lines(invoke(*args, "--json").stdout)
    assert end == {"r": f"{X * Y % M:x}", "cycles": cycles(W64, Command.MULMOD)}
    assert [step["cycle"] for step in steps] == list(range(0, 10 * len(steps), 10))
    first = steps[0]["registers"]
    assert len(first) > 100
    assert all(len(step["registers"]) < len(first) for step in steps[1:])
    counted = [step["registers"].get("u_board.cycles") for step in steps]
    assert int(counted[2] or "", 16) - int(counted[1] or "", 16) == 10
    assert steps[-1]["registers"]["u_board.u_registers.done_q"] == "1"


def test_step_stops_and_selects() -> None:
    args = ("step", "mul", "3", "5", "7f", "--cycles", "5", "--match", r"^u_board\.(cycles|busy)$")
    steps = lines(invoke(*args, "--all", "--json").stdout)
    assert [step["cycle"] for step in steps] == [0, 1, 2, 3, 4, 5]
    assert all(sorted(step["registers"]) == ["u_board.busy", "u_board.cycles"] for step in steps)
    text = invoke(*args).stdout
    assert "cycle 5" in text
    assert "cycle 6" not in text


def test_step_refuses_a_wrong_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "finish", lambda _board: driver.Outcome(12345, 0, 1))
    assert "wrong" in invoke("step", "mul", "3", "5", "7f", "--every", "1000", code=Code.BOARD).stderr
    monkeypatch.setattr(driver, "finish", lambda _board: driver.Outcome(0, 1 << 2, 1))
    assert "modulus_even" in invoke("step", "mul", "3", "5", "7f", "--every", "1000", code=Code.BOARD).stderr
