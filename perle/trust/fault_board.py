# SPDX-License-Identifier: Apache-2.0
"""A simulated board whose state bits can be flipped while libperle uses it, and its build.

libperle loads it by its path like any other board; `Upsets` accesses the same shared object directly. Only
the newest board of a process can be flipped.
"""

from __future__ import annotations

from pathlib import Path

from cffi import FFI

from perle.boards.build import FLAGS_ALL, FLAGS_PLAIN, SIM, SIM_FILES, Variant, write_headers
from perle.boards.regs import RDL
from perle.boards.sources import WAIVERS, config_hash, kept_files, sources
from perle.boards.wrapper import wrapper
from perle.cores.registry import Config
from perle.flow.cache import cached, content_hash
from perle.flow.progress import tell
from perle.flow.tools import version
from perle.flow.verilator import build_so, verilator_version
from perle.trust import state

FLIP = Path(__file__).with_name("sim") / "flip.cpp"
PLACES = FLIP.with_name("places.h")
CPP = (*(SIM / f"{name}.cpp" for name in ("board", "snapshot", "static_storage", "port_axil")), FLIP)
# Each function stands alone: no precompiled variant of the model is as fast as one without visible state.
FLAGS = (*FLAGS_ALL, *FLAGS_PLAIN, "-CFLAGS", f"-I{PLACES.parent}")

ffi = FFI()
ffi.cdef(
    "uint64_t perle_flip_cycles(void); uint64_t perle_flip_bits(int kind);"
    "const char* perle_flip_arm(uint64_t cycle, int kind, uint64_t bit); uint64_t perle_flip_disarm(void);"
)

REGISTERS, MEMORIES = 0, 1


def made_of(config: Config, lanes: int) -> list[Path]:
    """Return the files that determine the behaviour of such a board."""
    return [*kept_files(config, lanes), RDL, WAIVERS, *SIM_FILES, FLIP, PLACES, Path(state.__file__)]


def build(config: Config, lanes: int = 1) -> Path:
    """Return the shared object of a configuration, built at the first call."""
    variant = Variant(lanes=lanes)
    hashed = config_hash(config, lanes)
    top = wrapper(config, variant.word_bits, hashed, lanes)
    key = content_hash(made_of(config, lanes), top, FLAGS, [verilator_version(), version("peakrdl")])

    def make(path: Path) -> None:
        tell(f"building the board {config.spec}{variant.suffix} with state that can be flipped (once)")
        generated = path.with_name("generated")
        board = sources(config, variant.word_bits, generated, lanes=lanes)
        _pack(generated / "perle_regs.sv")
        public = path.with_name("state.vlt")
        public.write_text(state.waiver(board.files), encoding="utf-8")
        extra = [*FLAGS, *write_headers(config, variant, generated), str(board.waivers), str(public)]
        build_so(board.top, board.files, CPP, {}, path, extra=extra)

    return cached(f"flip-{config.family.name}-{config.name}{variant.suffix}-{key}", ".so", make)


def _pack(registers: Path) -> None:
    """Make the fields of the generated register block a packed structure: no other is accessible."""
    before, type_, after = registers.read_text(encoding="utf-8").partition("} field_storage_t;")
    start = before.rindex("typedef struct {")
    packed = before[start:].replace("struct {", "struct packed {")
    registers.write_text(before[:start] + packed + type_ + after, encoding="utf-8")


class Upsets:
    """Flips bits of the newest board of a shared object."""

    def __init__(self, path: Path) -> None:
        self._library = ffi.dlopen(str(path))

    @property
    def cycles(self) -> int:
        """Clock cycles of the board since it was opened."""
        return int(self._library.perle_flip_cycles())

    def bits(self, kind: int) -> int:
        """Return how many bits registers (0) or memories (1) have."""
        return int(self._library.perle_flip_bits(kind))

    def arm(self, cycle: int, kind: int, bit: int) -> str:
        """Arrange to flip a bit at the end of a cycle; return the name of its register or word."""
        name = self._library.perle_flip_arm(cycle, kind, bit)
        if not name:
            raise IndexError(f"no bit {bit} of {self.bits(kind)}")
        text = ffi.string(name)
        assert isinstance(text, bytes)
        return text.decode()

    def disarm(self) -> int:
        """Cancel flips that were not made yet; return how many."""
        return int(self._library.perle_flip_disarm())
