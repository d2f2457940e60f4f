# SPDX-License-Identifier: Apache-2.0
"""OpenSSL's signatures, verification and decryption with the provider loaded, in this process.

The functions are those of the libcrypto that the provider is linked with. A library context of its own reads
the configuration that `perle provider conf` writes; nothing outside of it uses boards.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self

from cffi import FFI

from perle.flow.tools import ToolError
from perle.host import resolve_spec
from perle.host.provider import Provision, provider_path, statuses

ffi = FFI()
ffi.cdef(
    "typedef struct lib_ctx OSSL_LIB_CTX; typedef struct pkey EVP_PKEY; typedef struct engine ENGINE;"
    "typedef struct pctx EVP_PKEY_CTX; typedef struct mctx EVP_MD_CTX;"
    "OSSL_LIB_CTX* OSSL_LIB_CTX_new(void); void OSSL_LIB_CTX_free(OSSL_LIB_CTX*);"
    "int OSSL_LIB_CTX_load_config(OSSL_LIB_CTX*, const char*); void ERR_clear_error(void);"
    "EVP_PKEY* d2i_AutoPrivateKey_ex(EVP_PKEY**, const unsigned char**, long, OSSL_LIB_CTX*, const char*);"
    "EVP_PKEY* d2i_PUBKEY_ex(EVP_PKEY**, const unsigned char**, long, OSSL_LIB_CTX*, const char*);"
    "void EVP_PKEY_free(EVP_PKEY*); EVP_MD_CTX* EVP_MD_CTX_new(void); void EVP_MD_CTX_free(EVP_MD_CTX*);"
    "EVP_PKEY_CTX* EVP_PKEY_CTX_new_from_pkey(OSSL_LIB_CTX*, EVP_PKEY*, const char*);"
    "void EVP_PKEY_CTX_free(EVP_PKEY_CTX*);"
    "int EVP_PKEY_CTX_ctrl_str(EVP_PKEY_CTX*, const char*, const char*);"
    "int EVP_PKEY_sign_init(EVP_PKEY_CTX*); int EVP_PKEY_decrypt_init(EVP_PKEY_CTX*);"
    "int EVP_PKEY_sign(EVP_PKEY_CTX*, unsigned char*, size_t*, const unsigned char*, size_t);"
    "int EVP_PKEY_decrypt(EVP_PKEY_CTX*, unsigned char*, size_t*, const unsigned char*, size_t);"
    "int EVP_DigestSignInit_ex(EVP_MD_CTX*, EVP_PKEY_CTX**, const char*, OSSL_LIB_CTX*, const char*,"
    " EVP_PKEY*, const void*);"
    "int EVP_DigestVerifyInit_ex(EVP_MD_CTX*, EVP_PKEY_CTX**, const char*, OSSL_LIB_CTX*, const char*,"
    " EVP_PKEY*, const void*);"
    "int EVP_DigestSign(EVP_MD_CTX*, unsigned char*, size_t*, const unsigned char*, size_t);"
    "int EVP_DigestVerify(EVP_MD_CTX*, const unsigned char*, size_t, const unsigned char*, size_t);"
)
ROOM = 1024
"""Bytes of the longest result: of a key of 8192 bits."""
TIMEOUT_MS = 600_000
UNWANTED = ("software", "failed", "wrong", "queue_full", "no_board", "injected", "bad_keys")
"""Counts of the provider that are 0 if every private operation it accepted was done by a board."""
KEPT = 64

Options = Sequence[tuple[str, str]]


class RefusedError(Exception):
    """OpenSSL refused a key, an option, a ciphertext or a message."""


@contextmanager
def environment(more: Mapping[str, str]) -> Iterator[None]:
    """Set variables of this process's environment, which simulators read when they are opened."""
    before = {name: os.environ.get(name) for name in more}
    os.environ.update(more)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


class Provider:
    """OpenSSL with the provider on a set of boards, which must do all private operations themselves."""

    def __init__(self, boards: str) -> None:
        path = provider_path()
        self._lib = ffi.dlopen(str(path))
        self._folder = TemporaryDirectory()
        folder = Path(self._folder.name)
        self._status = folder / "status"
        made = Provision((resolve_spec(boards),), "fail", timeout=TIMEOUT_MS, status=self._status)
        conf = folder / "openssl.cnf"
        conf.write_text(made.text(path), encoding="utf-8")
        self._context = self._lib.OSSL_LIB_CTX_new()
        self._keys: dict[tuple[str, bytes], Any] = {}
        if self._lib.OSSL_LIB_CTX_load_config(self._context, str(conf).encode()) != 1:
            self.close()
            raise ToolError("openssl", f"the configuration with {boards} cannot be loaded")

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None
    ) -> None:
        """Unload the provider."""
        self.close()

    def close(self) -> None:
        """Unload the provider, and close its boards."""
        for key in self._keys.values():
            self._lib.EVP_PKEY_free(key)
        self._keys.clear()
        self._lib.OSSL_LIB_CTX_free(self._context)
        self._context = ffi.NULL
        self._folder.cleanup()

    @property
    def counts(self) -> dict[str, int]:
        """What the provider has counted; empty before the first private operation."""
        pages = [page for page in statuses(self._status) if page.pid == os.getpid()]
        return pages[0].counts if pages else {}

    def sign(self, key: bytes, digest: str, options: Options, message: bytes) -> bytes:
        """Sign a message; `key` is DER (PKCS #8). Raises RefusedError."""
        context, inner = self._message(self._lib.EVP_DigestSignInit_ex, self._key(key, "private"), digest)
        try:
            self._set(inner, options)
            return self._result(self._lib.EVP_DigestSign, context, message)
        finally:
            self._lib.EVP_MD_CTX_free(context)

    def verify(self, key: bytes, digest: str, options: Options, message: bytes, signature: bytes) -> bool:
        """Whether a signature is right; `key` is DER (SubjectPublicKeyInfo). RefusedError: unusable key."""
        pkey = self._key(key, "public")
        context, inner = self._message(self._lib.EVP_DigestVerifyInit_ex, pkey, digest)
        try:
            self._set(inner, options)
            sizes = len(signature), len(message)
            good = self._lib.EVP_DigestVerify(context, signature, sizes[0], message, sizes[1])
            self._lib.ERR_clear_error()
            return bool(good == 1)
        finally:
            self._lib.EVP_MD_CTX_free(context)

    def power(self, key: bytes, encoded: bytes) -> bytes:
        """encoded^d mod n: a signature without padding, which is as long as the modulus."""
        options = (("rsa_padding_mode", "none"),)
        return self._private(key, self._lib.EVP_PKEY_sign_init, self._lib.EVP_PKEY_sign, options, encoded)

    def decrypt(self, key: bytes, options: Options, ciphertext: bytes) -> bytes:
        """Decrypt; RefusedError if the ciphertext is refused."""
        begin, run = self._lib.EVP_PKEY_decrypt_init, self._lib.EVP_PKEY_decrypt
        return self._private(key, begin, run, options, ciphertext)

    def _private(self, key: bytes, begin: Any, run: Any, options: Options, data: bytes) -> bytes:  # noqa: ANN401
        pkey = self._key(key, "private")
        context = self._lib.EVP_PKEY_CTX_new_from_pkey(self._context, pkey, ffi.NULL)
        try:
            self._need(context != ffi.NULL and begin(context) == 1, "the key has no such operation")
            self._set(context, options)
            return self._result(run, context, data)
        finally:
            self._lib.EVP_PKEY_CTX_free(context)

    def _message(self, begin: Any, pkey: Any, digest: str) -> tuple[Any, Any]:  # noqa: ANN401
        context, inner = self._lib.EVP_MD_CTX_new(), ffi.new("EVP_PKEY_CTX**")
        if begin(context, inner, digest.encode(), self._context, ffi.NULL, pkey, ffi.NULL) != 1:
            self._lib.EVP_MD_CTX_free(context)
            self._need(False, f"no signature with {digest} and this key")
        return context, inner[0]

    def _set(self, context: Any, options: Options) -> None:  # noqa: ANN401
        for name, value in options:
            good = self._lib.EVP_PKEY_CTX_ctrl_str(context, name.encode(), value.encode())
            self._need(good == 1, f"{name}={value}")

    def _result(self, run: Any, context: Any, data: bytes) -> bytes:  # noqa: ANN401
        out, size = ffi.new("unsigned char[]", ROOM), ffi.new("size_t*", ROOM)
        self._need(run(context, out, size, data, len(data)) == 1, "the operation failed")
        return bytes(ffi.buffer(out, size[0]))

    def _key(self, der: bytes, kind: str) -> Any:  # noqa: ANN401
        found = self._keys.get((kind, der))
        if found is None:
            read = self._lib.d2i_AutoPrivateKey_ex if kind == "private" else self._lib.d2i_PUBKEY_ex
            data = ffi.from_buffer(der)
            at = ffi.new("const unsigned char**", data)
            found = read(ffi.NULL, at, len(der), self._context, ffi.NULL)
            self._need(found != ffi.NULL, f"this is no {kind} key")
            while len(self._keys) >= KEPT:
                self._lib.EVP_PKEY_free(self._keys.pop(next(iter(self._keys))))
            self._keys[kind, der] = found
        return found

    def _need(self, good: bool, what: str) -> None:
        self._lib.ERR_clear_error()
        if not good:
            raise RefusedError(what)
