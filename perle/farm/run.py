# SPDX-License-Identifier: Apache-2.0
"""A run of a farm: distributes messages to workers, and redistributes them if a worker dies or a board fails.

Every chunk is bound to one worker. Dask would hold the chunks of a dead worker until a worker appears at the
same address. So the list of workers is checked regularly, and messages of lost workers go to others.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any
from uuid import uuid4

from distributed import Client, Future
from distributed.scheduler import KilledWorker

from perle.explore.addresses import CERTIFICATES, is_private
from perle.farm import station
from perle.farm.hand import Hand
from perle.farm.judge import Judge
from perle.farm.outcome import FarmError, FarmStats, NoWorkersError
from perle.farm.station import Welcome
from perle.farm.todo import Item, Todo
from perle.farm.visit import Answer
from perle.farm.wrapping import wrapped
from perle.host import Key
from perle.host.batch import Done

WAIT_SECONDS = 60.0
LOOK_SECONDS = 0.5
"""Interval in seconds between checks of the list of workers."""
FETCH_SECONDS = 2.0
"""Seconds to wait for a finished result, before checking whether its worker is still there."""


@dataclass(frozen=True)
class _Job:
    """A request to a worker, and the function that receives the answer."""

    hand: Hand
    told: Callable[[Hand, Any], None]
    items: tuple[Item, ...] = ()


class Run:
    """Private RSA operations on messages by a farm: iterate over it once."""

    def __init__(self, client: Client, key: Key, messages: Iterable[bytes], board: str, wait: float) -> None:
        self._client, self._key, self._board, self._wait = client, key, board, wait
        self._name = uuid4().hex
        self._todo = Todo(messages)
        self._judge = Judge(key)
        self._hands: dict[str, Hand] = {}
        self._all: list[Hand] = []
        self._jobs: dict[Future[Any], _Job] = {}
        self._ended: SimpleQueue[Future[Any]] = SimpleQueue()
        self._looked = 0.0
        self._alone_since = time.monotonic()

    def __iter__(self) -> Iterator[Done]:
        """Yield the result of each message once, in their order; workers continue while the caller uses it.

        Raises NoWorkersError, and FarmError if the scheduler is lost. Workers zeroize the key at the end,
        also after an error.
        """
        try:
            while True:
                yield from self._judge.ready()
                if self._todo.empty and not any(job.items for job in self._jobs.values()):
                    return
                self._look()
                self._give()
                self._despair()
                self._receive()
        finally:
            self.close()

    @property
    def stats(self) -> FarmStats:
        """The statistics so far."""
        return FarmStats(
            signed=self._judge.good,
            failed=self._judge.failed,
            retries=self._todo.returned,
            faults=sum(hand.faults for hand in self._all),
            lost=sum(hand.gone for hand in self._all),
            busy_cycles=self._judge.cycles,
            workers=tuple(hand.told() for hand in self._all),
        )

    @property
    def _connected(self) -> bool:
        """Whether the client is connected; a restarted scheduler has lost all work that was given out."""
        return str(self._client.status) == "running"

    def _look(self) -> None:
        """Welcome new workers, and take back the messages of lost ones."""
        if time.monotonic() < self._looked + LOOK_SECONDS:
            return
        if not self._connected:
            raise FarmError("the scheduler is lost")
        try:
            there = self._client.scheduler_info()["workers"]
        except Exception as error:
            raise FarmError(f"the scheduler is lost: {error}") from error
        for address in set(self._hands) - set(there):
            self._lose(self._hands.pop(address))
        for address in sorted(set(there) - set(self._hands)):
            hand = self._hands[address] = Hand(address, int(there[address]["nthreads"]))
            self._all.append(hand)
            if is_private(address):
                self._welcome(hand)
            else:
                hand.refused = f"on another machine without TLS; {CERTIFICATES} of dask worker too"
        self._looked = time.monotonic()

    def _welcome(self, hand: Hand) -> None:
        hand.ready = False
        self._submit(_Job(hand, self._welcomed), station.welcome, self._board)

    def _welcomed(self, hand: Hand, welcome: Welcome) -> None:
        hand.begin(welcome)
        self._submit(_Job(hand, self._taken), station.take, wrapped(self._key, welcome.public, self._name))

    def _taken(self, hand: Hand, known: bool) -> None:
        hand.ready = known
        if not known:
            self._welcome(hand)

    def _submit(self, job: _Job, function: Callable[..., Any], *args: object) -> None:
        where = {"workers": [job.hand.address], "allow_other_workers": False}
        future = self._client.submit(function, self._name, *args, **where, pure=False)
        self._jobs[future] = job
        future.add_done_callback(self._ended.put)

    def _give(self) -> None:
        """Give out chunks in rounds, one to each worker that can take one."""
        given = True
        while given:
            given = False
            for hand in [one for one in self._hands.values() if one.hungry]:
                items = self._todo.take(hand.address, hand.size)
                if items:
                    given = True
                    hand.given += 1
                    job = _Job(hand, self._worked(items), tuple(items))
                    self._submit(job, station.work, [one.message for one in items])

    def _worked(self, items: list[Item]) -> Callable[[Hand, Answer], None]:
        def told(hand: Hand, answer: Answer) -> None:
            hand.given -= 1
            if not answer.known:  # a new worker, or one that zeroized the key after a long idle time
                self._todo.give_back(items)
                if hand.ready:
                    self._welcome(hand)
                return
            verdict = self._judge.judge(items, answer.done, hand.address)
            hand.learn(verdict.good, len(verdict.again), answer.seconds, verdict.why)
            self._todo.give_back(verdict.again)

        return told

    def _receive(self) -> None:
        """Wait for a short time until a request ends, and take the answers of all that have ended."""
        with suppress(Empty):
            ended = [self._ended.get(timeout=LOOK_SECONDS)]
            ended += [self._ended.get_nowait() for _ in range(self._ended.qsize())]
            for future in ended:  # those that are late are asked in the next round
                self._take(future)

    def _take(self, future: Future[Any]) -> None:
        job = self._jobs.get(future)
        if job is None:
            return
        try:
            answer = future.result(timeout=FETCH_SECONDS)
        except TimeoutError as error:
            if future.status == "error":  # raised by the worker
                self._fail(future, " ".join(str(error).split()) or type(error).__name__)
                return
            self._ended.put(future)  # its worker is slow, or died with the result
            self._looked = 0.0
            self._look()
            return
        except CancelledError:
            raise FarmError("the scheduler is lost: it no longer knows what it was given") from None
        except KilledWorker:
            self._looked = 0.0
            self._fail(future, "died")
            return
        except Exception as error:  # noqa: BLE001 - the worker's error: reported, and it gets no more
            self._fail(future, " ".join(str(error).split()) or type(error).__name__)
            return
        del self._jobs[future]
        future.release()
        job.told(job.hand, answer)

    def _fail(self, future: Future[Any], why: str) -> None:
        job = self._jobs.pop(future)
        job.hand.refused = why
        self._todo.give_back(job.items)

    def _lose(self, hand: Hand) -> None:
        hand.gone = True
        futures = [future for future, job in self._jobs.items() if job.hand is hand]
        items = [item for future in futures for item in self._jobs.pop(future).items]
        self._client.cancel(futures)
        self._todo.give_back(self._judge.survive(items))

    def _despair(self) -> None:
        """End messages that all workers failed; raise if no worker can work."""
        here = self._hands.values()
        if here:
            self._alone_since = time.monotonic()
        if any(not hand.ready and not hand.refused for hand in here):
            return
        working = {hand.address for hand in here if hand.works}
        if working:
            self._judge.give_up(self._todo.hopeless(working))
        elif here:
            said = "; ".join(f"{hand.address}: {hand.refused}" for hand in here)
            raise NoWorkersError(f"no worker has boards that work: {said}")
        elif time.monotonic() > self._alone_since + self._wait:
            raise NoWorkersError(f"no workers for {self._wait:g} seconds")

    def close(self) -> None:
        """Cancel all requests, and have workers zeroize the key; this ends the run."""
        reached = [address for address, hand in self._hands.items() if is_private(address)]
        jobs, self._jobs, self._hands = self._jobs, {}, {}
        if not self._connected:
            return
        with suppress(Exception):
            self._client.cancel(list(jobs))
        if reached:
            with suppress(Exception):  # a worker that just died
                self._client.run(station.end, self._name, workers=reached, on_error="ignore")
