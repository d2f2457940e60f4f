# SPDX-License-Identifier: Apache-2.0
"""A scheduler with TLS: the right files work, others are refused with a reason."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="no dask: make setup")
from distributed import Client

from perle.explore import engine
from perle.explore.addresses import AddressError, check, is_private
from perle.explore.tls import InsecureError, Tls, security
from tests.joined import Certificates, Processes


@pytest.fixture(scope="module")
def joined(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Processes]:
    """Start a scheduler and a worker."""
    found = Processes(tmp_path_factory.mktemp("joined"), Certificates(tmp_path_factory.mktemp("files")))
    try:
        found.scheduler()
        found.worker("one")
        yield found
    finally:
        found.end()


@pytest.fixture
def mine(joined: Processes) -> Tls:
    return joined.certificates.tls("client")


@pytest.fixture(params=["farm", "strangers"])
def strange(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Tls:
    """Return files of another authority, of the same name and of another one."""
    return Certificates(tmp_path_factory.mktemp("strange"), request.param).tls("client")


def reached(address: str, tls: Tls) -> AbstractContextManager[Client]:
    return engine.cluster(1, address, security(address, tls))


def test_work_is_done_behind_tls(joined: Processes, mine: Tls) -> None:
    found: list[object] = []
    with reached(joined.address, mine) as client:
        engine.run(client, range(-3, 0), abs, lambda _, answer: found.append(answer))
        [worker] = client.scheduler_info()["workers"]
    assert sorted(map(str, found)) == ["1", "2", "3"]
    assert worker.startswith("tls://")


def test_an_authority_that_did_not_sign(joined: Processes, mine: Tls, strange: Tls) -> None:
    with (
        pytest.raises(engine.NoSchedulerError, match=r"certificate .* is not from the authority of --tls-ca"),
        reached(joined.address, Tls(strange.ca, mine.cert, mine.key)),
    ):
        pass


def test_a_certificate_that_the_scheduler_does_not_know(joined: Processes, mine: Tls, strange: Tls) -> None:
    with (
        pytest.raises(engine.NoSchedulerError, match="does its authority know --tls-cert"),
        reached(joined.address, Tls(mine.ca, strange.cert, strange.key)),
    ):
        pass


def test_expired_certificates(joined: Processes, mine: Tls, tmp_path: Path) -> None:
    joined.certificates.days = 0
    old = joined.certificates.tls("client")
    joined.certificates.days = 1
    with (
        pytest.raises(engine.NoSchedulerError, match=r"--tls-cert, and has that not expired\?"),
        reached(joined.address, old),
    ):
        pass
    (tmp_path / "files").mkdir()
    others = Processes(tmp_path, Certificates(tmp_path / "files", days=0))
    try:
        others.scheduler()
        with (
            pytest.raises(engine.NoSchedulerError, match=r"certificate has expired, .*\(certificate has exp"),
            reached(others.address, replace(mine, ca=others.certificates.tls("x").ca)),
        ):
            pass
    finally:
        others.end()


def test_without_tls_one_is_not_heard(joined: Processes) -> None:
    hint = pytest.raises(engine.NoSchedulerError, match="does it use TLS: tls://")
    with hint, reached(joined.address.replace("tls", "tcp"), Tls()):
        pass


def test_a_scheduler_that_is_lost_is_told(
    tmp_path: Path, mine: Tls, joined: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "WAIT", 5.0)
    others = Processes(tmp_path, joined.certificates)
    found: list[object] = []

    def done(_: float, answer: object) -> None:
        found.append(answer)
        others.running["scheduler"].kill()

    try:
        others.scheduler()
        others.worker("two")
        with reached(others.address, mine) as client:
            client.wait_for_workers(1, timeout=300)
            with pytest.raises(engine.NoSchedulerError, match="the scheduler is lost; repeat the command"):
                engine.run(client, [0.0, 60.0, 60.0, 60.0], time.sleep, done)
    finally:
        others.end()
    assert found[0] is None


@pytest.mark.parametrize(
    ("address", "right"),
    [
        ("tls://head:8786", True),
        ("tcp://[::1]:8786", True),
        ("127.0.0.1:8786", True),
        ("", False),
        ("head", False),
        ("tls://", False),
        ("tls://head", False),
        ("tls://head:x", False),
        ("tls://head:0", False),
        ("tls://head:99999", False),
        ("tls://[::1:8786", False),
        ("tls://head:8786/status", False),
        ("tls://me@head:8786", False),
        ("http://head:8787", False),
        ("ucx://head:8786", False),
    ],
)
def test_what_is_an_address_of_a_scheduler(address: str, right: bool) -> None:
    with nullcontext() if right else pytest.raises(AddressError, match="is not the address of a scheduler"):
        check(address)
    if not right:
        with pytest.raises(AddressError):
            security(address, Tls())


def test_files_that_do_not_serve(mine: Tls, strange: Tls) -> None:
    address = "tls://127.0.0.1:9"
    for given, said in (
        (Tls(), "certificates are missing; --tls-ca, --tls-cert and --tls-key"),
        (Tls("none", mine.cert, mine.key), "none: no such file"),
        (Tls(mine.ca, mine.cert, strange.key), "do not serve as authority, certificate and key: .*MISMATCH"),
        (Tls(__file__, mine.cert, mine.key), f"{__file__}, .* do not serve as authority"),
    ):
        with pytest.raises(InsecureError, match=said):
            security(address, given)
    with pytest.raises(InsecureError, match="this address is not encrypted"):
        security("tcp://127.0.0.1:9", mine)
    assert security("tcp://127.0.0.1:9", Tls()) is None


@pytest.mark.parametrize(
    ("address", "private"),
    [
        ("tls://head:8786", True),
        ("inproc://10.0.0.1/1/1", True),
        ("tcp://127.0.0.1:8786", True),
        ("tcp://[::1]:8786", True),
        ("localhost:8786", True),
        ("tcp://0.0.0.0:8786", False),
        ("tcp://10.0.0.1:8786", False),
        ("tcp://127.0.0.1.example.org:8786", False),
        ("ws://127.0.0.1:8786", False),
        ("head:8786", False),
        ("", False),
    ],
)
def test_what_others_cannot_hear(address: str, private: bool) -> None:
    assert is_private(address) is private
