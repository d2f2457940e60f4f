# SPDX-License-Identifier: Apache-2.0
"""The boards on which bits are flipped, and the operations meanwhile, whose results are known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

from gmpy2 import is_prime

from perle.cores.registry import Config, UnknownCoreError, families
from perle.host import Batch, Boards, Key

KEY_BITS = 128
"""Key size in bits: it exercises every step of an operation, and is short enough for many trials."""
E = 65537
LANES = 4
WORKS = ("rsa", "modexp", "mulmod", "batch")


@dataclass(frozen=True)
class Work:
    """An operation on boards, and its correct result."""

    run: Callable[[], object]
    expected: object


@dataclass(frozen=True)
class Case:
    """A board, the operation on it, and how many bits are flipped per trial."""

    config: Config
    work: str
    flips: int = 1

    @property
    def lanes(self) -> int:
        """Lanes of the board: several for a batch, to have operations in flight."""
        return LANES if self.work == "batch" else 1

    @property
    def name(self) -> str:
        """FAMILY:CONFIG[,lanes=T] WORK, single or double."""
        lanes = f",lanes={self.lanes}" if self.lanes > 1 else ""
        return f"{self.config.spec}{lanes} {self.work} {'single' if self.flips == 1 else 'double'}"


def narrowest(family: str) -> Config:
    """Return a family's configuration for moduli of half a key, or else its narrowest: fast to simulate."""
    one = families()[family]
    try:
        return one.config(f"w{KEY_BITS // 2}")
    except UnknownCoreError:
        return min((one.config(name) for name in one.configs), key=lambda config: config.width)


def cases(only: str | None = None) -> list[Case]:
    """Return the cases of a whole campaign: of all families, or of one."""
    chosen = [only] if only else list(families())
    return [Case(narrowest(family), work, flips) for family in chosen for work in WORKS for flips in (1, 2)]


def _prime(rng: Random) -> int:
    while True:
        found = rng.getrandbits(KEY_BITS // 2) | 3 << (KEY_BITS // 2 - 2) | 1
        if found % E != 1 and is_prime(found):
            return found


def key_numbers(rng: Random) -> dict[str, int]:
    """Return the numbers of a random key of KEY_BITS bits, as `Key.from_numbers` takes them."""
    p = _prime(rng)
    q = next(one for one in iter(lambda: _prime(rng), 0) if one != p)
    d = pow(E, -1, (p - 1) * (q - 1))
    crt = {"dp": d % (p - 1), "dq": d % (q - 1), "qinv": pow(q, -1, p)}
    return {"n": p * q, "e": E, "d": d, "p": p, "q": q, **crt}


@contextmanager
def prepared(case: Case, boards: Boards, rng: Random) -> Iterator[tuple[Work, Work]]:
    """Make two operations of a case with one key or modulus; without blinding, so that they are repeatable.

    They alternate: a stale result on a board that did nothing is then recognized as that of the other one.
    """
    numbers = key_numbers(rng)
    n, d = numbers["n"], numbers["d"]
    if case.work in ("modexp", "mulmod"):
        m = numbers["p"] if case.config.width < KEY_BITS else n
        yield _arithmetic(case.work, boards, m, rng), _arithmetic(case.work, boards, m, rng)
        return
    with Key.from_numbers(**numbers) as key:

        def private() -> Work:
            messages = [rng.randrange(n).to_bytes(key.size, "big") for _ in range(case.lanes)]
            powers = [pow(int.from_bytes(one, "big"), d, n).to_bytes(key.size, "big") for one in messages]
            if case.work == "rsa":
                return Work(lambda: key.private(boards, messages[0], blinding=False).data, powers[0])
            return Work(lambda: _batch(boards, key, messages), powers)

        yield private(), private()


def _arithmetic(work: str, boards: Boards, m: int, rng: Random) -> Work:
    x, y = rng.randrange(m), rng.randrange(m)
    if work == "modexp":
        return Work(lambda: boards.modexp(x, y, m).value, pow(x, y, m))
    return Work(lambda: boards.mulmod(x, y, m).value, x * y % m)


def _batch(boards: Boards, key: Key, messages: list[bytes]) -> list[bytes]:
    """Return the results of a batch in the order of its messages; the first error is raised at its end."""
    with Batch(boards) as batch:
        for tag, message in enumerate(messages):
            batch.submit(key, message, tag=tag, blinding=False)
        ended = sorted(batch.finished(), key=lambda done: done.tag)
    if [done.tag for done in ended] != list(range(len(messages))):
        raise LostError(f"{len(messages)} operations went in, {[done.tag for done in ended]} came out")
    for done in ended:
        # results released after an error of another operation must be right too
        if done.error is None and pow(int.from_bytes(done.data, "big"), E, key.n) != int.from_bytes(
            messages[done.tag], "big"
        ):
            return [done.data for done in ended]
    for done in ended:
        if done.error is not None:
            raise done.error
    return [done.data for done in ended]


class LostError(Exception):
    """A batch did not return an operation, or returned it twice."""
