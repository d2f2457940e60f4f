# SPDX-License-Identifier: Apache-2.0
"""TLS servers that use the provider, and clients that do not: what the tests with real programs share."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from perle.host import provider
from tests.cli_run import ROOT, answer, openssl

HOST = "127.0.0.1"
SECONDS = 60
TLS12, TLS13 = ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3
EXAMPLE = ROOT / "docs/nginx-perle.conf"
HELLO = b"hello\n"
INTERNAL_ERROR = "ALERT_INTERNAL_ERROR"

# Echoes what each connection sends first; `ssl` of Python is OpenSSL's.
PYTHON_SERVER = """
import socket, ssl, sys
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain("cert.pem", "key.pem")
with socket.create_server(("127.0.0.1", int(sys.argv[1]))) as listening:
    while True:
        connection, _ = listening.accept()
        try:
            with context.wrap_socket(connection, server_side=True) as secured:
                secured.sendall(secured.recv(100))
        except OSError:
            pass
"""


def program(*names: str) -> str:
    """Return the path of a program under any of its names; skip the test where there is none."""
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])
    for name in names:
        found = shutil.which(name, path=path)
        if found is not None:
            return found
    pytest.skip(f"{names[0]} is not installed")


def free_port() -> int:
    """Return a port of the loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass
class Outcome:
    """What became of handshakes: how many a client completed, and what it said of the others."""

    completed: int = 0
    lost: Counter[str] = field(default_factory=Counter)


@dataclass
class Site:
    """A folder with a key, its certificate and a configuration of the provider; servers run in it."""

    folder: Path
    environment: dict[str, str]

    @classmethod
    def make(cls, folder: Path, bits: int = 2048) -> Site:
        """Make a key and a certificate for localhost in a folder."""
        names = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1")
        files = ("-noenc", "-keyout", folder / "key.pem", "-out", folder / "cert.pem")
        openssl("req", "-x509", "-newkey", f"rsa:{bits}", *files, *names, "-days", 3)
        return cls(folder, dict(os.environ))

    def configure(self, *boards: str, fallback: str = "fail", **more: str) -> None:
        """Write the provider's configuration; processes leave their pages when they end."""
        provision = provider.Provision(
            boards, fallback, status=self.folder / "status", more={"keep_status": "yes", **more}
        )
        path = self.folder / "openssl-perle.cnf"
        path.write_text(provision.text(provider.provider_path()))
        self.environment |= {"OPENSSL_CONF": str(path), "PERLE_PROVIDER_INJECT": "1"}

    def pages(self) -> list[dict[str, Any]]:
        """Return what `perle provider status` shows; [] before the first private operation."""
        folder = self.folder / "status"
        found: list[dict[str, Any]] = []
        if folder.is_dir():
            found = answer("provider", "status", "--status", folder)
        return found

    def counts(self) -> dict[str, int]:
        """Add up the counts of all processes, and leave out what is nought."""
        total: Counter[str] = Counter()
        for page in self.pages():
            total.update(page["counts"])
        total.pop("most_waiting", None)  # a maximum, no count
        return {name: count for name, count in total.items() if count}

    @contextmanager
    def running(self, *words: object, port: int, stop: signal.Signals = signal.SIGTERM) -> Iterator[int]:
        """Run a server of the provider until the block ends; yields its port once it listens."""
        log = self.folder / "server.log"
        command = [str(word) for word in words]
        with (
            log.open("wb") as out,
            subprocess.Popen(
                command,
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=subprocess.STDOUT,
            ) as process,
        ):
            try:
                await_listening(port, process, log)
                yield port
            finally:
                process.send_signal(stop)
                try:
                    process.wait(SECONDS)
                except subprocess.TimeoutExpired:
                    process.kill()
                    raise

    def s_server(self, *more: object) -> AbstractContextManager[int]:
        """Run openssl s_server, which answers requests of web pages."""
        port = free_port()
        files = ("-cert", "cert.pem", "-key", "key.pem")
        return self.running("openssl", "s_server", "-accept", port, *files, "-www", *more, port=port)

    def python(self) -> AbstractContextManager[int]:
        """Run a server in Python."""
        port = free_port()
        return self.running(sys.executable, "-c", PYTHON_SERVER, port, port=port)

    def nginx(self) -> AbstractContextManager[int]:
        """Run nginx with the example of the documentation, at another port."""
        path, port = program("nginx"), free_port()
        text = EXAMPLE.read_text()
        assert text.count("127.0.0.1:8443") == 1
        conf = self.folder / EXAMPLE.name
        conf.write_text(text.replace("127.0.0.1:8443", f"{HOST}:{port}"))
        # Workers of a master that root starts would be another user's, who does not own this folder.
        root = "user root;" if os.geteuid() == 0 else ""
        extra = ("-g", f"env SOFTBOARD; {root}")
        return self.running(path, "-p", self.folder, "-c", conf, *extra, port=port, stop=signal.SIGQUIT)

    def stunnel(self) -> AbstractContextManager[int]:
        """Run stunnel before /bin/cat: it sends back what comes."""
        path, port = program("stunnel4", "stunnel"), free_port()
        service = f"[echo]\naccept = {HOST}:{port}\nexec = /bin/cat\nexecArgs = cat\n"
        files = f"cert = {self.folder / 'cert.pem'}\nkey = {self.folder / 'key.pem'}\n"
        conf = self.folder / "stunnel.conf"
        conf.write_text(f"foreground = yes\npid =\n{service}{files}")
        return self.running(path, conf, port=port)

    def client(self, version: ssl.TLSVersion = TLS13, ciphers: str = "") -> ssl.SSLContext:
        """Return a client that verifies certificate and signature, and never resumes a session."""
        context = ssl.create_default_context(cafile=str(self.folder / "cert.pem"))
        context.minimum_version = context.maximum_version = version
        if ciphers:
            context.set_ciphers(ciphers)
        return context

    def handshake(self, port: int, client: ssl.SSLContext, send: bytes = b"") -> bytes:
        """Do one whole handshake; with something to send, return the first bytes of the answer."""
        with (
            socket.create_connection((HOST, port), timeout=SECONDS) as plain,
            client.wrap_socket(plain, server_hostname="localhost") as secured,
        ):
            if not send:
                return b""
            secured.sendall(send)
            return secured.recv(4096)

    def load(self, port: int, count: int, parallel: int = 4) -> Outcome:
        """Do many handshakes, of TLS 1.3 and 1.2 in turn."""
        clients = [self.client(TLS13), self.client(TLS12)]

        def one(index: int) -> str:
            try:
                self.handshake(port, clients[index % 2])
            except ssl.SSLError as error:
                return error.reason or str(error)
            except OSError as error:
                return f"{type(error).__name__}: {error}"
            return ""

        with ThreadPoolExecutor(parallel) as pool:
            said = Counter(pool.map(one, range(count)))
        return Outcome(said.pop("", 0), said)


def await_listening(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until a process listens at a port; the test fails with the end of its log if it does not."""
    end = time.monotonic() + SECONDS
    while process.poll() is None and time.monotonic() < end:
        try:
            socket.create_connection((HOST, port), timeout=1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    pytest.fail(f"no server at port {port}: {log.read_text(errors='replace')[-2000:]}")
