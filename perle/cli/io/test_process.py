# SPDX-License-Identifier: Apache-2.0
"""`perle` as a process: closed streams, readers that end early, signals, errors as JSON."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from perle.cli.io.errors import Code
from perle.flow import signals
from tests.cli_run import environment, invoke, program
from tests.processes import is_alive

UNREAD = 141


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """Run a shell line in which $PERLE is the program."""
    words = {"PERLE": " ".join(program()), **environment()}
    return subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, check=False, env=words, timeout=120
    )


@pytest.mark.parametrize("command", ["cores", "cores --json", "show orup", "--help", "--version"])
def test_a_closed_output_and_a_reader_that_is_gone_have_one_code(command: str) -> None:
    done = shell(f"$PERLE {command} >&-; echo $? >&2; ($PERLE {command}; echo $? >&2) | true")
    assert done.stderr.split() == [str(UNREAD)] * 2
    assert done.stdout == ""


@pytest.mark.parametrize(
    "settings", ["LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0", "PYTHONIOENCODING=ascii"]
)
def test_characters_that_the_output_lacks_are_escaped(settings: str) -> None:
    done = shell(f"{settings} $PERLE --help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Exit codes" in done.stdout


def test_other_streams_may_be_closed() -> None:
    assert "orup" in shell("$PERLE cores <&-").stdout
    assert "orup" in shell("$PERLE cores 2>&-").stdout
    assert shell("$PERLE show nothing 2>&-").returncode == Code.USAGE
    assert shell("$PERLE show nothing >&-").returncode == Code.USAGE


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("show", "nothing:w64", "--json"), Code.USAGE, "nothing"),
        (("mul", "--json", "3", "5"), Code.USAGE, "M is missing"),
        (("mul", "--json", "3", "5", "8"), Code.INPUT, "even"),
        (("cores", "--json", "--no-such-option"), Code.USAGE, "--no-such-option"),
        (("rsa", "sign", "--json", "--key", "/no/such/key"), Code.INPUT, "/no/such/key"),
    ],
)
def test_errors_for_programs(words: tuple[str, ...], code: Code, message: str) -> None:
    done = invoke(*words, code=code)
    error = json.loads(done.stdout)["error"]
    assert error["code"] == code
    assert message in error["message"]
    assert message in done.stderr


@pytest.mark.parametrize("command", ["cores", "cores --json", "manual", "mul 3 5 7", "--help"])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_below_standard_output_is_told_once(command: str, unbuffered: str) -> None:
    done = shell(f"PYTHONUNBUFFERED={unbuffered} $PERLE {command} > /dev/full")
    assert (done.returncode, done.stdout) == (Code.INPUT, "")
    assert done.stderr == "perle: standard output: No space left on device\n"


def test_a_full_disk_below_a_file_is_told_with_its_name(tmp_path: Path) -> None:
    done = shell("$PERLE manual --out /dev/full")
    assert (done.returncode, done.stderr) == (Code.INPUT, "perle: /dev/full: No space left on device\n")
    (tmp_path / "empty").mkdir()
    out = tmp_path / "empty" / "perle.1"
    done = shell(f"ulimit -f 1; $PERLE manual --out {out}")  # the longest file in KiB
    assert (done.returncode, done.stderr) == (Code.INPUT, f"perle: {out}: File too large\n")
    assert list(out.parent.iterdir()) == []


# If a shell starts the tests in the background, they and their children ignore SIGINT.
WORK = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
import sys
from pathlib import Path
from perle.cli.app import app
from perle.cli.io import files
from perle.cli.boards import in_background
from perle.flow.cache import cached
from perle.flow.tools import run

def make(path):
    (path.parent / "begun").touch()
    print("begun", flush=True)
    run(["sh", "-c", "echo $$ > child; sleep 60"], cwd=Path(sys.argv[1]))

def work():
    with files.writing(sys.argv[1] + "/out") as write:
        if sys.argv[2] == "background":
            in_background(lambda: cached("key", ".so", make))
        else:
            cached("key", ".so", make)

app.command()(work)
app(["work"], prog_name="perle")
"""


@pytest.mark.parametrize("where", ["foreground", "background"])
@pytest.mark.parametrize(
    ("number", "code", "word"),
    [
        (signal.SIGTERM, Code.TERMINATED, "terminated"),
        (signal.SIGHUP, Code.HUNG_UP, "hung up"),
        (signal.SIGINT, Code.INTERRUPTED, "interrupted"),
    ],
)
def test_signals_end_tools_and_leave_no_files(
    where: str, number: signal.Signals, code: Code, word: str, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    environ = {**environment(), "PERLE_CACHE": str(cache)}
    words = [sys.executable, "-c", WORK, str(tmp_path), where]
    with subprocess.Popen(
        words, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"begun\n"
        child = _child(tmp_path / "child")
        process.send_signal(number)
        assert process.wait(20) == code
        assert process.stderr.read().decode().splitlines()[-1] == f"perle: {word}"
    assert _dead(child)
    assert not (tmp_path / "out").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cache", "child"]
    assert [path.name for path in cache.iterdir() if path.suffix != ".lock"] == []


def _child(path: Path) -> int:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if path.exists() and path.read_text().strip():
            return int(path.read_text())
        time.sleep(0.01)
    raise AssertionError("no child")


def _dead(pid: int) -> bool:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        if not is_alive(pid):
            return True
        time.sleep(0.01)
    return False


def test_waiting_for_another_builder_is_told(tmp_path: Path) -> None:
    code = (
        "from perle.flow.cache import cached; import sys, time\n"
        "def make(path):\n print('begun', flush=True); time.sleep(1); path.touch()\n"
        "cached('board', '.so', make)"
    )
    environ = {**environment(), "PERLE_CACHE": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-c", code], env=environ, stdout=subprocess.PIPE) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == b"begun\n"
        second = subprocess.run(
            [sys.executable, "-c", code], env=environ, capture_output=True, check=True, timeout=60
        )
    assert b"perle: waiting for another process that makes board" in second.stderr
    assert second.stdout == b""


def test_what_is_short_is_not_interrupted() -> None:
    done: list[str] = []

    def work() -> None:
        with signals.held():
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.05)
            done.append("short")
        done.append("long")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["short"]


# Raises KeyboardInterrupt when the module that is the first argument is imported.
LOADING = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
module = sys.argv.pop(1)

class Interrupts:
    def find_spec(self, name, *_):
        if name == module:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupts())
from perle.cli import main
main()
"""


@pytest.mark.parametrize("module", ["typer", "perle.cli.arith"])
def test_ctrl_c_while_it_is_loaded_ends_it_with_a_word(module: str) -> None:
    """For a module that all commands need, and for one of a single command."""
    done = subprocess.run(
        [sys.executable, "-c", LOADING, module, "mul", "2", "3", "5"],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (Code.INTERRUPTED, "perle: interrupted\n")
