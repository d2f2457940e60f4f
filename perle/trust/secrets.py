# SPDX-License-Identifier: Apache-2.0
"""Branches on secrets and secret-dependent addresses in the host library: private operations under memcheck.

The program host/tests/ctgrind.cpp marks the numbers of a private key, and the results of boards, as
uninitialized, and signs. Valgrind reports every jump and address that depends on them, in the library and the
functions it calls. Each place in the library must be listed in `secrets.toml`, with the reason why it is
acceptable, and so must each function of libcrypto that is called with secrets and has such places inside. A
report in any other library (memcmp, std::string) counts as one in its caller.

Reports must also be present: those of every listed place, some inside of libcrypto, and those of a test that
leaks on purpose. Without them memcheck would not have seen the secrets at all.
"""

from __future__ import annotations

import tomllib
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
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
    "decrypt_blinded": "decrypting, blinded",
}
LEAKY = "leaky"
PROGRAM = HOST / "tests" / "ctgrind.cpp"
KNOWN = Path(__file__).with_name("secrets.toml")
TIMEOUT = 1800.0
WATCH = ["-q", "--tool=memcheck", "--error-limit=no", "--leak-check=no", "--num-callers=30", "--xml=yes"]
WRAPPED = "__wrap_"
LIBCRYPTO = "libcrypto"
COMPARED = {"BN_cmp", "BN_ucmp"}
"""Comparisons of libcrypto: a report inside one is attributed to the caller in libperle."""
UNKNOWN = "?"
"""A function without a name."""


@dataclass(frozen=True)
class Place:
    """A function with a jump or address that depends on secrets; `own`: in this library, not in libcrypto."""

    name: str
    own: bool


LEAK, LEAKS = Place(f"test_{LEAKY}", own=True), 2
"""LEAKY, a test that leaks on purpose: its place, and the reports expected, of a branch and of an address."""


class Code(Enum):
    """What a frame belongs to: the program, libcrypto, or another library."""

    OWN = auto()
    LIBCRYPTO = auto()
    OTHER = auto()


@dataclass(frozen=True)
class Frame:
    """A function, without parameters, on the stack of a report."""

    name: str
    code: Code


@dataclass(frozen=True)
class Reasons:
    """Why functions may depend on secrets: those of this library, and those of libcrypto."""

    own: dict[str, str]
    libcrypto: dict[str, str]


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


def _frame(frame: ET.Element, program: str) -> Frame:
    name = (frame.findtext("fn") or UNKNOWN).replace("(anonymous namespace)", "{}").partition("(")[0]
    obj = Path(frame.findtext("obj") or "").name
    if obj == program:
        return Frame(name, Code.OWN)
    return Frame(name, Code.LIBCRYPTO if obj.startswith(LIBCRYPTO) else Code.OTHER)


def _place(frames: list[Frame]) -> Place:
    """Return the place of a report; frames are listed from the innermost one."""
    inner = next((i for i, frame in enumerate(frames) if frame.code is not Code.OTHER), None)
    if inner is None:
        return Place(frames[0].name if frames else UNKNOWN, own=True)
    if frames[inner].code is Code.OWN:
        return Place(frames[inner].name, own=True)
    caller = next((i for i, frame in enumerate(frames) if frame.code is Code.OWN), len(frames))
    entered = [frame.name for frame in frames[inner:caller] if frame.code is Code.LIBCRYPTO][-1]
    if caller == len(frames):
        return Place(entered, own=False)
    name = frames[caller].name
    if name.startswith(WRAPPED):
        return Place(name.removeprefix(WRAPPED), own=False)
    return Place(name, own=True) if entered in {*COMPARED, UNKNOWN} else Place(entered, own=False)


def known(test: str = "") -> Reasons:
    """Return the listed reasons, or those of one of the program's tests."""
    listed = tomllib.loads(KNOWN.read_text(encoding="utf-8"))
    return Reasons(
        {one["place"]: one["why"] for one in listed["finding"] if not test or one.get("test", test) == test},
        {one["function"]: one["why"] for one in listed["libcrypto"]},
    )


def unlisted(found: Counter[Place], reasons: Reasons) -> Iterator[str]:
    """Yield a failure for every place without a reason."""
    for place, count in sorted(found.items(), key=str):
        if place.own and place.name not in reasons.own:
            yield f"{place.name} depends on secrets ({count} reports)"
        if not place.own and place.name not in reasons.libcrypto:
            yield f"{place.name} of libcrypto gets secrets, and is not listed ({count} reports)"


def missing(found: Counter[Place], reasons: Reasons) -> Iterator[str]:
    """Yield a failure for reports that every such operation causes and that are not there."""
    for name in sorted(reasons.own):
        if Place(name, own=True) not in found:
            yield f"{name} is listed, but nothing was reported there: was it given secrets?"
    if all(place.own for place in found):
        yield "nothing was reported inside of libcrypto: was it given secrets?"


def measure(test: str, seed: int, _before: Record | None = None) -> Record:
    """Run one kind of operation, and record the places that depend on secrets."""
    mine = Run(NAME, CASES[test], seed)
    program, reasons = build(), known(test)
    found, control = watch(program, test), watch(program, LEAKY)[LEAK]
    for what in (*unlisted(found, reasons), *missing(found, reasons)):
        mine.fail(what)
    if control < LEAKS:
        mine.fail(f"memcheck reported {control} of the {LEAKS} leaks of a test that leaks on purpose")
    own = {place.name: count for place, count in sorted(found.items(), key=str) if place.own}
    below = {place.name: count for place, count in sorted(found.items(), key=str) if not place.own}
    listed = {name: reasons.own[name] for name in own if name in reasons.own}
    mine.settings |= {"known": listed, "libcrypto": below}
    counts = {
        "places": len(own),
        "known": len(listed),
        "reports": sum(own.values()),
        "libcrypto: functions": len(below),
        "libcrypto: reports": sum(below.values()),
        "control: reports": control,
    }
    return mine.end(counts, made_of(), ("valgrind", "g++", "openssl"))


def made_of() -> list[Path]:
    """Return the files that the campaign depends on."""
    return [*records.host_files(), PROGRAM, KNOWN, Path(__file__)]


def tasks(wanted: Wanted) -> Iterator[Task]:
    """Yield a task for each kind of operation; none for a single family."""
    if wanted.family is None:
        for test, case in CASES.items():
            yield Task(NAME, case, partial(measure, test, wanted.seed), basis=lambda: (made_of(), {}))


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
    "libcrypto itself has more such places, counted by the function that was called; each of these "
    "functions is listed with a reason too, in `perle/trust/secrets.toml`. What they get is blinded, unless "
    "the caller disabled that, but not the primes when their constants are derived, once per key. Reports "
    "must not be absent either: those of the listed places and of a test that leaks on purpose are "
    "required. The generation of blinding factors and the loading of keys are not checked.",
    tasks,
    ("places", "with a reason", "functions of libcrypto"),
    row,
    remarks,
)
