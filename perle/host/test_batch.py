# SPDX-License-Identifier: Apache-2.0
"""Batches through the binding: results, order, a full batch, failing boards, and who is closed first."""

from __future__ import annotations

import gc
import hashlib
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest

from perle.host import Boards, Key, Padding, PerleError
from perle.host._lib import Library, library, taken
from perle.host.batch import Batch, Done, QueueFullError

pytest_plugins = ["perle.host.fixtures"]

Opener = Callable[[str], Boards]


@pytest.fixture
def opener(softboard: Path, monkeypatch: pytest.MonkeyPatch) -> Opener:
    """Return what opens software boards with these settings."""

    def opened(settings: str) -> Boards:
        monkeypatch.setenv("SOFTBOARD", settings)
        return Boards(softboard)

    return opened


def messages(key: Key, count: int) -> list[bytes]:
    rng = random.Random(count)
    return [rng.randrange(key.n).to_bytes(key.size, "big") for _ in range(count)]


def right(key: Key, message: bytes, result: bytes) -> bool:
    return pow(int.from_bytes(result, "big"), key.e, key.n) == int.from_bytes(message, "big")


def test_all_that_goes_in_comes_out_right(opener: Opener, key: Key) -> None:
    todo = messages(key, 30)
    with opener("width=512,lanes=3") as boards, Batch(boards, 40) as batch:
        tags = [batch.submit(key, message) for message in todo]
        assert tags == list(range(30))
        done = list(batch.finished())
        stats = batch.stats
    assert sorted(one.tag for one in done) == tags
    assert all(one.error is None and right(key, todo[one.tag], one.data) for one in done)
    assert (stats.pending, stats.succeeded, stats.failed) == (0, 30, 0)
    assert stats.busy_cycles == sum(one.cycles for one in done)
    assert 2.5 < stats.in_flight <= 3


def test_tags_of_ones_own(opener: Opener, key: Key) -> None:
    with opener("width=512") as boards, Batch(boards) as batch:
        assert [batch.submit(key, b"\2", tag=tag) for tag in (7, 7, (1 << 64) - 1)] == [7, 7, (1 << 64) - 1]
        assert sorted(one.tag for one in batch.finished()) == [7, 7, (1 << 64) - 1]
        for wrong in (-1, 1 << 64):
            with pytest.raises(ValueError, match="tag"):
                batch.submit(key, b"\2", tag=wrong)


def test_a_full_batch(opener: Opener, key: Key) -> None:
    with opener("width=512") as boards, Batch(boards, 2) as batch:
        batch.submit(key, b"\2")
        batch.submit(key, b"\3")
        with pytest.raises(QueueFullError, match=r"2 operations already \(PERLE_ERR_QUEUE_FULL\)"):
            batch.submit(key, b"\4")
        assert batch.poll(0) == []
        assert len(batch.poll()) == 1
        assert batch.submit(key, b"\4") == 2
        assert [one.tag for one in batch.finished()] == [1, 2]
        assert batch.poll(60) == []


def test_what_is_refused_takes_no_place(opener: Opener, key: Key) -> None:
    with opener("width=512") as boards, Batch(boards, 1) as batch:
        with pytest.raises(PerleError, match="OPERAND_RANGE"):
            batch.submit(key, key.n.to_bytes(key.size, "big"))
        with Key.from_numbers(n=key.n, e=key.e) as public, pytest.raises(PerleError, match="KEY_PUBLIC"):
            batch.submit(public, b"\2")
        batch.submit(key, b"\2", blinding=False)
        assert [one.tag for one in batch.finished()] == [0]
        with pytest.raises(TypeError):
            batch.submit(key, None)  # type: ignore[arg-type]
        assert list(batch.finished()) == []
    with opener("width=256") as boards, Batch(boards) as batch, pytest.raises(PerleError, match="WIDTH"):
        batch.submit(key, b"\2")
    with opener("width=512") as boards:
        for wrong in (-1, 65537):
            with pytest.raises((ValueError, PerleError), match="65536"):
                Batch(boards, wrong)


@pytest.mark.parametrize(
    ("fault", "name"),
    [("garbage", "FAULT"), ("flip", "FAULT"), ("flag", "BOARD_FLAG"), ("hang", "TIMEOUT"), ("dead", "BUS")],
)
def test_boards_that_fail(opener: Opener, key: Key, fault: str, name: str) -> None:
    """Every operation ends with its error, and none with data."""
    with opener(f"width=512,lanes=2,fault={fault}") as boards, Batch(boards) as batch:
        boards.set_timeout(None, 20_000)
        for number in range(4):
            batch.submit(key, bytes([number + 2]))
        done = list(batch.finished())
        assert batch.stats.failed == 4
    assert sorted(one.tag for one in done) == [0, 1, 2, 3]
    assert all(one.data == b"" and one.error is not None for one in done)
    assert {one.error.name for one in done if one.error} == {f"PERLE_ERR_{name}"}


def test_a_key_may_be_closed_before_its_operation_ends(opener: Opener, pem: bytes) -> None:
    boards = opener("width=512,lanes=2")
    key, batch = Key.from_bytes(pem), Batch(boards)
    n, e = key.n, key.e
    batch.submit(key, b"\5")
    key.close()
    boards.close()
    [done] = batch.finished()
    assert pow(int.from_bytes(done.data, "big"), e, n) == 5
    batch.close()
    for use in (batch.poll, lambda: batch.submit(Key.from_bytes(pem), b"\5"), lambda: batch.stats):
        with pytest.raises(ValueError, match="the batch is closed"):
            use()


def test_an_encoded_digest_makes_a_signature(opener: Opener, key: Key) -> None:
    digest = hashlib.sha256(b"a message").digest()
    with opener("width=512") as boards, Batch(boards) as batch:
        for padding in (Padding.PSS, Padding.PKCS1):
            batch.submit(key, key.encode(digest, padding=padding), tag=padding)
        for done in batch.finished():
            assert key.verify(None, digest, done.data, padding=Padding(done.tag))
            assert not key.verify(None, digest, done.data, padding=Padding(3 - done.tag))


class Interrupted:
    """A library whose calls of one function are interrupted, as by Ctrl-C, before or after them."""

    def __init__(self, lib: Library, function: str, *, after: bool) -> None:
        self.lib, self.function, self.after = lib, function, after

    def __getattr__(self, name: str) -> object:
        return getattr(self.lib, name)

    def call(self, function: str, *args: object) -> None:
        if function != self.function or self.after:
            self.lib.call(function, *args)
        if function == self.function:
            raise KeyboardInterrupt


@pytest.mark.parametrize("after", [False, True])
def test_interrupted_while_it_is_submitted(
    opener: Opener, key: Key, monkeypatch: pytest.MonkeyPatch, after: bool
) -> None:
    """What was taken has a place for its result until it is reported; nobody waits for what was not."""
    with opener("width=512") as boards, Batch(boards) as batch:
        with monkeypatch.context() as patch:
            patch.setattr(batch, "_lib", Interrupted(library(), "perle_batch_submit", after=after))
            with pytest.raises(KeyboardInterrupt):
                batch.submit(key, b"\2")
        gc.collect()
        batch.submit(key, b"\3", tag=7)
        done = list(batch.finished())
        assert [one.tag for one in done] == ([0, 7] if after else [7])
        assert all(right(key, (b"\2", b"\3")[one.tag == 7], one.data) for one in done)
        assert [one.tag for one in batch.powers(key, [b"\4"])] == [0]


def test_interrupted_while_it_is_polled(opener: Opener, key: Key, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the interrupted poll had been told, the next one tells, once."""
    with opener("width=512") as boards, Batch(boards) as batch:
        for number in range(3):
            batch.submit(key, bytes([number + 2]))
        with monkeypatch.context() as patch:
            patch.setattr(batch, "_lib", Interrupted(library(), "perle_batch_poll", after=True))
            with pytest.raises(KeyboardInterrupt):
                batch.poll()
        done = list(batch.finished())
        assert sorted(one.tag for one in done) == [0, 1, 2]
        assert all(right(key, bytes([one.tag + 2]), one.data) for one in done)


def test_interrupted_while_results_are_taken(
    opener: Opener, key: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between any two of them: what one poll took already, the next one gives, with the rest."""
    for interrupted_at in range(3):
        calls = iter(range(100))

        def take(buffer: object, size: int, at: int = interrupted_at, calls: Iterator[int] = calls) -> bytes:
            if next(calls) == at:
                raise KeyboardInterrupt
            return taken(buffer, size)

        with opener("width=512") as boards, Batch(boards) as batch:
            for number in range(3):
                batch.submit(key, bytes([number + 2]))
            done: list[Done] = []
            with monkeypatch.context() as patch:
                patch.setattr("perle.host.batch.taken", take)
                with pytest.raises(KeyboardInterrupt):
                    done.extend(batch.finished())
            done += batch.finished()
            assert sorted(one.tag for one in done) == [0, 1, 2]
            assert all(right(key, bytes([one.tag + 2]), one.data) for one in done)


def test_powers_that_nobody_wants_any_more(opener: Opener, key: Key) -> None:
    """Results of a generator that was closed are none of the next one's, whose tags are the same."""
    with opener("width=512,lanes=2") as boards, Batch(boards, 8) as batch:
        first = batch.powers(key, [bytes([number + 2]) for number in range(6)])
        next(first)
        first.close()
        done = list(batch.powers(key, [b"\x63", b"\x64"]))
        assert sorted(one.tag for one in done) == [0, 1]
        assert all(right(key, bytes([0x63 + one.tag]), one.data) for one in done)
        batch.submit(key, b"\2")
        with pytest.raises(ValueError, match="has operations"):
            next(batch.powers(key, [b"\3"]))
        assert len(list(batch.finished())) == 1


def test_powers_that_end_by_an_exception(opener: Opener, key: Key, monkeypatch: pytest.MonkeyPatch) -> None:
    """Raised by the messages, or by a signal while a result is taken: the next call has its own results."""

    def messages() -> Iterator[bytes]:
        yield from (b"\2", b"\3", b"\4")
        raise OSError("no further message")

    with opener("width=512,lanes=2") as boards, Batch(boards, 8) as batch:
        with pytest.raises(OSError, match="no further message"):
            list(batch.powers(key, messages()))
        with monkeypatch.context() as patch:
            patch.setattr("perle.host.batch.taken", Mock(side_effect=KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                list(batch.powers(key, [b"\5", b"\6"]))
        done = list(batch.powers(key, [b"\x63", b"\x64"]))
        assert sorted(one.tag for one in done) == [0, 1]
        assert all(right(key, bytes([0x63 + one.tag]), one.data) for one in done)


def test_a_wait_has_an_end(opener: Opener) -> None:
    with opener("width=512") as boards, Batch(boards) as batch:
        for seconds in (float("inf"), float("nan")):
            with pytest.raises(ValueError, match="finite"):
                batch.poll(seconds)
