# SPDX-License-Identifier: Apache-2.0
"""Runs the same tests repeatedly, each time in a process forked from one that has imported everything.

Called with pytest's arguments. Reads lines "NUMBER SECONDS LOG" and answers each with pytest's exit status, a
negative number after a signal, or "slow" after a timeout of SECONDS. A tab and a test after LOG run only that
test.
"""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
import time

VARIABLE = "PERLE_MUTANT"
POLL = 0.02


def child(number: str, log: str, words: list[str]) -> int:
    """Run the tests with a fault enabled; return pytest's exit status."""
    import pytest  # noqa: PLC0415 - imported before the fork

    os.environ[VARIABLE] = number
    to = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(to, 1)
    os.dup2(to, 2)
    sys.stdout, sys.stderr = os.fdopen(1, "w", closefd=False), os.fdopen(2, "w", closefd=False)
    status = int(pytest.main(words))
    sys.stdout.flush()
    return status


def ended(pid: int, seconds: float) -> str:
    """Wait for a process, and kill it after that many seconds; return its status."""
    begin = time.monotonic()
    while time.monotonic() < begin + seconds:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return str(os.waitstatus_to_exitcode(status))
        time.sleep(POLL)
    os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return "slow"


def main(words: list[str]) -> None:
    """Serve requests until the end of the input."""
    import pytest  # noqa: PLC0415

    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main(["--collect-only", *words])
    for line in sys.stdin:
        request, _, only = line.rstrip("\n").partition("\t")
        number, seconds, log = request.split(" ", 2)
        pid = os.fork()
        if pid == 0:
            os.setpgid(0, 0)
            options = [word for word in words if "::" not in word]
            os._exit(child(number, log, [*options, only] if only else words))
        sys.stdout.write(f"{ended(pid, float(seconds))}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
