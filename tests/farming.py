# SPDX-License-Identifier: Apache-2.0
"""Farms for tests: looking where no key may be."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from perle.farm.wrapping import private_numbers
from perle.host import Key
from tests.clients_tls import HOST

CHUNK = 1 << 20


def forms(key: Key) -> dict[str, bytes]:
    """Return the secrets of a key in every form in which somebody might write them down."""
    secret = {name: number for name, number in private_numbers(key).items() if name not in ("n", "e")}
    secret["d"] = pow(key.e, -1, (secret["p"] - 1) * (secret["q"] - 1))
    found = {f"PEM {i}": line for i, line in enumerate(key.to_pem().splitlines()[2:-2])}
    for name, number in secret.items():
        size = (number.bit_length() + 7) // 8
        found[f"{name} big-endian"], found[f"{name} little-endian"] = (
            number.to_bytes(size, order) for order in ("big", "little")
        )
        found[f"{name} in decimal"] = str(number).encode()
        found[f"{name} in hexadecimal"] = f"{number:x}".encode()
    return found


def seen(secrets: Mapping[str, bytes], where: bytes) -> list[str]:
    """Return which of the secrets are there."""
    return [name for name, secret in secrets.items() if secret in where]


def memory(pid: int) -> Iterator[bytes]:
    """Yield all that a process can write, region by region, of those that can be read."""
    with Path(f"/proc/{pid}/maps").open() as maps, Path(f"/proc/{pid}/mem").open("rb", 0) as content:
        for line in maps:
            place, rights = line.split()[:2]
            begin, end = (int(one, 16) for one in place.split("-"))
            if rights.startswith("rw"):
                with suppress(OSError):
                    content.seek(begin)
                    yield content.read(end - begin)


def in_memory(secrets: Mapping[str, bytes], pid: int) -> list[str]:
    """Return which of the secrets a process has in its memory."""
    return sorted({name for region in memory(pid) for name in seen(secrets, region)})


@contextmanager
def recorded(address: str) -> Iterator[tuple[str, bytearray]]:
    """Stand between a client and an address of Dask: yield the address to use, and what passes."""
    scheme, _, place = address.partition("://")
    host, _, port = place.rpartition(":")
    passed = bytearray()
    threads: list[threading.Thread] = []

    def start(work: Callable[..., None], *args: object) -> None:
        threads.append(threading.Thread(target=work, args=args))
        threads[-1].start()

    def pump(source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while chunk := source.recv(CHUNK):
                passed.extend(chunk)
                sink.sendall(chunk)
        for one in (source, sink):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def join(here: socket.socket) -> None:
        with here, socket.create_connection((host, int(port))) as there:
            back = threading.Thread(target=pump, args=(there, here))
            back.start()
            pump(here, there)
            back.join()

    def serve(listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                start(join, listening.accept()[0])

    with socket.create_server((HOST, 0)) as listening:
        start(serve, listening)
        yield f"{scheme}://{HOST}:{listening.getsockname()[1]}", passed
        listening.shutdown(socket.SHUT_RDWR)
        for thread in threads:
            thread.join()
