# SPDX-License-Identifier: Apache-2.0
"""`perle_<family>_exp`: perle_modexp connected to a family's multiplier, with a word port.

The file is generated from `exponentiator.sv.j2`, with parameters read from the header of the multiplier, and
cached; families need not provide it.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from perle.cores.registry import Family, exponentiator_files
from perle.flow.cache import cached, content_hash

PARAMETER = re.compile(r"^  (parameter|localparam) +(\w[\w ]*?) +(\w+) += (.+?),?$", re.MULTILINE)
OF_CONTRACT = {"Contexts", "TagBits"}
INPUTS = (
    *("wr_valid", "wr_bank", "wr_word", "wr_data", "rd_valid", "rd_word"),
    *("start", "cmd_op", "cmd_mode", "cmd_elen", "zeroize"),
)
OUTPUTS = ("rd_data", "busy", "done", "err")


class Parameter(NamedTuple):
    """A parameter in a module's header."""

    type: str
    name: str
    value: str


def parameters(source: Path) -> tuple[list[Parameter], list[Parameter]]:
    """Return a multiplier's own parameters, and those derived from them up to OperandBits.

    Raises ValueError if its header does not derive OperandBits.
    """
    found = PARAMETER.findall(source.read_text(encoding="utf-8").partition(") (\n")[0])
    own = [Parameter(*rest) for kind, *rest in found if kind == "parameter" and rest[1] not in OF_CONTRACT]
    derived = [Parameter(*rest) for kind, *rest in found if kind == "localparam"]
    names = [one.name for one in derived]
    if "OperandBits" not in names:
        raise ValueError(f"{source.name}: no localparam OperandBits in the module's header")
    return own, derived[: names.index("OperandBits") + 1]


@cache
def _template() -> Template:
    loader = FileSystemLoader(Path(__file__).parent)
    return Environment(
        loader=loader, trim_blocks=True, keep_trailing_newline=True,
        undefined=StrictUndefined, autoescape=False,  # noqa: S701 - no markup
    ).get_template("exponentiator.sv.j2")  # fmt: skip


def text(family: Family) -> str:
    """Return the text of perle_<family>_exp.sv."""
    own, derived = parameters(next(one for one in family.files if one.stem == family.top))
    return _template().render(
        name=top(family),
        top=family.top,
        core=family.forwarding or family.top,
        package=f"perle_{family.name}_pkg",
        parameters=own,
        derived=derived,
        forwarding=bool(family.forwarding),
        registered=bool(family.port_cycles),
        inputs=INPUTS,
        outputs=OUTPUTS,
    )


def top(family: Family) -> str:
    """Return the name of a family's exponentiator."""
    return f"perle_{family.name}_exp"


def source(family: Family) -> Path:
    """Return the file of a family's exponentiator, cached by its content."""
    made = text(family)
    folder = cached(f"exp-{content_hash([], made)}", "", lambda path: _write(path, f"{top(family)}.sv", made))
    return folder / f"{top(family)}.sv"


def _write(folder: Path, name: str, made: str) -> None:
    folder.mkdir()
    (folder / name).write_text(made, encoding="utf-8")


def files(family: Family) -> tuple[Path, ...]:
    """Return all files of an exponentiator, in compile order."""
    return (*family.files, *exponentiator_files(family), source(family))
