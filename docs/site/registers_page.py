# SPDX-License-Identifier: Apache-2.0
"""The reference of a board's registers, made of their SystemRDL description."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from docs.site import plain
from perle.boards import regs
from perle.boards.wrapper import shape
from perle.cores.registry import resolve

EXAMPLE = "orup:w1024"
WORD_BITS = 32
ABOUT = f"""
Every register and field of a board, for `{EXAMPLE}` on a bus of {WORD_BITS} bits. Addresses are the same
for 64 bits; other families have another number of constant banks. What a driver does with them is in
[the board](/perle/boards/README.md).
"""


def page() -> str:
    """Return the page, as Markdown."""
    with tempfile.TemporaryDirectory() as scratch:
        written = regs.reference(shape(resolve(EXAMPLE), WORD_BITS), Path(scratch) / "registers.md")
        text = written.read_text(encoding="utf-8")
    body = re.sub(r"\A<!--.*?-->\s*", "", text, flags=re.DOTALL)
    return f"{plain.SPDX}# Registers\n{ABOUT}\n{body}"
