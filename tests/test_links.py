# SPDX-License-Identifier: Apache-2.0
"""Boards behind cables from the command, from Python and under OpenSSL: by software bridges of their own."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from perle.cli import attached as cli_attached
from perle.cli.io.errors import Code
from perle.flow import host_make, tools
from perle.host import Boards, Key, PerleError, is_link
from perle.host.attached import devices, identify, look, user_of
from perle.host.provider import Provision, provider_path
from tests.cli_run import answer, invoke, refused

pytest_plugins = ["perle.host.fixtures"]

M = (1 << 256) - 189
SECONDS = 60


class Bridge:
    """A board at the other end of a serial line or a network, in a process of its own."""

    def __init__(self, program: Path, kind: str, width: int = 512, lanes: int = 2) -> None:
        self.process = subprocess.Popen(
            [program, kind, str(width), str(lanes)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.spec = self._line()

    def _line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def tell(self, line: str) -> None:
        """Make it spoil what passes, or unplug it (see bridge_main.cpp)."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        assert self._line() == "ok"

    def close(self) -> None:
        """End it."""
        self.process.communicate(timeout=SECONDS)


@pytest.fixture(scope="session")
def program() -> Path:
    """Return the program of the bridges, built where needed."""
    return host_make.of_tests("bridge", "bridge", "the bridges")


@pytest.fixture(params=["uart", "etherbone"])
def bridge(request: pytest.FixtureRequest, program: Path) -> Iterator[Bridge]:
    """Yield a bridge of either kind, in front of two lanes of 512 bits."""
    with opened(program, request.param) as one:
        yield one


@contextmanager
def opened(program: Path, kind: str) -> Iterator[Bridge]:
    """Yield a bridge of this kind, and end it whatever happens."""
    one = Bridge(program, kind)
    try:
        yield one
    finally:
        if one.process.poll() is None:
            one.close()


@pytest.fixture
def files(tmp_path: Path, pem: bytes) -> Path:
    """Return a folder with key.pem and message."""
    (tmp_path / "key.pem").write_bytes(pem)
    (tmp_path / "message").write_text("a message\n", encoding="utf-8")
    return tmp_path


def said(code: Code, *args: object) -> str:
    """Return the message of a command line that fails, on one line."""
    return " ".join(refused(code, *args).split())


def verify(files: Path, signature: Path, *options: str) -> str:
    public = files / "pub.pem"
    openssl = tools.system_tool("openssl")
    tools.run([openssl, "rsa", "-in", files / "key.pem", "-pubout", "-out", public], timeout=SECONDS)
    words: list[str | Path] = [openssl, "dgst", "-sha256", *options, "-verify", public]
    return tools.run([*words, "-signature", signature, files / "message"], timeout=SECONDS).stdout


def test_mul_and_exp(bridge: Bridge) -> None:
    found = answer("mul", "--board", bridge.spec, "3", "5", f"{M:x}")
    assert int(found["r"], 16) == 15
    assert found["board"] == bridge.spec
    found = answer("exp", "--board", bridge.spec, "3", "10001", f"{M:x}")
    assert int(found["r"], 16) == pow(3, 0x10001, M)


def test_rsa_sign(bridge: Bridge, files: Path) -> None:
    out = files / "message.sig"
    command = ("rsa", "sign", "--key", files / "key.pem", "--in", files / "message", "--out", out)
    invoke(*command, "--board", bridge.spec)
    assert "Verified OK" in verify(files, out, "-sigopt", "rsa_padding_mode:pss")


def test_openssl_signs(bridge: Bridge, files: Path) -> None:
    """With no way out to software: what OpenSSL signs came over the cable."""
    conf, out = files / "openssl.cnf", files / "message.sig"
    provision = Provision((bridge.spec,), "fail")
    conf.write_text(provision.text(provider_path()), encoding="utf-8")
    openssl = tools.system_tool("openssl")
    words: list[str | Path] = [openssl, "dgst", "-sha256", "-sign", files / "key.pem", "-out", out]
    environment = {"OPENSSL_CONF": str(conf)}
    tools.run([*words, files / "message"], env=environment, timeout=SECONDS)
    assert "Verified OK" in verify(files, out)
    bridge.close()
    with pytest.raises(tools.ToolError):
        tools.run([*words, files / "message"], env=environment, timeout=SECONDS)


def test_boards_from_python(bridge: Bridge, key: Key) -> None:
    assert is_link(bridge.spec)
    with Boards(bridge.spec) as boards:
        assert (boards.info.count, boards.info.simulated) == (2, False)
        before = json.loads(boards.snapshot())
        assert boards.mulmod(M - 1, M - 2, M).value == 2
        after = json.loads(boards.snapshot())
        assert after["core_clock_hz"] == "100000000"
        assert 0 < int(after["round_trips"]) - int(before["round_trips"]) <= 10
        digest = bytes(32)
        assert key.verify(None, digest, key.sign(boards, digest).data)
        with pytest.raises(PerleError, match="another program uses it"):
            Boards(bridge.spec)


@pytest.mark.parametrize("how", ["garble 97", "drop 97", "babble", "silent"])
def test_what_is_spoilt_is_never_wrong(bridge: Bridge, how: str) -> None:
    """Products are right or refused, within seconds; afterwards the board works again."""
    with Boards(bridge.spec) as boards:
        bridge.tell(how)
        begin = time.monotonic()
        for number in range(5):
            value, error = attempt(boards, number)
            assert value == (M - number) % M or error in FAULTS
        assert time.monotonic() - begin < SECONDS / 2
        bridge.tell("none")
        assert recovers(boards)


FAULTS = {"PERLE_ERR_" + name for name in ("BUS", "FAULT", "TIMEOUT", "BOARD_FLAG", "BOARD_ID")}


def attempt(boards: Boards, number: int) -> tuple[int | None, str]:
    """Return -number mod M by the boards, or the name of their error."""
    try:
        return boards.mulmod(M - 1, number, M).value, ""
    except PerleError as error:
        return None, error.name


def recovers(boards: Boards) -> bool:
    deadline = time.monotonic() + SECONDS / 2
    while time.monotonic() < deadline:
        try:
            return boards.mulmod(3, 5, M).value == 15
        except PerleError:
            time.sleep(0.05)
    return False


def test_a_cable_is_pulled(program: Path) -> None:
    with opened(program, "uart") as bridge, Boards(bridge.spec) as boards:
        bridge.tell("unplug")
        with pytest.raises(PerleError, match="PERLE_ERR_BUS"):
            boards.mulmod(3, 5, M)
        bridge.tell("plug")
        assert recovers(boards)


def test_the_other_side_is_killed(bridge: Bridge) -> None:
    with Boards(bridge.spec) as boards:
        bridge.process.kill()
        bridge.process.communicate()
        begin = time.monotonic()
        with pytest.raises(PerleError):
            boards.mulmod(3, 5, M)
        assert time.monotonic() - begin < 10
    result = said(Code.BOARD, "mul", "--board", bridge.spec, "3", "5", "1d")
    assert "there is no device" in result or "no Perle design answers" in result


def test_boards_finds_and_names_them(program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A serial line by its lasting name, once; one that is in use is not asked."""
    by_id = tmp_path / "dev/serial/by-id"
    by_id.mkdir(parents=True)
    monkeypatch.setattr(cli_attached, "ROOT", tmp_path)
    with opened(program, "uart") as line, opened(program, "etherbone") as net:
        device = Path(line.spec.removeprefix("uart:")).resolve()
        (tmp_path / "dev/ttyUSB0").symlink_to(device)
        (by_id / "usb-board").symlink_to(device)
        assert [one.spec for one in devices(tmp_path)] == [f"uart:{by_id / 'usb-board'}"]
        host = net.spec.removeprefix("etherbone:")
        told = answer("boards", "--etherbone", host, "--no-ask")["attached"]
        assert [one["fault"] for one in told] == ["not probed", ""]
        assert (told[1]["family"], told[1]["width"], told[1]["lanes"]) == ("orup", 512, 2)
        assert (told[1]["core_clock_hz"], told[1]["version"]) == (100_000_000, 1)
        # The bridge itself has the line's other end open here, as no cable has.
        found = identify(line.spec)
        assert (found.family, found.lanes, found.fault) == ("orup", 2, "")
        assert user_of(device) == line.process.pid
        assert "in use by process" in look(devices(tmp_path)[0]).fault
        assert "in use by process" in invoke("boards").stdout.replace("\n", " ")


def test_bench_link(bridge: Bridge) -> None:
    rates = answer("bench", "link", "--board", bridge.spec, "--seconds", "0.1")
    trips = {one["what"]: one["trips"] for one in rates["rates"]}
    assert trips["register reads"] == 1
    assert 3 <= trips["products, one thread"] < 8
    assert any(what.startswith("RSA-1024") for what in trips)


@pytest.mark.parametrize(
    ("spec", "code", "words"),
    [
        ("uart:ttyUSB0", Code.USAGE, "whole path"),
        ("uart:/dev/null,baud=7", Code.USAGE, "7 baud"),
        ("uart:/dev/null", Code.BOARD, "no terminal device"),
        ("uart:/dev/ttyNowhere", Code.BOARD, "there is no device /dev/ttyNowhere"),
        ("etherbone:127.0.0.9:9", Code.BOARD, "no Perle design answers"),
        ("etherbone:", Code.USAGE, "no host"),
        ("uio:/dev/uioNowhere", Code.BOARD, "there is no device"),
    ],
)
def test_faults_are_named(spec: str, code: Code, words: str) -> None:
    assert words in said(code, "mul", "--board", spec, "3", "5", "1d")


def test_a_core_is_no_link() -> None:
    assert "expected a core" in said(Code.USAGE, "bench", "sim", "uart:/dev/ttyUSB0")
    assert "not a board behind a cable" in said(Code.USAGE, "bench", "link", "--board", "sim:orup:w64")
