# SPDX-License-Identifier: Apache-2.0
"""A file of test vectors: hexadecimal lines with comments, as `$readmemh` reads them."""

from __future__ import annotations

from dataclasses import dataclass, field

END = 0


@dataclass
class Stream:
    """The lines, and the testbench's parameters for them."""

    text: list[str] = field(default_factory=list)
    lines: int = 0
    checks: int = 0

    def comment(self, text: str) -> None:
        """Add a comment about the following lines."""
        self.text.append(f"// {text}")

    def put(self, *values: int) -> None:
        """Add values, one per line."""
        self.text += [f"{value:x}" for value in values]
        self.lines += len(values)

    def check(self, *values: int) -> None:
        """Add values that the testbench counts as one check."""
        self.put(*values)
        self.checks += 1

    def finished(self, title: str) -> str:
        """Return the whole file."""
        self.comment("end")
        self.put(END)
        return "\n".join(["// SPDX-License-Identifier: Apache-2.0", f"// {title}", *self.text]) + "\n"
