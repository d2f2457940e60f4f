# SPDX-License-Identifier: Apache-2.0
"""Branches on secrets and secret-dependent addresses in the host library: private operations under memcheck.

The program host/tests/ctgrind.cpp marks the numbers of a private key, and the results of boards, as
uninitialized, and signs. Valgrind reports every jump and address that depends on them, in the library and the
functions it calls. Each place in the library must be listed in `secrets.toml`, with the reason why it is
acceptable. Places inside libcrypto are counted by the function called: the lengths of its numbers are public.
"""

from __future__ import annotations

import tomllib
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from perle.flow.host_make import make_host
from perle.flow.places import HOST, INSTALLED
from perle.flow.tools import ToolError, run, system_tool
from perle.trust import records
from perle.trust.parts import Part, Task, Wanted
from perle.trust.records import Record, Run

NAME = "secrets"
CASES = {
    "sign_blinded": "signing, blinded",
    "sign_exponents_blinded": "signing, exponents blinded too",
    "sign_plain": "signing, not blinded",
}
LEAKY = "leaky"
PROGRAM = HOST / "tests" / "ctgrind.cpp"
KNOWN = Path(__file__).with_name("secrets.toml")
TIMEOUT = 1800.0
WATCH = ["-q", "--tool=memcheck", "--error-limit=no", "--leak-check=no", "--num-callers=30", "--xml=yes"]
WRAPPED = "__wrap_"
COMPARED = {"BN_cmp", "BN_ucmp"}
"""Comparisons of libcrypto: a report inside one is attributed to the caller in libperle."""


@dataclass(frozen=True)
class Place:
    """A function with a jump or address that depends on secrets; `own`: in this library, not in libcrypto."""

    name: str
    own: bool


def build() -> Path:
    """Return the program, rebuilt if its sources changed."""
    if INSTALLED:
        raise ToolError("ctgrind", "needs a checkout: the host's tests are not installed")
    make_host("ctgrind")
    return HOST.parent / "build" / "host" / "ctgrind"


def watch(program: Path, test: str) -> Counter[Place]:
    """Run one of the program's tests under memcheck; return the number of reports per place."""
    valgrind = system_tool("valgrind", needed_for="watching secrets")
    with TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        run([valgrind, *WATCH, f"--xml-file={report}", program, test], timeout=TIMEOUT)
        return places(report.read_text(encoding="utf-8"), program.name)


def places(report: str, program: str) -> Counter[Place]:
    """Return the places in an XML report."""
    found: Counter[Place] = Counter()
    for error in ET.fromstring(report).iter("error"):  # noqa: S314 - made by valgrind
        if not (error.findtext("kind") or "").startswith("Uninit"):
            continue
        stack = error.find("stack")
        frames = [] if stack is None else [_frame(one, program) for one in stack.iter("frame")]
        found[_place(frames)] += 1
    return found


def _frame(frame: ET.Element, program: str) -> tuple[str, bool]:
    """Return a frame's function without parameters, and whether it is in the program."""
    name = (frame.findtext("fn") or "?").replace("(anonymous namespace)", "{}")
    return name.partition("(")[0], Path(frame.findtext("obj") or "").name == program


def _place(frames: list[tuple[str, bool]]) -> Place:
    inner = next((i for i, (_, own) in enumerate(frames) if own), len(frames))
    name = frames[inner][0] if inner < len(frames) else "?"
    entered = frames[inner - 1][0] if inner else ""
    if name.startswith(WRAPPED):
        return Place(name.removeprefix(WRAPPED), own=False)
    if inner and entered not in COMPARED:
        return Place(entered if entered != "?" else name, own=False)
    return Place(name, own=True)


def known() -> dict[str, str]:
    """Return the reasons why functions of the library may depend on secrets."""
    return {one["place"]: one["why"] for one in tomllib.loads(KNOWN.read_text(encoding="utf-8"))["finding"]}


def measure(test: str, seed: int, _before: Record | None = None) -> Record:
    """Run one kind of operation, and record the places that depend on secrets."""
    case = CASES.get(test, test)
    found = watch(build(), test)
    mine = Run(NAME, case, seed)
    reasons = known()
    own = {place.name: count for place, count in sorted(found.items(), key=str) if place.own}
    below = {place.name: count for place, count in sorted(found.items(), key=str) if not place.own}
    for name, count in own.items():
        if name not in reasons:
            mine.fail(f"{name} depends on secrets ({count} reports)")
    mine.settings |= {"known": {name: reasons[name] for name in own if name in reasons}, "libcrypto": below}
    counts = {
        "places": len(own),
        "known": sum(name in reasons for name in own),
        "reports": sum(own.values()),
        "libcrypto: functions": len(below),
        "libcrypto: reports": sum(below.values()),
    }
    files = [*records.host_files(), PROGRAM, KNOWN, Path(__file__)]
    return mine.end(counts, files, ("valgrind", "g++", "openssl"))


def tasks(wanted: Wanted) -> Iterator[Task]:
    """Yield a task for each kind of operation; none for a single family."""
    if wanted.family is None:
        for test, case in CASES.items():
            yield Task(NAME, case, partial(measure, test, wanted.seed))


def row(one: Record) -> Sequence[str]:
    """Return the figures of a record."""
    names = ("places", "known", "libcrypto: functions")
    return tuple(f"{int(one.counts[name]):,}" for name in names)


def remarks(one: Record) -> Sequence[str]:
    """Name the places."""
    below = ", ".join(f"`{name}` {count}" for name, count in one.settings["libcrypto"].items())
    told = [f"`{name}`: {why}" for name, why in one.settings["known"].items()]
    return [*told, f"reports inside of libcrypto: {below}"]


SECRETS = Part(
    NAME,
    "Secret-dependent host code",
    "While the host library signs, it neither branches on, nor computes addresses from, the numbers of a "
    "private key or the data that boards return, except at the places listed with a reason; valgrind's "
    "memcheck treats these values as uninitialised. Lengths of numbers are public, as in libcrypto. "
    "libcrypto itself has more such places, counted by the function that was called; there blinding "
    "protects. The generation of blinding factors and the loading of keys are not checked.",
    tasks,
    ("places", "with a reason", "functions of libcrypto"),
    row,
    remarks,
)
