# SPDX-License-Identifier: Apache-2.0
"""Integers of any length on a board that multiplies them: the binding of `perle_bignum.h`.

Arguments and results are Python integers. `Bignum.cost` has the modelled time of all calls, and that of
schoolbook software on the same host.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from perle.host._handle import Handle
from perle.host._headers import ffi
from perle.host._lib import held, library, record
from perle.host.pam.system import System, Timing

WORD_BITS = 32
BYTE_BITS = 8


@dataclass(frozen=True)
class Cost:
    """Modelled time in picoseconds, with the board and in software; products of words by board and host."""

    now_ps: int
    bus_ps: int
    waited_ps: int
    host_ps: int
    software_ps: int
    products: int
    word_products: int
    host_word_products: int

    @property
    def speedup(self) -> float:
        """Speed relative to software alone; 1 if nothing was computed."""
        return self.software_ps / self.now_ps if self.now_ps else 1.0

    @property
    def board_share(self) -> float:
        """The board's share of all products of words."""
        return self.word_products / max(1, self.word_products + self.host_word_products)


def _bytes(value: int, what: str) -> bytes:
    if value < 0:
        raise ValueError(f"{what} is negative")
    return value.to_bytes((value.bit_length() + BYTE_BITS - 1) // BYTE_BITS, "big")


class Bignum(Handle):
    """Calculations on board 0 of a system (a bus_mul or reg_mul), or in software on a host of a given timing.

    The system stays open when this is closed, and must not be used otherwise meanwhile. Not thread-safe.
    """

    CLOSED = "the calculator is closed"

    def __init__(self, system: System | None = None, timing: str | Timing = "vme68020") -> None:
        self._system = system  # must stay open as long
        chosen = Timing.preset(timing) if isinstance(timing, str) else timing
        raw = ffi.new("perle_timing*", asdict(chosen))
        self._own(library(), "perle_bignum_open", system, raw, closing="perle_bignum_close")

    def _call(self, function: str, size: int, **numbers: int) -> bytes:
        given: list[object] = []
        for name, value in numbers.items():
            raw = _bytes(value, name)
            given += [raw, len(raw)]
        with held(self._system):  # raises if the system is closed
            return self._lib.data(function, size, self, *given)

    def mul(self, a: int, b: int) -> int:
        """Return a·b, of any sign."""
        size = _size(a) + _size(b)
        product = int.from_bytes(self._call("perle_bignum_mul", size, a=abs(a), b=abs(b)), "big")
        return -product if (a < 0) != (b < 0) else product

    def divide(self, a: int, b: int) -> tuple[int, int]:
        """Return ⌊a/b⌋ and the remainder, a >= 0. Raises PerleError _MODULUS_ZERO for b = 0."""
        raw = self._call("perle_bignum_divide", _size(a) + _size(b), a=a, b=b)
        return int.from_bytes(raw[: _size(a)], "big"), int.from_bytes(raw[_size(a) :], "big")

    def mulmod(self, a: int, b: int, m: int) -> int:
        """Return a·b mod m, m >= 1, a and b >= 0."""
        return int.from_bytes(self._call("perle_bignum_mulmod", _size(m), a=a, b=b, m=m), "big")

    def powmod(self, x: int, e: int, m: int) -> int:
        """Return x^e mod m, m >= 1, x and e >= 0."""
        return int.from_bytes(self._call("perle_bignum_powmod", _size(m), x=x, e=e, m=m), "big")

    def add(self, a: int, b: int) -> int:
        """Return a + b, of any sign, computed by the host: costs as many words as the longer one has."""
        self._words(max(a.bit_length(), b.bit_length()))
        return a + b

    def shift(self, a: int, bits: int) -> int:
        """Return ⌊a·2^bits⌋, of any sign, computed by the host; a shift by whole words costs nothing."""
        if bits % WORD_BITS:
            self._words(a.bit_length() + max(0, bits))
        return a << bits if bits >= 0 else a >> -bits

    def _words(self, bits: int) -> None:
        with held(self._system):
            self._lib.call("perle_bignum_words", self, (bits + WORD_BITS - 1) // WORD_BITS)

    @property
    def cost(self) -> Cost:
        """Cost of all calls since opening, or since `reset_cost`."""
        with held(self._system):
            return record(Cost, self._lib.value("perle_bignum_get_cost", self))

    def reset_cost(self) -> None:
        """Start counting from zero."""
        with held(self._system):
            self._lib.call("perle_bignum_reset_cost", self)


def _size(value: int) -> int:
    return (value.bit_length() + BYTE_BITS - 1) // BYTE_BITS
