# SPDX-License-Identifier: Apache-2.0
"""The binding of libperle: keys, refusals, faults. Boards are the software board of host/tests."""

from __future__ import annotations

import hashlib
import queue
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from perle.host import Boards, Key, Mode, Padding, PerleError, _lib, resolve_spec
from perle.host._handle import Pointer

pytest_plugins = ["perle.host.fixtures"]


def refused(name: str) -> pytest.RaisesExc[PerleError]:
    return pytest.raises(PerleError, match=rf"\({name}\)$")


def test_arithmetic(boards: Boards) -> None:
    m = (1 << 1000) + 297
    x, y, e = m // 3, m // 5, 0x1234567
    assert boards.mulmod(x, y, m).value == x * y % m
    assert (boards.montmul(x, y, m).value << boards.info.operand_bits) % m == x * y % m
    for mode in Mode:
        got = boards.modexp(x, e, m, mode=mode)
        assert got.value == pow(x, e, m)
        assert got.cycles > 0
    assert boards.modexp(x, 0, m).value == 1
    assert boards.modexp(x, e, m, bits=1024).value == pow(x, e, m)
    assert boards.info.family == "orup"
    assert boards.info.simulated


def test_statistics_and_cache(boards: Boards) -> None:
    for m in range(3, 301, 2):
        assert boards.mulmod(2, 2, m).value == 4 % m
    assert boards.total().operations == 149
    boards.reset_stats()
    assert boards.total().operations == 0
    boards.mulmod(2, 2, 299)
    assert boards.total().modulus_loads == 0  # still resident


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda b: b.mulmod(1, 1, 10), "PERLE_ERR_MODULUS_EVEN"),
        (lambda b: b.mulmod(0, 0, 0), "PERLE_ERR_MODULUS_ZERO"),
        (lambda b: b.mulmod(0, 0, 1), "PERLE_ERR_MODULUS_ONE"),
        (lambda b: b.mulmod(0, 0, (1 << 1024) + 1), "PERLE_ERR_WIDTH"),
        (lambda b: b.mulmod(11, 0, 11), "PERLE_ERR_OPERAND_RANGE"),
        (lambda b: b.modexp(2, 8, 11, bits=3), "PERLE_ERR_EXPONENT_WIDE"),
        (lambda b: b.modexp(2, 1 << 1100, 11), "PERLE_ERR_EXPONENT_WIDE"),
        (lambda b: b.read(0x7FC), "PERLE_ERR_BUS"),
        (lambda b: b.read(0, index=1), "PERLE_ERR_ARGUMENT"),
        (lambda b: b.trace(Path("x.vcd")), "PERLE_ERR_UNSUPPORTED"),
    ],
)
def test_refused(boards: Boards, call: Callable[[Boards], object], name: str) -> None:
    with refused(name):
        call(boards)


def test_negative_numbers(boards: Boards) -> None:
    with pytest.raises(ValueError, match="negative"):
        boards.mulmod(-1, 1, 11)
    with pytest.raises(ValueError, match="negative"):
        boards.modexp(1, -1, 11)
    with pytest.raises(ValueError, match="negative"):
        boards.mulmod(1, 1, -11)


def test_numbers_of_no_use(boards: Boards) -> None:
    """Everything that is none of a call's numbers is refused in one way, before the call."""
    for call in (
        lambda: boards.set_timeout(1e30),
        lambda: boards.set_timeout(1, -5),
        lambda: boards.advance(-1),
        lambda: boards.modexp(2, 3, 5, bits=1 << 70),
        lambda: Key.generate(-1),
    ):
        with pytest.raises(ValueError, match="out of range"):
            call()
    for seconds in (-1.0, float("inf"), float("nan")):
        with pytest.raises(ValueError, match="finite"):
            boards.set_timeout(seconds)
    with pytest.raises(TypeError, match="'float' object cannot be interpreted"):
        boards.mulmod(3.0, 1, 11)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="'float' object cannot be interpreted"):
        Key.from_numbers(n=1.5)  # type: ignore[arg-type]
    assert boards.mulmod(3, 1, 11).value == 3


def test_steps(boards: Boards) -> None:
    assert boards.read(0) == 0x5045524C
    assert boards.advance(7) == 7
    assert boards.snapshot().startswith("{")


@pytest.mark.parametrize(
    "spec", ["", "x", "sim", "usb:orup:w64", "sim:/x.so,boards=0", "sim:/x.so,b=1", "sim:/é"]
)
def test_bad_specifications(spec: str) -> None:
    with pytest.raises(PerleError) as caught:
        Boards(spec)
    assert caught.value.name in ("PERLE_ERR_SPEC", "PERLE_ERR_BOARD_ABSENT")


def test_resolve_leaves_paths_alone() -> None:
    assert resolve_spec("sim:/a/b.so,boards=2") == "sim:/a/b.so,boards=2"
    assert resolve_spec("nonsense") == "nonsense"
    for name in ("./a.so", "a.so", "../a.so"):
        assert resolve_spec(f"sim:{name},boards=2") == f"sim:{Path(name).absolute()},boards=2"


def test_absent_board_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Names reach libperle only from C: it looks into the cache, and names the command."""
    monkeypatch.setenv("PERLE_CACHE", str(tmp_path))
    with refused("PERLE_ERR_BOARD_ABSENT") as caught:
        _lib.library().value("perle_boards_open", b"sim:orup:w64")
    assert "perle build sim:orup:w64" in caught.value.message


@pytest.mark.parametrize(
    ("fault", "name"),
    [
        ("hang", "PERLE_ERR_TIMEOUT"),
        ("slow", "PERLE_ERR_TIMEOUT"),
        ("garbage", "PERLE_ERR_FAULT"),
        ("flip", "PERLE_ERR_FAULT"),
        ("huge", "PERLE_ERR_FAULT"),
        ("dead", "PERLE_ERR_BUS"),
        ("flag", "PERLE_ERR_BOARD_FLAG"),
    ],
)
def test_faults(softboard: Path, key: Key, monkeypatch: pytest.MonkeyPatch, fault: str, name: str) -> None:
    monkeypatch.setenv("SOFTBOARD", f"width=512,fault={fault}")
    with Boards(f"sim:{softboard},boards=2", timeout=20) as boards, refused(name):
        key.private(boards, b"\x01")


def test_every_result_is_checked_unless_asked(softboard: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOFTBOARD", "width=512,fault=garbage")
    m = (1 << 500) + 1
    for operation in (Boards.mulmod, Boards.montmul, Boards.modexp):
        with Boards(softboard) as boards, refused("PERLE_ERR_FAULT"):
            operation(boards, 3, 5, m)
    with Boards(softboard, check=False) as boards:
        assert boards.mulmod(3, 5, m).value != 15


def test_recovery(softboard: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOFTBOARD", "width=512,fault=dead,times=1")
    with Boards(softboard) as boards:
        with refused("PERLE_ERR_BUS"):
            boards.mulmod(3, 5, 101)
        assert boards.mulmod(3, 5, 101).value == 15
        total = boards.total()
        assert (total.faults, total.recoveries, total.retirements) == (1, 1, 0)
        assert total.resets >= 1


def test_closed_objects(softboard: Path, pem: bytes) -> None:
    key = Key.from_bytes(pem)
    with Boards(softboard) as boards:
        boards.close()
        with pytest.raises(ValueError, match="closed"):
            boards.mulmod(1, 1, 3)
    with key:
        pass
    with pytest.raises(ValueError, match="closed"):
        _ = key.n


def test_threads(softboard: Path, key: Key, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOFTBOARD", "width=512")
    results: list[bytes] = []
    with Boards(f"sim:{softboard},boards=2") as boards:
        workers = [
            threading.Thread(target=lambda: results.append(key.private(boards, b"\x05").data))
            for _ in range(8)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    assert len(results) == 8
    assert set(map(len, results)) == {128}
    assert len(set(results)) == 1


def test_closed_while_other_threads_are_in_calls(
    softboard: Path, pem: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their calls end as usual, the next ones are refused, and the last one frees boards and key."""
    monkeypatch.setenv("SOFTBOARD", "width=512")
    for _ in range(5):
        boards, key = Boards(f"sim:{softboard},boards=2"), Key.from_bytes(pem)
        ended: queue.Queue[bytes | str] = queue.Queue()

        def work(boards: Boards = boards, key: Key = key, ended: queue.Queue[bytes | str] = ended) -> None:
            try:
                while True:
                    ended.put(key.private(boards, b"\x05").data)
            except ValueError as error:
                ended.put(str(error))

        workers = [threading.Thread(target=work) for _ in range(4)]
        for worker in workers:
            worker.start()
        right = ended.get(timeout=60)  # all are at work by now
        key.close()
        boards.close()
        for worker in workers:
            worker.join(timeout=60)
        found = [ended.get() for _ in range(ended.qsize())]
        assert {one for one in found if isinstance(one, bytes)} <= {right}
        refusals = [one for one in found if isinstance(one, str)]
        assert set(refusals) <= {"the key is closed", "the boards are closed"}
        assert len(refusals) == len(workers)


def test_a_pointer_is_freed_once_and_not_while_a_call_has_it() -> None:
    freed: list[int] = []
    pointer = Pointer([7], freed.append, "it is closed")
    assert (pointer.enter("a"), pointer.enter("b")) == (7, 7)
    pointer.close()
    pointer.leave("a")
    pointer.leave("a")
    assert freed == []
    with pytest.raises(ValueError, match="it is closed"):
        pointer.enter("c")
    assert freed == []
    pointer.leave("b")
    pointer.close()
    assert freed == [7]
    Pointer([None], freed.append, "it is closed").close()
    assert freed == [7]


def test_moduli_are_closed_with_their_boards(softboard: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOFTBOARD", "width=512")
    with Boards(softboard) as boards:
        boards.mulmod(2, 3, 299)
        [kept] = boards._moduli.values()
        pointer = kept.pointer
        del kept
        pointer.check()
    with pytest.raises(ValueError, match="closed"):
        pointer.check()


def test_a_pointer_that_another_owner_frees() -> None:
    freed: list[int] = []
    pointer = Pointer([7], freed.append, "it is closed")
    free = pointer.disown()
    assert pointer.enter("a") == 7
    pointer.leave("a")
    pointer.own(free)
    pointer.disown()
    pointer.close()
    assert freed == []
    pointer.own(free)
    pointer.close()
    assert freed == [7]


def test_software_operations(key: Key) -> None:
    """Without boards the public half works in software; the private half wants boards."""
    assert int.from_bytes(key.public(None, b"\x02").data, "big") == pow(2, key.e, key.n)
    assert len(key.encrypt(None, b"hello").data) == 128
    assert not key.verify(None, bytes(32), bytes(128))
    assert not key.verify(None, bytes(32), b"short")
    with refused("PERLE_ERR_HASH"):
        key.verify(None, bytes(32), bytes(128), hash="sha257")


def test_round_trips(boards: Boards, key: Key) -> None:
    digest = hashlib.sha384(b"x").digest()
    for padding in (Padding.PSS, Padding.PKCS1):
        signed = key.sign(boards, digest, padding=padding, hash="sha384")
        assert signed.cycles == signed.elapsed > 0
        assert key.verify(boards, digest, signed.data, padding=padding, hash="sha384")
        flipped = signed.data[:-1] + bytes([signed.data[-1] ^ 1])
        assert not key.verify(boards, digest, flipped, padding=padding, hash="sha384")
    for padding in (Padding.OAEP, Padding.PKCS1):
        secret = key.encrypt(boards, b"hello", padding=padding)
        assert key.decrypt(boards, secret.data, padding=padding).data == b"hello"
        with refused("PERLE_ERR_DECRYPT"):
            key.decrypt(boards, b"\1" * 128, padding=padding)
    raw = key.private(boards, b"\x09", blinding=False).data
    assert key.public(boards, raw).data == (9).to_bytes(128, "big")
