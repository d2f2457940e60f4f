# SPDX-License-Identifier: Apache-2.0
"""The options that RSA commands share."""

from __future__ import annotations

import hashlib
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from perle.cli.boards import PRIVATE_HELP, SPEC_HELP
from perle.cli.io import files
from perle.cli.io.errors import bad_input, file, file_name, finite, folder, usage
from perle.host.key import SALT_AUTO, SALT_DIGEST

NO_HASH, USUAL_HASH = "none", "sha256"
CHUNK = 1 << 20
SALT_DIGITS = 9
"""Maximum number of digits of a salt length: more than any key has room for, and small enough for a C int."""


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
        parser=file_name,
        help="PEM or DER key: PKCS#1, PKCS#8, encrypted, or public.",
        show_default=False,
    ),
]
Input = Annotated[
    str, typer.Option("--in", metavar="F", parser=file_name, help="Input file; - is standard input.")
]
OutFile = Annotated[
    str | None,
    typer.Option(
        "--out",
        metavar="F",
        parser=file_name,
        help="Output file; - is standard output, the default. With --json, default: hexadecimal in the JSON.",
        show_default=False,
    ),
]
BatchDir = Annotated[
    Path | None,
    typer.Option(
        "--batch",
        metavar="DIR",
        parser=folder,
        help="Sign every regular file of a folder into FILE.sig, except hidden files and *.sig.",
        show_default=False,
    ),
]
OutDir = Annotated[
    Path | None,
    typer.Option(
        "--out-dir",
        metavar="DIR",
        parser=folder,
        help="With --batch: folder for the signatures. Default: next to the files.",
        show_default=False,
    ),
]
Resume = Annotated[
    bool, typer.Option("--resume", help="With --batch: skip files that have a signature already.")
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="ADDRESS",
        help="With --batch: use the workers of a Dask scheduler: tls://…, or on this machine tcp://….",
        show_default=False,
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        metavar="N",
        help="With --batch: number of workers on this machine, each with its own boards.",
        min=1,
        max=256,
        show_default=False,
    ),
]
Wait = Annotated[
    float,
    typer.Option(
        "--wait",
        metavar="SECONDS",
        help="How long to wait for the scheduler's answer, and for a worker when there is none.",
        min=0,
        callback=finite,
    ),
]
Overwrite = Annotated[
    bool, typer.Option("--force", help="Overwrite an existing output; never the key or the input.")
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
        help=SPEC_HELP + " Default: one orup board of the key's width; none: software.",
        show_default=False,
    ),
]
PassFile = Annotated[
    Path | None,
    typer.Option(
        "--passphrase-file",
        metavar="F",
        parser=file,
        help="File whose first line is the key's passphrase. Default: ask.",
        show_default=False,
    ),
]
Hash = Annotated[
    str | None,
    typer.Option(
        "--hash",
        metavar="NAME",
        help=f"Hash: {USUAL_HASH} (default), sha512, sha3-256, sha1, …; none: sign --in unhashed (pkcs1).",
        show_default=False,
    ),
]
OaepHash = Annotated[
    str | None,
    typer.Option(
        "--hash",
        metavar="NAME",
        help=f"Hash of OAEP. Default: {USUAL_HASH}; that of openssl pkeyutl is sha1.",
        show_default=False,
    ),
]


def _salt(names: str) -> Any:  # noqa: ANN401 - as typer.Option
    help_ = f"Salt length of PSS: bytes, {names}."
    return typer.Option("--salt", metavar="N", help=help_, show_default=False)


SignSalt = Annotated[str | None, _salt("digest (default) or max")]
VerifySalt = Annotated[str | None, _salt("digest or auto (default)")]
MgfHash = Annotated[
    str | None,
    typer.Option(
        "--mgf1-hash",
        metavar="NAME",
        help="Hash of the mask generation of OAEP. Default: as --hash.",
        show_default=False,
    ),
]
Prehashed = Annotated[bool, typer.Option("--prehashed", help="--in is the digest, not the message.")]


def read_digest(source: str, name: str | None, prehashed: bool) -> bytes:
    """Return what is signed: the file's digest, or its content if that is not to be hashed."""
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
        known = [each for each in fixed if not each.startswith("blake2")]  # RSA signatures do not use BLAKE2
        raise usage(
            f"unknown hash, or not of fixed length: {name!r}; available: {', '.join(known)}"
        ) from None


def digest_size(name: str) -> int:
    """Return the bytes of a hash's digest; 0 if the hash is unknown, or not of fixed length."""
    try:
        return hashlib.new(name).digest_size
    except (ValueError, TypeError):
        return 0


def read_number(source: str) -> bytes:
    """Return the content of a file with a big-endian number; an empty one is no number, but a mistake."""
    data = files.read(source)
    if not data:
        raise bad_input(f"{'standard input' if source == files.STREAM else source}: the message is empty")
    return data


def hash_name(padding: SignPadding | CipherPadding, name: str | None) -> str | None:
    """Return libperle's name of the hash; None without hashing. A hash that is not used is a usage error."""
    if padding.value == "none" or padding is CipherPadding.pkcs1:  # not the padding pkcs1 of signatures
        _refuse_unused("--hash", None if name == NO_HASH else name, padding)
        return None
    return None if name == NO_HASH else (USUAL_HASH if name is None else name).replace("_", "-")


def check_prehashed(name: str | None, prehashed: bool) -> None:
    """Raise a usage error for the digest of a message that is signed without a hash."""
    if prehashed and name is None:
        raise usage("--prehashed: without a hash --in is what is signed, not a digest")


def mgf1_hash_name(padding: CipherPadding, name: str | None) -> str | None:
    """Return libperle's name of the mask generation's hash; a usage error for one that is not used."""
    if padding is not CipherPadding.oaep:
        _refuse_unused("--mgf1-hash", name, padding)
    return name


def _refuse_unused(option: str, given: str | None, padding: SignPadding | CipherPadding) -> None:
    if given is not None:
        raise usage(f"{option} {given}: padding {padding.value} does not use it")


def salt_length(padding: SignPadding, given: str | None, *, verify: bool) -> int:
    """Return the length of a PSS salt as libperle's argument; a usage error for one that is not used."""
    if padding is not SignPadding.pss:
        _refuse_unused("--salt", given, padding)
    names = {"digest": SALT_DIGEST, "auto" if verify else "max": SALT_AUTO}
    text = given if given is not None else "auto" if verify else "digest"
    if text in names:
        return names[text]
    if text.isdecimal() and len(text) <= SALT_DIGITS:
        return int(text)
    raise usage(f"--salt must be a number of bytes or {', '.join(names)}, not {text!r}")
