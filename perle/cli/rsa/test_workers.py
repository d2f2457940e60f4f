# SPDX-License-Identifier: Apache-2.0
"""`perle rsa sign --batch` on workers: the same signatures, and clear messages for errors."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="no dask: make setup")
from distributed import LocalCluster

from perle.cli.io.openssl import verifies
from perle.explore import engine
from tests.cli_run import answer, environment, invoke, program, refused

pytest_plugins = ["tests.batch_fixtures"]

COUNT = 12


@pytest.fixture
def batch(tmp_path: Path) -> Path:
    """Return a folder with files to sign."""
    folder = tmp_path / "files"
    folder.mkdir()
    for number in range(COUNT):
        (folder / f"{number:02}").write_bytes(bytes([number]))
    return folder


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """Start a scheduler and two workers in this process; return its address."""
    with LocalCluster(n_workers=2, processes=False, protocol="tcp", **engine.LOCAL) as own:
        yield own.scheduler_address


def test_the_signatures_of_workers_are_those_of_boards(
    keys: Path, batch: Path, board: str, scheduler: str, tmp_path: Path
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    args = ("rsa", "sign", "--key", keys / "key", "--batch", batch, "--padding", "pkcs1", "--board", board)
    for place in (here, there):
        place.mkdir()
    answer(*args, "--out-dir", here)
    facts = answer(*args, "--out-dir", there, "--scheduler", scheduler)
    assert facts["board"] == board
    assert (facts["files"], facts["signed"], facts["failed"]) == (COUNT, COUNT, [])
    assert (facts["retries"], facts["faults"], facts["lost"]) == (0, 0, 0)
    assert len(facts["workers"]) == 2
    assert sum(one["signed"] for one in facts["workers"]) == COUNT
    assert facts["ops_per_second"] == pytest.approx(COUNT / facts["wall_seconds"], rel=0.01)
    assert {path.name: path.read_bytes() for path in here.iterdir()} == {
        path.name: path.read_bytes() for path in there.iterdir()
    }


def test_what_is_left_is_resumed(keys: Path, batch: Path, board: str, scheduler: str) -> None:
    args = ("rsa", "sign", "--key", keys / "key", "--batch", batch, "--board", board)
    (batch / "00.sig").write_bytes(b"there")
    told = invoke(*args, "--scheduler", scheduler, "--resume").stderr
    assert f"sign: {COUNT - 1} of {COUNT - 1} files of {batch} signed, on 2 workers: " in told
    assert "0 messages given out again, 0 board faults, 0 workers lost" in told
    assert (batch / "00.sig").read_bytes() == b"there"
    assert all(verifies(keys / "public", batch / f"{n:02}", batch / f"{n:02}.sig") for n in range(1, COUNT))
    (batch / "05.sig").unlink()
    assert answer(*args, "--resume")["files"] == 1
    assert "exists already" in invoke(*args, "--scheduler", scheduler, code=3).stderr


def test_ctrl_c_leaves_whole_signatures_alone(
    keys: Path, batch: Path, softboard: Path, tmp_path: Path
) -> None:
    """The board is slow; finished signatures are kept, and the next run makes the rest."""
    args = ("rsa", "sign", "--key", keys / "key", "--batch", batch, "--board", f"sim:{softboard}")
    words = [*program(), *map(str, args), "--jobs", "1"]
    slow = environment() | {"SOFTBOARD": "width=384,delay=150"}
    with (tmp_path / "log").open("w+b") as log:
        process = subprocess.Popen(words, env=slow, stdout=log, stderr=log, start_new_session=True)
        end = time.monotonic() + 60
        while not list(batch.glob("*.sig")) and process.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130, (tmp_path / "log").read_text()
    made = sorted(path.name for path in batch.iterdir() if path.suffix == ".sig")
    assert 0 < len(made) < COUNT
    assert len(list(batch.iterdir())) == COUNT + len(made)
    assert all(verifies(keys / "public", batch / name[:-4], batch / name) for name in made)
    assert (tmp_path / "log").read_text().splitlines()[-1] == "perle: interrupted"


def test_what_cannot_be_done_is_said(keys: Path, batch: Path, board: str, scheduler: str) -> None:
    given = ("rsa", "sign", "--key", keys / "key", "--batch", batch, "--board", board)
    assert "by TLS alone, tls://…; --tls-ca" in refused(2, *given, "--scheduler", "tcp://192.0.2.7:8786")
    assert "certificates are missing; --tls-ca" in refused(2, *given, "--scheduler", "tls://192.0.2.7:8786")
    assert "need --scheduler" in refused(2, *given, "--tls-ca", "ca.pem")
    assert "exclude each other" in refused(2, *given, "--jobs", 2, "--scheduler", scheduler)
    alone = ("rsa", "sign", "--key", keys / "key", "--in", batch / "00")
    assert "--jobs or --scheduler needs --batch" in refused(2, *alone, "--jobs", 2)
    assert "--resume needs --batch" in refused(2, *alone, "--resume")
    assert "unknown kind of board" in refused(2, *given[:-1], "foo", "--jobs", 1)
    absent = (*given[:-1], "sim:/nowhere.so", "--scheduler", scheduler)
    assert "no worker has boards that work: tcp://127.0.0.1:" in refused(4, *absent)
    public = ("rsa", "sign", "--key", keys / "public", "--batch", batch, "--board", board)
    assert "public key" in refused(3, *public, "--scheduler", scheduler)
    with LocalCluster(n_workers=0, processes=False, protocol="tcp", **engine.LOCAL) as empty:
        nobody = (*given, "--scheduler", empty.scheduler_address, "--wait", "0.3")
        assert "no workers for 0.3 seconds" in refused(4, *nobody)
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it accepts connections, and says nothing
        for port in (9, silent.getsockname()[1]):
            address, begin = f"tcp://127.0.0.1:{port}", time.monotonic()
            assert f"{address}: " in refused(5, *given, "--scheduler", address, "--wait", "0.3")
            assert time.monotonic() < begin + 30
    assert "not a finite number" in refused(2, *given, "--scheduler", scheduler, "--wait", "inf")
    assert "none: no such file" in refused(
        2, *given, "--scheduler", "tls://127.0.0.1:9", "--tls-ca", "none", "--tls-cert", "none"
    )
    assert not list(batch.glob("*.sig"))


def test_the_package_that_it_needs_is_named(
    keys: Path, batch: Path, board: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [one for one in sys.modules if one.startswith("perle.farm")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delattr("perle.farm", raising=False)
    given = ("rsa", "sign", "--key", keys / "key", "--batch", batch, "--board", board, "--jobs", 1)
    assert "workers need the package distributed: make setup" in refused(5, *given)


def test_the_benchmark_of_farms(softboard: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOFTBOARD", "width=64,delay=5")
    args = ("bench", "farm", "--board", f"sim:{softboard}", "--jobs", 2, "--seconds", 0.5)
    one, two = answer(*args)["rates"]
    assert (one["workers"], two["workers"]) == (1, 2)
    assert min(one["signatures"], two["signatures"]) > 0
    assert one["per_second"] == pytest.approx(one["signatures"] / one["seconds"])
