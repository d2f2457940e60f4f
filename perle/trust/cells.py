# SPDX-License-Identifier: Apache-2.0
"""Leaf cells that are proved, at their real widths if that is feasible, each with the fault of its twin.

Other leaf cells, which contain no module either, are named by `without_proof`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from perle.cores.registry import families

KARATSUBA = ("karatsuba/perle_karatsuba_pkg.sv", "karatsuba/perle_karatsuba_delay.sv")
ROW = "carry_save/perle_carry_save_pkg.sv"
TILE = "tile/perle_tile_adder.sv"


@dataclass(frozen=True)
class Cell:
    """A cell: its testbench in checked/ and its number there, the claim, its file, the fault.

    The fault replaces `old`, which occurs once in `file`, by `new`. `beside` are other files that the cell
    uses; `depth` is the number of cycles of the induction.
    """

    top: str
    number: int
    claim: str
    file: str
    old: str
    new: str
    depth: int
    beside: tuple[str, ...] = ()

    @property
    def family(self) -> str:
        """The family in whose folder the cell is."""
        return self.file.partition("/")[0]

    @property
    def name(self) -> str:
        """Name of the proof."""
        return "cell " + self.file.rpartition("/")[2].removeprefix("perle_").removesuffix(".sv")


CELLS = (
    Cell(
        "perle_trust_cells",
        0,
        "a + b + carry, 130 bits in limbs of 33",
        "karatsuba/perle_karatsuba_add.sv",
        "carry_q[0] <= first[Len]",
        "carry_q[0] <= 1'b0",
        6,
        KARATSUBA,
    ),
    Cell(
        "perle_trust_cells",
        1,
        "|x − y| and its sign, 65 bits in limbs of 33",
        "karatsuba/perle_karatsuba_absdiff.sv",
        "negative_o <= !x_ge_y",
        "negative_o <= x_ge_y",
        5,
        (*KARATSUBA, "karatsuba/perle_karatsuba_add.sv"),
    ),
    Cell(
        "perle_trust_cells",
        2,
        "a + b + c saved as two numbers, words of 16 bits",
        "scalable/perle_scalable_csa.sv",
        "top_q && !first_i",
        "top_q",
        3,
    ),
    Cell(
        "perle_trust_cells",
        3,
        "the digit of a sum and its carry, 18 bits",
        "stream/perle_stream_sum.sv",
        "| (high_q & z)",
        "",
        10,
    ),
    Cell(
        "perle_trust_adders",
        0,
        "carries between 30 digits",
        "lowlat/perle_lowlat_carry_resolve.sv",
        "out_q <= sum_l[Lower]",
        "out_q <= 1'b0",
        3,
        (ROW,),
    ),
    Cell(
        "perle_trust_adders",
        1,
        "|a − b| and its sign, or a, 54 bits",
        "tile/perle_tile_difference.sv",
        ".carry_i(negative_o)",
        ".carry_i(1'b0)",
        4,
        (ROW, TILE),
    ),
    Cell(
        "perle_trust_adders",
        2,
        "|a − b| and its sign, 18 bits",
        "tile/perle_tile_digit_difference.sv",
        ".flip_i (negative_o)",
        ".flip_i (1'b0)",
        3,
        (ROW, TILE),
    ),
    Cell(
        "perle_trust_adders",
        3,
        "the middle of a product, 26 bits with a carry per limb of 7",
        "karatsuba/perle_karatsuba_csa.sv",
        "(i == 0) ? 1'b0 :",
        "(i <= 1) ? 1'b0 :",
        4,
        (ROW, *KARATSUBA),
    ),
    Cell(
        "perle_trust_adders",
        4,
        "s + carries ± g, 26 bits in limbs of 7",
        "karatsuba/perle_karatsuba_addsub.sv",
        "assign carry = sub_i[0]",
        "assign carry = 1'b0",
        6,
        (ROW, *KARATSUBA),
    ),
    Cell(
        "perle_trust_adders",
        5,
        "two words become one, 30 bits in segments of 3",
        "carry_save/perle_carry_save_resolve.sv",
        "passing[s] = propagate_q[s] & passing[s-1]",
        "passing[s] = propagate_q[s]",
        7,
        (ROW,),
    ),
    Cell(
        "perle_trust_adders",
        6,
        "a multiple by −5 … 10 in three rows, 30 bits",
        "carry_save/perle_carry_save_multiple.sv",
        "{~highest[r].minus, product[r], 1'b0, lowest[r-1].minus}",
        "{~highest[r].minus, product[r], 1'b0, 1'b0}",
        3,
        (ROW,),
    ),
    Cell(
        "perle_trust_adders",
        7,
        "nine words become two, 3 bits",
        "carry_save/perle_carry_save_tree.sv",
        "| (b & c)",
        "",
        1,
        (ROW,),
    ),
)


COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
INSIDE = re.compile(r"\b(perle_\w+)\s*(?:#\s*\(|\w+\s*(?:\[[^\]]*\]\s*)?\()")
"""The name of a module where it is instantiated."""


def leaves(files: Iterable[Path]) -> list[str]:
    """Return the modules among these files that contain none of the others."""
    texts = {path.stem: COMMENT.sub("", path.read_text(encoding="utf-8")) for path in files}
    modules = {name for name, text in texts.items() if re.search(rf"\bmodule\s+{name}\b", text)}
    return sorted(name for name in modules if not modules & set(INSIDE.findall(texts[name])) - {name})


def unproved() -> dict[str, list[str]]:
    """Return the leaf cells of each family's multiplier that no proof covers on their own."""
    proved = {Path(cell.file).stem for cell in CELLS}
    return {
        name: [leaf for leaf in leaves(family.files) if leaf not in proved]
        for name, family in families().items()
    }


def without_proof() -> str:
    """Return them in words."""
    found = [
        f"{name} ({', '.join(leaf.removeprefix('perle_').removeprefix(f'{name}_') for leaf in left)})"
        for name, left in sorted(unproved().items())
        if left
    ]
    return "the leaf cells of " + ", ".join(found)
