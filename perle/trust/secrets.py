# SPDX-License-Identifier: Apache-2.0
"""Branches on secrets and secret-dependent addresses in the host library: private operations under memcheck.

The program host/tests/ctgrind.cpp marks the numbers of a private key, and the results of boards, as
uninitialized, and signs or decrypts. Valgrind reports every jump and address that depends on them, in the
library and the functions it calls. Each line of the library with such a report must be listed in
`secrets.toml`, with the reason why it is acceptable. Each function of libcrypto that is called with secrets
and has such places inside must be listed with a reason and the lines that call it. A report in any other
library (memcmp, std::string) counts as one in its caller.

Reports must also be present: those of every listed line, some inside of libcrypto, and those of a test that
leaks on purpose. Without them memcheck would not have seen the secrets at all.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from perle.flow.host_make import make_host
from perle.flow.places import HOST, INSTALLED, build_folder
from perle.flow.tools import ToolError
from perle.trust import memcheck, records
from perle.trust.memcheck import FEW, Place, watch
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
MAKEFILE = Path(__file__).with_name("secrets.mk")
LEAK, LEAKS = f"tests/ctgrind.cpp: test_{LEAKY}", 2
"""LEAKY, a test that leaks on purpose: its place, and the reports expected, of a branch and of an address."""


@dataclass(frozen=True)
class Called:
    """Why a function of libcrypto may get secrets, and the lines that it may get them from, if told."""

    why: str
    callers: frozenset[str] | None


@dataclass(frozen=True)
class Reasons:
    """Why places may depend on secrets: lines of this library, and functions of libcrypto by name."""

    own: dict[Place, str]
    libcrypto: dict[str, Called]


def build() -> Path:
    """Return the program, rebuilt if its sources changed."""
    if INSTALLED:
        raise ToolError("ctgrind", "needs a checkout: the host's tests are not installed")
    make_host("marked", makefile=str(MAKEFILE))
    return build_folder() / "marked" / "ctgrind"


def known(test: str = "") -> Reasons:
    """Return the listed reasons, or those of one of the program's tests."""
    listed = tomllib.loads(KNOWN.read_text(encoding="utf-8"))
    return Reasons(
        {
            Place("", one["place"], one["line"], one.get("address", False)): one["why"]
            for one in listed["finding"]
            if not test or one.get("test", test) == test
        },
        {
            one["function"]: Called(one["why"], frozenset(one["callers"]) if "callers" in one else None)
            for one in listed["libcrypto"]
        },
    )


def unlisted(found: Counter[Place], reasons: Reasons) -> Iterator[str]:
    """Yield a failure for every place without a reason."""
    for place, count in sorted(found.items()):
        called = reasons.libcrypto.get(place.function)
        if place.own and place not in reasons.own:
            yield f"{place}: depends on secrets ({count} reports)"
        elif not place.own and called is None:
            yield f"{place}: gets secrets, and is not listed ({count} reports)"
        elif called and called.callers is not None and place.where not in called.callers:
            yield f"{place}: gets secrets from a line that is not listed ({count} reports)"


def missing(found: Counter[Place], reasons: Reasons) -> Iterator[str]:
    """Yield a failure for reports that every such operation causes and that are not there."""
    for place in sorted(reasons.own):
        if place not in found:
            yield f"{place}: is listed, but nothing was reported there: was it given secrets?"
    if all(place.own for place in found):
        yield "nothing was reported inside of libcrypto: was it given secrets?"


def measure(test: str, seed: int, _before: Record | None = None) -> Record:
    """Run one kind of operation, and record the places that depend on secrets."""
    mine = Run(NAME, CASES[test], seed)
    program, reasons = build(), known(test)
    found, leaks = watch(program, test), watch(program, LEAKY)
    control = sum(count for place, count in leaks.items() if place.caller == LEAK)
    for what in (*unlisted(found, reasons), *missing(found, reasons)):
        mine.fail(what)
    if control < LEAKS:
        mine.fail(f"memcheck reported {control} of the {LEAKS} leaks of a test that leaks on purpose")
    if found.total() >= FEW:
        mine.fail(f"memcheck does not tell callers of libcrypto apart after {FEW} reports")
    own = {str(place): count for place, count in sorted(found.items()) if place.own}
    below: Counter[str] = Counter()
    for place, count in sorted(found.items()):
        below[place.function] += 0 if place.own else count
    listed = {str(place): why for place, why in sorted(reasons.own.items()) if place in found}
    mine.settings |= {"known": listed, "libcrypto": {name: count for name, count in below.items() if name}}
    counts = {
        "places": len(own),
        "known": len(listed),
        "reports": sum(own.values()),
        "libcrypto: functions": len(mine.settings["libcrypto"]),
        "libcrypto: callers": sum(not place.own for place in found),
        "libcrypto: reports": sum(below.values()),
        "control: reports": control,
    }
    return mine.end(counts, made_of(), ("valgrind", "g++", "openssl"))


def made_of() -> list[Path]:
    """Return the files that the campaign depends on."""
    own = [Path(__file__), Path(memcheck.__file__), MAKEFILE]
    return [*records.host_files(), PROGRAM, KNOWN, *own]


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
    return [*told, f"reports in calls of libcrypto, without those inside a division: {below}"]


SECRETS = Part(
    NAME,
    "Secret-dependent host code",
    "While the host library signs and decrypts, it neither branches on, nor computes addresses from, the "
    "numbers of a private key or the data that boards return, except in the source lines listed with a "
    "reason; valgrind's memcheck treats these values as uninitialised. Lengths of numbers are public, as in "
    "libcrypto. libcrypto itself has more such places. They are not listed one by one, because they differ "
    "between its releases, but each function that the library calls with secrets is, with a reason and the "
    "lines that call it, in `perle/trust/secrets.toml`; reports that are deep inside a function do not tell "
    "every caller, and those inside a division are not counted. What these functions get is blinded, unless "
    "the caller disabled that, but not the primes when their constants are derived, once per key. Reports "
    "must not be absent either: those of the listed lines and of a test that leaks on purpose are required. "
    "The generation of blinding factors and the loading of keys are not checked, and neither is code that "
    "these operations do not execute: they use one key of 512 bits, on a board that never fails.",
    tasks,
    ("lines", "with a reason", "functions of libcrypto"),
    row,
    remarks,
)
