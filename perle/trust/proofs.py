# SPDX-License-Identifier: Apache-2.0
"""What is proved, each with the fault of its twin: cells at their real widths, multipliers at tiny ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from perle.cores.registry import CORES, Config, families

CHECKED = Path(__file__).with_name("checked")


@dataclass(frozen=True)
class Twin:
    """The same design broken: in the file of that name, `old` (once there) becomes `new`."""

    file: str
    old: str
    new: str


@dataclass(frozen=True)
class Proof:
    """What is shown: `top`, a file in checked/, over sources, with macros; `unbounded`, or `depth` cycles."""

    name: str
    claim: str
    top: str
    files: tuple[Path, ...]
    twin: Twin
    depth: int
    unbounded: bool
    macros: dict[str, object] = field(default_factory=dict)
    family: str = ""

    @property
    def sources(self) -> tuple[Path, ...]:
        """All files, the testbench last."""
        return (*self.files, CHECKED / f"{self.top}.sv")


def _cell(number: int, name: str, claim: str, files: tuple[str, ...], twin: Twin, depth: int) -> Proof:
    paths = tuple(CORES / one for one in files)
    macros: dict[str, object] = {"CELL": number}
    family = files[0].partition("/")[0]
    return Proof(f"cell {name}", claim, "perle_trust_cells", paths, twin, depth, True, macros, family)


KARATSUBA = tuple(f"karatsuba/perle_karatsuba_{name}.sv" for name in ("pkg", "delay", "add", "absdiff"))
OTHERS = ("scalable/perle_scalable_csa.sv", "stream/perle_stream_sum.sv")
CELLS = (
    _cell(
        *(0, "karatsuba_add", "a + b + carry, 130 bits in limbs of 33", (*KARATSUBA, *OTHERS)),
        *(Twin("perle_karatsuba_add.sv", "carry_q[0] <= first[Len]", "carry_q[0] <= 1'b0"), 6),
    ),
    _cell(
        *(1, "karatsuba_absdiff", "|x − y| and its sign, 65 bits in limbs of 33", (*KARATSUBA, *OTHERS)),
        *(Twin("perle_karatsuba_absdiff.sv", "negative_o <= !x_ge_y", "negative_o <= x_ge_y"), 5),
    ),
    _cell(
        *(
            2,
            "scalable_csa",
            "a + b + c saved as two numbers, words of 16 bits",
            (*OTHERS[:1], *KARATSUBA, OTHERS[1]),
        ),
        *(Twin("perle_scalable_csa.sv", "top_q && !first_i", "top_q"), 3),
    ),
    _cell(
        *(3, "stream_sum", "the digit of a sum and its carry, 18 bits", (*OTHERS[1:], *KARATSUBA, OTHERS[0])),
        *(Twin("perle_stream_sum.sv", "| (high_q & z)", ""), 10),
    ),
)

TINY: dict[str, dict[str, int]] = {
    "orup": {"Width": 3, "RadixBits": 3, "ChainSegments": 1},
    "iterative": {"Width": 3},
    "bit_systolic": {"Width": 3},
    "scalable": {"Width": 3, "WordWidth": 4, "Elements": 1},
    "karatsuba": {"Width": 4},
    "lowlat": {"Width": 3, "RadixBits": 3},
    "carry_save": {"Width": 3, "RadixBits": 2},
}
ONE = {"orup", "iterative", "scalable", "lowlat", "carry_save"}
"""Families with one request in flight."""
MANY = 32


def _multiplier(
    family: str,
    what: str,
    depth: int,
    twin: Twin,
    *,
    algebra: bool = False,
    unbounded: bool = False,
    steady: bool = True,
) -> Proof:
    one = families()[family]
    config = Config(one, "tiny", one.complete(TINY[family]))
    params, model = config.params, config.model
    base = params.get("RadixBits", 0) * (params.get("QuotientDelay", 0) + 1) if one.constants else 0
    macros: dict[str, object] = {
        "TOP": one.top,
        "PARAMS": ", ".join(f".{name}({value})" for name, value in params.items()),
        "BITS": config.operand_bits,
        "CONSTS": 1 + len(one.constants),
        "WIDTH": config.width,
        "LATEST": max(model.mul_cycles(params), model.reduce_cycles(params)),
        "REXP": model.r_exp(params),
        "BASE": base,
        "MOST": 1 if family in ONE else MANY,
        "ALGEBRA": int(algebra),
        "RESET": 0,
        "STEADY": int(steady),
    }
    name = f"{family} {'algebra' if algebra else 'handshake'}"
    return Proof(name, what, "perle_trust_mul", one.files, twin, depth, unbounded, macros, family)


HANDSHAKE = "no request lost, doubled or out of order; responses stable, in time, never unasked"
TAGS = "no request lost, doubled or out of order; valid and tag of a response stable, in time, never unasked"
ALGEBRA = "z·R ≡ x·y (mod M) in its range, for every odd M of 3 bits and all operands"


def proofs(only: str | None = None) -> list[Proof]:
    """Return all proofs, or those of a family."""
    every = [
        *CELLS,
        _multiplier(
            *("orup", HANDSHAKE, 34),
            Twin("perle_orup_mul.sv", "tag_q <= req_tag_i", "tag_q <= '0"),
            unbounded=True,
        ),
        _multiplier(
            *("iterative", HANDSHAKE, 40), Twin("perle_iterative_mul.sv", "tag_q <= req_tag_i", "tag_q <= '0")
        ),
        _multiplier(
            *("bit_systolic", HANDSHAKE, 30),
            Twin(
                "perle_bit_systolic_result_fifo.sv", "tag_o <= tags_q[answer_q[IdxBits-1:0]]", "tag_o <= '0"
            ),
        ),
        _multiplier(
            *("scalable", TAGS, 44),
            Twin("perle_scalable_mul.sv", "rsp_tag_o <= req_tag_i", "rsp_tag_o <= '0"),
            steady=False,
        ),
        _multiplier(
            *("karatsuba", TAGS, 24),
            Twin("perle_karatsuba_mul.sv", "tag: req_tag_i}", "tag: '0}"),
            steady=False,
        ),
        _multiplier(
            *("lowlat", HANDSHAKE, 24),
            Twin("perle_lowlat_core.sv", "if (accept) tag_q <= req_tag_i", "if (accept) tag_q <= '0"),
        ),
        _multiplier(
            *("carry_save", HANDSHAKE, 24),
            Twin("perle_carry_save_mul.sv", "tag_q <= req_tag_i", "tag_q <= '0"),
        ),
        _multiplier(
            *("iterative", ALGEBRA, 16),
            Twin("perle_iterative_segmented.sv", "count_q == CountBits'(1)", "count_q == CountBits'(2)"),
            algebra=True,
        ),
    ]
    return [one for one in every if only in (None, one.family)]
