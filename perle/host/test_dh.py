# SPDX-License-Identifier: Apache-2.0
"""Diffie–Hellman on boards agrees with OpenSSL's, in groups with the same primes."""

from __future__ import annotations

import re
from pathlib import Path

import gmpy2
import pytest

from perle.flow import tools
from perle.host import Boards, PerleError
from perle.host.dh import NAMES, KeyPair, PeerError, generate, group

pytest_plugins = ["perle.host.fixtures"]


def openssl(*words: str | Path) -> str:
    return tools.run([tools.system_tool("openssl"), *words], timeout=120).stdout


@pytest.mark.parametrize("name", NAMES)
def test_the_primes_are_those_of_openssl(name: str, tmp_path: Path) -> None:
    """They are computed here, and stand in OpenSSL's tables."""
    theirs = name.replace("modp", "modp_")
    path = tmp_path / "parameters.pem"
    openssl("genpkey", "-genparam", "-algorithm", "DH", "-pkeyopt", f"group:{theirs}", "-out", path)
    p, g, *_ = (
        int(number, 16) for number in re.findall(r"INTEGER +:([0-9A-F]+)", openssl("asn1parse", "-in", path))
    )
    found = group(name)
    assert (found.p, found.g) == (p, g)
    assert name.endswith(str(found.bits))


@pytest.mark.parametrize("name", NAMES[:1])
def test_the_order_is_a_prime(name: str) -> None:
    found = group(name)
    assert gmpy2.is_prime(found.p)
    assert gmpy2.is_prime(found.q)
    assert pow(found.g, found.q, found.p) == 1


def test_both_sides_have_one_secret(wide: Boards) -> None:
    where = group("ffdhe2048")
    mine, yours = generate(wide, where), generate(wide, where)
    assert mine.public != yours.public
    secret = mine.shared(wide, yours.public)
    assert secret == yours.shared(wide, mine.public)
    assert len(secret) == 256
    assert str(mine._exponent) not in repr(mine)
    assert mine._exponent.bit_length() == where.exponent_bits


def der(tag: int, *parts: bytes) -> bytes:
    """Return a value of ASN.1 in DER."""
    data = b"".join(parts)
    size = len(data).to_bytes(2, "big")
    return bytes([tag]) + (bytes([len(data)]) if len(data) < 128 else b"\x82" + size) + data


def integer(value: int) -> bytes:
    return der(2, value.to_bytes(value.bit_length() // 8 + 1, "big"))


def test_openssl_on_the_other_side(wide: Boards, tmp_path: Path) -> None:
    where = group("ffdhe2048")
    key, peer = tmp_path / "key.pem", tmp_path / "peer.der"
    openssl("genpkey", "-algorithm", "DH", "-pkeyopt", "group:ffdhe2048", "-out", key)
    told = re.search(r"public-key:\s+((?:[0-9a-f]{2}:?\s*)+)", openssl("pkey", "-in", key, "-text", "-noout"))
    assert told is not None
    theirs = int(re.sub(r"[\s:]", "", told[1]), 16)
    mine = generate(wide, where)
    secret = mine.shared(wide, theirs)
    # PKCS #3: SEQUENCE { SEQUENCE { dhKeyAgreement, SEQUENCE { p, g } }, BIT STRING { public value } }
    name = der(6, bytes.fromhex("2a864886f70d010301"))
    parameters = der(0x30, integer(where.p), integer(where.g))
    bits = der(3, b"\0", integer(mine.public))
    peer.write_bytes(der(0x30, der(0x30, name, parameters), bits))
    out = tmp_path / "secret"
    openssl("pkeyutl", "-derive", "-inkey", key, "-peerkey", peer, "-peerform", "DER",
            "-pkeyopt", "dh_pad:1", "-out", out)  # fmt: skip
    assert out.read_bytes() == secret


def test_a_secret_keeps_its_leading_zeros(wide: Boards) -> None:
    where = group("ffdhe2048")
    assert KeyPair(where, 2, 1).shared(wide, 4) == (4).to_bytes(256, "big")


def test_what_is_no_public_value_is_refused(wide: Boards) -> None:
    where = group("ffdhe2048")
    p = where.p
    pair = KeyPair(where, 4, 2)
    # p ≡ 7 (mod 8): −1 is no square, so p − 4 is none either
    for value in (-1, 0, 1, p - 1, p, p + 4):
        with pytest.raises(PeerError, match="from 2 to"):
            pair.shared(wide, value)
    with pytest.raises(PeerError, match="power of the generator"):
        pair.shared(wide, p - 4)


def test_a_board_that_is_too_narrow(boards: Boards) -> None:
    with pytest.raises(PerleError, match=r"2048|wide"):
        generate(boards, group("ffdhe2048"))


def test_there_are_no_other_groups() -> None:
    with pytest.raises(ValueError, match="no such group; there are modp1536"):
        group("ffdhe1024")
