# SPDX-License-Identifier: Apache-2.0
"""The options that RSA commands share."""

from __future__ import annotations

import hashlib
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from perle.cli.boards import PRIVATE_HELP, SPEC_HELP
from perle.cli.io import files
from perle.cli.io.errors import usage
from perle.host.key import SALT_AUTO, SALT_DIGEST

NO_HASH = "none"
CHUNK = 1 << 20
SALT_DIGITS = 9
"""More salt than any key has room for, and less than an int of C."""


class SignPadding(StrEnum):
    """Paddings of signatures."""

    pss = "pss"
    pkcs1 = "pkcs1"
    none = "none"


class CipherPadding(StrEnum):
    """Paddings of messages."""

    oaep = "oaep"
    pkcs1 = "pkcs1"
    none = "none"


KeyFile = Annotated[
    str,
    typer.Option(
        "--key",
        metavar="K.pem",
        help="PEM or DER key: PKCS#1, PKCS#8, encrypted, or public.",
        show_default=False,
    ),
]
Input = Annotated[str, typer.Option("--in", metavar="F", help="Input file, - is standard input.")]
OutFile = Annotated[
    str | None,
    typer.Option(
        "--out",
        metavar="F",
        help="Output file, - is standard output. Default: standard output; with --json, hexadecimal in it.",
        show_default=False,
    ),
]
BatchDir = Annotated[
    Path | None,
    typer.Option(
        "--batch",
        metavar="DIR",
        help="Sign every regular file of a folder into FILE.sig, but hidden ones and *.sig.",
        show_default=False,
    ),
]
OutDir = Annotated[
    Path | None,
    typer.Option(
        "--out-dir",
        metavar="DIR",
        help="With --batch: the folder for signatures. Default: beside the files.",
        show_default=False,
    ),
]
Resume = Annotated[
    bool, typer.Option("--resume", help="With --batch: leave out files that have their signature already.")
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="ADDRESS",
        help="With --batch: on the workers of a Dask scheduler, tls://…; tcp:// on this machine only.",
        show_default=False,
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        metavar="N",
        help="With --batch: on so many workers of this machine, each with its boards.",
        min=1,
        max=256,
        show_default=False,
    ),
]
Wait = Annotated[
    float, typer.Option("--wait", metavar="SECONDS", help="For workers, while there are none.", min=0)
]
Overwrite = Annotated[
    bool, typer.Option("--force", help="Overwrite an output that is there; the key and the input never.")
]
Board = Annotated[
    str | None,
    typer.Option(
        "--board",
        metavar="SPEC",
        help=PRIVATE_HELP + " Default: two orup boards of half the key's width.",
        show_default=False,
    ),
]
PublicBoard = Annotated[
    str | None,
    typer.Option(
        "--board",
        metavar="SPEC",
        help=SPEC_HELP + " Default: one orup board of the key's width. none: software.",
        show_default=False,
    ),
]
PassFile = Annotated[
    Path | None,
    typer.Option(
        "--passphrase-file",
        metavar="F",
        help="Its first line is the key's passphrase. Default: ask.",
        show_default=False,
    ),
]
Hash = Annotated[
    str,
    typer.Option(
        "--hash",
        metavar="NAME",
        help="sha256, sha512, sha3-256, sha1, …; none: --in is signed as it is (pkcs1).",
    ),
]
OaepHash = Annotated[
    str, typer.Option("--hash", metavar="NAME", help="Hash of OAEP. openssl pkeyutl's own default is sha1.")
]
MgfHash = Annotated[
    str | None,
    typer.Option(
        "--mgf1-hash",
        metavar="NAME",
        help="Hash of the mask of OAEP. Default: as --hash.",
        show_default=False,
    ),
]
Prehashed = Annotated[bool, typer.Option("--prehashed", help="--in is the digest, not the message.")]


def read_digest(source: str, name: str | None, prehashed: bool) -> bytes:
    """Return what is signed: the file's digest, or the file where it is no message to be hashed."""
    if prehashed or name is None:
        return files.read(source)
    try:
        digest = hashlib.new(name)
        with files.reading(source) as file:
            while chunk := file.read(CHUNK):
                digest.update(chunk)
        return digest.digest()
    except (ValueError, TypeError):
        fixed = [each for each in sorted(hashlib.algorithms_guaranteed) if hashlib.new(each).digest_size]
        known = [each for each in fixed if not each.startswith("blake2")]  # no hash of RSA signatures
        raise usage(f"no hash of a fixed length: {name!r}; there are: {', '.join(known)}") from None


def hash_name(padding: SignPadding | CipherPadding, name: str) -> str | None:
    """Return the hash as libperle knows it; None where nothing is hashed."""
    return None if padding.value == "none" or name == NO_HASH else name.replace("_", "-")


def salt_length(text: str, automatic: bool) -> int:
    """Return the length of a PSS salt as libperle takes it."""
    names = {"digest": SALT_DIGEST, "auto" if automatic else "max": SALT_AUTO}
    if text in names:
        return names[text]
    if text.isdecimal() and len(text) <= SALT_DIGITS:
        return int(text)
    raise usage(f"--salt is a number of bytes or {', '.join(names)}, not {text!r}")
