# SPDX-License-Identifier: Apache-2.0
"""Choose and open boards for a command."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from typing import Protocol, TypeVar

from perle.boards.wrapper import MAX_LANES
from perle.cli.io.console import Steps
from perle.cli.io.errors import bad_input, usage
from perle.cores import registry
from perle.flow.cache import cache_root
from perle.flow.tools import DesignError, SettingError, ToolError, ToolMissing, end_all
from perle.host import Boards, is_link, resolve_spec, take_lanes
from perle.host._lib import library
from perle.host.pam.spec import FORM, PREFIX


class Closable(Protocol):
    """An object that is closed after use."""

    def close(self) -> None:
        """Zeroize and close."""


T = TypeVar("T")
C = TypeVar("C", bound=Closable)

DEFAULT_FAMILY = "orup"
# Widths of RSA moduli and of their primes: RSA-3072 has primes of 1536 bits.
DEFAULT_WIDTHS = (64, 128, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096)

MOST_BOARDS = 16
CLEANING_SECONDS = 10.0
LISTEN_SECONDS = 0.2
"""Longest time in seconds until a signal that arrived between two steps of the interpreter is noticed."""

# Without the empty markup Rich would replace `:FAMILY:` by the emoji of that name in help texts.
CORE = "FAMILY[none]:[/none]CONFIG"
SPEC = f"sim:{CORE}[,lanes=T][,boards=N]"
LINK = "uart:/DEVICE[,baud=N], etherbone:HOST[:PORT] or uio:/DEVICE"
SPEC_HELP = f"Board: {SPEC} like sim:orup:w1024, or one behind a cable: {LINK}."

PRIVATE_HELP = f"{SPEC_HELP[:-1]}, or a system of active memories: {FORM}."

abandoned = threading.Event()
"""Set when Ctrl-C is pressed while a board is busy: the program then exits without waiting for the board."""


def default_spec(bits: int, boards: int = 1, what: str = "the modulus") -> str:
    """Return the smallest board of the default family that takes `bits`."""
    for width in DEFAULT_WIDTHS:
        if bits <= width:
            return f"sim:{DEFAULT_FAMILY}:w{width}" + (f",boards={boards}" if boards > 1 else "")
    raise bad_input(f"{what} has {bits} bits; the widest default board has {DEFAULT_WIDTHS[-1]}")


def is_system(spec: str) -> bool:
    """Whether a specification names a system of active memories."""
    return spec.startswith(PREFIX)


def refuse_system(spec: str | None) -> None:
    """Raise a fault if a system is named where it cannot be used."""
    if spec is not None and is_system(spec):
        raise usage(
            f"{spec.partition(',')[0]}: a system only runs private RSA operations "
            "(perle rsa sign, decrypt, raw); for public ones use --board none"
        )


def config_of(spec: str) -> registry.Config:
    """Return the configuration of `[sim:]FAMILY:CONFIG[,…]`."""
    refuse_system(spec)
    if is_link(spec):
        raise usage(f"{spec.partition(',')[0]}: expected a core, FAMILY:CONFIG, not a board")
    return registry.resolve(spec.removeprefix("sim:").partition(",")[0])


def alone(spec: str) -> registry.Config:
    """Return the configuration of `[sim:]FAMILY:CONFIG`, for commands that use a board without options."""
    config = config_of(spec)
    if "," in spec:
        raise usage(f"{spec}: nothing may follow a comma here; parameters follow the configuration")
    return config


def lanes_of(spec: str) -> int:
    """Return the lanes of `[sim:]FAMILY:CONFIG[,lanes=T]`, which has no other options."""
    options = spec.split(",")[1:]
    taken = take_lanes(options)
    if taken is None or taken[1]:
        raise usage(
            f"{','.join(options)!r}: only lanes=T, from 1 to {MAX_LANES}, may follow a comma; "
            "parameters follow the configuration, as in orup:w64+RadixBits=16"
        )
    return taken[0]


def check_here(spec: str) -> None:
    """Raise an error for boards that cannot be used on this machine; a missing simulator is built."""
    refuse_system(spec)
    library().call("perle_spec_check", resolve_spec(spec).encode())


def cpus() -> int:
    """Return how many boards to simulate at the same time on this machine."""
    return min(MOST_BOARDS, len(os.sched_getaffinity(0)))


@contextmanager
def closing(resource: C) -> Iterator[C]:
    """Close `resource` at the end, but not after Ctrl-C: a board may still be using it."""
    try:
        yield resource
    except KeyboardInterrupt:
        abandoned.set()
        raise
    finally:
        if not abandoned.is_set():
            resource.close()


@contextmanager
def opened(spec: str, steps: Steps, *, check: bool = True) -> Iterator[Boards]:
    """Open boards with registers; simulators that are missing are built first."""
    refuse_system(spec)
    try:
        path = resolve_spec(spec, steps)
        library()
    except (DesignError, SettingError, ToolMissing):
        raise
    except ToolError as error:
        raise ToolError(error.tool, error.message, error.hint or f"logs are in {cache_root()}") from error
    steps.pause()
    with closing(Boards(path, check=check)) as boards:
        yield boards


def in_background(work: Callable[[], T]) -> T:
    """Run `work` in a thread, so that Ctrl-C acts at once although a board's operation may take seconds."""
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread
            future.set_exception(error)

    thread = threading.Thread(target=run, daemon=True)
    try:
        thread.start()  # Ctrl-C may come before it returns, with `work` begun
        while not future.done():  # a wait without a limit would not notice a signal that came just before it
            wait((future,), LISTEN_SECONDS)
        return future.result()
    except KeyboardInterrupt:
        if end_all() and thread.ident is not None:  # `work` was waiting for a tool: let it clean up
            wait((future,), CLEANING_SECONDS)  # an interrupted `join` takes the thread for ended
        raise
