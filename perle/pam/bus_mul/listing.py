# SPDX-License-Identifier: Apache-2.0
"""Accesses of the bus multiplier in readable form, and a product made of them."""

from __future__ import annotations

from perle.pam.bus_mul.model import READ_P, WRITE_A, WRITE_B, WRITE_S, Product, lengths, pipelined, results

Params = dict[str, int]
Access = tuple[bool, int, int]

_WRITES = {WRITE_A: "WriteA", WRITE_B: "WriteB", WRITE_S: "WriteS"}


def text(params: Params, write: bool, addr: int) -> str:
    """Return the instruction of an access."""
    del params
    known = _WRITES.get(addr) if write else "ReadP" if addr == READ_P else None
    return known or f"{'write' if write else 'read'} {addr}"


def operand_bits(params: Params) -> int:
    """Bits that either factor of `product` may have."""
    return params["Words"] * params["WordBits"]


def product(params: Params, a: int, b: int) -> list[Access]:
    """Return the accesses of a·b on a board whose row of full adders is empty."""
    return pipelined(params, [_product(params, a, b)])


def value(params: Params, a: int, b: int, reads: list[int]) -> int:
    """Return the product from what the reads of `product` returned."""
    return results(params, [_product(params, a, b)], reads)[0]


def expected(params: Params, a: int, b: int) -> int:
    """Return the correct result of `value`."""
    del params
    return a * b


def _product(params: Params, a: int, b: int) -> Product:
    bits = params["WordBits"]
    words = next(words for words in lengths(params) if a >> bits * words == 0)
    return Product(a, b, 0, max(1, -(-b.bit_length() // bits)), words)
