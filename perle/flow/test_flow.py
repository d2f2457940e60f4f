# SPDX-License-Identifier: Apache-2.0
"""The flows, each on a counter small enough to see through."""

from __future__ import annotations

import ctypes
import os
import re
import textwrap
import threading
from pathlib import Path

import pytest

from perle.flow import verible, verilator, yosys
from perle.flow.cache import cache_root, cached, content_hash, log_path
from perle.flow.tools import (
    DesignError,
    ToolError,
    ToolMissing,
    has_header,
)

COUNTER = """\
    // SPDX-License-Identifier: Apache-2.0
    module counter #(
      parameter int unsigned Width = 4
    ) (
      input  logic             clk_i,
      input  logic             rst_ni,
      output logic [Width-1:0] q_o
    );
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) q_o <= '0;
        else q_o <= q_o + 1'b1;
      end
    endmodule
"""

DRIVER = """\
    #include "Vcounter.h"
    #include "verilated.h"
    #if VM_TRACE_VCD
    #include "verilated_vcd_c.h"
    using Trace = VerilatedVcdC;
    #elif VM_TRACE_FST
    #include "verilated_fst_c.h"
    using Trace = VerilatedFstC;
    #endif
    extern "C" unsigned count(unsigned cycles, const char* path) {
      VerilatedContext context;
      Vcounter top{&context};
    #if VM_TRACE
      context.traceEverOn(true);
      Trace trace;
      top.trace(&trace, 99);
      trace.open(path);
    #endif
      for (unsigned half = 0; half < 2 * cycles + 2; ++half) {
        top.rst_ni = half > 1;
        top.clk_i = half & 1;
        top.eval();
    #if VM_TRACE
        trace.dump(half);
      }
      trace.close();
    #else
        static_cast<void>(path);
      }
    #endif
      return top.q_o;
    }
"""


def write(path: Path, text: str) -> Path:
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return path


@pytest.fixture
def counter(tmp_path: Path) -> Path:
    return write(tmp_path / "counter.sv", COUNTER)


def count(shared: Path, cycles: int, trace: Path) -> int:
    function = ctypes.CDLL(str(shared)).count
    function.argtypes = [ctypes.c_uint, ctypes.c_char_p]
    return int(function(cycles, str(trace).encode()))


@pytest.mark.parametrize("trace", ["none", "vcd", "fst"])
def test_build_so(counter: Path, tmp_path: Path, trace: verilator.Trace) -> None:
    if trace == "fst" and not has_header("lz4.h"):
        with pytest.raises(ToolMissing, match="liblz4-dev"):
            verilator.build_so("counter", [counter], [], {}, tmp_path / "x.so", trace=trace)
        return
    driver = write(tmp_path / "driver.cpp", DRIVER)
    wave = tmp_path / "wave"
    shared = verilator.build_so(
        "counter",
        [counter],
        [driver],
        {"Width": 9},
        tmp_path / "c.so",
        trace=trace,
        extra=["--x-assign", "fast"],
    )
    assert count(shared, 1000, wave) == 1000 % 2**9
    assert wave.exists() == (trace != "none")
    assert "counter.sv" in log_path(shared).read_text()


def test_two_shared_objects_in_one_process(counter: Path, tmp_path: Path) -> None:
    """Same class and symbol names, other widths: each object keeps to its own."""
    driver = write(tmp_path / "driver.cpp", DRIVER)
    built = {
        width: verilator.build_so("counter", [counter], [driver], {"Width": width}, tmp_path / f"c{width}.so")
        for width in (4, 30)
    }
    assert {width: count(shared, 777, tmp_path / "no") for width, shared in built.items()} == {
        4: 777 % 16,
        30: 777,
    }


def test_build_failure_names_the_fault(tmp_path: Path) -> None:
    bad = write(tmp_path / "counter.sv", "module counter; logic a = undeclared_name; endmodule\n")
    with pytest.raises(ToolError, match="undeclared_name"):
        verilator.build_so("counter", [bad], [], {}, tmp_path / "c.so")
    assert not (tmp_path / "c.so").exists()


def test_a_build_refuses_what_computes_something_else(counter: Path, tmp_path: Path) -> None:
    """A design's own words come first; where it has none, Verilator's; other warnings do not matter."""
    text = counter.read_text()
    guard = '  if (Width > 8) begin : gen_check\n    $fatal(1, "too wide: %0d", Width);\n  end\nendmodule'
    cases = {
        "too wide: 9 (counter.sv:": text.replace("endmodule", guard),
        "bits": text.replace("+ 1'b1", "+ 40'b1"),
    }
    for words, source in cases.items():
        counter.write_text(source)
        with pytest.raises(DesignError, match=re.escape(words)) as refused:
            verilator.build_so("counter", [counter], [], {"Width": 9}, tmp_path / "c.so")
        assert refused.value.tool == "counter"
    counter.write_text(text.replace("endmodule", "  logic unused;\n  assign unused = Width < 0;\nendmodule"))
    driver = write(tmp_path / "driver.cpp", DRIVER)
    built = verilator.build_so("counter", [counter], [driver], {"Width": 9}, tmp_path / "c.so")
    assert count(built, 3, tmp_path / "no") == 3
    assert "%Warning-" in log_path(built).read_text()


def test_lint(counter: Path) -> None:
    verilator.lint([counter], "counter", {"Width": 7})
    counter.write_text(counter.read_text().replace("+ 1'b1", "+ 40'b1"))
    with pytest.raises(ToolError, match="WIDTH"):
        verilator.lint([counter], "counter", {"Width": 7})


def test_elaborate(counter: Path, tmp_path: Path) -> None:
    stat = yosys.elaborate([counter], "counter", {"Width": 23}, tmp_path / "work")
    assert stat["design"]["num_cells_by_type"]["$aldff"] == 1
    module = next(iter(stat["modules"].values()))
    assert module["num_port_bits"] == 25
    counter.write_text(counter.read_text().replace("q_o + 1", "nothing + 1"))
    for check in (True, False):
        with pytest.raises(ToolError, match="nothing"):
            yosys.elaborate([counter], "counter", {"Width": 23}, tmp_path / "work", check=check)


def test_elaborate_checks_the_hierarchy_always_and_loops_when_asked(counter: Path, tmp_path: Path) -> None:
    top = write(
        tmp_path / "top.sv",
        """\
        module top (input logic c, r, output logic [4:0] q);
          wire loop = !loop;
          counter #(.Width(5)) u_c (.clk_i(c), .rst_ni(r && loop), .q_o(q));
        endmodule
        """,
    )
    stat = yosys.elaborate([counter, top], "top", {}, tmp_path / "work", check=False)
    assert stat["design"]["num_cells_by_type"]["$aldff"] == 1
    with pytest.raises(ToolError, match="loop"):
        yosys.elaborate([counter, top], "top", {}, tmp_path / "work")
    with pytest.raises(ToolError, match="unknown module 'counter'"):
        yosys.elaborate([top], "top", {}, tmp_path / "work", check=False)


def test_verible(counter: Path) -> None:
    verible.lint([counter])
    for good, wrong, rule in [
        ("Width", "bad_name", "parameter-name-style"),
        ("q_o", "q", "port-name-suffix"),
        ("rst_ni,", f"rst_ni,{' ' * 110}// far right", "line-length"),
    ]:
        counter.write_text(textwrap.dedent(COUNTER.replace(good, wrong)))
        with pytest.raises(ToolError, match=rule):
            verible.lint([counter])


def test_cached_makes_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERLE_CACHE", str(tmp_path / "cache"))
    made: list[Path] = []

    def make(path: Path) -> None:
        made.append(path)
        log_path(path).write_text("how")
        path.write_text("what")

    threads = [threading.Thread(target=cached, args=("key", ".txt", make)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    result = cached("key", ".txt", make)
    assert len(made) == 1
    assert (result.read_text(), log_path(result).read_text()) == ("what", "how")
    assert sorted(path.name for path in result.parent.iterdir()) == ["key.lock", "key.txt", "key.txt.log"]


def test_cached_failure_leaves_nothing_but_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERLE_CACHE", str(tmp_path))

    def make(path: Path) -> None:
        log_path(path).write_text("why")
        path.write_text("half")
        raise ToolError("maker", "broken")

    with pytest.raises(ToolError, match="broken"):
        cached("key", ".txt", make)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["key.lock", "key.txt.log"]


def test_content_hash(tmp_path: Path) -> None:
    one, two = write(tmp_path / "one", "1"), write(tmp_path / "two", "2")
    base = content_hash([one, two], {"a": 1}, "x")
    assert base == content_hash([one, two], {"a": 1}, "x")
    others = [content_hash([two, one], {"a": 1}, "x"), content_hash([one, two], {"a": 2}, "x")]
    one.write_text("3")
    assert len({base, *others, content_hash([one, two], {"a": 1}, "x")}) == 4


@pytest.mark.parametrize("name", ["PERLE_CACHE", "XDG_CACHE_HOME"])
def test_a_cache_by_a_relative_path_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PERLE_CACHE", raising=False)
    monkeypatch.setenv(name, "here")
    with pytest.raises(ToolError, match=f"{name} is no absolute path: here"):
        cache_root()


def test_nobody_else_can_write_to_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the umask: libperle loads nothing from folders or files that others can write to."""
    monkeypatch.setenv("PERLE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(0o777)
    before = os.umask(0)
    try:
        entry = cached("one", ".so", lambda path: path.touch(0o777))
    finally:
        os.umask(before)
    for path in (entry, entry.parent):
        assert not path.stat().st_mode & 0o022


def test_a_lock_that_is_a_link_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERLE_CACHE", str(tmp_path))
    mine = tmp_path / "mine"
    mine.write_text("!")
    (tmp_path / "one.lock").symlink_to(mine)
    with pytest.raises(OSError, match="symbolic link"):
        cached("one", ".so", lambda path: path.touch())
    assert mine.read_text() == "!"
