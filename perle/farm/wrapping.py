# SPDX-License-Identifier: Apache-2.0
"""Transport of a private key to a worker: encrypted for it alone, with a public key of this run.

X25519, HKDF and AES-GCM from `cryptography`. The client encrypts separately for each worker, so that an AES
key is used once. Intermediaries, such as the scheduler, learn only the length of the message.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from perle.host import Key

NUMBERS = ("n", "e", "p", "q", "dp", "dq", "qinv")
PUBLIC, TAG = 32, 16
NONCE = bytes(12)
"""A constant nonce is safe because each AES key encrypts one message."""


class WrappingError(ValueError):
    """The message was not encrypted for this worker and this run."""


class Unwrapping:
    """The worker's side: a key pair for one run."""

    def __init__(self, run: str) -> None:
        self._run = run
        self._private = X25519PrivateKey.generate()
        self.public = self._private.public_key().public_bytes_raw()

    def key(self, wrapped: bytes) -> Key:
        """Return the key; overwrites the decrypted bytes. WrappingError, PerleError for an invalid key."""
        if len(wrapped) < PUBLIC + TAG:
            raise WrappingError("a wrapped key is longer")
        sender = wrapped[:PUBLIC]
        shared = self._private.exchange(X25519PublicKey.from_public_bytes(sender))
        plain = bytearray(len(wrapped) - PUBLIC - TAG)
        try:
            _cipher(shared, sender, self.public, self._run).decrypt_into(NONCE, wrapped[PUBLIC:], None, plain)
            return Key.from_buffers(dict(zip(NUMBERS, _unpacked(plain), strict=True)))
        except InvalidTag:
            raise WrappingError("the key was not encrypted for this worker and this run") from None
        finally:
            plain[:] = bytes(len(plain))


def wrapped(key: Key, public: bytes, run: str) -> bytes:
    """Return a private key encrypted for the worker that has this public key of the run.

    ValueError for a key without its primes.
    """
    if not key.has_crt:
        raise ValueError("only a private key with its primes can be sent to workers")
    one = X25519PrivateKey.generate()
    sender = one.public_key().public_bytes_raw()
    plain = _packed(private_numbers(key))
    try:
        shared = one.exchange(X25519PublicKey.from_public_bytes(public))
        return sender + _cipher(shared, sender, public, run).encrypt(NONCE, plain, None)
    finally:
        plain[:] = bytes(len(plain))


def private_numbers(key: Key) -> Mapping[str, int]:
    """Return the numbers of a key that has its primes, by their names."""
    p, q = key.prime("p"), key.prime("q")
    exponents = {"dp": pow(key.e, -1, p - 1), "dq": pow(key.e, -1, q - 1), "qinv": pow(q, -1, p)}
    return {"n": key.n, "e": key.e, "p": p, "q": q, **exponents}


def _cipher(shared: bytes, sender: bytes, receiver: bytes, run: str) -> AESGCM:
    info = b"perle farm 1" + sender + receiver + run.encode()
    return AESGCM(HKDF(SHA256(), 32, None, info).derive(shared))


def _packed(numbers: Mapping[str, int]) -> bytearray:
    found = bytearray()
    for name in NUMBERS:
        size = (numbers[name].bit_length() + 7) // 8
        found += struct.pack(">H", size) + numbers[name].to_bytes(size)
    return found


def _unpacked(plain: bytearray) -> Iterator[memoryview]:
    view, at = memoryview(plain), 0
    for _ in NUMBERS:
        [size] = struct.unpack_from(">H", view, at)
        at += 2 + size
        yield view[at - size : at]
