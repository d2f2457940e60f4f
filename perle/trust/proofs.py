# SPDX-License-Identifier: Apache-2.0
"""The proofs, each with the fault of its twin: cells, the bus of a board, multipliers at tiny widths."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from perle.boards.regs import BUS, RDL, register_block
from perle.boards.sources import HERE as BOARDS
from perle.boards.wrapper import Shape
from perle.cores.registry import CORES, Config, families
from perle.trust.cells import CELLS, Cell

CHECKED = Path(__file__).with_name("checked")


class Method(StrEnum):
    """Method of a proof: bounded to a depth after a reset, or for all cycles by one of three others.

    Property-directed reachability (IC3) finds invariants automatically, but not if they involve arithmetic.
    From rest: lemmas (checked/) say what a multiplier is at rest, and a bounded check that begins in any such
    state, or in a reset, ends in one again. So every run from a reset is a sequence of runs that are checked.
    """

    BOUNDED = "bounded"
    INDUCTION = "induction"
    REACHABILITY = "reachability"
    FROM_REST = "from rest to rest"
    SIMULATION = "simulation"
    """Every case, one after the other (`perle.trust.exhaustive`)."""


@dataclass(frozen=True)
class Twin:
    """The fault of a twin: in the file of that name, `old`, which occurs once, becomes `new`."""

    file: str
    old: str
    new: str


@dataclass(frozen=True)
class Proof:
    """A proof: `top`, a file in checked/, its sources and macros; reachability has no `depth`."""

    name: str
    claim: str
    top: str
    files: tuple[Path, ...]
    twin: Twin
    how: Method
    depth: int
    macros: dict[str, object] = field(default_factory=dict)
    family: str = ""
    beside: tuple[str, ...] = ()
    """Further files in checked/ that the testbench needs."""
    free: tuple[str, ...] = ()
    """Modules left out: their outputs are arbitrary in every cycle, so that a proof holds with them too."""
    made: Callable[[Path], list[Path]] = lambda _folder: []
    """Writes generated files to a folder and returns their paths; they are compiled first."""
    made_of: tuple[Path, ...] = ()
    refuted_in: int = 0
    """Cycles after a reset in which bounded model checking refutes the twin; 0: the proof's method does."""

    @property
    def sources(self) -> tuple[Path, ...]:
        """All its files, the testbench last."""
        return (*self.files, *(CHECKED / f"{name}.sv" for name in (*self.beside, self.top)))


TINY: dict[str, dict[str, int]] = {
    "orup": {"Width": 3, "RadixBits": 3, "ChainSegments": 1},
    "iterative": {"Width": 3},
    "bit_systolic": {"Width": 3},
    "scalable": {"Width": 3, "WordWidth": 4, "Elements": 1},
    "karatsuba": {"Width": 4},
    "lowlat": {"Width": 3, "RadixBits": 3},
    "carry_save": {"Width": 3, "RadixBits": 2},
    "stream": {"Width": 3, "RadixBits": 3},
    "tile": {"Width": 3, "RadixBits": 3},
}
"""Parameters of the proofs, some narrower than those that may be chosen."""
ONE = {"orup", "iterative", "scalable", "lowlat", "carry_save", "tile"}
"""Families with at most one request in flight."""
MANY = 32

HANDSHAKE = "no request lost, doubled or out of order; responses stable, in time, never unasked"
WHATEVER = "; whatever words its memories give"
ALGEBRA = (
    "z·R ≡ x·y (mod M) in its range, for every odd M of up to {} bits and all operands of the first request"
)
EVERY = "z·R ≡ x·y (mod M) in its range, for every odd M of up to {} bits and all operands, each simulated"
LEMMAS = {"bit_systolic": (2, 36), "karatsuba": (1, 28), "stream": (1, 116)}
"""Families with many requests in flight, whose handshakes are proved by induction with lemmas (checked/), as
reachability gave no result within 15 minutes, or five for stream: steps of the induction, cycles in which the
twin is refuted."""
FROM_REST = {"tile"}
"""Families with one request in flight whose handshakes are proved from rest to rest, with lemmas (checked/),
as reachability gave no result within 15 minutes."""
AROUND = 3
"""Cycles of such a proof besides the latency: the request's, the response's, and one in which it is late."""
FREE = {"tile": ("perle_tile_memory",)}
"""For handshakes of families whose control is large: the memories, on whose words no control depends."""
TWINS = {
    "orup": Twin("perle_orup_mul.sv", "tag_q <= req_tag_i", "tag_q <= '0"),
    "iterative": Twin("perle_iterative_mul.sv", "tag_q <= req_tag_i", "tag_q <= '0"),
    "bit_systolic": Twin(
        "perle_bit_systolic_result_fifo.sv", "tag_o <= tags_q[answer_q[IdxBits-1:0]]", "tag_o <= '0"
    ),
    "scalable": Twin("perle_scalable_mul.sv", "rsp_tag_o <= req_tag_i", "rsp_tag_o <= '0"),
    "karatsuba": Twin("perle_karatsuba_mul.sv", "tag: req_tag_i}", "tag: '0}"),
    "lowlat": Twin("perle_lowlat_core.sv", "if (accept) tag_q <= req_tag_i", "if (accept) tag_q <= '0"),
    "carry_save": Twin("perle_carry_save_mul.sv", "tag_q <= req_tag_i", "tag_q <= '0"),
    "stream": Twin("perle_stream_inflight_fifo.sv", "delayed_tag_q <= tag_i", "delayed_tag_q <= '0"),
    "tile": Twin("perle_tile_mul.sv", "req_ctx_i, req_tag_i}", "req_ctx_i, TagBits'(0)}"),
}
"""For each family, a fault that loses the tag of a request."""
ALGEBRA_WIDTH = {"iterative": 5, "bit_systolic": 5, "orup": 4, "scalable": 4, "karatsuba": 5, "stream": 4}
"""Widths of M at which the algebra is decided within ten minutes, where these exceed those of TINY."""
ALGEBRA_TWINS = {
    "iterative": Twin("perle_iterative_segmented.sv", "count_q == CountBits'(1)", "count_q == CountBits'(2)"),
    "bit_systolic": Twin("perle_bit_systolic_cells.sv", "(s & c) | (x & c)", "(s & c)"),
    "orup": Twin("perle_orup_pe.sv", "(base & hi_i) | (lo_o & hi_i)", "(base & hi_i)"),
    "scalable": Twin("perle_scalable_csa.sv", "(a_i & c_i) | (b_i & c_i)", "(a_i & c_i)"),
    "stream": Twin("perle_stream_sum.sv", "(low & z) | (high_q & z)", "(low & z)"),
    "karatsuba": Twin("perle_karatsuba_exit.sv", "canon_i && (differs_q == '0)", "1'b0"),
    "carry_save": Twin(
        "perle_carry_save_mul.sv",
        "minus = value[2*r+1] && (value[2*r] ^ recoded.carry)",
        "minus = value[2*r+1] && value[2*r]",
    ),
}
"""For each family whose algebra is proved, an arithmetic fault."""
SIMULATED_TWINS = {
    "lowlat": Twin("perle_lowlat_element.sv", "ones = {|c_o, |c_o[2:1]}", "ones = {|c_o, 1'b0}"),
    "tile": Twin("perle_tile_accumulator.sv", "LowBits'($signed(carry))", "LowBits'(carry)"),
}
"""The same for the others. Their operands are larger even at the least width (below 8,190 of lowlat), and
model checking does not decide their products within ten minutes, so that every product is simulated."""
ALGEBRA_MORE = {"stream": 65}
"""Cycles from a reset to the first result besides the latency: stream first empties its pipeline."""
RESET = 3
"""Cycles of the reset, and those in which a request is offered and its response taken."""


def _cell(one: Cell) -> Proof:
    files = tuple(CORES / path for path in (*one.beside, one.file))
    twin = Twin(one.file.rpartition("/")[2], one.old, one.new)
    macros: dict[str, object] = {"CELL": one.number}
    return Proof(one.name, one.claim, one.top, files, twin, Method.INDUCTION, one.depth, macros, one.family)


def tiny(family: str, *, algebra: bool = False) -> Config:
    """Return a family's configuration at its tiny width, or at the width at which its algebra is proved."""
    one, params = families()[family], dict(TINY[family])
    if algebra and family in ALGEBRA_WIDTH:
        params["Width"] = ALGEBRA_WIDTH[family]
    return Config(one, "tiny", {**one.complete({}), **params})


def _latency(config: Config) -> int:
    params, model = config.params, config.model
    return max(model.mul_cycles(params), model.reduce_cycles(params))


def _multiplier(family: str, twin: Twin, how: Method, depth: int, *, algebra: bool = False) -> Proof:
    one = families()[family]
    config = tiny(family, algebra=algebra)
    params, model = config.params, config.model
    macros: dict[str, object] = {
        "TOP": one.top,
        "PARAMS": ", ".join(f".{name}({value})" for name, value in params.items()),
        "BITS": config.operand_bits,
        "CONSTS": 1 + len(one.constants),
        "WIDTH": config.width,
        "LATEST": _latency(config),
        "REXP": model.r_exp(params),
        "TABLE": _table(config),
        "MOST": 1 if family in ONE else MANY,
        "ALGEBRA": int(algebra),
        "START": int(how != Method.FROM_REST),
        "RESET": int(how in (Method.INDUCTION, Method.REACHABILITY)),
    }
    name = f"{family} {'algebra' if algebra else 'handshake'}"
    beside: tuple[str, ...] = ()
    if algebra:
        beside = ("perle_trust_alone",)
    elif how == Method.INDUCTION:
        beside = ("perle_trust_line", f"perle_trust_{family}")
    elif how == Method.FROM_REST:
        beside = (f"perle_trust_{family}",)
    free = () if algebra else FREE.get(family, ())
    claim = ALGEBRA.format(config.width) if algebra else HANDSHAKE + (WHATEVER if free else "")
    return Proof(name, claim, "perle_trust_mul", one.files, twin, how, depth, macros, family, beside, free)


def _table(config: Config) -> str:
    """Return the cases of the testbench: for each odd modulus its constants, and the limit of operands."""
    params, model, bits, found = config.params, config.model, config.operand_bits, []
    for m in range(3, 1 << config.width, 2):
        constants = model.constants(params, m)
        values = [*(constants[name] for name in reversed(config.family.constants)), m]
        listed = ", ".join(f"{bits}'h{value:x}" for value in values)
        limit = f"{bits + 1}'h{model.operand_limit(params, m):x}"
        found.append(f"{m}: {{limit, constants}} = {{{limit}, {listed}}};")
    return " ".join(found)


def _handshake(family: str) -> Proof:
    if family in LEMMAS:
        depth, refuted_in = LEMMAS[family]
        return replace(_multiplier(family, TWINS[family], Method.INDUCTION, depth), refuted_in=refuted_in)
    if family in FROM_REST:
        depth = _latency(tiny(family)) + AROUND
        return _multiplier(family, TWINS[family], Method.FROM_REST, depth)
    return _multiplier(family, TWINS[family], Method.REACHABILITY, 0)


def _algebra(family: str) -> Proof:
    depth = _latency(tiny(family, algebra=True)) + ALGEBRA_MORE.get(family, 0) + RESET
    return _multiplier(family, ALGEBRA_TWINS[family], Method.BOUNDED, depth, algebra=True)


def _simulated(family: str) -> Proof:
    one = _multiplier(family, SIMULATED_TWINS[family], Method.SIMULATION, 0, algebra=True)
    return replace(
        one, name=family, claim=EVERY.format(one.macros["WIDTH"]), top="perle_trust_every", beside=()
    )


PACKAGE = CORES / "prim/perle_pkg.sv"
BOARD = (
    Proof(
        "bus registers",
        "AXI4-Lite for hosts that offer address and data of a write together; SLVERR where it belongs; "
        "a start, a zeroization, a word for each write of one",
        "perle_trust_regs",
        (PACKAGE, BOARDS / "perle_board_regs.sv"),
        Twin("perle_board_regs.sv", "assign wr_full = &hw_out.x.wr_biten", "assign wr_full = 1'b1"),
        Method.REACHABILITY,
        0,
        beside=("perle_trust_axil",),
        made=lambda folder: register_block(Shape(64, 96, 32, 3), folder),
        made_of=(RDL, BUS),
    ),
    Proof(
        "bus lanes",
        "AXI4-Lite on both sides; every access, all of it, goes to the lane of its address, and waits for "
        "nothing else; DECERR for none",
        "perle_trust_demux",
        (PACKAGE, BUS, BOARDS / "perle_axil_demux.sv"),
        Twin("perle_axil_demux.sv", "if (w_take) w_taken_q <= 1'b1", "w_taken_q <= 1'b0"),
        Method.REACHABILITY,
        0,
        beside=("perle_trust_axil",),
    ),
)


def proofs(only: str | None = None) -> list[Proof]:
    """Return all proofs, or those of a family."""
    every = [
        *map(_cell, CELLS),
        *BOARD,
        *map(_handshake, TWINS),
        *map(_algebra, ALGEBRA_TWINS),
    ]
    return [one for one in every if only in (None, one.family)]


def simulated(only: str | None = None) -> list[Proof]:
    """Return what is shown by simulation of every case, or that of a family."""
    return [_simulated(name) for name in SIMULATED_TWINS if only in (None, name)]


def not_proved() -> str:
    """Return the families whose algebra is not proved by a model checker."""
    return "the algebra of " + ", ".join(sorted(families().keys() - ALGEBRA_TWINS.keys()))
