# SPDX-License-Identifier: Apache-2.0
"""RSA in software, for comparison: OpenSSL's code on one core of this machine, with the same key.

The package `cryptography` contains its own OpenSSL; a call through it adds about a microsecond.
Rates are by processor time, so that other work on this machine does not make software look slower.
"""

from __future__ import annotations

import platform
import re
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.backends.openssl.backend import backend
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from perle.cli.io.errors import bad_input
from perle.measure.software import per_second

DIGEST = bytes(range(32))
CPUINFO = Path("/proc/cpuinfo")
IFMA = "avx512ifma"
"""CPU flag of the instructions that multiply eight pairs of 52-bit numbers in parallel; OpenSSL's RSA uses
them if available."""


@dataclass(frozen=True)
class Rates:
    """Operations per second of one core's time."""

    private: float
    public: float
    library: str


def processor(cpuinfo: Path = CPUINFO) -> str:
    """Return the processor's name and whether it has AVX512-IFMA, if the system tells."""
    text = cpuinfo.read_text(encoding="utf-8") if cpuinfo.exists() else ""
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.M)
    name = found[1].strip() if found else platform.processor() or platform.machine()
    flags = re.search(r"^flags\s*:(.*)$", text, re.M)
    if flags is None:
        return name
    return f"{name}, {'with' if IFMA in flags[1].split() else 'no'} AVX512-IFMA"


def rates(pem: bytes, seconds: float) -> Rates:
    """Measure signatures (PKCS#1, of a digest) and their verification, `seconds` each."""
    key = load_pem_private_key(pem, None)
    if not isinstance(key, RSAPrivateKey):
        raise bad_input("not an RSA key")
    public, padding, hashed = key.public_key(), PKCS1v15(), Prehashed(SHA256())
    signature = key.sign(DIGEST, padding, hashed)
    return Rates(
        per_second(lambda: key.sign(DIGEST, padding, hashed), seconds),
        per_second(lambda: public.verify(signature, DIGEST, padding, hashed), seconds),
        backend.openssl_version_text(),
    )
