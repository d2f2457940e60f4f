# SPDX-License-Identifier: Apache-2.0
"""PeakRDL: what it makes of a register map, and that it is made once."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from perle.flow import peakrdl, verilator
from perle.flow.tools import ToolError, run

REGISTERS = """\
    addrmap demo {
      reg { field { sw = rw; hw = r; } value[8] = 0; } control @ 0x0;
      reg { field { sw = r; hw = w; } value[8]; } status @ 0x4;
    };
"""


@pytest.fixture
def rdl(tmp_path: Path) -> Path:
    """Return the file of a map with two registers."""
    path = tmp_path / "demo.rdl"
    path.write_text(REGISTERS, encoding="utf-8")
    return path


def test_what_is_made_of_a_map(rdl: Path, tmp_path: Path) -> None:
    package, module = peakrdl.regblock(rdl, tmp_path / "rtl", {})
    verilator.lint([package, module], "demo", {}, ["-Wno-UNUSEDSIGNAL", "-Wno-fatal"])
    assert "s_axil_awaddr" in module.read_text()
    assert "status" in peakrdl.cheader(rdl, tmp_path / "demo.h").read_text()
    assert "status" in peakrdl.markdown(rdl, tmp_path / "demo.md").read_text()


def test_c_reads_and_writes_a_register_in_one_access(rdl: Path, tmp_path: Path) -> None:
    """On a processor without unaligned accesses, and without a C library."""
    peakrdl.cheader(rdl, tmp_path / "demo.h", extra=["--type-style", "hier"])
    source = tmp_path / "use.c"
    source.write_text('#include "demo.h"\nvoid use(volatile demo_t* r) { r->control = r->status; }\n')
    words = [sys.executable, "-m", "ziglang", "cc", "-target", "riscv32-freestanding", "-Os", "-S", "-o"]
    run([*words, "use.s", "use.c"], cwd=tmp_path, timeout=300)
    code = (tmp_path / "use.s").read_text()
    assert len(re.findall(r"\tlw\t", code)) == 1
    assert len(re.findall(r"\tsw\t", code)) == 1
    assert not re.search(r"\t[ls]bu?\t", code)


def test_a_wrong_map_is_named(tmp_path: Path) -> None:
    rdl = tmp_path / "x.rdl"
    rdl.write_text("addrmap x { nonsense; };", encoding="utf-8")
    with pytest.raises(ToolError, match="nonsense"):
        peakrdl.cheader(rdl, tmp_path / "bad.h")


def test_registers_are_made_once_in_any_folder(
    rdl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their map's text, its parameters and a header's name decide."""
    monkeypatch.setenv("PERLE_CACHE", str(tmp_path / "cache"))
    calls: list[str] = []

    def counted(cmd: Sequence[str | Path], *, timeout: float) -> None:
        calls.append(str(cmd[1]))
        run(cmd, timeout=timeout)

    monkeypatch.setattr(peakrdl, "run", counted)
    first = [path.read_text() for path in peakrdl.regblock(rdl, tmp_path / "one", {})]
    assert [path.read_text() for path in peakrdl.regblock(rdl, tmp_path / "two", {})] == first
    for name in ("a.h", "a.h", "b.h"):
        peakrdl.cheader(rdl, tmp_path / name)
    assert calls == ["regblock", "c-header", "c-header"]
    assert "A_H" in (tmp_path / "a.h").read_text()
    assert "B_H" in (tmp_path / "b.h").read_text()
    rdl.write_text(REGISTERS.replace("status", "state"), encoding="utf-8")
    assert "state" in peakrdl.cheader(rdl, tmp_path / "a.h").read_text()
