# SPDX-License-Identifier: Apache-2.0
"""Worker processes connected by TLS: a failing board, a killed worker, and a key that stays secret."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="no dask: make setup")
from distributed import LocalCluster

from perle.explore import engine
from perle.farm.client import FarmError, InsecureError, connect
from perle.host import Key
from perle.host.batch import Done
from tests.farming import forms, in_memory, memory, recorded, seen
from tests.joined import Certificates, Processes

pytest_plugins = ["perle.host.fixtures"]

GOOD, BAD = "width=256,lanes=4", "width=256,lanes=2,fault=flip"
UNUSED = "sim:/nowhere.so"
"""A specification that is not used, because the workers have their own boards."""


@pytest.fixture(scope="module")
def small() -> Key:
    """Return a key of 512 bits."""
    return Key.generate(512)


@pytest.fixture(scope="module")
def farm(tmp_path_factory: pytest.TempPathFactory, softboard: Path) -> Iterator[Processes]:
    """Start a scheduler and three workers; the boards of the third give wrong results."""
    place = tmp_path_factory.mktemp("certificates")
    found = Processes(tmp_path_factory.mktemp("farm"), Certificates(place))
    own = ("--preload", "perle.farm.station", "--board", f"sim:{softboard}")
    try:
        found.scheduler()
        for name, settings in (("one", GOOD), ("two", GOOD), ("bad", BAD)):
            found.worker(name, *own, SOFTBOARD=settings)
        yield found
    finally:
        found.end()


def messages(key: Key, count: int) -> list[bytes]:
    rng = random.Random(count)
    return [rng.randrange(key.n).to_bytes(key.size) for _ in range(count)]


def assert_right(key: Key, todo: list[bytes], found: list[Done]) -> None:
    """Assert that all results are there, once, in order, and right by Python's arithmetic."""
    assert [one.tag for one in found] == list(range(len(todo)))
    for message, done in zip(todo, found, strict=True):
        assert done.error is None
        assert pow(int.from_bytes(done.data), key.e, key.n) == int.from_bytes(message)


def test_a_board_that_fails_and_a_key_that_nobody_sees(farm: Processes, small: Key, softboard: Path) -> None:
    """The run continues until the worker with that board is refused."""
    some, todo, secrets = messages(small, 100), list[bytes](), forms(small)
    scheduler = farm.running["scheduler"].pid
    assert any(seen(secrets, region) for region in memory(os.getpid()))  # this process has it

    def read() -> Iterator[bytes]:
        while len(todo) < 1000 or not any(one["reason"] for one in run.stats.workers):
            todo.append(some[len(todo) % len(some)])
            if len(todo) == 1000:
                assert in_memory(secrets, scheduler) == []  # the scheduler's state is in there
            yield todo[-1]

    with (
        recorded(farm.address) as (address, passed),
        connect(address, board=UNUSED, tls=farm.certificates.tls("client")) as connected,
    ):
        connected._client.wait_for_workers(3, timeout=60)  # the bad one alone would end the run
        run = connected.powers(small, read())
        assert_right(small, todo, list(run))
        logs = str(connected._client.get_scheduler_logs()) + str(connected._client.get_worker_logs())
    stats = run.stats
    by_board = {bool(one["faults"]): one for one in stats.workers}
    assert stats.signed == len(todo)
    assert stats.retries >= stats.faults > 0
    assert by_board[True]["signed"] == 0
    assert "its boards failed 3 chunks in turn" in str(by_board[True]["reason"])
    assert {one["board"] for one in stats.workers} == {f"sim:{softboard}"}

    assert passed[:2] == b"\x16\x03"  # a record of a handshake
    assert not any(message in passed for message in some)
    written = farm.written()
    assert {Path(path).suffix for path in written} >= {".log"}
    for where, content in {**written, "the wire": bytes(passed), "logs": logs.encode()}.items():
        assert seen(secrets, content) == [], where
    assert b"Compute Failed" not in b"".join(written.values())
    for name, process in farm.running.items():
        assert in_memory(secrets, process.pid) == [], name


def test_a_worker_that_is_killed(farm: Processes, small: Key) -> None:
    """Killed during its work: it has returned results, and has messages that it will not answer."""
    todo = messages(small, 4000)
    with connect(farm.address, board=UNUSED, tls=farm.certificates.tls("client")) as connected:
        connected._client.wait_for_workers(3, timeout=60)  # if this test is the first one
        there = connected._client.scheduler_info()["workers"]
        [one] = [address for address, about in there.items() if about["name"] == "one"]

        def read() -> Iterator[bytes]:
            for number, message in enumerate(todo):
                mine = [known["signed"] for known in run.stats.workers if known["address"] == one]
                if number >= 1000 and mine[0] and farm.running["one"].poll() is None:
                    farm.running["one"].kill()
                    farm.running["one"].wait()
                yield message

        run = connected.powers(small, read())
        assert_right(small, todo, list(run))
    assert farm.running["one"].returncode == -signal.SIGKILL
    assert run.stats.lost == 1
    assert run.stats.retries > run.stats.faults


def test_nobody_without_a_certificate(farm: Processes, tmp_path: Path) -> None:
    with (
        pytest.raises(InsecureError, match="certificates are missing; --tls-ca"),
        connect(farm.address, board=UNUSED),
    ):
        pass
    strange = Certificates(tmp_path, "strangers").tls("client")
    with pytest.raises(engine.NoSchedulerError), connect(farm.address, board=UNUSED, tls=strange):
        pass


def test_a_scheduler_that_is_lost(farm: Processes, small: Key) -> None:
    """This must be the last test with these processes."""
    some = messages(small, 100)

    def read() -> Iterator[bytes]:
        for number in range(1_000_000):
            if number == 500:
                farm.running["scheduler"].kill()
            yield some[number % 100]

    mine = farm.certificates.tls("client")
    with (
        pytest.raises(FarmError, match="the scheduler is lost"),
        connect(farm.address, board=UNUSED, tls=mine) as connected,
    ):
        list(connected.powers(small, read()))


def test_without_tls_on_this_machine_the_scheduler_gets_no_key_either(small: Key, softboard: Path) -> None:
    """The scheduler sees messages, which proves that the recording works, and only ciphertext of the key."""
    todo, secrets = messages(small, 50), forms(small)
    with (
        pytest.MonkeyPatch.context() as patch,
        LocalCluster(n_workers=1, processes=False, protocol="tcp", **engine.LOCAL) as own,
        recorded(own.scheduler_address) as (address, passed),
        connect(address, board=f"sim:{softboard}") as connected,
    ):
        patch.setenv("SOFTBOARD", GOOD)
        assert_right(small, todo, list(connected.powers(small, todo)))
    assert all(message in passed for message in todo)
    assert seen(secrets, bytes(passed)) == []


@pytest.mark.parametrize("address", ["tcp://192.0.2.7:8786", "head:8786", "192.0.2.7:1"])
def test_a_plain_scheduler_elsewhere_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "Client", lambda *_, **__: pytest.fail("it was spoken to"))
    with (
        pytest.raises(InsecureError, match=r"by TLS alone, tls://…; --tls-ca, --tls-cert and --tls-key"),
        connect(address, board=UNUSED),
    ):
        pass
