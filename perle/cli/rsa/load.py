# SPDX-License-Identifier: Apache-2.0
"""Load RSA keys and their passphrases; choose boards for them."""

from __future__ import annotations

import getpass
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from perle.cli.boards import closing, default_spec
from perle.cli.io import files
from perle.cli.io.errors import bad_input
from perle.host import Key, PerleError
from perle.host._lib import library


@contextmanager
def loaded(name: str, passphrase_file: Path | None) -> Iterator[Key]:
    """Load a PEM or DER key; ask for the passphrase of an encrypted key unless a file has it."""
    data = files.read(name)
    library()

    def ask() -> bytes | None:
        return _first_line(passphrase_file) if passphrase_file is not None else _prompt(name)

    try:
        key = Key.from_bytes(data, ask)
    except PerleError as error:
        raise PerleError(error.code, error.name, f"{name}: {error.message}") from error
    with closing(key):
        yield key


def _first_line(path: Path) -> bytes:
    return path.read_bytes().partition(b"\n")[0].removesuffix(b"\r")


def _prompt(name: str) -> bytes:
    try:
        # Without a terminal, getpass would read standard input, which may be the message.
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        raise bad_input(f"{name} is encrypted: give --passphrase-file, or run perle on a terminal") from None
    return getpass.getpass(f"Passphrase of {name}: ").encode()


def private_spec(key: Key) -> str:
    """Return the boards for private operations: two as wide as a prime, or one as wide as the key."""
    if key.has_crt:
        return default_spec(key.half_bits, 2, "the key's prime")
    return default_spec(key.bits, 1, "the key")


def public_spec(key: Key) -> str:
    """Return the board for public operations: as wide as the key."""
    return default_spec(key.bits, 1, "the key")
