# SPDX-License-Identifier: Apache-2.0
"""Find (or build) libperle and declare its C functions; the pleasant side of it is `perle.host`."""

from __future__ import annotations

import ctypes as c
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from perle.flow import tools
from perle.flow.cache import lock_file, take
from perle.flow.progress import tell

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "host"
REGISTERS = ROOT / "perle" / "boards" / "board.rdl"
SIMULATED = ROOT / "perle" / "boards" / "sim" / "perle_sim.h"
BUILT = ROOT / "build" / "host" / "libperle.so"
API_VERSION = 2
BUILD_SECONDS = 600


class PerleError(RuntimeError):
    """A call of libperle failed: `code` and `name` as in perle.h, `message` says what exactly was wrong."""

    def __init__(self, code: int, name: str, message: str) -> None:
        super().__init__(code, name, message)
        self.code = code
        self.name = name
        self.message = message

    def __str__(self) -> str:
        """Return the message, then the code's name."""
        return f"{self.message} ({self.name})"


def _structure(name: str, kind: type[c._SimpleCData[int]], fields: str) -> type[c.Structure]:
    return type(name, (c.Structure,), {"_fields_": [(field, kind) for field in fields.split()]})


CBoardStats = _structure(
    "CBoardStats",
    c.c_uint64,
    "operations cycles bus_writes bus_reads bytes_written bytes_read modulus_loads faults timeouts "
    "resets recoveries retirements key_errors",
)
CCost = _structure("CCost", c.c_uint64, "cycles elapsed time_ps")
CTiming = _structure("CTiming", c.c_uint64, "read_ps write_ps instruction_ps")
CSystemTime = _structure("CSystemTime", c.c_uint64, "now_ps bus_ps waited_ps host_ps reads writes")
CBignumCost = _structure(
    "CBignumCost",
    c.c_uint64,
    "now_ps bus_ps waited_ps host_ps software_ps products word_products host_word_products",
)
CAccess = _structure("CAccess", c.c_uint32, "board addr write data")
CBatchStats = _structure(
    "CBatchStats", c.c_uint64, "pending running succeeded failed repeated busy_cycles cycles refused"
)
CKeyInfo = _structure("CKeyInfo", c.c_uint32, "bits size half_bits is_private has_crt")


class CBoardInfo(c.Structure):
    """perle_board_info."""

    _fields_ = [
        ("family", c.c_char * 32),
        ("family_id", c.c_uint32),
        ("config_hash", c.c_uint32),
        ("width", c.c_uint32),
        ("operand_bits", c.c_uint32),
        ("word_bits", c.c_uint32),
        ("window_bits", c.c_uint32),
        ("exponent_bits", c.c_uint32),
        ("count", c.c_uint32),
        ("simulated", c.c_uint32),
    ]


class CBatchDone(c.Structure):
    """perle_batch_done."""

    _fields_ = [
        ("tag", c.c_uint64),
        ("cycles", c.c_uint64),
        ("length", c.c_size_t),
        ("status", c.c_int),
        ("repeats", c.c_uint32),
        ("message", c.c_char * 160),
    ]


class CSystemEvent(c.Structure):
    """perle_system_event."""

    _fields_ = [
        *((name, c.c_uint64) for name in ("begin_ps", "end_ps", "taken_ps", "busy_cycles")),
        *((name, c.c_uint32) for name in ("board", "addr", "write", "reserved")),
    ]


class CSystemBoard(c.Structure):
    """perle_system_board."""

    _fields_ = [("path", c.c_char_p), ("clock_ps", c.c_uint64)]


class CNumber(c.Structure):
    """perle_number."""

    _fields_ = [("data", c.c_char_p), ("len", c.c_size_t)]


KEY_NUMBERS = ("n", "e", "d", "p", "q", "dp", "dq", "qinv")


class CKeyNumbers(c.Structure):
    """perle_key_numbers."""

    _fields_ = [("size", c.c_size_t)] + [(name, CNumber) for name in KEY_NUMBERS]


class CRsaOptions(c.Structure):
    """perle_rsa_options."""

    _fields_ = [
        ("size", c.c_size_t),
        ("padding", c.c_int),
        ("hash", c.c_char_p),
        ("mgf1_hash", c.c_char_p),
        ("salt_length", c.c_int),
        ("flags", c.c_uint),
    ]


PassphraseCallback = c.CFUNCTYPE(c.c_int, c.POINTER(c.c_char), c.c_size_t, c.c_void_p)

_BYTES_IN = [c.c_char_p, c.c_size_t]
_BYTES_OUT = [c.c_void_p, c.c_size_t, c.POINTER(c.c_size_t)]
_COST = [c.POINTER(CCost)]
_HANDLE = [c.c_void_p]
_NEW = [c.POINTER(c.c_void_p)]

# Functions that return a perle_status, and their arguments.
_PROTOTYPES: dict[str, Sequence[object]] = {
    "perle_boards_open": [c.c_char_p, *_NEW],
    "perle_boards_info": [*_HANDLE, c.POINTER(CBoardInfo)],
    "perle_boards_set_timeout": [*_HANDLE, c.c_uint64, c.c_uint64],
    "perle_boards_set_check": [*_HANDLE, c.c_int],
    "perle_boards_wipe": _HANDLE,
    "perle_boards_stats": [*_HANDLE, c.c_size_t, c.POINTER(CBoardStats)],
    "perle_boards_stats_reset": _HANDLE,
    "perle_board_read": [*_HANDLE, c.c_size_t, c.c_uint32, c.POINTER(c.c_uint64)],
    "perle_board_write": [*_HANDLE, c.c_size_t, c.c_uint32, c.c_uint64],
    "perle_board_advance": [*_HANDLE, c.c_size_t, c.c_uint64, c.c_int, c.POINTER(c.c_uint64)],
    "perle_board_snapshot": [*_HANDLE, c.c_size_t, *_BYTES_OUT],
    "perle_board_trace": [*_HANDLE, c.c_size_t, c.c_char_p],
    "perle_mod_new": [*_HANDLE, *_BYTES_IN, *_NEW],
    "perle_montmul": [*_HANDLE, *_HANDLE, *_BYTES_IN, *_BYTES_IN, *_BYTES_OUT, *_COST],
    "perle_mulmod": [*_HANDLE, *_HANDLE, *_BYTES_IN, *_BYTES_IN, *_BYTES_OUT, *_COST],
    "perle_modexp": [*_HANDLE, *_HANDLE, *_BYTES_IN, *_BYTES_IN, c.c_size_t, c.c_int, *_BYTES_OUT, *_COST],
    "perle_key_load": [*_BYTES_IN, PassphraseCallback, c.c_void_p, *_NEW],
    "perle_key_new": [c.POINTER(CKeyNumbers), *_NEW],
    "perle_key_get_info": [*_HANDLE, c.POINTER(CKeyInfo)],
    "perle_key_get_public": [*_HANDLE, c.c_char, *_BYTES_OUT],
    "perle_key_get_prime": [*_HANDLE, c.c_char, *_BYTES_OUT],
    "perle_key_generate": [c.c_uint32, *_NEW],
    "perle_key_to_pem": [*_HANDLE, *_BYTES_OUT],
    "perle_rsa_private": [*_HANDLE, *_HANDLE, c.c_uint, *_BYTES_IN, *_BYTES_OUT, *_COST],
    "perle_rsa_public": [*_HANDLE, *_HANDLE, *_BYTES_IN, *_BYTES_OUT, *_COST],
    "perle_rsa_sign": [*_HANDLE, *_HANDLE, c.POINTER(CRsaOptions), *_BYTES_IN, *_BYTES_OUT, *_COST],
    "perle_rsa_verify": [*_HANDLE, *_HANDLE, c.POINTER(CRsaOptions), *_BYTES_IN, *_BYTES_IN, *_COST],
    "perle_rsa_encrypt": [*_HANDLE, *_HANDLE, c.POINTER(CRsaOptions), *_BYTES_IN, *_BYTES_OUT, *_COST],
    "perle_timing_preset": [c.c_char_p, c.POINTER(CTiming)],
    "perle_system_open": [c.POINTER(CSystemBoard), c.c_size_t, c.POINTER(CTiming), *_NEW],
    "perle_system_read": [*_HANDLE, c.c_size_t, c.c_uint32, c.POINTER(c.c_uint32)],
    "perle_system_write": [*_HANDLE, c.c_size_t, c.c_uint32, c.c_uint32],
    "perle_system_run": [*_HANDLE, c.POINTER(CAccess), c.c_size_t],
    "perle_system_compute": [*_HANDLE, c.c_uint64],
    "perle_system_get_time": [*_HANDLE, c.POINTER(CSystemTime)],
    "perle_system_reset_time": _HANDLE,
    "perle_system_log": [*_HANDLE, c.c_size_t],
    "perle_system_get_log": [*_HANDLE, c.c_void_p, c.c_size_t, c.POINTER(c.c_size_t)],
    "perle_system_snapshot": [*_HANDLE, c.c_size_t, *_BYTES_OUT],
    "perle_system_step": [*_HANDLE, c.c_size_t],
    "perle_driver_private": [
        *_HANDLE,
        c.c_char_p,
        *_HANDLE,
        c.c_char_p,
        c.c_size_t,
        c.c_void_p,
        c.c_size_t,
        c.POINTER(CSystemTime),
    ],
    "perle_boards_on_system": [*_HANDLE, c.c_char_p, *_NEW],
    "perle_rsa_decrypt": [*_HANDLE, *_HANDLE, c.POINTER(CRsaOptions), *_BYTES_IN, *_BYTES_OUT, *_COST],
}
_PROTOTYPES |= {
    "perle_bignum_open": [*_HANDLE, c.POINTER(CTiming), *_NEW],
    "perle_bignum_mul": [*_HANDLE, *_BYTES_IN, *_BYTES_IN, *_BYTES_OUT],
    "perle_bignum_divide": [*_HANDLE, *_BYTES_IN, *_BYTES_IN, *_BYTES_OUT],
    "perle_bignum_mulmod": [*_HANDLE, *_BYTES_IN, *_BYTES_IN, *_BYTES_IN, *_BYTES_OUT],
    "perle_bignum_powmod": [*_HANDLE, *_BYTES_IN, *_BYTES_IN, *_BYTES_IN, *_BYTES_OUT],
    "perle_bignum_words": [*_HANDLE, c.c_uint64],
    "perle_bignum_get_cost": [*_HANDLE, c.POINTER(CBignumCost)],
    "perle_bignum_reset_cost": _HANDLE,
}
_PROTOTYPES |= {
    "perle_spec_check": [c.c_char_p],
    "perle_rsa_exponent_blinding": [*_HANDLE, *_HANDLE, c.POINTER(c.c_uint32)],
    "perle_rsa_encode": [*_HANDLE, c.POINTER(CRsaOptions), *_BYTES_IN, *_BYTES_OUT],
}
_PROTOTYPES |= {
    "perle_batch_open": [*_HANDLE, c.c_size_t, *_NEW],
    "perle_batch_submit": [
        *(*_HANDLE, *_HANDLE, c.c_uint, *_BYTES_IN),
        *(c.c_void_p, c.c_size_t, c.c_uint64),
    ],
    "perle_batch_poll": [
        *(*_HANDLE, c.c_uint64),
        *(c.POINTER(CBatchDone), c.c_size_t, c.POINTER(c.c_size_t)),
    ],
    "perle_batch_get_stats": [*_HANDLE, c.POINTER(CBatchStats)],
}
_FREES = (
    *("perle_boards_close", "perle_mod_free", "perle_key_free", "perle_system_close"),
    *("perle_bignum_close", "perle_batch_close"),
)
_TEXTS = ("perle_status_name", "perle_strerror")


def _up_to_date(built: Path, folders: Sequence[str]) -> bool:
    if not built.exists():
        return False
    when = built.stat().st_mtime
    sources = [path for folder in folders for path in (SOURCES / folder).rglob("*")]
    sources += [SOURCES / "Makefile", SOURCES / "libperle.map", REGISTERS, SIMULATED]
    return all(path.stat().st_mtime <= when for path in sources)


def built(product: Path, goal: str, folders: Sequence[str], what: str) -> Path:
    """Return a product of host/Makefile, made first where it is missing or older than these folders of host/.

    Raises ToolMissing or ToolError when it cannot be built; the log is beside it.
    """
    if not SOURCES.exists() or _up_to_date(product, folders):
        return product
    product.parent.mkdir(parents=True, exist_ok=True)
    with lock_file(product.parent / ".lock") as lock:
        take(lock, what)
        if not _up_to_date(product, folders):
            tools.system_tool("g++", needed_for=what)
            tools.need_header("openssl/evp.h", "libssl-dev", what)
            tell(f"building {what} (once; up to a minute)")
            log = product.with_suffix(".log")
            log.unlink(missing_ok=True)
            make: list[str | Path] = [tools.system_tool("make"), "-C", SOURCES, goal]
            make.append(f"PEAKRDL={tools.venv_tool('peakrdl')}")
            tools.run(make, log=log, timeout=BUILD_SECONDS, hint=f"the whole log is in {log}")
            product.touch()
    return product


def library_path() -> Path:
    """Path of libperle: `$PERLE_LIB`, else build/host/libperle.so, made first where it is missing or old.

    Raises ToolMissing or ToolError when it cannot be built; the log is beside it.
    """
    chosen = os.environ.get("PERLE_LIB")
    return Path(chosen) if chosen else built(BUILT, "lib", ("include", "src"), "libperle")


@dataclass(frozen=True)
class Library:
    """The loaded library."""

    dll: c.CDLL

    def call(self, function: str, *args: object) -> None:
        """Call a function that returns a status; raise PerleError unless it is PERLE_OK."""
        status: int = getattr(self.dll, function)(*args)
        if status != 0:
            self.fail(status)

    def fail(self, status: int) -> None:
        """Raise the PerleError of a status that the last call of this thread returned."""
        name = self.dll.perle_status_name(status).decode()
        message = self.dll.perle_last_error().decode(errors="replace")
        raise PerleError(status, name, message or self.dll.perle_strerror(status).decode())

    def data(self, function: str, size: int, *before: object, after: tuple[object, ...] = ()) -> bytes:
        """Call a function that writes at most `size` bytes; its output arguments stand between the others."""
        out = c.create_string_buffer(max(size, 1))
        length = c.c_size_t()
        self.call(function, *before, out, c.c_size_t(size), c.byref(length), *after)
        result = out.raw[: length.value]
        c.memset(out, 0, len(out))
        return result


_loading = threading.Lock()


@cache
def _load(path: Path) -> Library:
    try:
        dll = c.CDLL(str(path))
    except OSError as error:
        raise tools.ToolError("libperle", f"{path} does not load: {error}", "run: make -C host") from error
    if dll.perle_api_version() != API_VERSION:
        raise tools.ToolError("libperle", f"{path} is of another version", "run: make -C host")
    for name, args in _PROTOTYPES.items():
        function = getattr(dll, name)
        function.restype, function.argtypes = c.c_int, args
    for name in _FREES:
        function = getattr(dll, name)
        function.restype, function.argtypes = None, _HANDLE
    for name in _TEXTS:
        function = getattr(dll, name)
        function.restype, function.argtypes = c.c_char_p, [c.c_int]
    dll.perle_driver_name.restype, dll.perle_driver_name.argtypes = c.c_char_p, [c.c_size_t]
    dll.perle_driver_boards.restype, dll.perle_driver_boards.argtypes = c.c_char_p, [c.c_char_p]
    dll.perle_last_error.restype = c.c_char_p
    return Library(dll)


def library() -> Library:
    """Return the library, loaded (and built where needed) at the first call."""
    with _loading:
        return _load(library_path())
