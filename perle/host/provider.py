# SPDX-License-Identifier: Apache-2.0
"""The OpenSSL provider: its path, its configuration, and the status of processes that use it."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from perle.flow.cache import cache_root
from perle.flow.host_make import LIBRARY, built
from perle.flow.trusted import check_owner
from perle.host._headers import ffi
from perle.host._lib import library
from perle.host.settings import LONGEST_MS, ConfigurationError, checked, plain, within

PROVIDER = LIBRARY.with_name("perle.so")
FALLBACKS = ("software", "fail")
QUEUE, TIMEOUT_MS = 64, 30_000
MOST_QUEUE, MOST_BOARDS, LONGEST_SPEC = 65536, 16, 127

# As in host/provider/status_page.hpp.
_MAGIC = b"PERLEST2"
_HEAD = struct.Struct("<8s6I3Q")
_COUNTS = (
    *("boards", "software", "declined", "failed", "wrong", "queue_full", "no_board"),
    *("waiting", "most_waiting", "asynchronous", "injected", "bad_keys"),
)
_ROW = struct.Struct("<128s6I9Q")
_ROW_NUMBERS = ("boards", "width", "blinding_bits")
_ROW_COUNTS = (
    *("operations", "errors", "wrong", "timeouts", "retired", "cycles", "busy"),
    *("resets", "recovered"),
)
_STATES = ("closed", "up", "retired")
_SIZE = _HEAD.size + 8 * len(_COUNTS) + MOST_BOARDS * _ROW.size


def provider_path() -> Path:
    """Path of the provider: `$PERLE_PROVIDER`, else build/host/perle.so, built or updated first if necessary.

    Raises ToolMissing or ToolError if it cannot be built; the log is next to it.
    """
    chosen = os.environ.get("PERLE_PROVIDER")
    if chosen:
        return Path(chosen)
    return built(PROVIDER, "provider", ("include", "src", "provider"), "the OpenSSL provider")


def check_spec(spec: str) -> None:
    """Refuse a specification that the provider would refuse. Raises PerleError or ConfigurationError."""
    library().call("perle_spec_check", spec.encode())
    plain("board", spec)
    if len(spec) > LONGEST_SPEC:
        raise ConfigurationError(f"board {spec}: more than {LONGEST_SPEC} characters")


@dataclass(frozen=True)
class Provision:
    """Settings of a configuration. Boards are specifications with absolute paths; times are in ms."""

    boards: tuple[str, ...]
    fallback: str = "software"
    queue: int = QUEUE
    timeout: int = TIMEOUT_MS
    blind_exponent: bool = True
    status: Path | None = None
    more: dict[str, str] = field(default_factory=dict)

    def text(self, module: Path) -> str:
        """Return the configuration: the default provider and this one, which is preferred if it can be used.

        Raises ConfigurationError or PerleError.
        """
        if not 1 <= len(self.boards) <= MOST_BOARDS:
            raise ConfigurationError(f"1 to {MOST_BOARDS} boards are wanted, not {len(self.boards)}")
        for spec in self.boards:
            check_spec(spec)
        if self.fallback not in FALLBACKS:
            raise ConfigurationError(f"fallback: {self.fallback!r} is none of {', '.join(FALLBACKS)}")
        within("queue", self.queue, 0, MOST_QUEUE)
        within("timeout", self.timeout, 1, LONGEST_MS)
        settings = {
            "boards": " ".join(self.boards),
            "fallback": self.fallback,
            "queue": str(self.queue),
            "timeout": str(self.timeout),
            "blind_exponent": "yes" if self.blind_exponent else "no",
        }
        if self.status is not None:
            settings["status"] = plain("status", str(self.status.absolute()))
        settings |= {name: checked(name, value) for name, value in self.more.items()}
        lines = [
            *(
                "# SPDX-License-Identifier: Apache-2.0",
                "# For OPENSSL_CONF. Written by perle provider conf.",
                "",
            ),
            *("config_diagnostics = 1", "openssl_conf = openssl_init"),
            # otherwise OpenSSL 4 takes the lines above for extensions of a certificate
            *("extensions = no_extensions", "", "[no_extensions]", "", "[openssl_init]"),
            *("providers = provider_sect", "alg_section = algorithm_sect", "", "[provider_sect]"),
            *("default = default_sect", "perle = perle_sect", "", "[default_sect]", "activate = 1", ""),
            *("[perle_sect]", f"module = {plain('module', str(module.absolute()))}", "activate = 1"),
            *(f"{name} = {value}" for name, value in settings.items()),
            *("", "[algorithm_sect]", "default_properties = ?perle.boards=yes", ""),
        ]
        return "\n".join(lines)


@dataclass(frozen=True)
class BoardStatus:
    """Status of one specification of boards in one process."""

    spec: str
    state: str
    last_error: str
    boards: int
    width: int
    blinding_bits: int
    operations: int
    errors: int
    wrong: int
    timeouts: int
    retired: int
    cycles: int
    busy: int
    resets: int
    recovered: int


@dataclass(frozen=True)
class ProcessStatus:
    """Status of a process that uses the provider; the counts are those of status_page.hpp."""

    pid: int
    running: bool  # also true for processes that are not visible: of another container
    opened: int
    queue: int
    fallback: str
    blind_exponent: bool
    counts: dict[str, int]
    boards: tuple[BoardStatus, ...]
    path: Path


def status_folder() -> Path:
    """Return the default folder of the status pages of this user's processes.

    No other user can have created it before: it is below the user's runtime folder, else in the cache.
    """
    runtime = Path(os.environ.get("XDG_RUNTIME_DIR", ""))
    if not runtime.is_absolute():
        runtime = Path(f"/run/user/{os.geteuid()}")
    if runtime.is_dir() and runtime.stat().st_uid == os.geteuid() and not runtime.stat().st_mode & 0o022:
        return runtime / "perle"
    return cache_root() / "status"


def _started(pid: int) -> int | None:
    """Start time of a process, in clock ticks since boot; None if it does not exist."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    state, *rest = text.rpartition(")")[2].split()
    return None if state == "Z" else int(rest[18])


def _space() -> int:
    """Return the PID namespace of this process; 0 if it is not known."""
    try:
        return Path("/proc/self/ns/pid").stat().st_ino
    except OSError:
        return 0


def _row(data: bytes, at: int) -> BoardStatus:
    spec, state, error, *values = _ROW.unpack_from(data, at)
    numbers = dict(zip(_ROW_NUMBERS, values, strict=False)) | dict(zip(_ROW_COUNTS, values[4:], strict=True))
    name = library().text("perle_status_name", ffi.cast("int", error)) if error else ""
    text = spec.rstrip(b"\0").decode(errors="replace")
    return BoardStatus(text, _STATES[state] if state < len(_STATES) else "?", name, **numbers)


def read_page(path: Path) -> ProcessStatus | None:
    """Read the page of a process; None if the file is not a page (a link, a pipe), or not complete yet."""
    try:
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(number, "rb") as file:
            data = file.read(_SIZE) or b""
    except OSError:
        return None
    if len(data) < _SIZE or data[: len(_MAGIC)] != _MAGIC:
        return None
    _, pid, rows, queue, fallback, blind, _, started, opened, space = _HEAD.unpack_from(data)
    counts = struct.unpack_from(f"<{len(_COUNTS)}Q", data, _HEAD.size)
    first = _HEAD.size + 8 * len(_COUNTS)
    return ProcessStatus(
        pid=pid,
        running=space != _space() or _started(pid) == started,
        opened=opened,
        queue=queue,
        fallback=FALLBACKS[0] if fallback else FALLBACKS[1],
        blind_exponent=bool(blind),
        counts=dict(zip(_COUNTS, counts, strict=True)),
        boards=tuple(_row(data, first + i * _ROW.size) for i in range(min(rows, MOST_BOARDS))),
        path=path,
    )


def statuses(folder: Path) -> Iterator[ProcessStatus]:
    """Read the pages of a folder, in the order of their process ids.

    Raises ToolError for a folder that others can write to: the provider does not use it.
    """
    if folder.is_dir():
        check_owner(folder.resolve())
    found = (read_page(path) for path in folder.glob("*.status"))
    yield from sorted((page for page in found if page is not None), key=lambda page: (page.pid, page.path))


def forget_ended(folder: Path) -> int:
    """Remove the pages of processes that have ended; return how many there were."""
    ended = [page for page in statuses(folder) if not page.running]
    for page in ended:
        page.path.unlink(missing_ok=True)
    return len(ended)
