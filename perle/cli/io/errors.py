# SPDX-License-Identifier: Apache-2.0
"""Exit codes, and how exceptions become an exit code and a one-line message."""

from __future__ import annotations

from enum import IntEnum
from math import isfinite
from pathlib import Path
from typing import TypeVar

import typer

from perle.cores.registry import UnknownCoreError
from perle.flow.places import DamagedError
from perle.flow.tools import DesignError, SettingError, ToolError
from perle.host._lib import PerleError
from perle.spec import IllegalModulusError, OperandRangeError

T = TypeVar("T", str, "str | Path")


class Code(IntEnum):
    """Exit codes of `perle`."""

    OK = 0
    WRONG = 1
    USAGE = 2
    INPUT = 3
    BOARD = 4
    TOOL = 5
    HUNG_UP = 129
    INTERRUPTED = 130
    UNREAD = 141
    TERMINATED = 143


MEANINGS = {
    Code.OK: "success; results that can be verified were verified",
    Code.WRONG: "a signature, ciphertext or result did not verify, a recorded result is stale, or nothing "
    "measured is within the limits of perle choose",
    Code.USAGE: "wrong usage: option, variable of the environment, board specification, unknown core",
    Code.INPUT: "bad input: modulus, operand, key, passphrase or file",
    Code.BOARD: "board fault, time-out, or no such board",
    Code.TOOL: "a tool is missing or failed",
    Code.HUNG_UP: "ended by signal HUP: the terminal was closed",
    Code.INTERRUPTED: "interrupted",
    Code.UNREAD: "standard output was closed, or the reader of its pipe ended",
    Code.TERMINATED: "ended by signal TERM",
}

# Ranges of the status codes of perle.h, and the exit code of each.
_GROUPS = (
    (range(2, 4), Code.TOOL),  # memory, libcrypto
    (range(4, 5), Code.INPUT),  # input that is too long
    (range(10, 11), Code.USAGE),  # specification
    (range(11, 20), Code.BOARD),
    (range(20, 27), Code.INPUT),  # moduli, operands, exponents
    (range(30, 38), Code.INPUT),  # keys
    (range(42, 44), Code.INPUT),  # lengths of messages
    (range(44, 46), Code.WRONG),  # signature, decryption
)


class Fault(Exception):  # noqa: N818 - it carries an exit code, not only an error
    """Ends the program with an exit code and a one-line message."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code = code


def usage(message: str) -> Fault:
    """Return the fault for a wrong command line."""
    return Fault(Code.USAGE, message)


def finite(value: float | None) -> float | None:
    """Return the value of an option; raises the fault for an infinite or undefined number."""
    if value is not None and not isfinite(value):
        raise usage(f"{value} is not a finite number")
    return value


def folder(text: str | Path) -> Path:
    """Return the path of an option's folder; an empty name (of an unset variable) is a usage error."""
    return Path(_named(text, "folder"))


def file(text: str | Path) -> Path:
    """Return the path of an option's file; an empty name is a usage error."""
    return Path(_named(text, "file"))


def file_name(text: str) -> str:
    """Return the name of an option's file or stream; an empty one is a usage error."""
    return _named(text, "file")


def _named(text: T, what: str) -> T:
    if not text:
        raise typer.BadParameter(f"the name of the {what} is empty")  # the option is added by Typer
    return text


def bad_input(message: str) -> Fault:
    """Return the fault for a value or file that cannot be used."""
    return Fault(Code.INPUT, message)


def explain(error: BaseException) -> Fault | None:
    """Return the fault for an exception; None for an unexpected one, which is a bug."""
    if isinstance(error, Fault):
        return error
    if isinstance(error, PerleError):
        return Fault(_of_status(error.code), str(error))
    if isinstance(error, UnknownCoreError):
        return usage(str(error))
    if isinstance(error, IllegalModulusError | OperandRangeError | DamagedError):
        return bad_input(str(error))
    if isinstance(error, DesignError | SettingError):
        return usage(str(error))
    if isinstance(error, ToolError):
        return Fault(Code.TOOL, str(error))
    if isinstance(error, OSError) and error.strerror:
        return bad_input(f"{error.filename}: {error.strerror}" if error.filename else error.strerror)
    return None


def _of_status(status: int) -> Code:
    return next((code for group, code in _GROUPS if status in group), Code.USAGE)
