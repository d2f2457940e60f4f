# SPDX-License-Identifier: Apache-2.0
"""The client's side of a farm: connect to workers, and run private RSA operations on them.

with connect("tls://head:8786", tls=Tls("ca.pem", "me.pem", "me-key.pem")) as farm:
    run = farm.powers(key, messages)
    for done in run:
        print(done.tag, done.data.hex())
    print(run.stats)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager

from distributed import Client, Security

from perle.explore import engine
from perle.explore.addresses import CERTIFICATES, AddressError, check, is_private
from perle.explore.engine import NoSchedulerError
from perle.explore.tls import InsecureError, Tls, security
from perle.farm.outcome import FarmError, FarmStats, NoWorkersError
from perle.farm.run import WAIT_SECONDS, Run
from perle.host import Key

__all__ = [
    "AddressError", "Farm", "FarmError", "FarmStats", "InsecureError", "NoSchedulerError", "NoWorkersError",
    "Run", "Tls", "connect",
]  # fmt: skip

CONNECT_SECONDS = 2.0
"""Least time in which a scheduler has to answer, however short runs wait for workers."""


class Farm:
    """Workers that share private operations, each on its boards; `board` is for those without their own."""

    def __init__(self, client: Client, board: str, wait: float) -> None:
        self._client, self._board, self._wait = client, board, wait
        self._runs: list[Run] = []

    def powers(self, key: Key, messages: Iterable[bytes]) -> Run:
        """Start computing message^d mod n for all messages; the run yields the results in their order.

        ValueError for a key without its primes.
        """
        if not key.has_crt:
            raise ValueError("a farm takes private keys with their primes")
        run = Run(self._client, key, messages, self._board, self._wait)
        self._runs.append(run)
        return run

    def close(self) -> None:
        """End runs that were not read to their end."""
        for run in self._runs:
            run.close()


@contextmanager
def connect(
    scheduler: str | None = None,
    *,
    board: str,
    workers: int = 1,
    tls: Tls | None = None,
    wait: float = WAIT_SECONDS,
) -> Iterator[Farm]:
    """Yield the farm of a running Dask scheduler, or of `workers` new worker processes on this machine.

    `wait`: seconds to wait for the scheduler's answer (at least two), and that a run waits while there is no
    worker. Raises AddressError, InsecureError, and NoSchedulerError if no scheduler answers.
    """
    security = None if scheduler is None else _security(scheduler, tls or Tls())
    with (
        engine.cluster(workers, scheduler, security, max(wait, CONNECT_SECONDS)) as client,
        closing(Farm(client, board, wait)) as farm,
    ):
        yield farm


def _security(scheduler: str, tls: Tls) -> Security | None:
    check(scheduler)
    if not is_private(scheduler):
        raise InsecureError(
            f"{scheduler}: a scheduler on another machine is spoken to by TLS alone, tls://…; {CERTIFICATES}"
        )
    return security(scheduler, tls)
