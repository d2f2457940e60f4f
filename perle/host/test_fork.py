# SPDX-License-Identifier: Apache-2.0
"""Boards in a child of fork: refused, closed, and without effect on those of the parent."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from perle.host import Boards, Key, PerleError
from perle.host import boards as boards_module
from perle.host._handle import Pointer

pytest_plugins = ["perle.host.fixtures"]


def refused(name: str) -> pytest.RaisesExc[PerleError]:
    return pytest.raises(PerleError, match=rf"\({name}\)$")


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_fork(boards: Boards, key: Key) -> None:
    """A child is refused its parent's boards, and its end, or its closing them, is none of theirs."""
    assert boards.mulmod(2, 3, 299).value == 6
    child = os.fork()
    if child == 0:
        result = 1
        try:
            with refused("PERLE_ERR_ARGUMENT"):
                boards.mulmod(2, 3, 299)
            with refused("PERLE_ERR_ARGUMENT"):
                boards.zeroize()
            boards.close()
            key.close()
            result = 0
        finally:
            os._exit(result)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    boards.reset_stats()
    assert boards.mulmod(2, 5, 299).value == 10
    assert boards.total().modulus_loads == 0  # still resident: nobody zeroized it


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_fork_while_another_thread_loads_a_modulus(boards: Boards, monkeypatch: pytest.MonkeyPatch) -> None:
    inside, go = threading.Event(), threading.Event()

    def slow(owner: Boards, modulus: int) -> object:
        inside.set()
        assert go.wait(60)
        return made(owner, modulus)

    made = boards_module._Modulus
    monkeypatch.setattr(boards_module, "_Modulus", slow)
    thread = threading.Thread(target=boards.mulmod, args=(2, 3, 299))
    thread.start()
    assert inside.wait(60)
    child = os.fork()
    if child == 0:
        signal.alarm(20)  # which ends it if it hangs
        result = 1
        try:
            monkeypatch.undo()
            with refused("PERLE_ERR_ARGUMENT"):
                boards.mulmod(2, 3, 301)
            boards.close()
            result = 0
        finally:
            os._exit(result)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    go.set()
    thread.join()
    assert ended == 0


def test_a_pointer_is_closed_from_anywhere() -> None:
    """By a handler of signals in the middle of a call, and in a child of fork, where no other call is."""
    freed: list[int] = []

    class Place(list[int]):
        def __getitem__(self, index: object) -> int:  # type: ignore[override]
            pointer.close()  # as a handler does that comes now
            assert freed == []
            return 7

    pointer = Pointer(Place([7]), freed.append, "it is closed")
    assert pointer.enter("a") == 7
    pointer.leave("a")
    assert len(freed) == 1
    child = Pointer([8], freed.append, "it is closed")
    child.enter("of a thread of the parent")
    child._calls = dict.fromkeys(child._calls, os.getpid() + 1)
    child.close()
    assert freed[1:] == [8]
