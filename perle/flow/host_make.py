# SPDX-License-Identifier: Apache-2.0
"""Builds of host/Makefile, by one process at a time, because its goals share object files."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from perle.flow import tools
from perle.flow.cache import lock_file, take
from perle.flow.places import HOST, PACKAGE, build_folder
from perle.flow.progress import tell

REGISTERS = PACKAGE / "boards" / "board.rdl"
SIMULATED = PACKAGE / "boards" / "sim"
LIBRARY = build_folder() / "libperle.so"
BUILD_SECONDS = 600
PARALLEL = (f"-j{len(os.sched_getaffinity(0))}", "--output-sync")
"""Options of make: one process builds with all processors, because others wait for it; output of parallel
jobs is not interleaved."""


def built(product: Path, goal: str, folders: Sequence[str], what: str) -> Path:
    """Return a product of host/Makefile, built first if it is missing or older than these folders of host/.

    Raises ToolMissing or ToolError if it cannot be built; the log is next to it.
    """
    if _up_to_date(product, folders):
        return product
    with _alone(product.parent, what):
        if not _up_to_date(product, folders):
            tools.system_tool("g++", needed_for=what)
            tools.need_header("openssl/evp.h", "libssl-dev", what)
            tell(f"building {what} (once; up to a minute)")
            log = product.with_suffix(".log")
            log.unlink(missing_ok=True)
            make: list[str | Path] = [tools.system_tool("make"), *PARALLEL, "-C", HOST, goal]
            make += [f"PEAKRDL={tools.venv_tool('peakrdl')}", f"PACKAGE={PACKAGE}", f"OUT={product.parent}"]
            tools.run(make, log=log, timeout=BUILD_SECONDS, hint=f"the whole log is in {log}")
            product.touch()
    return product


def make_host(
    goal: str | Path, timeout: float = 3600.0, *, makefile: str = "Makefile", settings: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    """Make a goal in a checkout, such as one that compiles and runs tests; ToolError if it fails.

    `makefile` is by its path from host/, which builds into the same folders; `settings` as `NAME=value`.
    """
    with _alone(build_folder(), f"{goal} of the host"):
        words = ["make", *PARALLEL, "-C", HOST, goal, "-f", makefile, f"OUT={build_folder()}", *settings]
        return tools.run(words, timeout=timeout)


def of_tests(name: str, goal: str, what: str) -> Path:
    """Return a product built from host/tests, such as the software board; raises the errors of `built`."""
    return built(LIBRARY.with_name(name), goal, ("include", "src", "tests"), what)


def softboard() -> Path:
    """Return the software board, as a shared object."""
    return of_tests("softboard.so", "soft", "the software board")


def _up_to_date(product: Path, folders: Sequence[str]) -> bool:
    if not product.exists():
        return False
    when = product.stat().st_mtime
    sources = [path for folder in folders for path in (HOST / folder).rglob("*")]
    sources += [HOST / "Makefile", HOST / "libperle.map", REGISTERS, *SIMULATED.glob("*.[ch]*")]
    return all(path.stat().st_mtime <= when for path in sources)


@contextmanager
def _alone(folder: Path, what: str) -> Iterator[None]:
    folder.mkdir(parents=True, exist_ok=True)
    with lock_file(folder / ".lock") as lock:
        take(lock, what)
        yield
