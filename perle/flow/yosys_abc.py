# SPDX-License-Identifier: Apache-2.0
"""ABC as the program that the proofs' checker asks for, out of the Yosys of PyPI, which has it inside.

    python -m perle.flow.yosys_abc -c 'read_aiger model.aig; fold; strash; pdr'

What ABC prints is lost in Yosys's sandbox: its verdict comes in a file, and is printed here in ABC's own
words, as yowasp-sby reads them.
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
"""ABC's verdicts, in a status file and in what it prints."""
UNKNOWN = "snl_UNK"

ANY = "module any(input a, b, output y); assign y = a & b; endmodule\n"
"""Yosys calls ABC for a circuit only: this one."""


def verdict(commands: str, folder: Path) -> str:
    """Run commands of ABC, divided by semicolons, in a folder; returns its verdict, or "" if it has none.

    The last command may write a counterexample (write_cex): it ends them where there is none. bmc3 looks at
    so many cycles (-F): unless it did all of them, the property is undecided.
    """
    steps = [step.split() for step in commands.split(";") if step.strip()]
    at = next((index for index, step in enumerate(steps) if step[0] == "write_cex"), len(steps))
    with TemporaryDirectory(dir=folder, prefix="abc-") as scratch:
        here = Path(scratch)
        status = here / "status.txt"
        writes = ["write_status", f"{here.name}/{status.name}"]
        # Yosys wants its own circuit back.
        every = [["backup"], *steps[:at], writes, *steps[at:], ["restore"], ["strash"], ["map"]]
        script = ";".join(",".join(step) for step in every)
        (here / "any.v").write_text(ANY, encoding="utf-8")
        lines = (f"read_verilog {here.name}/any.v", "prep", "techmap", f"abc -g AND -script +{script}")
        # In the caller's group of processes: a checker whose time is over ends all of its group.
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
    """Do what `yosys-abc -c COMMANDS` does; exit code 1 unless ABC came to an end of them."""
    parser = argparse.ArgumentParser(prog="yosys-abc", description=__doc__)
    parser.add_argument("-c", dest="commands", required=True, metavar="COMMANDS")
    found = verdict(parser.parse_args(argv).commands, Path())
    print(found or "ABC wrote no verdict.", file=sys.stdout if found else sys.stderr)
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main())
