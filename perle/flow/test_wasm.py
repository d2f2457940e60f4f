# SPDX-License-Identifier: Apache-2.0
"""A program with a deeper stack goes deeper, and is the same otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest
import wasmtime

from perle.flow import wasm
from perle.flow.tools import ToolError
from perle.flow.wasm import deeper

# Adds up 1 … n by recursion, with 64 bytes of stack a level: 1,000 levels fit into 64 KiB.
PROGRAM = """
(module
  (memory (export "memory") 2)
  (global $stack (mut i32) (i32.const 65536))
  (global $other (mut i32) (i32.const 7))
  (data (i32.const 65536) "data")
  (func $sum (export "sum") (param $n i32) (result i32)
    (global.set $stack (i32.sub (global.get $stack) (i32.const 64)))
    (i32.store (global.get $stack) (local.get $n))
    (if (result i32) (local.get $n)
      (then (i32.add (call $sum (i32.sub (local.get $n) (i32.const 1))) (i32.load (global.get $stack))))
      (else (i32.const 0)))
    (global.set $stack (i32.add (global.get $stack) (i32.const 64))))
  (func (export "other") (result i32) (global.get $other)))
"""


class Program:
    def __init__(self, binary: bytes) -> None:
        self.store = wasmtime.Store()
        module = wasmtime.Module(self.store.engine, binary)
        self.exports = wasmtime.Instance(self.store, module, []).exports(self.store)

    def call(self, name: str, *values: int) -> int:
        function = self.exports[name]
        assert isinstance(function, wasmtime.Func)
        found = function(self.store, *values)
        assert isinstance(found, int)
        return found

    def memory(self, start: int, length: int) -> bytes:
        memory = self.exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        return bytes(memory.read(self.store, start, start + length))


@pytest.fixture
def binary() -> bytes:
    return bytes(wasmtime.wat2wasm(PROGRAM))


def test_it_goes_deeper(binary: bytes) -> None:
    assert Program(binary).call("sum", 1000) == 500500
    with pytest.raises(wasmtime.Trap, match="out of bounds"):
        Program(binary).call("sum", 2000)
    assert Program(deeper(binary, 4)).call("sum", 2000) == 2001000
    assert Program(deeper(binary, 200)).call("sum", 2000) == 2001000


def test_all_else_is_as_it_was(binary: bytes) -> None:
    program = Program(deeper(binary, 3))
    assert program.call("other") == 7
    assert program.memory(65536, 4) == b"data"
    program.call("sum", 4000)
    assert program.memory(65536, 4) == b"data"
    assert program.memory(5 * 65536 - 16, 16) == bytes(16)


@pytest.mark.parametrize(
    ("program", "why"),
    [
        (b"\x7fELF", "no WebAssembly"),
        (bytes(wasmtime.wat2wasm("(module (global (mut i32) (i32.const 1)))")), "no pointer"),
        (bytes(wasmtime.wat2wasm("(module (memory 1) (global i32 (i32.const 1)))")), "no pointer"),
        (
            bytes(wasmtime.wat2wasm("(module (memory 1 2) (global (mut i32) (i32.const 1)))")),
            "without a limit",
        ),
    ],
)
def test_what_has_no_such_stack_is_refused(program: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        deeper(program, 4)


def test_a_tool_of_another_make_is_refused_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tool.wasm").write_bytes(b"\x7fELF")
    monkeypatch.setenv("PERLE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("importlib.resources.files", lambda _: tmp_path)
    with pytest.raises(ToolError, match=r"tool\.wasm: no deeper stack: no WebAssembly"):
        wasm.packaged("package", "tool.wasm")
    assert not [path for path in (tmp_path / "cache").iterdir() if path.is_dir()]
