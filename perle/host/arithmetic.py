# SPDX-License-Identifier: Apache-2.0
"""Many products or powers at a time on all boards of a set, and modular inverses."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import gcd
from typing import TypeVar

from perle.host.boards import Boards, Mode, Result

T = TypeVar("T")


def mulmods(boards: Boards, xs: Iterable[int], ys: Iterable[int], m: int) -> list[Result]:
    """x·y mod m for every pair, in order, for x, y < m; on all boards and lanes of the set in parallel.

    Raises ValueError for sequences of different lengths, and the errors of `Boards.mulmod`.
    """
    pairs = list(zip(xs, ys, strict=True))
    return _spread(boards, lambda pair: boards.mulmod(*pair, m), pairs)


def modexps(
    boards: Boards,
    bases: Iterable[int],
    exponents: Iterable[int],
    m: int,
    *,
    mode: Mode = Mode.WINDOW,
    bits: int | None = None,
) -> list[Result]:
    """base^exponent mod m for every pair, in order; on all boards and lanes of the set in parallel.

    `mode` and `bits` are those of `Boards.modexp`. Raises ValueError for sequences of different lengths.
    """
    pairs = list(zip(bases, exponents, strict=True))
    return _spread(boards, lambda pair: boards.modexp(*pair, m, mode=mode, bits=bits), pairs)


def _spread(boards: Boards, one: Callable[[T], Result], work: Sequence[T]) -> list[Result]:
    # A call blocks until a board is free, so one thread per board keeps all of them busy.
    with ThreadPoolExecutor(max_workers=boards.info.count) as threads:
        return list(threads.map(one, work))


def inverse(boards: Boards, x: int, m: int) -> Result:
    """Return y with x·y ≡ 1 (mod m), for 0 < x < m and odd m; `cycles` are those of the two products.

    Software inverts x·r, for a secret random unit r, so that its time reveals nothing about x:
    y = (x·r)^-1 · r. Raises ValueError if x has no inverse.
    """
    while True:
        r = 1 + secrets.randbelow(m - 1)
        if gcd(r, m) == 1:
            break
    hidden = boards.mulmod(x, r, m)
    try:
        inverted = pow(hidden.value, -1, m)
    except ValueError:
        raise ValueError("the number has no inverse: it and the modulus have a common divisor") from None
    found = boards.mulmod(inverted, r, m)
    return Result(found.value, hidden.cycles + found.cycles)
