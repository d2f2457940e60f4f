# SPDX-License-Identifier: Apache-2.0
"""A Dask scheduler and workers that TLS joins, as processes, and the certificates that they have."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from perle.explore.tls import Tls
from tests.clients_tls import HOST, await_listening, free_port


@dataclass
class Certificates:
    """A certification authority of its own, and certificates that it signed."""

    folder: Path
    authority: str = "farm"
    days: int = 1
    """Days until they expire; those of 0 have expired."""
    _key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def __post_init__(self) -> None:
        own = self._signed(self.authority, self._key)
        (self.folder / "ca.pem").write_bytes(own.public_bytes(Encoding.PEM))

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
            x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, one)]) for one in (self.authority, name)
        )
        return (
            x509.CertificateBuilder()
            .issuer_name(issuer)
            .subject_name(subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=self.days if name != self.authority else 1))
            .add_extension(x509.BasicConstraints(ca=name == self.authority, path_length=None), critical=True)
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

    def worker(self, name: str, *more: str, **environment: str) -> None:
        """Start a worker with more words of its command, and what its environment has besides this one's."""
        files = ("--local-directory", str(self.folder / f"{name}-files"))
        calm = ("--no-nanny", "--no-dashboard", "--dashboard-address", f"{HOST}:0", "--memory-limit", "0")
        words = (self.address, "--name", name, "--nthreads", "1", *files, *calm, *more)
        self._start(name, *words, kind="worker", **environment)

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
