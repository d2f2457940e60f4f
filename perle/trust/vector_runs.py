# SPDX-License-Identifier: Apache-2.0
"""Published RSA vectors run through the provider and libperle on simulated boards, and judged."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from perle.host import Boards, Key, Padding, PerleError
from perle.trust.evp import UNWANTED, Provider, RefusedError
from perle.trust.vector_files import BAD, EITHER, GOOD, Vector

REFUSALS = ("PERLE_ERR_DECRYPT", "PERLE_ERR_MESSAGE_LENGTH", "PERLE_ERR_OPERAND_RANGE")
"""Errors of libperle that mean that a ciphertext is wrong; others mean that something else is."""
IMPLICIT = "pkcs1"
"""Vectors whose ciphertexts OpenSSL decrypts itself, with its countermeasures."""


class Answering(Protocol):
    """What vectors run through."""

    implicit: bool
    """Whether OpenSSL decrypts PKCS #1 v1.5: since 3.2 it answers a random message in place of an error."""

    def answer(self, vector: Vector) -> bytes | bool:
        """Return the result, or whether a signature is right. Raises RefusedError."""

    def operations(self) -> int:
        """Return how many private operations boards have done."""

    def complaint(self) -> str:
        """Return what went wrong besides the results, or ""."""


class ThroughProvider:
    """OpenSSL with the provider."""

    implicit = True

    def __init__(self, provider: Provider) -> None:
        self._provider = provider

    def answer(self, vector: Vector) -> bytes | bool:
        """Return the result. Raises RefusedError."""
        key, data, options = vector.key, vector.data, vector.options
        match vector.kind:
            case "verify":
                return self._provider.verify(key, vector.digest, options, data, vector.answer)
            case "sign":
                return self._provider.sign(key, vector.digest, options, data)
            case "power":
                return self._provider.power(key, data)
            case _:
                return self._provider.decrypt(key, options, data)

    def operations(self) -> int:
        """Return how many private operations boards have done."""
        return self._provider.counts.get("boards", 0)

    def complaint(self) -> str:
        """Return what the provider counted that no run may have."""
        counts = self._provider.counts
        return ", ".join(f"{name}: {counts[name]}" for name in UNWANTED if counts.get(name))


class ThroughLibrary:
    """libperle, as `perle rsa decrypt` uses it: boards also decrypt PKCS #1 v1.5."""

    implicit = False

    def __init__(self, boards: Boards) -> None:
        self._boards, self._done = boards, 0
        self._keys: dict[bytes, Key] = {}

    def answer(self, vector: Vector) -> bytes:
        """Return the decrypted message. Raises RefusedError."""
        key = self._keys.get(vector.key) or Key.from_bytes(vector.key)
        self._keys[vector.key] = key
        before = self._boards.total().operations
        try:
            return key.decrypt(self._boards, vector.data, padding=Padding.PKCS1, hash=None).data
        except PerleError as error:
            if error.name in REFUSALS:
                raise RefusedError(error.name) from None
            raise
        finally:
            self._done += self._boards.total().operations > before

    def operations(self) -> int:
        """Return how many private operations boards have done."""
        return self._done

    def complaint(self) -> str:
        """Return "": errors of boards are raised."""
        return ""


@contextmanager
def through_provider(boards: str) -> Iterator[Answering]:
    """Open the provider on boards."""
    with Provider(boards) as provider:
        yield ThroughProvider(provider)


@contextmanager
def through_library(boards: str) -> Iterator[Answering]:
    """Open boards for libperle."""
    with Boards(boards) as opened:
        yield ThroughLibrary(opened)


def judge(vector: Vector, found: bytes | bool | None, *, implicit: bool = False) -> str:
    """Return what is wrong with a result, or with a refusal (None); "" if it is as the vector says.

    `implicit`: a random message in place of an error is right.
    """
    if vector.kind == "verify":
        if vector.right == EITHER or bool(found) == (vector.right == GOOD):
            return ""
        return "a wrong signature was accepted" if found else "a right signature was refused"
    what = "signature" if vector.kind in ("sign", "power") else "message"
    if found is None:
        return f"there is no {what}" if vector.right == GOOD else ""
    if vector.right == BAD:
        if implicit and found != vector.answer:
            return ""
        return f"there is a {what}, though the vector is invalid"
    return "" if found == vector.answer else f"another {what} than the vector's"


@dataclass
class Outcome:
    """Counts and failures of a run."""

    counts: Counter[str]
    failed: list[str]


def run(through: Answering, vectors: Sequence[Vector], seconds: float) -> Outcome:
    """Run vectors, in order, until the time is up; boards must have done every private operation."""
    end, out = time.monotonic() + seconds, Outcome(Counter(checked=0, invalid=0, boards=0), [])
    answered = 0
    for vector in vectors:
        if time.monotonic() > end and out.counts["checked"]:
            break
        found: bytes | bool | None
        try:
            found = through.answer(vector)
        except RefusedError:
            found = None
        except PerleError as error:
            out.failed.append(f"{vector.where}: {error}")
            found = None
        implicit = through.implicit and vector.kind == IMPLICIT
        answered += isinstance(found, bytes) and not implicit
        out.counts.update(checked=1, invalid=int(vector.right == BAD))
        if wrong := judge(vector, found, implicit=implicit):
            out.failed.append(f"{vector.where}: {wrong}")
    out.counts["boards"] = through.operations()
    if complaint := through.complaint():
        out.failed.append(complaint)
    if out.counts["boards"] < answered:
        out.failed.append(f"boards did {out.counts['boards']} operations, but {answered} have results")
    return out


def planned(vectors: Iterable[Vector], bits: int, most: int | None) -> list[Vector]:
    """Return the vectors with moduli of up to so many bits, `most` of them, from all files alike.

    The order is such that a run which ends early has had vectors of all files, too.
    """
    narrow = [vector for vector in vectors if vector.bits <= bits]
    count = len(narrow) if most is None else min(most, len(narrow))
    chosen = [narrow[at * len(narrow) // count] for at in range(count)]
    step = max(1, round(count**0.5))
    return [vector for first in range(step) for vector in chosen[first::step]]
