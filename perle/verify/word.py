# SPDX-License-Identifier: Apache-2.0
"""A family's exponentiator (`perle_<family>_exp`), Verilated, driven through its 64-bit word port."""

from __future__ import annotations

import ctypes
from pathlib import Path
from types import TracebackType

from perle.boards import exponentiator
from perle.cores.modexp.model import Command, Mode, words
from perle.cores.registry import Config
from perle.flow.cache import cached, content_hash
from perle.flow.verilator import Trace, build_so, verilator_version
from perle.verify import failure

DRIVER = Path(__file__).with_name("word_testbench.cpp")
X, Y, R2, E, CONST = range(5)
ERRORS = (
    "start_busy",
    "access_busy",
    "modulus_even",
    "modulus_small",
    "modulus_wide",
    "operand_range",
    "command",
)
LIMIT = 50_000_000


def build(config: Config, *, traced: bool = False) -> Path:
    """Return the testbench of a configuration's exponentiator, built if necessary (cached by content hash).

    With assertions; or `traced`, so that it can dump its state, without them, because assertions have
    registers that are not part of the core.
    """
    fam = config.family
    top = exponentiator.top(fam)
    files = [*exponentiator.files(fam)]
    checked = ["--trace-max-array", "65536", "--trace-max-width", "65536"] if traced else ["--assert"]
    trace: Trace = "vcd" if traced else "none"
    if not traced:
        files += fam.assertions

    def make(out: Path) -> None:
        flags = ["-CFLAGS", f'{failure.CFLAGS} -DBENCH_MODEL=V{top} -DBENCH_HEADER=\\"V{top}.h\\"']
        fast = [*checked, "-O3", "--x-assign", "fast", "--x-initial", "unique", *flags]
        build_so(top, files, [DRIVER], config.params, out, trace=trace, extra=fast, opt="-O1")

    made_of = [*files, DRIVER, failure.HEADER, Path(__file__)]
    digest = content_hash(made_of, config.params, traced, verilator_version())
    return cached(f"word-{fam.name}-{digest}", ".so", make)


class WordBench:
    """An exponentiator under test."""

    def __init__(self, config: Config, *, traced: bool = False, seed: int = 1) -> None:
        self.config = config
        self.words = words(config)
        lib = ctypes.CDLL(str(build(config, traced=traced)))
        lib.word_open.restype = ctypes.c_void_p
        lib.word_failure.restype = ctypes.c_char_p
        for name in ("word_now", "word_cycles"):
            getattr(lib, name).restype = ctypes.c_uint64
        self.lib = lib
        self.handle = ctypes.c_void_p(lib.word_open(seed))
        self.wait()

    def __enter__(self) -> WordBench:
        """Return the testbench itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None
    ) -> None:
        """Free the model; raise an error if an assertion failed."""
        where: bytes | None = self.lib.word_failure(self.handle)
        self.lib.word_close(self.handle)
        if value is None:
            failure.raise_if_failed(where)

    def write(self, bank: int, value: int) -> None:
        """Write an operand, one word per cycle."""
        for i in range(self.words):
            self.lib.word_write(self.handle, bank, i, ctypes.c_uint64(value >> (64 * i) & (2**64 - 1)))

    def read(self) -> int:
        """Read the result, one word per cycle."""
        data = (ctypes.c_uint64 * self.words)()
        self.lib.word_read(self.handle, data, self.words, self.config.family.port_cycles)
        return sum(word << (64 * i) for i, word in enumerate(data))

    def load(self, m: int, *, check: bool = True) -> None:
        """Write a modulus, its constants and R²; without `check` any number is accepted as the modulus."""
        self.write(CONST, m)
        if check:
            named = self.config.model.constants(self.config.params, m)
            for i, name in enumerate(self.config.family.constants, CONST + 1):
                self.write(i, named[name])
            self.write(R2, pow(1 << self.config.model.r_exp(self.config.params), 2, m))

    def start(self, command: int, mode: int = Mode.WINDOW, elen: int = 0) -> None:
        """Give a command: one cycle."""
        self.lib.word_start(self.handle, int(command), int(mode), elen)

    def wait(self) -> None:
        """Clock until the exponentiator is no longer busy."""
        late = self.lib.word_wait(self.handle, ctypes.c_uint64(LIMIT))
        failure.raise_if_failed(self.lib.word_failure(self.handle))
        assert not late, "still busy"

    def errors(self) -> set[str]:
        """Names of the error flags seen since the last call."""
        flags = int(self.lib.word_errors(self.handle))
        return {name for i, name in enumerate(ERRORS) if flags >> i & 1}

    @property
    def now(self) -> int:
        """Clock cycles since the start."""
        return int(self.lib.word_now(self.handle))

    @property
    def cycles(self) -> int:
        """The exponentiator's own cycle counter."""
        return int(self.lib.word_cycles(self.handle))

    def command(
        self, command: Command, x: int, y: int = 0, e: int = 0, mode: Mode = Mode.WINDOW, elen: int = 0
    ) -> int:
        """Write the operands, run a command, return the result."""
        self.write(X, x)
        if command is Command.EXP:
            self.write(E, e)
        else:
            self.write(Y, y)
        self.start(command, mode, elen)
        self.wait()
        return self.read()
