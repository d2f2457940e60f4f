# SPDX-License-Identifier: Apache-2.0
"""RSA keys and what they do on boards, through libperle. See `perle.host` on secrets in Python's memory."""

from __future__ import annotations

import ctypes as c
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Self

from perle.host._handle import Handle
from perle.host._lib import (
    KEY_NUMBERS,
    CCost,
    CKeyInfo,
    CKeyNumbers,
    CNumber,
    CRsaOptions,
    PassphraseCallback,
    PerleError,
    library,
)

if TYPE_CHECKING:
    from perle.host.boards import Boards

__all__ = ["SALT_AUTO", "SALT_DIGEST", "Key", "Output", "Padding", "PerleError"]

SALT_DIGEST = -1
SALT_AUTO = -2
NO_BLINDING = 1
SIGNATURE_WRONG = 44
LONGEST_PASSPHRASE = 1024


class Padding(IntEnum):
    """How a message is made as long as the modulus."""

    NONE = 0
    PKCS1 = 1
    PSS = 2
    OAEP = 3


@dataclass(frozen=True)
class Output:
    """Data, the cycles of all boards, and those from start to end (less when boards work at once).

    On a system (`Boards.on_system`) there are no common cycles: both are 0, and `time_ps` is the modelled
    time in picoseconds; it is 0 everywhere else.
    """

    data: bytes
    cycles: int
    elapsed: int
    time_ps: int = 0


class Key(Handle):
    """An RSA key, private or public. Its numbers live in libperle, which wipes them at `close`.

    Operations with the public half take `boards=None` for plain software.
    """

    CLOSED = "the key is closed"

    def __init__(self, handle: c.c_void_p) -> None:
        self._own(handle, "perle_key_free")
        info = CKeyInfo()
        self._lib.call("perle_key_get_info", handle, c.byref(info))
        self.bits: int = info.bits
        self.size: int = info.size
        self.half_bits: int = info.half_bits
        self.is_private = bool(info.is_private)
        self.has_crt = bool(info.has_crt)

    @classmethod
    def from_bytes(cls, data: bytes, passphrase: bytes | Callable[[], bytes | None] | None = None) -> Self:
        """Load PEM or DER. A callable passphrase is asked only when the key is encrypted."""
        raised: list[BaseException] = []

        def ask(buf: c._Pointer[c.c_char], size: int, arg: object) -> int:  # noqa: ARG001
            try:
                phrase = passphrase() if callable(passphrase) else passphrase
                if phrase is None or len(phrase) > min(size, LONGEST_PASSPHRASE):
                    return -1
                c.memmove(buf, phrase, len(phrase))
                return len(phrase)
            except BaseException as error:  # noqa: BLE001 - C cannot pass it on; it is raised again below
                raised.append(error)
                return -1

        lib, handle = library(), c.c_void_p()
        try:
            lib.call("perle_key_load", data, len(data), PassphraseCallback(ask), None, c.byref(handle))
        except PerleError:
            if raised:
                raise raised[0] from None
            raise
        return cls(handle)

    @classmethod
    def from_numbers(cls, **numbers: int) -> Self:
        """Make a key of n, e, d, p, q, dp, dq, qinv: as many of them as perle_key_numbers wants."""
        unknown = set(numbers) - set(KEY_NUMBERS)
        if unknown or any(value < 0 for value in numbers.values()):
            raise ValueError(f"unknown or negative numbers of a key: {sorted(numbers)}")
        raw, lib, handle = CKeyNumbers(size=c.sizeof(CKeyNumbers)), library(), c.c_void_p()
        for name, value in numbers.items():
            data = value.to_bytes(max(1, (value.bit_length() + 7) // 8), "big")
            setattr(raw, name, CNumber(data, len(data)))
        lib.call("perle_key_new", c.byref(raw), c.byref(handle))
        return cls(handle)

    @classmethod
    def generate(cls, bits: int) -> Self:
        """Make a key of an even number of bits, 64 to 16384, of two primes of half of them and e = 65537."""
        lib, handle = library(), c.c_void_p()
        lib.call("perle_key_generate", bits, c.byref(handle))
        return cls(handle)

    @property
    def n(self) -> int:
        """The modulus."""
        return self._public(b"n")

    @property
    def e(self) -> int:
        """The public exponent."""
        return self._public(b"e")

    def prime(self, which: str) -> int:
        """Return the prime p or q: the secret, for circuits that hold it (`perle.host.pam.units`) only."""
        data = self._lib.data("perle_key_get_prime", self.size, self.handle, which.encode())
        return int.from_bytes(data, "big")

    def to_pem(self) -> bytes:
        """Return the private key as PEM (PKCS#1, not encrypted): for a file of its owner."""
        length = c.c_size_t()
        self._lib.call("perle_key_to_pem", self.handle, None, 0, c.byref(length))
        return self._lib.data("perle_key_to_pem", length.value, self.handle)

    def _public(self, which: bytes) -> int:
        return int.from_bytes(self._lib.data("perle_key_get_public", self.size, self.handle, which), "big")

    def private(self, boards: Boards, data: bytes, *, blinding: bool = True) -> Output:
        """data^d mod n, raw; checked against the public key before it is returned."""
        return self._run("perle_rsa_private", boards, 0 if blinding else NO_BLINDING, data)

    def public(self, boards: Boards | None, data: bytes) -> Output:
        """data^e mod n, raw."""
        return self._run("perle_rsa_public", boards, None, data)

    def sign(
        self,
        boards: Boards,
        digest: bytes,
        *,
        padding: Padding = Padding.PSS,
        hash: str | None = "sha256",  # noqa: A002 - what every RSA tool calls it
        salt: int = SALT_DIGEST,
        blinding: bool = True,
    ) -> Output:
        """Sign a digest made with `hash`."""
        options = _options(padding, hash, None, salt, blinding)
        return self._run("perle_rsa_sign", boards, options, digest)

    def encode(
        self,
        digest: bytes,
        *,
        padding: Padding = Padding.PSS,
        hash: str | None = "sha256",  # noqa: A002
        salt: int = SALT_DIGEST,
    ) -> bytes:
        """Return what `sign` signs: the encoded message, as long as n; its private power is the signature."""
        options = _options(padding, hash, None, salt, True)
        before = (self.handle, c.byref(options), digest, len(digest))
        return self._lib.data("perle_rsa_encode", self.size, *before)

    def verify(
        self,
        boards: Boards | None,
        digest: bytes,
        signature: bytes,
        *,
        padding: Padding = Padding.PSS,
        hash: str | None = "sha256",  # noqa: A002
        salt: int = SALT_AUTO,
    ) -> bool:
        """Whether the signature is right."""
        options, cost = _options(padding, hash, None, salt, True), CCost()
        args = (c.byref(options), digest, len(digest), signature, len(signature), c.byref(cost))
        try:
            self._lib.call("perle_rsa_verify", boards and boards.handle, self.handle, *args)
        except PerleError as error:
            if error.code == SIGNATURE_WRONG:
                return False
            raise
        return True

    def encrypt(
        self,
        boards: Boards | None,
        data: bytes,
        *,
        padding: Padding = Padding.OAEP,
        hash: str | None = "sha256",  # noqa: A002
        mgf1_hash: str | None = None,
    ) -> Output:
        """Encrypt; `hash` is OAEP's."""
        return self._run("perle_rsa_encrypt", boards, _options(padding, hash, mgf1_hash, 0, True), data)

    def decrypt(
        self,
        boards: Boards,
        data: bytes,
        *,
        padding: Padding = Padding.OAEP,
        hash: str | None = "sha256",  # noqa: A002
        mgf1_hash: str | None = None,
        blinding: bool = True,
    ) -> Output:
        """Decrypt; whatever is wrong within raises the one code PERLE_ERR_DECRYPT."""
        return self._run("perle_rsa_decrypt", boards, _options(padding, hash, mgf1_hash, 0, blinding), data)

    def _run(
        self, function: str, boards: Boards | None, options: CRsaOptions | int | None, data: bytes
    ) -> Output:
        cost = CCost()
        by_value = options if isinstance(options, int) else None
        extra = (
            [c.byref(options) if isinstance(options, CRsaOptions) else by_value]
            if options is not None
            else []
        )
        before = (boards and boards.handle, self.handle, *extra, data, len(data))
        out = self._lib.data(function, self.size, *before, after=(c.byref(cost),))
        return Output(out, cost.cycles, cost.elapsed, cost.time_ps)


def _options(padding: Padding, hash_: str | None, mgf1: str | None, salt: int, blinding: bool) -> CRsaOptions:
    return CRsaOptions(
        size=c.sizeof(CRsaOptions),
        padding=int(padding),
        hash=None if hash_ is None else hash_.encode(),
        mgf1_hash=None if mgf1 is None else mgf1.encode(),
        salt_length=salt,
        flags=0 if blinding else NO_BLINDING,
    )
