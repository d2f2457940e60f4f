# SPDX-License-Identifier: Apache-2.0
"""Farms on this machine: all signatures, once and in order, even if workers die or boards fail."""

from __future__ import annotations

import hashlib
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="no dask: make setup")
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from distributed import LocalCluster

from perle.explore import engine
from perle.farm import run as farm_run
from perle.farm import station, visit
from perle.farm.client import Farm, NoWorkersError, connect
from perle.farm.station import NAME, Station
from perle.host import Boards, Key, Padding, PerleError
from perle.host.batch import Batch

pytest_plugins = ["perle.host.fixtures"]

WORKERS = 3


@pytest.fixture(scope="module")
def small() -> Key:
    """Return a key of 512 bits."""
    return Key.generate(512)


@pytest.fixture
def board(softboard: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the software board with four lanes."""
    monkeypatch.setenv("SOFTBOARD", "width=256,lanes=4")
    return f"sim:{softboard}"


@pytest.fixture
def inside() -> Iterator[LocalCluster]:
    """Start a scheduler and a worker in this process."""
    with LocalCluster(n_workers=1, processes=False, protocol="tcp", **engine.LOCAL) as own:
        yield own


def numbers(key: Key, count: int) -> list[bytes]:
    return [(number + 2).to_bytes(key.size) for number in range(count)]


@pytest.mark.parametrize("count", [3000, pytest.param(100_000, marks=pytest.mark.wide)])
def test_every_signature_though_a_worker_is_killed(small: Key, board: str, count: int) -> None:
    """Verified by OpenSSL; the killed worker is replaced, and the new one works too."""
    public = rsa.RSAPublicNumbers(small.e, small.n).public_key()
    texts = [str(number).encode() for number in range(count)]
    found: list[bytes] = []
    with connect(board=board, workers=WORKERS) as farm:
        pids = farm._client.run(os.getpid)

        def messages() -> Iterator[bytes]:
            for number, text in enumerate(texts):
                busy = [str(one["address"]) for one in run.stats.workers if one["signed"]]
                if number >= count // 3 and pids and busy:
                    os.kill(pids[busy[0]], signal.SIGKILL)
                    pids.clear()
                yield small.encode(hashlib.sha256(text).digest(), padding=Padding.PKCS1)

        run = farm.powers(small, messages())
        for done in run:
            assert done.tag == len(found)
            assert done.error is None
            found.append(done.data)
    assert len(found) == count
    for text, signature in zip(texts, found, strict=True):
        public.verify(signature, text, padding.PKCS1v15(), hashes.SHA256())
    assert (run.stats.signed, run.stats.failed, run.stats.lost) == (count, 0, 1)
    assert 0 < run.stats.retries < count
    if count > 10_000:
        assert len([one for one in run.stats.workers if one["signed"]]) == WORKERS + 1


def test_the_same_as_without_a_farm(small: Key, board: str, inside: LocalCluster) -> None:
    todo = [*numbers(small, 20), small.n.to_bytes(small.size), *numbers(small, 3)]
    with Boards(board) as boards, Batch(boards) as batch:
        here = sorted(batch.powers(small, todo), key=lambda one: one.tag)
    with connect(inside.scheduler_address, board=board) as farm:
        run = farm.powers(small, todo)
        there = list(run)
    assert [(one.tag, one.data, str(one.error)) for one in there] == [
        (one.tag, one.data, str(one.error)) for one in here
    ]
    assert [one.tag for one in there if one.error] == [20]
    assert (run.stats.signed, run.stats.failed, run.stats.retries) == (23, 1, 0)
    with connect(inside.scheduler_address, board=board) as farm:
        assert list(farm.powers(small, [])) == []


def test_a_worker_that_comes_later_works_too(small: Key, board: str, inside: LocalCluster) -> None:
    def messages() -> Iterator[bytes]:
        begin = time.monotonic()
        for number in range(50_000):
            if number == 10:
                inside.scale(2)
            yield (number + 2).to_bytes(small.size)
            if sum(bool(one["signed"]) for one in run.stats.workers) == 2:
                return
            assert time.monotonic() < begin + 30

    with connect(inside.scheduler_address, board=board) as farm:
        run = farm.powers(small, messages())
        found = list(run)
    assert [one.tag for one in found] == list(range(len(found)))
    assert all(one.error is None for one in found)
    assert len(run.stats.workers) == 2


def test_boards_of_a_worker_are_opened_once_and_closed_with_it(
    small: Key, board: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Boards] = []

    def opened(spec: str) -> Boards:
        made.append(Boards(spec))
        return made[-1]

    monkeypatch.setattr(station, "Boards", opened)
    with LocalCluster(n_workers=1, processes=False, protocol="tcp", **engine.LOCAL) as own:
        [worker] = own.workers.values()
        own.sync(worker.plugin_add, Station(board))
        for _ in range(2):
            with connect(own.scheduler_address, board="sim:/nowhere.so") as farm:
                assert len(list(farm.powers(small, numbers(small, 5)))) == 5
        assert len(made) == 1
        assert made[0].info.count == 4
    with pytest.raises(ValueError, match="the boards are closed"):
        made[0].stats()


def visits(cluster: LocalCluster) -> list[visit.Visit]:
    [worker] = cluster.workers.values()
    return list(worker.plugins[NAME]._visits.values())


def test_a_run_that_is_left_leaves_no_key(small: Key, board: str, inside: LocalCluster) -> None:
    def forever() -> Iterator[bytes]:
        while True:
            yield b"\2"

    with connect(inside.scheduler_address, board=board) as farm:
        left = iter(farm.powers(small, forever()))
        assert next(left).error is None
        [one] = visits(inside)
        key = one._key
    assert visits(inside) == []
    assert key is not None
    with pytest.raises(ValueError, match="the key is closed"):
        key.to_pem()
    with pytest.raises(ValueError, match="the boards are closed"):
        one.boards.stats()


def test_a_key_that_is_not_used_is_dropped_and_comes_again(
    small: Key, board: str, inside: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visit, "KEPT_SECONDS", 0.2)
    gone: list[bool] = []

    def messages() -> Iterator[bytes]:
        for number in range(200):
            if number == 100:
                time.sleep(0.5)
                gone.extend(one._ended for one in visits(inside))
            yield (number + 2).to_bytes(small.size)

    with connect(inside.scheduler_address, board=board) as farm:
        found = list(farm.powers(small, messages()))
    assert gone == [True]
    assert [(one.tag, one.error) for one in found] == [(tag, None) for tag in range(200)]


@pytest.mark.parametrize(
    ("settings", "board", "said"),
    [
        ("width=256", "sim:/nowhere.so", r"tcp://127\.0\.0\.1:\d+: .*nowhere.so.*PERLE_ERR_BOARD_ABSENT"),
        ("width=128", None, "PERLE_ERR_WIDTH"),
        ("width=256,fault=flip", None, r"its boards failed 3 chunks in turn: .*PERLE_ERR_FAULT"),
    ],
)
def test_workers_without_boards_that_work(
    small: Key, softboard: Path, inside: LocalCluster, monkeypatch: pytest.MonkeyPatch, settings: str,
    board: str | None, said: str,
) -> None:  # fmt: skip
    monkeypatch.setenv("SOFTBOARD", settings)
    with (
        pytest.raises(NoWorkersError, match=f"no worker has boards that work: .*{said}"),
        connect(inside.scheduler_address, board=board or f"sim:{softboard}") as farm,
    ):
        list(farm.powers(small, numbers(small, 100)))


def test_what_every_worker_fails_ends_with_its_error(
    small: Key, softboard: Path, inside: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOFTBOARD", "width=256,fault=flip")
    with connect(inside.scheduler_address, board=f"sim:{softboard}") as farm:
        found = list(farm.powers(small, numbers(small, 1)))
    assert [(one.tag, one.data, one.error and one.error.name) for one in found] == [
        (0, b"", "PERLE_ERR_FAULT")
    ]


def test_nobody_works(small: Key, board: str, inside: LocalCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    def tried(farm: Farm) -> None:
        list(farm.powers(small, numbers(small, 1)))

    with monkeypatch.context() as patch:
        patch.setattr(farm_run, "is_private", lambda _: False)
        with (
            pytest.raises(NoWorkersError, match="on another machine without TLS; --tls-ca"),
            connect(inside.scheduler_address, board=board) as farm,
        ):
            tried(farm)
    inside.sync(inside.workers[0].close)
    with (
        pytest.raises(NoWorkersError, match=r"no workers for 0\.3 seconds"),
        connect(inside.scheduler_address, board=board, wait=0.3) as farm,
    ):
        tried(farm)


def test_keys_that_cannot_be_sent(small: Key, board: str, inside: LocalCluster) -> None:
    with (
        Key.from_numbers(n=small.n, e=small.e) as public,
        connect(inside.scheduler_address, board=board) as farm,
        pytest.raises(ValueError, match="with their primes"),
    ):
        farm.powers(public, [])


def test_what_a_worker_raises_is_told(
    small: Key, board: str, inside: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> Callable[[], None]:
        raise PerleError(2, "PERLE_ERR_MEMORY", "no memory")

    monkeypatch.setattr(Station, "work", broken)
    with (
        pytest.raises(NoWorkersError, match="no memory"),
        connect(inside.scheduler_address, board=board) as farm,
    ):
        list(farm.powers(small, numbers(small, 1)))
