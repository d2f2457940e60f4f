# SPDX-License-Identifier: Apache-2.0
"""Farms for tests: certificates, schedulers and workers as processes, and looking where no key may be."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from perle.farm.client import Tls
from perle.farm.wrapping import private_numbers
from perle.host import Key
from tests.clients_tls import HOST, await_listening, free_port

CHUNK = 1 << 20


@dataclass
class Certificates:
    """A certification authority of its own, and certificates that it signed."""

    folder: Path
    _key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def __post_init__(self) -> None:
        (self.folder / "ca.pem").write_bytes(self._signed("farm", self._key).public_bytes(Encoding.PEM))

    def tls(self, name: str) -> Tls:
        """Make a certificate for who has this name."""
        key = ec.generate_private_key(ec.SECP256R1())
        private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        (self.folder / f"{name}-key.pem").write_bytes(private)
        (self.folder / f"{name}.pem").write_bytes(self._signed(name, key).public_bytes(Encoding.PEM))
        return Tls(*(str(self.folder / file) for file in ("ca.pem", f"{name}.pem", f"{name}-key.pem")))

    def _signed(self, name: str, key: ec.EllipticCurvePrivateKey) -> x509.Certificate:
        now = datetime.now(UTC)
        issuer, subject = (
            x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, one)]) for one in ("farm", name)
        )
        return (
            x509.CertificateBuilder()
            .issuer_name(issuer)
            .subject_name(subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=1))
            .add_extension(x509.BasicConstraints(ca=name == "farm", path_length=None), critical=True)
            .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(HOST))]), critical=False)
            .sign(self._key, SHA256())
        )


@dataclass
class Processes:
    """A scheduler and workers that TLS joins, each a process that writes into one folder."""

    folder: Path
    certificates: Certificates
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    address: str = ""

    def scheduler(self) -> None:
        """Start the scheduler."""
        port = free_port()
        self.address = f"tls://{HOST}:{port}"
        self._start("scheduler", "--host", self.address, "--no-dashboard", "--dashboard-address", f"{HOST}:0")
        await_listening(port, self.running["scheduler"], self.folder / "scheduler.log")

    def worker(self, name: str, softboard: str, *more: str) -> None:
        """Start a worker, whose software boards have these settings."""
        files = ("--local-directory", str(self.folder / f"{name}-files"))
        calm = ("--no-nanny", "--no-dashboard", "--dashboard-address", f"{HOST}:0", "--memory-limit", "0")
        words = (self.address, "--name", name, "--nthreads", "1", *files, *calm, *more)
        self._start(name, *words, kind="worker", SOFTBOARD=softboard)

    def _start(self, name: str, *words: str, kind: str = "scheduler", **more: str) -> None:
        tls = self.certificates.tls(name)
        files = ("--tls-ca-file", str(tls.ca), "--tls-cert", str(tls.cert), "--tls-key", str(tls.key))
        with (self.folder / f"{name}.log").open("wb") as log:
            self.running[name] = subprocess.Popen(
                [sys.executable, "-m", "dask", kind, *files, *words],
                env={**os.environ, **more, "PYTHONPATH": str(Path(__file__).resolve().parents[1])},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def end(self) -> None:
        """Kill them all, and wait for it."""
        for process in self.running.values():
            process.kill()
        for process in self.running.values():
            process.wait()

    def written(self) -> dict[str, bytes]:
        """Return all that they have written, by file."""
        return {str(path): path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}


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
