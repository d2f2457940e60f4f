# SPDX-License-Identifier: Apache-2.0
"""RSA keys and operations with them on boards. See `perle.host.boards` on secrets in Python's memory."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Self

from perle.flow.c_headers import CData
from perle.host._handle import Handle
from perle.host._headers import constants, ffi
from perle.host._lib import PerleError, library, record

if TYPE_CHECKING:
    from perle.host.boards import Boards

__all__ = ["SALT_AUTO", "SALT_DIGEST", "Key", "Output", "Padding", "PerleError"]

SALT_DIGEST: int = constants.PERLE_SALT_DIGEST
SALT_AUTO: int = constants.PERLE_SALT_AUTO
NO_BLINDING: int = constants.PERLE_RSA_NO_BLINDING
SIGNATURE_WRONG: int = constants.PERLE_ERR_SIGNATURE
LONGEST_PASSPHRASE = 1024


class Padding(IntEnum):
    """Padding schemes."""

    NONE = constants.PERLE_PADDING_NONE
    PKCS1 = constants.PERLE_PADDING_PKCS1
    PSS = constants.PERLE_PADDING_PSS
    OAEP = constants.PERLE_PADDING_OAEP


@dataclass(frozen=True)
class Output:
    """Data, the sum of the cycles of all boards, and the cycles from start to end (less if boards overlap).

    On a system (`Boards.on_system`) the boards have different clocks: both are 0, and `time_ps` is the
    modelled time in picoseconds; it is 0 otherwise.
    """

    data: bytes
    cycles: int
    elapsed: int
    time_ps: int = 0


class Key(Handle):
    """An RSA key, private or public. Its numbers are in libperle, which zeroizes them at `close`.

    Public operations with `boards=None` are computed in software.
    """

    CLOSED = "the key is closed"

    def __init__(self, opening: str, *args: object) -> None:
        self._own(library(), opening, *args, closing="perle_key_free")
        info = self._lib.value("perle_key_get_info", self)
        self.bits: int = info.bits
        self.size: int = info.size
        self.half_bits: int = info.half_bits
        self.is_private = bool(info.is_private)
        self.has_crt = bool(info.has_crt)

    @classmethod
    def from_bytes(cls, data: bytes, passphrase: bytes | Callable[[], bytes | None] | None = None) -> Self:
        """Load a key from PEM or DER. A callable `passphrase` is called only if the key is encrypted."""
        raised: list[BaseException] = []

        @ffi.callback("perle_passphrase_cb")  # type: ignore[untyped-decorator]
        def ask(buf: CData, size: int, arg: CData) -> int:  # noqa: ARG001
            try:
                phrase = passphrase() if callable(passphrase) else passphrase
                if phrase is None:
                    return -1
                if len(phrase) > min(size, LONGEST_PASSPHRASE):
                    raise ValueError(f"the passphrase is longer than {LONGEST_PASSPHRASE} bytes")
                ffi.memmove(buf, phrase, len(phrase))
                return len(phrase)
            except BaseException as error:  # noqa: BLE001 - must not pass through C; it is raised again below
                raised.append(error)
                return -1

        try:
            return cls("perle_key_load", data, len(data), ask, None)
        except PerleError:
            if raised:
                raise raised[0] from None
            raise

    @classmethod
    def from_numbers(cls, **numbers: int) -> Self:
        """Make a key of n, e, d, p, q, dp, dq, qinv; perle_key_numbers says which are required."""
        given = {name: operator.index(value) for name, value in numbers.items()}
        if any(value < 0 for value in given.values()):
            raise ValueError(f"negative numbers of a key: {sorted(numbers)}")
        return cls.from_buffers(
            {name: value.to_bytes((value.bit_length() + 7) // 8 or 1) for name, value in given.items()}
        )

    @classmethod
    def from_buffers(cls, numbers: Mapping[str, bytes | bytearray | memoryview]) -> Self:
        """Make a key of the same numbers, big-endian, without copies outside of libperle.

        A caller can therefore overwrite its buffers and leave no copy. ValueError for unknown names.
        """
        number = ffi.typeof("perle_number")
        known = {name for name, member in ffi.typeof("perle_key_numbers").fields if member.type is number}
        if set(numbers) - known:
            raise ValueError(f"unknown numbers of a key: {sorted(set(numbers) - known)}")
        raw, kept = _sized("perle_key_numbers"), []
        for name, value in numbers.items():
            data = ffi.from_buffer("uint8_t[]", value)
            kept.append(data)  # a C structure does not keep its pointers' targets alive
            setattr(raw, name, {"data": data, "len": len(data)})
        return cls("perle_key_new", raw)

    @classmethod
    def generate(cls, bits: int) -> Self:
        """Generate a key of an even number of bits, 64 to 16384, with two primes of bits/2 and e = 65537."""
        return cls("perle_key_generate", bits)

    @property
    def n(self) -> int:
        """The modulus."""
        return self._public(b"n")

    @property
    def e(self) -> int:
        """The public exponent."""
        return self._public(b"e")

    def prime(self, which: str) -> int:
        """Return the secret prime p or q, only for circuits that contain it (`perle.host.pam.units`)."""
        data = self._lib.data("perle_key_get_prime", self.size, self, which.encode())
        return int.from_bytes(data, "big")

    def to_pem(self) -> bytes:
        """Return the private key as PEM (PKCS#1, not encrypted), for a file that only its owner can read."""
        room = self._lib.value("perle_key_to_pem", self, None, 0)
        return self._lib.data("perle_key_to_pem", room, self)

    def _public(self, which: bytes) -> int:
        return int.from_bytes(self._lib.data("perle_key_get_public", self.size, self, which), "big")

    def private(self, boards: Boards, data: bytes, *, blinding: bool = True) -> Output:
        """data^d mod n without padding; checked with the public exponent before it is returned."""
        return self._run("perle_rsa_private", boards, 0 if blinding else NO_BLINDING, data)

    def public(self, boards: Boards | None, data: bytes) -> Output:
        """data^e mod n without padding."""
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
        options = _Options(padding, hash, None, salt, blinding)
        return self._run("perle_rsa_sign", boards, options, digest)

    def encode(
        self,
        digest: bytes,
        *,
        padding: Padding = Padding.PSS,
        hash: str | None = "sha256",  # noqa: A002
        salt: int = SALT_DIGEST,
    ) -> bytes:
        """Return the encoded message that `sign` signs, as long as n; its private power is the signature."""
        options = _Options(padding, hash, None, salt, True)
        before = (self, options.raw, digest, len(digest))
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
        options = _Options(padding, hash, None, salt, True)
        args = (options.raw, digest, len(digest), signature, len(signature), None)
        try:
            self._lib.call("perle_rsa_verify", boards, self, *args)
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
        """Encrypt; `hash` is for OAEP."""
        return self._run("perle_rsa_encrypt", boards, _Options(padding, hash, mgf1_hash, 0, True), data)

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
        """Decrypt; any error in the decrypted message raises PERLE_ERR_DECRYPT."""
        return self._run("perle_rsa_decrypt", boards, _Options(padding, hash, mgf1_hash, 0, blinding), data)

    def _run(
        self, function: str, boards: Boards | None, options: _Options | int | None, data: bytes
    ) -> Output:
        extra = () if options is None else (options.raw if isinstance(options, _Options) else options,)
        cost = ffi.new("perle_cost*")
        before = (boards, self, *extra, data, len(data))
        return record(Output, cost, data=self._lib.data(function, self.size, *before, after=(cost,)))


class _Options:
    """A perle_rsa_options, and the strings that it points to."""

    def __init__(
        self, padding: Padding, hash_: str | None, mgf1: str | None, salt: int, blinding: bool
    ) -> None:
        self._texts = [
            ffi.NULL if text is None else ffi.new("char[]", text.encode()) for text in (hash_, mgf1)
        ]
        self.raw = _sized("perle_rsa_options")
        self.raw.padding = int(padding)
        try:
            self.raw.salt_length = salt
        except OverflowError as error:
            raise ValueError(f"no length of a salt: {error}") from None
        self.raw.hash, self.raw.mgf1_hash = self._texts
        self.raw.flags = 0 if blinding else NO_BLINDING


def _sized(structure: str) -> CData:
    """Return a structure with its size as the first member, and zeros in the others."""
    return ffi.new(f"{structure}*", {"size": ffi.sizeof(structure)})
