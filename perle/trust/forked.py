# SPDX-License-Identifier: Apache-2.0
"""The same tests again and again, each time in a process forked from one that has imported all they need.

Called with pytest's words; reads lines "NUMBER SECONDS LOG", and writes one with the exit status of each:
of pytest, negative after a signal, "slow" after so many seconds. A tab and a test after LOG: that one alone.
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
    """Run the tests with a fault on; returns pytest's status."""
    import pytest  # noqa: PLC0415 - the process that forks has it already

    os.environ[VARIABLE] = number
    to = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(to, 1)
    os.dup2(to, 2)
    sys.stdout, sys.stderr = os.fdopen(1, "w", closefd=False), os.fdopen(2, "w", closefd=False)
    status = int(pytest.main(words))
    sys.stdout.flush()
    return status


def ended(pid: int, seconds: float) -> str:
    """Wait for a process, and end it after so many seconds; returns how it ended."""
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
    """Serve requests until there are no more."""
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
