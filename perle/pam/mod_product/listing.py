# SPDX-License-Identifier: Apache-2.0
"""Accesses of the modular product unit in readable form, and a product made of them."""

from __future__ import annotations

from perle.pam.mod_product.driving import load, load_b1, read, reduce_constant_time, result, to_montgomery
from perle.pam.mod_product.model import MULT_B1, MULT_B3, READ_P, SQUARE, WRITE_B, WRITE_B_ALIGN

Params = dict[str, int]
Access = tuple[bool, int, int]

_WRITES = {
    WRITE_B: "WriteB",
    WRITE_B_ALIGN: "WriteBAlign",
    SQUARE: "Square",
    MULT_B1: "MultB1",
    MULT_B3: "MultB3",
}


def text(params: Params, write: bool, addr: int) -> str:
    """Return the instruction of an access."""
    del params
    known = _WRITES.get(addr) if write else "ReadP" if addr == READ_P else None
    return known or f"{'write' if write else 'read'} {addr}"


def operand_bits(params: Params) -> int:
    """Bits that either factor of `product` may have."""
    return params["Width"]


def product(params: Params, a: int, b: int) -> list[Access]:
    """Return the accesses of a·b mod M, on a unit after reset or a read: into the domain and out of it."""
    times: list[Access] = [(True, MULT_B1, 0)]
    accesses = [*load(params, to_montgomery(params, a)), *times]
    accesses += [*load_b1(params, to_montgomery(params, b)), *times]
    return [*accesses, *load_b1(params, 1), *times, *read(params)]


def value(params: Params, a: int, b: int, reads: list[int]) -> int:
    """Return the product from what the reads of `product` returned, reduced."""
    del a, b
    return reduce_constant_time(params, result(params, reads))


def expected(params: Params, a: int, b: int) -> int:
    """Return the correct result of `value`."""
    return a * b % params["Modulus"]
