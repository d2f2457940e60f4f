# SPDX-License-Identifier: Apache-2.0
"""Enlarging the stack of a WebAssembly program, and running YoWASP's tools with it.

Programs compiled for WASI have their stack at the bottom of memory, by default 64 KiB, and a global variable
as stack pointer. On overflow they access addresses below 0 and trap. Here the memory is enlarged, and the
stack starts at its new end; the C library allocates memory after it.

The format is that of the WebAssembly core specification, binary format, sections 5.2 to 5.5.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from perle.flow.cache import cached, content_hash
from perle.flow.tools import ToolError

STACK = 1 << 26
"""Stack size of a tool in bytes."""

PACKAGE = "deeper"
PAGE = 1 << 16
ALIGNMENT = 16
HEADER = b"\0asm\x01\0\0\0"
MEMORY, GLOBAL = 5, 6  # sections
MUTABLE_I32_CONST = bytes([0x7F, 0x01, 0x41])


def deeper(program: bytes, pages: int) -> bytes:
    """Return the program with a stack of `pages` · 64 KiB; ValueError if its stack is not as above."""
    if not program.startswith(HEADER):
        raise ValueError("no WebAssembly program of version 1")
    out, end = bytearray(HEADER), 0
    for kind, found in _sections(program):
        body = found
        if kind == MEMORY:
            body, end = _larger(found, pages)
        elif kind == GLOBAL:
            body = _moved(found, end)
        out += bytes([kind]) + _unsigned(len(body)) + body
    return bytes(out)


def packaged(package: str, program: str) -> Path:
    """Return a folder like that of a tool's package, whose program has a larger stack.

    ToolError if the program's stack is not as made by a compiler for WASI.
    """
    given = Path(str(resources.files(package)))

    def make(folder: Path) -> None:
        (folder / PACKAGE).mkdir(parents=True)
        (folder / PACKAGE / "__init__.py").touch()
        (folder / PACKAGE / "share").symlink_to(given / "share")
        try:
            changed = deeper((given / program).read_bytes(), STACK // PAGE)
        except ValueError as fault:
            raise ToolError(program, f"no deeper stack: {fault}") from fault
        (folder / PACKAGE / program).write_bytes(changed)

    return cached(f"{program}-{content_hash([given / program], str(given), STACK)}", "", make)


def main(folder: str, program: str, *arguments: str) -> int:
    """Run the program of a folder of `packaged`; return its exit status."""
    import yowasp_runtime  # type: ignore[import-untyped] # noqa: PLC0415 - only where it runs

    sys.path.insert(0, folder)
    argv = [program.removesuffix(".wasm"), *arguments]
    return int(yowasp_runtime.run_wasm(PACKAGE, program, resources=["share"], argv=argv))


def _sections(program: bytes) -> Iterator[tuple[int, bytes]]:
    at = len(HEADER)
    while at < len(program):
        length, start = _number(program, at + 1)
        yield program[at], program[start : start + length]
        at = start + length


def _larger(body: bytes, pages: int) -> tuple[bytes, int]:
    """Return the memory section with a larger memory, and its new end in bytes."""
    count, at = _number(body, 0)
    if count != 1 or body[at] != 0:
        raise ValueError("not one memory without a limit")
    least, rest = _number(body, at + 1)
    return body[: at + 1] + _unsigned(least + pages) + body[rest:], (least + pages) * PAGE


def _moved(body: bytes, end: int) -> bytes:
    """Return the global section with the first variable, the stack pointer, at the end of memory."""
    _, at = _number(body, 0)
    value = at + len(MUTABLE_I32_CONST)
    if not end or body[at:value] != MUTABLE_I32_CONST:
        raise ValueError("its first variable is no pointer to a stack")
    _, rest = _number(body, value)
    return body[:value] + _signed(end - ALIGNMENT) + body[rest:]


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return an unsigned LEB128 number and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def _unsigned(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def _signed(value: int) -> bytes:
    """Return the signed LEB128 encoding of a non-negative number: the sign bit of the last byte must be 0."""
    out = bytearray()
    while value >= 0x40:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
