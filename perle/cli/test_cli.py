# SPDX-License-Identifier: Apache-2.0
"""The program as a whole: help, exit codes, the catalogue, builds."""

from __future__ import annotations

import re
import stat
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import typer.main

from perle.cli import machine
from perle.cli.app import app
from perle.cli.boards import default_spec
from perle.cli.help_text import flowing
from perle.cli.io import console, openssl
from perle.cli.io.errors import Code, Fault, explain
from perle.cli.io.files import writing
from perle.cores import registry
from perle.cores.modexp.model import Command, Mode, cycles
from perle.flow import doctor
from perle.flow.doctor import Check
from perle.flow.tools import ToolMissing
from perle.host._headers import ffi
from perle.host._lib import PerleError
from perle.measure.target import every
from tests.cli_run import answer, invoke, refused, spawn


def command_lines(command: Any, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:  # noqa: ANN401
    """Return every command and group below one."""
    below = getattr(command, "commands", {})
    return [path, *(line for name, sub in below.items() for line in command_lines(sub, (*path, name)))]


COMMANDS = command_lines(typer.main.get_command(app))


def test_the_commands_are_those_that_were_promised() -> None:
    names = {" ".join(line) for line in COMMANDS}
    wanted = ["cores", "show", "doctor", "boards", "build", "mul", "exp", "speed", "trace", "step"]
    wanted += [
        "bench sim",
        "demo rsa",
        *(f"rsa {name}" for name in ("sign", "verify", "decrypt", "encrypt", "raw")),
    ]
    assert names >= set(wanted)


@pytest.mark.parametrize("line", COMMANDS, ids=" ".join)
def test_every_help_reads_well(line: tuple[str, ...]) -> None:
    result = invoke(*line, "--help")
    assert result.stderr == ""
    assert f"Usage: {' '.join(('perle', *line))}" in result.stdout
    assert not re.search("[\N{FAMILY}\U0001f300-\U0001faff]|\\[/", result.stdout), "markup came through"


@pytest.mark.parametrize("columns", [80, 100, 120])
def test_paragraphs_of_helps_are_wrapped_once(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """No line ends before the next word would be too long for it."""
    monkeypatch.setenv("COLUMNS", str(columns))
    for path in COMMANDS:
        text = invoke(*path, "--help").stdout.partition("╭")[0].partition("Usage: ")[2]
        lines = [line.strip() for line in text.splitlines()]
        for line, after in pairwise(lines):
            assert not line or not after or len(f"{line} {after.split()[0]}") > columns - 2, (path, line)


def test_lists_and_blocks_of_a_help_keep_their_lines() -> None:
    listed, block = "- one\n- two\n  more", "As in\n    perle mul 2 3 5"
    text = f"First\nline.\n\n{listed}\n\n{block}\n\nA paragraph\nof two lines."
    assert flowing(text) == f"First line.\n\n{listed}\n\n{block}\n\nA paragraph of two lines."


def test_help_names_the_exit_codes() -> None:
    text = invoke("--help").stdout
    for code in Code:
        assert re.search(rf"^ *{code.value} +\w", text, re.MULTILINE), code


def test_version() -> None:
    assert re.fullmatch(r"perle \d+\.\d+\.\d+\S*\n", invoke("--version").stdout)


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--nonsense"], "--nonsense"),
        (["mull"], "mul"),
        (["mul", "--nonsense"], "--nonsense"),
        (["mul", "3", "5"], "M is missing"),
        (["mul", "3", "5", "7", "9"], "9"),
        (["exp", "--mode", "fast", "3", "5", "7"], "fast"),
        (["show", "nothing"], "orup"),
        (["show", "orup:w5000"], "4096"),
        (["show", "orup:none"], "w1024"),
        (["build", "nothing:w64"], "orup"),
        (["build", "orup:w64", "--word-bits", "48"], "32 or 64"),
        (["mul", "--board", "nonsense", "3", "5", "7"], "sim:FAMILY:CONFIG"),
        (["mul", "--board", "sim:nothing:w64", "3", "5", "7"], "orup"),
        (["mul", "--board", "sim:orup:w64,boards=0", "3", "5", "7"], "boards"),
        (["speed", "--bits", "12"], "512"),
        (["trace", "mul", "3", "5", "7", "-o", "x.txt"], ".fst"),
        (["trace", "add", "3", "5", "7", "-o", "x.vcd"], "mul X Y M"),
        (["step", "mul", "3", "5"], "mul X Y M"),
        (["step", "mul", "3", "5", "7", "--match", "("], "--match"),
        (["rsa", "sign"], "--key"),
        (["rsa", "sign", "--key", "k", "--salt", "much"], "--salt"),
        (["rsa", "sign", "--key", "k", "--salt", "4294967296"], "--salt"),
    ],
)
def test_wrong_usage_is_told_in_a_line(args: list[str], told: str) -> None:
    assert told in refused(Code.USAGE, *args)


def test_without_a_command_help_is_shown_once() -> None:
    assert invoke(code=2).output.count("Usage:") == 1
    assert invoke("rsa", code=2).output.count("Usage:") == 1


def test_no_such_board() -> None:
    assert "/none.so" in refused(Code.BOARD, "mul", "--board", "sim:/none.so", "3", "5", "7")


def test_every_status_of_the_library_has_an_exit_code() -> None:
    for name, number in ffi.typeof("perle_status").relements.items():
        if name == "PERLE_OK":
            continue
        fault = explain(PerleError(number, name, "why"))
        assert fault is not None
        assert fault.code is not Code.OK
        wanted = {
            "TIMEOUT": Code.BOARD,
            "FAULT": Code.BOARD,
            "MODULUS_EVEN": Code.INPUT,
            "KEY_FORMAT": Code.INPUT,
        }
        wanted |= {
            "SIGNATURE": Code.WRONG,
            "DECRYPT": Code.WRONG,
            "SPEC": Code.USAGE,
            "PASSPHRASE": Code.INPUT,
        }
        assert fault.code == wanted.get(name.removeprefix("PERLE_ERR_"), fault.code)
    assert explain(ZeroDivisionError()) is None


def test_a_missing_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object, **__: object) -> Path:
        raise ToolMissing("g++", "apt-get install g++", "boards")

    monkeypatch.setattr(machine, "build_board", missing)
    assert "apt-get install g++" in refused(Code.TOOL, "build", "orup:w64")


def test_cores() -> None:
    found = answer("cores")
    keys = ["configs", "family", "kind", "paper", "status"]
    assert [sorted(entry) for entry in found] == [keys] * len(found)
    assert {entry["kind"] for entry in found} == {"multiplier", "active_memory"}
    orup = next(entry for entry in found if entry["family"] == "orup")
    assert orup["configs"][:2] == ["w64", "w128"]
    assert orup["paper"] == "tang2003"
    assert "orup" in invoke("cores").stdout


def test_show_an_active_memory() -> None:
    facts = answer("show", "reg_mul:booth")
    assert facts["params"]["BitsPerCycle"] == 2
    assert list(facts["instructions"]) == ["WriteR", "ReadR", "Charge", "Mult"]
    assert "R[n]_d ← data" in invoke("show", "reg_mul").stdout
    unit = answer("show", "mod_product:w254")
    assert int(unit["params"]["Modulus"], 16) == registry.resolve_memory("mod_product:w254").params["Modulus"]
    assert "254 bits" in invoke("show", "mod_product:w254").stdout


def test_show_a_configuration() -> None:
    facts = answer("show", "orup:w1024")
    config = registry.resolve("orup:w1024")
    wanted = {"Width": 1024, "RadixBits": 17, "QuotientDelay": 0, "ChainSegments": 4}
    assert facts["params"] == config.params == wanted
    assert (facts["operand_bits"], facts["multipliers"], facts["r_exp"]) == (1054, 62, 1054)
    assert facts["constants"] == ["m", "mhat", "mprime"]
    assert all(Path(path).exists() for path in facts["files"])
    count = facts["cycles"]
    assert count["mul"] == 134
    assert count["modexp"]["window"] == cycles(config, Command.EXP, Mode.WINDOW, 1024)
    assert count["rsa"]["private_crt"] == {
        "key_bits": 2048,
        "two_boards": count["modexp"]["window"],
        "one_board": 2 * count["modexp"]["window"],
    }
    assert count["rsa"]["public"]["one_board"] == cycles(config, Command.EXP, Mode.BINARY, 17, 65537)
    text = invoke("show", "orup:w1024").stdout
    assert "174,049" in text
    assert "perle_orup_mul" in text


def test_show_a_family() -> None:
    facts, chosen = answer("show", "orup"), answer("show", "orup:w1024")
    assert facts["config"] is None
    assert "w4096" in facts["configs"]
    assert {**facts, "config": "w1024"} == chosen
    assert "w4096" in invoke("show", "orup").stdout


def test_the_doctor_looks_for_everything_that_targets_need() -> None:
    found = {name: entry["targets"] for entry in answer("doctor") if (name := entry["name"])}
    for target in every().values():
        assert all(target.name in found[name] for name in target.needs)


def test_doctor(monkeypatch: pytest.MonkeyPatch) -> None:
    checks = [Check("make", True, "4.3", "everything", ""), Check("wish", False, "", "nothing", "hope", True)]
    monkeypatch.setattr(doctor, "checks", lambda: checks)
    assert [entry["name"] for entry in answer("doctor")] == ["make", "wish"]
    checks.append(Check("g++", False, "", "boards", "apt-get install g++"))
    assert answer("doctor", code=Code.TOOL)[2]["fix"] == "apt-get install g++"
    assert "apt-get install g++" in invoke("doctor", code=Code.TOOL).stdout


def test_build_and_boards() -> None:
    path = Path(invoke("build", "sim:orup:w64").stdout.strip())
    facts = answer("build", "orup:w64")
    assert facts["path"] == str(path)
    assert Path(facts["log"]).is_file()
    assert (facts["family"], facts["config"], facts["trace"]) == ("orup", "w64", "none")
    listed = answer("boards")
    mine = [board for board in listed["built"] if board["path"] == str(path)]
    assert [board["spec"] for board in mine] == ["sim:orup:w64"]
    assert mine[0]["bytes"] == path.stat().st_size
    assert mine[0]["config_hash"] == facts["config_hash"]
    assert mine[0]["hash"] in path.name
    assert "sim:orup:w64" not in listed["buildable"]
    assert "orup:w64" in invoke("boards").stdout


def test_default_boards() -> None:
    assert [default_spec(bits) for bits in (2, 64, 65, 4096)] == [
        f"sim:orup:w{n}" for n in (64, 64, 128, 4096)
    ]
    assert default_spec(512, 2) == "sim:orup:w512,boards=2"
    with pytest.raises(Fault, match="4097"):
        default_spec(4097)


def test_outputs_appear_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "out"

    def fail() -> None:
        with writing(str(target)) as write:
            write(b"half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert list(tmp_path.iterdir()) == []
    target.write_bytes(b"old")
    target.chmod(0o640)
    with writing(str(target), force=True) as write:
        write(b"new")
        assert target.read_bytes() == b"old"
    assert target.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    with writing(str(tmp_path / "secret"), private=True) as write:
        write(b"secret")
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600
    with writing("/dev/null") as write:
        write(b"nothing")
    assert Path("/dev/null").is_char_device()


def test_steps_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    for quiet in (True, False):
        with console.steps(quiet=quiet) as steps:
            steps("build")
            steps.work("compute")
            steps.pause()
    assert capsys.readouterr() == ("", "build\n")


def test_bench() -> None:
    (row,) = answer("bench", "sim", "orup:w64")
    assert row["config"] == "orup:w64"
    assert row["accesses_c"] > 1000
    assert row["busy_cycles"] > 1000
    assert row["rsa_bits"] == 128
    assert row["rsa_seconds"] == pytest.approx(2 * row["exp_cycles"] / row["busy_cycles"])


def test_speed() -> None:
    facts = answer("speed", "--bits", "512", "--seconds", "0.05", "--clock", "100", "--no-public")
    (row,) = facts["rows"]
    assert facts["clock_mhz"] == 100
    assert (row["key_bits"], row["operation"], row["board"]) == (512, "private", "sim:orup:w256,boards=2")
    assert row["cycles"] == cycles(registry.resolve("orup:w256"), Command.EXP, Mode.WINDOW, 256)
    assert row["board_seconds"] == pytest.approx(row["cycles"] / 100e6)
    assert row["board_ops_per_second"] == pytest.approx(100e6 / row["cycles"])
    assert row["software_ops_per_second"] > row["simulator_ops_per_second"] > 0
    assert "RSA-512" in invoke("speed", "--bits", "512", "--seconds", "0", "--no-public").stdout


@pytest.mark.slow
def test_demo() -> None:
    done = spawn("demo", "rsa")
    assert done.returncode == 0, done.stderr.decode()
    text = done.stdout.decode()
    assert text.count("✓") == 2
    assert "[green]" not in text
    assert "✗" not in text
    assert "174,049 + 174,049" in text
    facts = answer("demo", "rsa", "--clock", "50")
    assert facts["verified"] is True
    assert [(one["key_bits"], one["board"]) for one in facts["operations"]] == [
        (2048, "sim:orup:w1024,boards=2"),
        (1024, "sim:orup:w512,boards=2"),
    ]
    assert facts["operations"][0]["board_seconds"] == pytest.approx(174049 / 50e6)


@pytest.mark.slow
def test_demo_fails_when_openssl_is_not_convinced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openssl, "verifies", lambda *_: False)
    result = invoke("demo", "rsa", code=Code.WRONG)
    assert "✗" in result.stdout
    assert "did not confirm" in result.stderr
