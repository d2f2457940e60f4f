# SPDX-License-Identifier: Apache-2.0
"""Run `perle` for tests: inside this process, or as a program of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from perle.cli.app import app

ROOT = Path(__file__).resolve().parents[1]
ENDING = "trap 'kill $(jobs -p)' EXIT\n"
"""Before a script that leaves programs running: they end with it."""


def invoke(*args: object, stdin: str | bytes | None = None, code: int = 0) -> Result:
    """Run a command line here; it must end with `code`, and without a traceback."""
    result = CliRunner().invoke(app, [str(arg) for arg in args], input=stdin, prog_name="perle")
    assert result.exit_code == code, (args, result.exit_code, result.output)
    assert "Traceback" not in result.output
    return result


def refused(code: int, *args: object, stdin: str | None = None) -> str:
    """Run a command line that must fail with `code`: returns its message, all that it may say.

    But for what it builds, if it is the first to need it.
    """
    result = invoke(*args, stdin=stdin, code=code)
    if "--json" in args:
        assert json.loads(result.stdout)["error"]["message"] in " ".join(result.stderr.split())
    else:
        assert result.stdout == ""
    said = re.sub(r"\A(building [^\n]*\n)+", "", result.stderr)
    assert said.startswith("perle")
    return said


def answer(*args: object, code: int = 0) -> Any:  # noqa: ANN401
    """Run a command with --json: standard output is one JSON value and nothing else."""
    return json.loads(invoke(*args, "--json", code=code).stdout)


def program() -> list[str]:
    """Return the words that start `perle` as a program."""
    return [sys.executable, "-m", "perle.cli"]


def environment() -> dict[str, str]:
    """Return an environment in which the program is found wherever it runs."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return {**kept, "PYTHONPATH": str(ROOT)}


def spawn(
    *args: object, stdin: bytes | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run `perle` as a program without a terminal."""
    words = [*program(), *(str(arg) for arg in args)]
    return subprocess.run(
        words,
        input=stdin,
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        check=False,
        cwd=cwd,
        env=environment(),
        start_new_session=True,
        timeout=600,
    )


def shell(script: str, place: Path, *first: Path, **more: str) -> str:
    """Run a script of bash in a folder, to its end: what it says.

    Programs are those of folders that are named, then those beside Python; `more` is its environment.
    """
    words = environment()
    path = ":".join(map(str, (*first, Path(sys.executable).parent, words["PATH"])))
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=place,
        env={**words, **more, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def stated(mode: str, exponent: int, modulus: int) -> int:
    """Return how long `perle exp` says an exponent is: in constant time at least as long as the modulus."""
    least = modulus.bit_length() if mode in {"window", "ladder"} else 1
    return max(least, exponent.bit_length())


def openssl(*words: object, stdin: bytes | None = None) -> bytes:
    """Run openssl, which must succeed."""
    done = subprocess.run(
        ["openssl", *map(str, words)], input=stdin, capture_output=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout
