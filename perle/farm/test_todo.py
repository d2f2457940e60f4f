# SPDX-License-Identifier: Apache-2.0
"""Distribution of messages, order of results, and checks of answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("distributed", reason="no dask: make setup")
from perle.farm.hand import BAD_CHUNKS, CHUNK_SECONDS, LARGEST, Hand
from perle.farm.judge import MOST_DEATHS, Judge
from perle.farm.station import Welcome
from perle.farm.todo import DEADLY, InOrder, Item, Todo
from perle.host import Key, PerleError
from perle.host._headers import constants
from perle.host.batch import Done

FAULT = PerleError(constants.PERLE_ERR_FAULT, "PERLE_ERR_FAULT", "wrong")
RANGE = PerleError(constants.PERLE_ERR_OPERAND_RANGE, "PERLE_ERR_OPERAND_RANGE", "too large")
P, Q = 0xFFFFFFFFFFFFFFC5, 0xFFFFFFFFFFFFFFAD


@pytest.fixture(scope="module")
def key() -> Key:
    d = pow(65537, -1, (P - 1) * (Q - 1))
    return Key.from_numbers(n=P * Q, e=65537, d=d)


def tags(items: list[Item]) -> list[int]:
    return [one.tag for one in items]


def test_messages_are_read_when_they_are_wanted() -> None:
    read: list[int] = []

    def messages() -> Iterator[bytes]:
        for number in range(10):
            read.append(number)
            yield bytes([number])

    todo = Todo(messages())
    assert read == []
    assert tags(todo.take("a", 3)) == [0, 1, 2]
    assert read == [0, 1, 2]
    assert not todo.empty
    assert tags(todo.take("b", 20)) == [3, 4, 5, 6, 7, 8, 9]
    assert todo.empty
    assert todo.take("a", 1) == []


def test_what_comes_back_goes_first_and_to_others() -> None:
    todo = Todo(bytes([number]) for number in range(6))
    first = todo.take("a", 3)
    for one in first[:2]:
        one.failed_by.add("a")
    todo.give_back(first)
    assert todo.returned == 3
    assert tags(todo.take("a", 2)) == [2, 3]
    assert tags(todo.take("b", 3)) == [0, 1, 4]
    todo.give_back(first[:1])
    assert todo.hopeless({"a", "b"}) == []
    assert tags(todo.hopeless({"a"})) == [0]
    assert tags(todo.take("b", 9)) == [5]


def test_what_ends_workers_goes_alone() -> None:
    todo = Todo(bytes([number]) for number in range(3))
    items = todo.take("a", 2)
    items[0].deaths = DEADLY
    todo.give_back(items)
    assert tags(todo.take("b", 3)) == [0]
    assert tags(todo.take("b", 3)) == [1, 2]


def test_results_leave_in_order_and_once() -> None:
    order = InOrder()
    for tag in (2, 1):
        order.add(Done(tag, b"", None, 0, 0))
    assert list(order.ready()) == []
    order.add(Done(0, b"", None, 0, 0))
    assert [one.tag for one in order.ready()] == [0, 1, 2]
    order.add(Done(4, b"", None, 0, 0))
    for tag in (1, 4):
        with pytest.raises(AssertionError):
            order.add(Done(tag, b"", None, 0, 0))
    assert list(order.ready()) == []


def test_an_answer_is_checked_and_what_is_wrong_is_done_elsewhere(key: Key) -> None:
    judge, d = Judge(key), pow(65537, -1, (P - 1) * (Q - 1))
    items = [Item(tag, bytes([tag + 2])) for tag in range(6)]
    right = [pow(tag + 2, d, key.n).to_bytes(key.size) for tag in range(6)]
    answer = [
        Done(1, right[1], None, 5, 0),
        Done(0, right[1], None, 5, 0),  # the result of another message
        Done(2, b"", FAULT, 0, 0),
        Done(3, b"", RANGE, 0, 0),
        Done(4, b"\xff" * 16, None, 5, 0),  # not below the modulus
        Done(1, right[1], None, 5, 0),  # a second answer
        Done(9, right[1], None, 5, 0),  # for no message
    ]
    verdict = judge.judge(items, answer, "a")
    assert (verdict.good, tags(verdict.again)) == (1, [0, 2, 4, 5])
    assert all(one.failed_by == {"a"} for one in verdict.again)
    assert list(judge.ready()) == []
    judge.judge(verdict.again[:1], [Done(0, right[0], None, 5, 0)], "b")
    assert [(one.tag, one.data) for one in judge.ready()] == [(0, right[0]), (1, right[1])]
    judge.give_up(verdict.again[1:])
    errors = [one.error for one in judge.ready()]
    assert [error and error.name for error in errors] == [
        "PERLE_ERR_FAULT", "PERLE_ERR_OPERAND_RANGE", "PERLE_ERR_FAULT", "PERLE_ERR_BOARD_ABSENT"
    ]  # fmt: skip
    assert (judge.good, judge.failed, judge.cycles) == (2, 4, 10)


def test_a_message_that_ends_workers_ends(key: Key) -> None:
    judge, item = Judge(key), Item(0, b"\2")
    for _ in range(MOST_DEATHS - 1):
        assert judge.survive([item]) == [item]
    assert judge.survive([item]) == []
    [done] = judge.ready()
    assert "4 workers died that had it" in str(done.error)


def test_chunks_grow_to_what_takes_their_time() -> None:
    hand = Hand("tcp://127.0.0.1:1", 1)
    hand.begin(Welcome(b"", "sim:x", 4, "here"))
    sizes = [hand.size]
    for _ in range(8):
        hand.learn(hand.size, 0, hand.size / 500, "")
        sizes.append(hand.size)
    assert sizes[:4] == [4, 16, 64, 250]
    assert sizes[-1] == 500 * CHUNK_SECONDS
    hand.learn(100, 0, 1e-6, "")
    assert hand.size == 1000
    hand.learn(100, 0, 1e-6, "")
    assert hand.size == LARGEST
    hand.learn(1, 0, 100.0, "")
    assert hand.size == 4


def test_a_worker_whose_boards_only_fail_gets_no_more() -> None:
    hand = Hand("tcp://127.0.0.1:1", 1, ready=True)
    hand.begin(Welcome(b"", "sim:x", 1, "here"))
    for good in (0, 0, 1, 0, 0):
        hand.learn(good, 1, 1.0, "wrong")
    assert hand.works
    hand.learn(0, 1, 1.0, "wrong")
    assert hand.refused == f"its boards failed {BAD_CHUNKS} chunks in turn: wrong"
    assert not hand.hungry
