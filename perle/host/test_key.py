# SPDX-License-Identifier: Apache-2.0
"""Keys through the binding: all forms that openssl writes, all that are refused, and noise."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perle.host import Boards, Key, Padding, PerleError

pytest_plugins = ["perle.host.fixtures"]

P, Q = 0xFFFFFFFFFFFFFFC5, 0xFFFFFFFFFFFFFFAD  # the two largest primes below 2^64
E = 65537


def openssl(*args: str, stdin: bytes = b"") -> bytes:
    return subprocess.run(
        ["openssl", *args], input=stdin, capture_output=True, check=True, timeout=120
    ).stdout


def refused(name: str) -> pytest.RaisesExc[PerleError]:
    return pytest.raises(PerleError, match=rf"\({name}\)$")


@pytest.mark.parametrize("bits", [512, 1024, 2048, 3072])
def test_keys_of_openssl(bits: int, softboard: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Every form openssl writes gives the same key; a signature made with it is one to openssl."""
    pem = openssl("genrsa", str(bits))
    forms = [
        pem,
        openssl("rsa", "-traditional", stdin=pem),
        openssl("rsa", "-outform", "DER", stdin=pem),
        openssl("rsa", "-traditional", "-outform", "DER", stdin=pem),
        openssl("pkcs8", "-topk8", "-nocrypt", "-outform", "DER", stdin=pem),
    ]
    locked = [
        openssl("rsa", "-aes256", "-passout", "pass:s3cret", stdin=pem),
        openssl("rsa", "-traditional", "-aes256", "-passout", "pass:s3cret", stdin=pem),
        openssl(
            "pkcs8", "-topk8", "-v2", "aes-256-cbc", "-passout", "pass:s3cret", "-outform", "DER", stdin=pem
        ),
    ]
    keys = [Key.from_bytes(form) for form in forms] + [Key.from_bytes(form, b"s3cret") for form in locked]
    assert len({key.n for key in keys}) == 1
    assert all(key.is_private and key.has_crt for key in keys)
    assert {(key.bits, key.e) for key in keys} == {(bits, E)}
    public = [
        openssl("rsa", "-pubout", *extra, stdin=pem)
        for extra in ([], ["-outform", "DER"], ["-RSAPublicKey_out"])
    ]
    assert {Key.from_bytes(form).n for form in public} == {keys[0].n}
    assert not Key.from_bytes(public[0]).is_private

    (tmp_path / "pub.pem").write_bytes(public[0])
    (tmp_path / "message").write_bytes(b"a message")
    monkeypatch.setenv("SOFTBOARD", f"width={bits // 2}")
    with Boards(softboard) as boards:
        signed = keys[0].sign(boards, hashlib.sha256(b"a message").digest(), padding=Padding.PKCS1)
    (tmp_path / "sig").write_bytes(signed.data)
    files = [
        "-verify",
        str(tmp_path / "pub.pem"),
        "-signature",
        str(tmp_path / "sig"),
        str(tmp_path / "message"),
    ]
    assert b"OK" in openssl("dgst", "-sha256", *files)


def test_a_key_among_other_things(tmp_path: Path) -> None:
    """The key of a PEM file is found after a certificate, another key and what people write between."""
    pem, other = openssl("genrsa", "512"), openssl("genpkey", "-algorithm", "ED25519")
    (tmp_path / "key").write_bytes(pem)
    subject = ("-subj", "/CN=perle", "-config", "/dev/null")
    certificate = openssl("req", "-x509", "-new", "-key", str(tmp_path / "key"), *subject)
    n = Key.from_bytes(pem).n
    assert Key.from_bytes(b"0 comes first\n" + certificate + b"then the key\n" + pem).n == n
    assert Key.from_bytes(other + pem + certificate).n == n
    with refused("PERLE_ERR_KEY_TYPE"):
        Key.from_bytes(certificate + other)
    with refused("PERLE_ERR_KEY_FORMAT"):
        Key.from_bytes(certificate)
    with refused("PERLE_ERR_KEY_FORMAT"):
        Key.from_bytes(certificate + pem[:200])


def test_genpkey_is_read() -> None:
    pem = openssl(
        "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024", "-pkeyopt", "rsa_keygen_pubexp:3"
    )
    with Key.from_bytes(pem) as key:
        assert (key.bits, key.e, key.half_bits) == (1024, 3, 512)


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (["genrsa", "-primes", "3", "2048"], "PERLE_ERR_KEY_MULTIPRIME"),
        (["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"], "PERLE_ERR_KEY_TYPE"),
        (["genpkey", "-algorithm", "ED25519"], "PERLE_ERR_KEY_TYPE"),
        (["genpkey", "-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:1024"], "PERLE_ERR_KEY_TYPE"),
    ],
)
def test_keys_refused(command: list[str], name: str) -> None:
    with refused(name):
        Key.from_bytes(openssl(*command))


def test_passphrases(pem: bytes) -> None:
    locked = openssl("rsa", "-aes256", "-passout", "pass:s3cret", stdin=pem)
    with refused("PERLE_ERR_PASSPHRASE_NEEDED"):
        Key.from_bytes(locked)
    with refused("PERLE_ERR_PASSPHRASE"):
        Key.from_bytes(locked, b"guess")
    with refused("PERLE_ERR_PASSPHRASE_NEEDED"):
        Key.from_bytes(locked, lambda: None)
    with pytest.raises(ValueError, match="the passphrase is longer than 1024 bytes"):
        Key.from_bytes(locked, b"x" * 5000)
    asked: list[int] = []

    def ask() -> bytes:
        asked.append(1)
        return b"s3cret"

    assert Key.from_bytes(locked, ask).is_private
    assert len(asked) == 1

    def interrupt() -> bytes:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Key.from_bytes(locked, interrupt)
    assert Key.from_bytes(pem, interrupt).is_private  # not asked


def test_numbers() -> None:
    d = pow(E, -1, (P - 1) * (Q - 1))
    crt = {"p": P, "q": Q, "dp": d % (P - 1), "dq": d % (Q - 1), "qinv": pow(Q, -1, P)}
    assert Key.from_numbers(n=P * Q, e=E, **crt).has_crt
    assert Key.from_numbers(n=P * Q, e=E, d=d).is_private
    assert not Key.from_numbers(n=P * Q, e=E).is_private
    for name, value in crt.items():
        with refused("PERLE_ERR_KEY_INCONSISTENT"):
            Key.from_numbers(n=P * Q, e=E, **(crt | {name: value + 2}))
    with pytest.raises(ValueError, match="unknown"):
        Key.from_numbers(n=P * Q, e=E, f=1)


def parse(data: bytes) -> None:
    """Load it, or be told one of the errors of keys."""
    code = 0
    try:
        Key.from_bytes(data).close()
    except PerleError as error:
        code = error.code
    assert code == 0 or 30 <= code <= 35


@given(st.binary(max_size=300))
def test_noise_is_no_key(data: bytes) -> None:
    parse(data)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300, deadline=None)
@given(st.data())
def test_damaged_keys(pem: bytes, data: st.DataObject) -> None:
    whole = data.draw(st.sampled_from([pem, openssl_der(pem)]))
    damaged = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        damaged[at] = data.draw(st.integers(0, 255))
    if data.draw(st.booleans()):
        del damaged[data.draw(st.integers(0, len(damaged))) :]
    parse(bytes(damaged))


_DER: dict[bytes, bytes] = {}


def openssl_der(pem: bytes) -> bytes:
    if pem not in _DER:
        _DER[pem] = openssl("rsa", "-outform", "DER", stdin=pem)
    return _DER[pem]
