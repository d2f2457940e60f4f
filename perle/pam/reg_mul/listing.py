# SPDX-License-Identifier: Apache-2.0
"""Accesses of the register multiplier in readable form, and a product made of them."""

from __future__ import annotations

from perle.pam.reg_mul.model import (
    SPECIFIER_BITS,
    VALID,
    Op,
    charge,
    close,
    join,
    mult,
    read_register,
    segments,
    write_register,
)

Params = dict[str, int]
Access = tuple[bool, int, int]

_A, _B, _LOW, _HIGH = range(4)


def text(params: Params, write: bool, addr: int) -> str:
    """Return the instruction of an access: Charge(a, s0, p1), Mult(b, s1, p0), WriteR or ReadR of a word."""
    op, fields = addr >> 3 * SPECIFIER_BITS, [addr >> SPECIFIER_BITS * i for i in (2, 1, 0)]
    if op == Op.REGISTER and addr < params["Registers"] * segments(params):
        n, d = divmod(addr, segments(params))
        return f"{'WriteR' if write else 'ReadR'} R{n}[{d}]"
    if not write or op not in (Op.CHARGE, Op.MULT):
        return f"{'write' if write else 'read'} {addr:#x}"
    named = (f"R{field & (VALID - 1)}" if field & VALID else "-" for field in fields)
    return f"{Op(op).name.capitalize()}({', '.join(named)})"


def operand_bits(params: Params) -> int:
    """Bits that either factor of `product` may have."""
    return params["Width"]


def product(params: Params, a: int, b: int) -> list[Access]:
    """Return the accesses of a·b, with registers in any state."""
    load = [*write_register(params, _A, a), *write_register(params, _B, b)]
    work = [charge(_A, None, None), mult(_B, None, _LOW), close(_HIGH)]
    read = [*read_register(params, _LOW), *read_register(params, _HIGH)]
    return [(one.write, one.addr, one.data) for one in (*load, *work, *read)]


def value(params: Params, a: int, b: int, reads: list[int]) -> int:
    """Return the product from what the reads of `product` returned."""
    del a, b
    return join(params, reads)


def expected(params: Params, a: int, b: int) -> int:
    """Return the correct result of `value`."""
    del params
    return a * b
