# SPDX-License-Identifier: Apache-2.0
"""Reports of valgrind's memcheck about values that it treats as uninitialized, and the source lines of them.

A line is known by its file, its function and its text: its number changes with every line above it. The same
text at a second number of the same function is another line. Functions of Perle's numbers (HELPERS) do what
they are asked with any number, so a line there is told together with that of the caller.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from perle.flow.places import HOST
from perle.flow.tools import run, system_tool

TIMEOUT = 1800.0
WATCH = ["-q", "--tool=memcheck", "--error-limit=no", "--leak-check=no", "--num-callers=30", "--xml=yes"]
ADDRESS = "UninitValue"
FEW = 100
"""Number of reports after which valgrind tells reports apart by two functions, instead of four."""
INSIDE = "".join(
    f"{{\n  {kind}\n  Memcheck:{kind}\n  obj:*\n  obj:*libcrypto*\n  ...\n  fun:__wrap_BN_div\n}}\n"
    for kind in ("Cond", "Value1", "Value2", "Value4", "Value8")
)
"""Left out (suppressions): reports of what libcrypto's division calls. There are about 70 of them; those of
the division itself tell who divides."""
WRAPPED = "__wrap_"
LIBCRYPTO = "libcrypto"
COMPARED = {"BN_cmp", "BN_ucmp"}
"""Comparisons of libcrypto: a report inside one is attributed to the caller in libperle."""
HELPERS = {"rsa/bn.hpp", "rsa/bn.cpp"}
"""Files of Bn and Arithmetic, which call libcrypto for all others."""
PARAMETERS = re.compile(r"[<(]")
UNKNOWN = "?"
"""A function without a name."""


@dataclass(frozen=True, order=True)
class Place:
    """A jump or address that depends on secrets, in a line of this library, or in a function of libcrypto.

    `function`: that of libcrypto; "" if the place is this library's own. `caller`: file and function of this
    library; `line`: its text, after those of HELPERS that it calls if one of them is the place.
    """

    function: str
    caller: str
    line: str
    address: bool = False

    @property
    def own(self) -> bool:
        """Whether it is in this library."""
        return not self.function

    @property
    def where(self) -> str:
        """FILE: FUNCTION: LINE."""
        return f"{self.caller}: {self.line}" if self.line else self.caller

    def __str__(self) -> str:
        """Return what depends on secrets, and where."""
        if self.function:
            return f"{self.function} of libcrypto, called in {self.where}"
        return f"an address in {self.where}" if self.address else self.where


class Code(Enum):
    """What a frame belongs to: the program, libcrypto, or another library."""

    OWN = auto()
    LIBCRYPTO = auto()
    OTHER = auto()


@dataclass(frozen=True)
class Frame:
    """A function, without namespaces and parameters, on the stack of a report, and its line."""

    name: str
    code: Code
    file: str = ""
    number: int = 0
    text: str = ""

    @property
    def label(self) -> str:
        """File and function."""
        return f"{self.file}: {self.name}" if self.file else self.name


def watch(program: Path, test: str) -> Counter[Place]:
    """Run one of the program's tests under memcheck; return the number of reports per place."""
    valgrind = system_tool("valgrind", needed_for="watching secrets")
    with TemporaryDirectory() as folder:
        report, inside = Path(folder) / "report.xml", Path(folder) / "inside"
        inside.write_text(INSIDE, encoding="utf-8")
        options = [*WATCH, f"--suppressions={inside}", f"--xml-file={report}"]
        run([valgrind, *options, program, test], timeout=TIMEOUT)
        return places(report.read_text(encoding="utf-8"), program.name)


def places(report: str, program: str, root: Path = HOST / "src") -> Counter[Place]:
    """Return the places in an XML report of a program; `root`: folder of its sources."""
    stacks = []
    for error in ET.fromstring(report).iter("error"):  # noqa: S314 - made by valgrind
        kind, stack = error.findtext("kind") or "", error.find("stack")
        if kind.startswith("Uninit"):
            frames = [] if stack is None else [_frame(one, program, root) for one in stack.iter("frame")]
            stacks.append((kind, frames))
    numbers = defaultdict[tuple[str, str], set[int]](set)
    for _, frames in stacks:
        for frame in frames:
            numbers[frame.label, frame.text].add(frame.number)
    order = {key: sorted(found) for key, found in numbers.items()}

    def text(frame: Frame) -> str:
        at = order[frame.label, frame.text].index(frame.number)
        return f"{frame.text} ({at + 1})" if at else frame.text

    found: Counter[Place] = Counter()
    for kind, frames in stacks:
        shown = [Frame(one.name, one.code, one.file, one.number, text(one)) for one in frames]
        found[_place(shown, kind == ADDRESS)] += 1
    return found


def _frame(frame: ET.Element, program: str, root: Path) -> Frame:
    obj, name = Path(frame.findtext("obj") or "").name, _name(frame.findtext("fn") or UNKNOWN)
    if obj != program:
        return Frame(name, Code.LIBCRYPTO if obj.startswith(LIBCRYPTO) else Code.OTHER)
    path = Path(frame.findtext("dir") or "", frame.findtext("file") or "").resolve()
    number = int(frame.findtext("line") or 0)
    if not number:  # nothing is known of the line
        return Frame(name, Code.OWN)
    if not path.is_relative_to(root.parent):  # a template of the standard library, inlined
        return Frame(name, Code.OTHER)
    file = path.relative_to(root if path.is_relative_to(root) else root.parent).as_posix()
    return Frame(name, Code.OWN, file, number, _lines(path)[number - 1].strip())


def _name(function: str) -> str:
    """Return a function's name without namespaces, parameters and those of templates.

    Valgrind tells the namespaces only of a function that was not inlined.
    """
    name = function.replace("(anonymous namespace)", "")
    begin = name.rfind("operator")
    if begin >= 0:
        return name[begin:].partition("(")[0]
    return PARAMETERS.split(name, maxsplit=1)[0].rpartition("::")[2].rpartition(" ")[2]


@cache
def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def _place(frames: list[Frame], address: bool) -> Place:
    """Return the place of a report; frames are listed from the innermost one."""
    inner = next((i for i, frame in enumerate(frames) if frame.code is not Code.OTHER), None)
    if inner is None:
        return Place("", frames[0].name if frames else UNKNOWN, "")
    if frames[inner].code is Code.OWN:
        return _in(frames[inner:], address=address and inner == 0)
    caller = next((i for i, frame in enumerate(frames) if frame.code is Code.OWN), len(frames))
    entered = [frame.name for frame in frames[inner:caller] if frame.code is Code.LIBCRYPTO][-1]
    if caller == len(frames):
        return Place(entered, "", "")
    outside, name = frames[caller:], frames[caller].name
    if name.startswith(WRAPPED):
        return _in(outside[1:], name.removeprefix(WRAPPED))
    return _in(outside, "" if entered in {*COMPARED, UNKNOWN} else entered)


def _in(frames: list[Frame], function: str = "", *, address: bool = False) -> Place:
    """Return the place of the innermost frame of this library, up to the first one outside of HELPERS."""
    texts = []
    for frame in frames:
        if frame.code is Code.OWN:
            texts.append(frame.text)
            if frame.file not in HELPERS:
                line = frame.text if function else " < ".join(filter(None, texts))
                return Place(function, frame.label, line, address)
    return Place(function, frames[0].label if frames else "", " < ".join(filter(None, texts)), address)
