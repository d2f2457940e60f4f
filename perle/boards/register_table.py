# SPDX-License-Identifier: Apache-2.0
"""The README's table of registers, from `board.rdl`.

Separate from `regs`, which every program with boards imports, because importing SystemRDL's compiler is slow.
"""

from __future__ import annotations

from systemrdl.compiler import RDLCompiler
from systemrdl.node import AddressableNode, FieldNode, MemNode, RegNode

from perle.boards.regs import RDL
from perle.tables import Table

# Markers of the table in the README.
TABLE_BEGIN = "<!-- registers: begin -->"
TABLE_END = "<!-- registers: end -->"


def _fields(node: AddressableNode) -> str:
    if not isinstance(node, RegNode):
        return ""
    return " · ".join(f"{_bits(field)} {field.inst_name}" for field in node.fields())


def _bits(field: FieldNode) -> str:
    return f"[{field.msb}]" if field.msb == field.lsb else f"[{field.msb}:{field.lsb}]"


def _access(node: AddressableNode) -> str:
    if isinstance(node, MemNode):
        return str(node.get_property("sw").name)
    ways = [field.get_property("sw").name for field in node.fields()] if isinstance(node, RegNode) else []
    return str(max(ways, key=len))


def table() -> str:
    """Return the registers as one Markdown table, a row per register or bank."""
    compiler = RDLCompiler()
    compiler.compile_file(str(RDL))
    found = Table(("address", "register", "access", "fields", "what it is"))
    for node in compiler.elaborate().top.children():
        if isinstance(node, AddressableNode):
            text = " ".join(str(node.get_property("desc")).split())
            address = f"0x{node.raw_absolute_address:04x}" if not node.is_array else _addresses(node)
            found.add(address, node.inst_name.upper(), _access(node), _fields(node), text)
    return found.markdown()


def _addresses(node: AddressableNode) -> str:
    return f"0x{node.raw_address_offset:04x} + 0x{node.array_stride or 0:x}·i"


def readme_with_table(text: str) -> str:
    """Return the README's text with its register table renewed."""
    head, rest = text.split(TABLE_BEGIN)
    tail = rest.split(TABLE_END)[1]
    return f"{head}{TABLE_BEGIN}\n\n{table()}\n{TABLE_END}{tail}"


if __name__ == "__main__":
    readme = RDL.with_name("README.md")
    readme.write_text(readme_with_table(readme.read_text(encoding="utf-8")), encoding="utf-8")
