# SPDX-License-Identifier: Apache-2.0
"""Servers and clients of every day with their keys on boards; every private operation is accounted for.

`PERLE_LOAD=N` sets how many handshakes the load tests do: `make load`.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from perle.cores import registry
from perle.cores.modexp.model import Command, Mode, cycles
from perle.host import provider, resolve_spec
from tests.clients_tls import HELLO, HOST, INTERNAL_ERROR, TLS12, TLS13, Site, program

pytest_plugins = ["perle.host.fixtures"]

pytestmark = pytest.mark.slow

LOAD = int(os.environ.get("PERLE_LOAD", "1000"))
# What a configuration may say at most: no run of spoilt results retires a board in these tests.
NEVER_RETIRED = "1000"
REQUEST = b"GET / HTTP/1.0\r\n\r\n"
WEB = b"HTTP/1.0 200"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Return a key of 2048 bits and its certificate, made once."""
    provider.provider_path()
    return Site.make(tmp_path_factory.mktemp("made"))


@pytest.fixture
def site(made: Site, softboard: Path, tmp_path: Path) -> Site:
    """Return a folder with that key, and two software boards as wide as its primes."""
    for name in ("key.pem", "cert.pem"):
        (tmp_path / name).write_bytes((made.folder / name).read_bytes())
    out = Site(tmp_path, {**os.environ, "SOFTBOARD": "width=1024"})
    out.configure(f"sim:{softboard},boards=2")
    return out


def run(site: Site, *words: object, conf: str = "/dev/null", given: bytes = b"") -> bytes:
    """Run a client, which must succeed, without the provider or with a configuration; `given`: its input."""
    done = subprocess.run(
        [str(word) for word in words],
        cwd=site.folder,
        env={**site.environment, "OPENSSL_CONF": conf},
        input=given,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


@pytest.mark.parametrize(("version", "name"), [("-tls1_3", "TLSv1.3"), ("-tls1_2", "TLSv1.2")])
def test_s_server_and_s_client(site: Site, version: str, name: str) -> None:
    with site.s_server() as port:
        trust = ("-CAfile", "cert.pem", "-verify_return_error")
        said = run(site, "openssl", "s_client", "-connect", f"{HOST}:{port}", version, *trust)
        assert f"New, {name}".encode() in said
        assert b"Verification: OK" in said
        assert re.search(rb"signature type: (RSA-PSS|rsa_pss_rsae_sha256)\n", said)
    assert site.counts() == {"boards": 1}


def test_s_server_with_exchange_by_encryption(site: Site) -> None:
    # The secret of TLS 1.2 that comes RSA-encrypted is not decrypted on boards, whatever the policy.
    with site.s_server() as port:
        client = site.client(TLS12, "AES256-GCM-SHA384")
        assert site.handshake(port, client, REQUEST).startswith(WEB)
    assert site.counts() == {"declined": 1}


def test_python(site: Site) -> None:
    with site.python() as port:
        for version in (TLS13, TLS12, TLS13):
            assert site.handshake(port, site.client(version), b"echo") == b"echo"
        [page] = site.pages()
        assert page["counts"]["boards"] == 3


def test_stunnel(site: Site) -> None:
    with site.stunnel() as port:
        for version in (TLS13, TLS12):
            assert site.handshake(port, site.client(version), b"echo") == b"echo"
        assert site.counts() == {"boards": 2}


def test_nginx_and_curl(site: Site) -> None:
    curl = program("curl")
    with site.nginx() as port:
        for version in (("--tls-max", "1.2"), ("--tlsv1.3",)):
            where = ("--noproxy", "*", "--cacert", "cert.pem", f"https://localhost:{port}/")
            said = run(site, curl, "-sS", *version, *where)
            assert said == HELLO
        assert site.counts() == {"boards": 2}
    assert site.counts() == {"boards": 2}


def test_curl_with_a_key_of_its_own(site: Site) -> None:
    # A client's certificate: here it is curl that signs, in a process of its own.
    curl = program("curl")
    with site.s_server("-Verify", 1, "-CAfile", "cert.pem") as port:
        own = ("--cert", "cert.pem", "--key", "key.pem")
        where = ("--noproxy", "*", "--cacert", "cert.pem", f"https://localhost:{port}/")
        said = run(site, curl, "-sS", *own, *where, conf=site.environment["OPENSSL_CONF"])
        assert b"s_server" in said
    pages = [page["counts"]["boards"] for page in site.pages()]
    assert pages == [1, 1]


@pytest.mark.parametrize("perled", [True, False])
def test_ssh_keygen_signs_what_it_verifies(site: Site, perled: bool) -> None:
    """Signed with the provider configured and verified without, and the other way around.

    OpenSSH up to 9.2 at least calls RSA functions of libcrypto that no provider sees, so counts may be empty.
    """
    keygen, ours = program("ssh-keygen"), site.environment["OPENSSL_CONF"]
    signing, verifying = (ours, "/dev/null") if perled else ("/dev/null", ours)
    (site.folder / "key.pem").chmod(0o600)
    public = run(site, keygen, "-y", "-f", "key.pem", conf=signing)
    (site.folder / "key.pem.pub").write_bytes(public)
    (site.folder / "allowed").write_bytes(b"somebody " + public)
    message = site.folder / "message"
    message.write_bytes(b"a message")
    run(site, keygen, "-Y", "sign", "-f", "key.pem", "-n", "file", message, conf=signing)
    check = ("-Y", "verify", "-f", "allowed", "-I", "somebody", "-n", "file", "-s", "message.sig")
    said = run(site, keygen, *check, conf=verifying, given=message.read_bytes())
    assert b'Good "file" signature for somebody' in said
    assert set(site.counts()) <= {"boards"}
    message.write_bytes(b"another one")
    with pytest.raises(AssertionError, match="incorrect signature"):
        run(site, keygen, *check, conf=verifying, given=message.read_bytes())


def test_every_worker_of_nginx_has_boards(site: Site) -> None:
    """Handshakes over several workers: what each counted adds up to all of them."""
    count = 100
    with site.nginx() as port:
        outcome = site.load(port, count)
        pages = site.pages()
    assert (outcome.completed, outcome.lost) == (count, {})
    assert len(pages) == 2
    assert all(page["counts"]["boards"] > 0 for page in pages)
    assert site.counts() == {"boards": count}
    assert sum(page["boards"][0]["operations"] for page in site.pages()) == count


def test_nginx_with_a_configuration_read_again(site: Site) -> None:
    with site.nginx() as port:
        assert site.load(port, 10).completed == 10
        os.kill(int((site.folder / "nginx.pid").read_text()), signal.SIGHUP)
        # New workers take over while the old ones end; none of the connections is refused.
        for _ in range(20):
            assert site.load(port, 10).completed == 10
            if len(site.pages()) > 2:
                break
            time.sleep(0.1)
        done = site.counts()
    assert len(site.pages()) > 2
    assert done.keys() == {"boards"}
    assert done["boards"] >= 20


def test_load_with_faults_and_software(site: Site, softboard: Path) -> None:
    """Spoilt results cost no handshake: software does the operation again, and the counts tell of each."""
    spoilt = {"inject": "0.05", "retire_after": NEVER_RETIRED}
    site.configure(f"sim:{softboard},boards=2", fallback="software", **spoilt)
    with site.nginx() as port:
        outcome = site.load(port, LOAD)
    counts = site.counts()
    assert (outcome.completed, outcome.lost) == (LOAD, {})
    assert LOAD / 100 < counts["injected"] < LOAD / 10
    assert counts["software"] == counts["wrong"] == counts["injected"]
    assert counts["boards"] == LOAD - counts["software"]
    assert counts.keys() == {"boards", "software", "wrong", "injected"}


def test_load_with_faults_and_no_fallback(site: Site, softboard: Path) -> None:
    """Without a fallback each spoilt result is one lost handshake: an alert of TLS, and no signature."""
    site.configure(f"sim:{softboard},boards=2", inject="0.05", retire_after=NEVER_RETIRED)
    with site.nginx() as port:
        outcome = site.load(port, LOAD)
    counts = site.counts()
    assert LOAD / 100 < counts["injected"] < LOAD / 10
    assert counts["failed"] == counts["wrong"] == counts["injected"]
    assert counts["boards"] == outcome.completed == LOAD - counts["failed"]
    assert [reason for reason in outcome.lost if INTERNAL_ERROR not in reason] == []
    assert outcome.lost.total() == counts["failed"]
    assert counts.keys() == {"boards", "failed", "wrong", "injected"}


def test_load_with_retired_boards(site: Site, softboard: Path) -> None:
    """Two sets, most results spoilt: sets are retired and tried again; no handshake is lost."""
    specs = (f"sim:{softboard}", f"sim:{softboard},boards=2")
    site.configure(*specs, fallback="software", inject="0.6", retire_after="2", retry="20")
    count = LOAD // 4
    with site.nginx() as port:
        outcome = site.load(port, count)
    counts = site.counts()
    assert (outcome.completed, outcome.lost) == (count, {})
    assert counts["boards"] + counts["software"] == count
    assert counts["wrong"] == counts["injected"]
    rows = [row for page in site.pages() for row in page["boards"]]
    assert sum(row["retired"] for row in rows) > 0
    assert sum(row["operations"] for row in rows) == counts["boards"]
    assert sum(row["wrong"] for row in rows) == counts["wrong"]


def test_a_key_of_2048_bits_on_the_core(made: Site, tmp_path: Path) -> None:
    """The hardware itself, cycle by cycle, under nginx."""
    site = Site(tmp_path, dict(os.environ))
    for name in ("key.pem", "cert.pem"):
        (tmp_path / name).write_bytes((made.folder / name).read_bytes())
    site.configure(resolve_spec("sim:orup:w1024,boards=2"))
    with site.nginx() as port:
        for version in (TLS13, TLS12):
            assert site.handshake(port, site.client(version), REQUEST).endswith(HELLO)
        pages = site.pages()
    assert site.counts() == {"boards": 2}
    board = pages[0]["boards"][0]
    assert (board["width"], board["blinding_bits"], board["state"]) == (1024, 64, "up")
    # Two operations of two halves, each with the 64 bits of blinding; to the cycle.
    half = cycles(registry.resolve("orup:w1024"), Command.EXP, Mode.WINDOW, 1024 + 64, bits=1024)
    assert sum(page["boards"][0]["cycles"] for page in pages) == 4 * half
