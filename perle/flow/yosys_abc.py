# SPDX-License-Identifier: Apache-2.0
"""ABC as a program for the checker of the proofs, by the ABC in Yosys's PyPI package.

    python -m perle.flow.yosys_abc -c 'read_aiger model.aig; fold; strash; pdr'

ABC's output is lost in Yosys's sandbox: its verdict is read from a file, and printed here in ABC's format,
which yowasp-sby parses.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from perle.flow.tools import venv_tool
from perle.flow.yosys import TOOL

WORDS = {
    "snl_UNSAT": "Property proved.",
    "snl_SAT": "Output 0 of miter model was asserted in frame 0.",
}
"""ABC's verdicts: as written to its status file, and as printed."""
UNKNOWN = "snl_UNK"

ANY = "module any(input a, b, output y); assign y = a & b; endmodule\n"
"""A minimal circuit: Yosys calls ABC only if there is one."""


def verdict(commands: str, folder: Path) -> str:
    """Run ABC commands, separated by semicolons, in a folder; return its verdict, or "" if there is none.

    The last command may be write_cex, which fails if there is no counterexample. bmc3 checks a number of
    cycles (-F): unless it completes all of them, the property is undecided.
    """
    steps = [step.split() for step in commands.split(";") if step.strip()]
    at = next((index for index, step in enumerate(steps) if step[0] == "write_cex"), len(steps))
    with TemporaryDirectory(dir=folder, prefix="abc-") as scratch:
        here = Path(scratch)
        status = here / "status.txt"
        writes = ["write_status", f"{here.name}/{status.name}"]
        # Yosys expects its own circuit back.
        every = [["backup"], *steps[:at], writes, *steps[at:], ["restore"], ["strash"], ["map"]]
        script = ";".join(",".join(step) for step in every)
        (here / "any.v").write_text(ANY, encoding="utf-8")
        lines = (f"read_verilog {here.name}/any.v", "prep", "techmap", f"abc -g AND -script +{script}")
        # In the caller's process group: after a timeout the checker ends its whole group.
        subprocess.run([venv_tool(TOOL), "-q", "-p", "; ".join(lines)], cwd=folder, check=False)
        said = status.read_text(encoding="utf-8").split() if status.exists() else []
    if said[:1] == [UNKNOWN]:
        return _after_cycles(steps[at - 1], int(said[1]) + 1)
    return WORDS.get(said[0], "") if said else ""


def _after_cycles(step: list[str], cycles: int) -> str:
    if step[0] == "bmc3" and cycles >= int(step[step.index("-F") + 1]):
        return f"No output asserted in {cycles} frames."
    return "Property undecided."


def main(argv: Sequence[str] | None = None) -> int:
    """Act like `yosys-abc -c COMMANDS`; exit code 1 unless ABC completed them."""
    parser = argparse.ArgumentParser(prog="yosys-abc", description=__doc__)
    parser.add_argument("-c", dest="commands", required=True, metavar="COMMANDS")
    found = verdict(parser.parse_args(argv).commands, Path())
    print(found or "ABC wrote no verdict.", file=sys.stdout if found else sys.stderr)
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main())
