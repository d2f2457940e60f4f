# SPDX-License-Identifier: Apache-2.0
"""RSA in software, for comparison: OpenSSL's code on one core of this machine, with the very same key.

`cryptography` carries an OpenSSL of its own; its call costs about a microsecond on top.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from cryptography.hazmat.backends.openssl.backend import backend
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from perle.cli.io.errors import bad_input

DIGEST = bytes(range(32))


@dataclass(frozen=True)
class Rates:
    """Operations per second of one core."""

    private: float
    public: float
    library: str


def rates(pem: bytes, seconds: float) -> Rates:
    """Measure signatures (PKCS#1, of a digest) and their verification, `seconds` each."""
    key = load_pem_private_key(pem, None)
    if not isinstance(key, RSAPrivateKey):
        raise bad_input("no RSA key")
    public, padding, hashed = key.public_key(), PKCS1v15(), Prehashed(SHA256())
    signature = key.sign(DIGEST, padding, hashed)
    return Rates(
        _rate(lambda: key.sign(DIGEST, padding, hashed), seconds),
        _rate(lambda: public.verify(signature, DIGEST, padding, hashed), seconds),
        backend.openssl_version_text(),
    )


def _rate(work: Callable[[], object], seconds: float) -> float:
    begin, count = time.perf_counter(), 0
    while True:
        work()
        count += 1
        if (passed := time.perf_counter() - begin) >= seconds:
            return count / passed
