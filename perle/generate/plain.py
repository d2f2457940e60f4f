# SPDX-License-Identifier: Apache-2.0
"""A copy of the hardware in Verilog-2005, written by Yosys, for tools with little support of SystemVerilog.

The hierarchy is kept; equal modules become one. Where simulators see other code than synthesis (`ifndef
SYNTHESIS` in the sources), both versions are included.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from perle.flow import yosys
from perle.flow.cache import cached, content_hash
from perle.flow.tools import version

Modules = dict[str, str]

TIMEOUT = 3600.0
# Attributes about the sources or for no tool are removed; `keep` and similar ones stay.
SPOKEN = "-unset src -unset hdlname -unset full_case -unset top"
# Makes the write of a whole word one statement again, and products as wide as their factors, so that other
# tools recognize memories and multipliers.
SCRIPT = (
    "hierarchy -check",
    "bwmuxmap",
    "opt_expr",
    "opt_reduce",
    "wreduce t:$mul",
    "opt_clean",
    f"setattr {SPOKEN} *",
    f"setattr -mod {SPOKEN} *",
)

# A module with the attributes before it; its name, which Yosys derives from an instance, is a separate group.
MODULE = re.compile(r"^((?:\(\*.*\*\)\n)*)module (\S+) ?(\((?s:.*?)^endmodule\n)", re.MULTILINE)
ESCAPED = re.compile(r"\\\S+ ")


def plain(hardware: Mapping[str, str], top: str) -> str:
    """Return the module `top` and all modules below it; `hardware` has sources by name, in compile order."""
    key = content_hash([Path(__file__)], list(hardware.items()), top, version(yosys.TOOL))
    return cached(f"plain-{key}", ".v", partial(_write, hardware, top)).read_text(encoding="utf-8")


def _write(hardware: Mapping[str, str], top: str, out: Path) -> None:
    synthesis = _view(hardware, top)
    two = {Path(name).stem for name, text in hardware.items() if "SYNTHESIS" in text}
    simulation = _view(hardware, top, "--no-synthesis-define") if two else {}
    views = {
        name: (text, simulation[name] if _base(name) in two else text) for name, text in synthesis.items()
    }
    head = f"""\
// SPDX-License-Identifier: Apache-2.0
//
// {top} and all modules of it in Verilog-2005: written by Yosys from ../rtl, not to be edited.

"""
    out.write_text(head + "\n".join(_merged(views, top)), encoding="utf-8")


def _view(hardware: Mapping[str, str], top: str, *options: str) -> Modules:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        names = [f"{index:02d}_{Path(name).name}" for index, name in enumerate(hardware)]
        for name, text in zip(names, hardware.values(), strict=True):
            (folder / name).write_text(text, encoding="utf-8")
        read = " ".join([yosys.read(names, top, {}), "--keep-hierarchy --ignore-assertions", *options])
        yosys.execute([read, *SCRIPT, "write_verilog out.v"], folder, timeout=TIMEOUT)
        text = (folder / "out.v").read_text(encoding="utf-8")
    return {name: f"{before}module @ {rest}" for before, name, rest in MODULE.findall(text)}


def _base(module: str) -> str:
    """Return the name of a module in the sources."""
    return module.removeprefix("\\").partition("$")[0]


def _merged(views: Mapping[str, tuple[str, str]], top: str) -> list[str]:
    """Return the texts of all modules with their names in the sources; variants are numbered.

    `views`: the texts for synthesis and for simulators, by Yosys's name of the module.
    """
    names: dict[str, str] = {}
    written: dict[tuple[str, str], str] = {}

    def name_of(module: str) -> str:
        if module not in names:
            own, other = (ESCAPED.sub(known, text) for text in views[module])
            base = _base(module)
            variants = [name for name in written.values() if re.fullmatch(rf"{base}(_v\d+)?", name)]
            new = f"{base}_v{len(variants) + 1}" if variants else base
            names[module] = written.setdefault((own, other), new)
        return names[module]

    def known(found: re.Match[str]) -> str:
        module = found[0].removesuffix(" ")
        return f"{name_of(module)} " if module in views else found[0]

    name_of(top)
    return [_both(*texts).replace("module @", f"module {name}") for texts, name in written.items()]


def _both(synthesis: str, simulation: str) -> str:
    if synthesis == simulation:
        return synthesis
    return f"`ifdef SYNTHESIS\n{synthesis}`else\n{simulation}`endif  // SYNTHESIS\n"
