# SPDX-License-Identifier: Apache-2.0
"""`perle_<family>_exp`: perle_modexp and a family's multiplier joined behind a word port.

Its parameters are read from the header of the multiplier, so that no family writes this file:
`python -m perle.cores.modexp.frame --write` makes all of them from `exponentiator.sv.j2`; a test compares.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from perle.cores.registry import Family, families

FOLDER = Path(__file__).parent
PARAMETER = re.compile(r"^  (parameter|localparam) +(\w[\w ]*?) +(\w+) += (.+?),?$", re.MULTILINE)
OF_CONTRACT = {"Contexts", "TagBits"}
INPUTS = [
    "wr_valid",
    "wr_window",
    "wr_word",
    "wr_data",
    "rd_valid",
    "rd_word",
    "start",
    "cmd_op",
    "cmd_mode",
    "cmd_elen",
    "wipe",
]
OUTPUTS = ["rd_data", "busy", "done", "err"]


class Parameter(NamedTuple):
    """A parameter in a module's header."""

    type: str
    name: str
    value: str


def parameters(source: Path) -> tuple[list[Parameter], list[Parameter]]:
    """Return a multiplier's own parameters, and what is derived from them up to OperandBits.

    ValueError where its header derives no OperandBits.
    """
    found = PARAMETER.findall(source.read_text(encoding="utf-8").partition(") (\n")[0])
    own = [Parameter(*rest) for kind, *rest in found if kind == "parameter" and rest[1] not in OF_CONTRACT]
    derived = [Parameter(*rest) for kind, *rest in found if kind == "localparam"]
    names = [one.name for one in derived]
    if "OperandBits" not in names:
        raise ValueError(f"{source.name}: no localparam OperandBits in the module's header")
    return own, derived[: names.index("OperandBits") + 1]


def path(family: Family) -> Path:
    """Return where a family's exponentiator is."""
    return family.folder / f"perle_{family.name}_exp.sv"


def text(family: Family) -> str:
    """Return the text of perle_<family>_exp.sv."""
    loader = FileSystemLoader(FOLDER)
    environment = Environment(
        loader=loader, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
        undefined=StrictUndefined, autoescape=False,  # noqa: S701 - no markup
    )  # fmt: skip
    own, derived = parameters(next(one for one in family.files if one.stem == family.top))
    return environment.get_template("exponentiator.sv.j2").render(
        name=path(family).stem,
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


def main(arguments: list[str]) -> int:
    """Write all of them, or say which are not up to date."""
    write = arguments == ["--write"]
    old = [one for one in families().values() if not _is_current(one)]
    for family in old:
        if write:
            path(family).write_text(text(family), encoding="utf-8")
        sys.stdout.write(f"{'wrote' if write else 'not up to date:'} {path(family).name}\n")
    return int(bool(old) and not write)


def _is_current(family: Family) -> bool:
    return path(family).exists() and path(family).read_text(encoding="utf-8") == text(family)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
