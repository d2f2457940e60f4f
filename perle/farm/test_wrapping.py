# SPDX-License-Identifier: Apache-2.0
"""Transport of a key: only the intended worker can decrypt it, and only for the intended run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

pytest.importorskip("distributed", reason="no dask: make setup")
from perle.farm import wrapping
from perle.farm.wrapping import Unwrapping, WrappingError, wrapped
from perle.host import Key
from tests.farming import forms, seen


@pytest.fixture(scope="module")
def key() -> Key:
    return Key.generate(512)


def test_a_key_arrives_and_is_overwritten(key: Key, monkeypatch: pytest.MonkeyPatch) -> None:
    plain: list[bytearray] = []
    packed, unpacked = wrapping._packed, wrapping._unpacked

    def kept(numbers: Mapping[str, int]) -> bytearray:
        plain.append(packed(numbers))
        return plain[-1]

    def taken(got: bytearray) -> Iterator[memoryview]:
        plain.append(got)
        return unpacked(got)

    monkeypatch.setattr(wrapping, "_packed", kept)
    monkeypatch.setattr(wrapping, "_unpacked", taken)
    worker = Unwrapping("run")
    passed = wrapped(key, worker.public, "run")
    with worker.key(passed) as got:
        assert got.to_pem() == key.to_pem()
    assert seen(forms(key), passed) == []
    assert len(plain) == 2
    assert all(len(one) > 0 and not any(one) for one in plain)


def test_two_messages_of_a_key_have_nothing_in_common(key: Key) -> None:
    worker = Unwrapping("run")
    first, second = (wrapped(key, worker.public, "run") for _ in range(2))
    assert sum(a == b for a, b in zip(first, second, strict=True)) < len(first) / 8


def test_for_another_worker_or_run_or_changed(key: Key) -> None:
    worker = Unwrapping("run")
    right = wrapped(key, worker.public, "run")
    wrong = [
        wrapped(key, Unwrapping("run").public, "run"),
        wrapped(key, worker.public, "another"),
        right[:-1],
        right[:40],
        *(right[:at] + bytes([right[at] ^ 1]) + right[at + 1 :] for at in (0, 40, len(right) - 1)),
    ]
    for one in wrong:
        with pytest.raises(WrappingError):
            worker.key(one)


def test_a_key_without_primes_is_refused(key: Key) -> None:
    with (
        Key.from_numbers(n=key.n, e=key.e) as public,
        pytest.raises(ValueError, match="with its primes"),
    ):
        wrapped(public, Unwrapping("run").public, "run")
