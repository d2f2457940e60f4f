# SPDX-License-Identifier: Apache-2.0
"""PeakRDL: a register map in SystemRDL to SystemVerilog, C header, Markdown and IP-XACT; each cached."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from perle.flow.cache import cached, content_hash
from perle.flow.tools import ToolError, run, venv_tool, version

# Resets as in all of the project's RTL; invalid accesses get an error response.
REGBLOCK = ["--cpuif", "axi4-lite-flat", "--default-reset", "arst_n", "--err-if-bad-addr", "--err-if-bad-rw"]

PACKED = "__attribute__ ((__packed__))"
ASSERT = "#include <assert.h>\n"
STATIC_ASSERT = """\
#if !defined(__cplusplus) && !defined(static_assert)
#define static_assert _Static_assert
#endif
"""
"""Replaces the include of assert.h, which does not exist without a C library."""


def regblock(
    rdl: Path, out: Path, params: Mapping[str, int | str], extra: Iterable[str] = ()
) -> tuple[Path, Path]:
    """Write the register block into the folder `out`; return (package, module), in compile order.

    `params` are the map's SystemRDL parameters; `extra` follows the project's options and overrides them.
    """
    out.mkdir(parents=True, exist_ok=True)
    before = set(out.glob("*.sv"))
    for old in before:
        old.unlink()
    _export("regblock", rdl, out, params, [*REGBLOCK, *extra])
    written = sorted(out.glob("*.sv"), key=lambda path: not path.stem.endswith("_pkg"))
    if len(written) != 2:
        raise ToolError("peakrdl", f"wrote {[path.name for path in written]}, not a package and a module")
    return written[0], written[1]


def cheader(
    rdl: Path, out: Path, params: Mapping[str, int | str] | None = None, extra: Iterable[str] = ()
) -> Path:
    """Write the C header `out`, through which each register is accessed in one access.

    PeakRDL's structures are packed; for processors without unaligned accesses, compilers would access them
    byte by byte. All registers are at multiples of their width, so packing is removed; sizes are asserted.
    """
    made = _export("c-header", rdl, out, params or {}, extra)
    text = made.read_text(encoding="utf-8").replace(f"struct {PACKED} {{", "struct {")
    if PACKED in text or text.count(ASSERT) != 1:
        raise ToolError("peakrdl", "wrote a C header of another form")
    made.write_text(text.replace(ASSERT, STATIC_ASSERT), encoding="utf-8")
    return made


def markdown(
    rdl: Path, out: Path, params: Mapping[str, int | str] | None = None, extra: Iterable[str] = ()
) -> Path:
    """Write the register reference `out`."""
    return _export("markdown", rdl, out, params or {}, extra)


def ipxact(
    rdl: Path, out: Path, params: Mapping[str, int | str] | None = None, extra: Iterable[str] = ()
) -> Path:
    """Write the IP-XACT description `out` of the registers, without memories."""
    return _export("ip-xact", rdl, out, params or {}, extra)


def _export(kind: str, rdl: Path, out: Path, params: Mapping[str, int | str], extra: Iterable[str]) -> Path:
    chosen = [word for key, value in params.items() for word in ("-P", f"{key}={value}")]
    words = [*chosen, *extra]
    name = "rtl" if out.is_dir() else out.name  # a header's include guard is made of its name

    def make(folder: Path) -> None:
        folder.mkdir()
        run([venv_tool("peakrdl"), kind, rdl, "-o", folder / name, *words], timeout=300)

    kept = cached(f"registers-{content_hash([rdl], kind, name, words, version('peakrdl'))}", "", make) / name
    if kept.is_dir():
        shutil.copytree(kept, out, dirs_exist_ok=True)
    else:
        shutil.copyfile(kept, out)
    return out
