# SPDX-License-Identifier: Apache-2.0
"""`perle rsa generate` and `perle rsa forget`: make keys; delete cached circuits that contain primes."""

from __future__ import annotations

from typing import Annotated

import typer

from perle.cli.arith import Json
from perle.cli.io import console, files
from perle.cli.io.errors import bad_input, file_name, usage
from perle.cli.rsa import load
from perle.cli.rsa.options import PassFile
from perle.host.key import Key
from perle.host.pam.units import forget_all, forget_key

SHORTEST, LONGEST = 64, 16384


def generate(
    out: Annotated[
        str,
        typer.Option(
            "--out",
            metavar="K.pem",
            parser=file_name,
            help="New file for the key, never overwritten; - is standard output.",
            show_default=False,
        ),
    ],
    bits: Annotated[
        int, typer.Option(metavar="N", help=f"Bits of the modulus, even, {SHORTEST} to {LONGEST}.")
    ] = 2048,
    json: Json = False,
) -> None:
    """Generate a key with two primes of N/2 bits and e = 65537, as a PEM file that only its owner can read.

    The systems of the 1990 paper use 508-bit keys, which OpenSSL cannot generate. Use at least 2048 bits for
    real keys.
    """
    if json and files.is_output(out):
        raise usage(f"--json and --out {out} both write to standard output")
    if bits % 2 or not SHORTEST <= bits <= LONGEST:
        raise usage(f"--bits must be an even number from {SHORTEST} to {LONGEST}, not {bits}")
    with files.writing(out, private=True, force=None) as write, console.steps(quiet=json) as steps:
        steps.work(f"generate: RSA-{bits}")
        with Key.generate(bits) as key:
            write(key.to_pem())
    if json:
        console.print_json({"operation": "generate", "key_bits": bits, "out": out})
    elif out != files.STREAM:
        console.note(f"generate: RSA-{bits} in {out}")


def forget(
    key: Annotated[
        str | None,
        typer.Option(
            "--key",
            metavar="K.pem",
            parser=file_name,
            help="Delete the circuits of this key.",
            show_default=False,
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Delete the circuits of all keys.")] = False,
    passphrase_file: PassFile = None,
    json: Json = False,
) -> None:
    """Delete cached circuits that contain primes; systems of modular product units build them."""
    if every == (key is not None):
        raise usage("give either --key K.pem or --all")
    if key is None:
        deleted = forget_all()
    else:
        with load.loaded(key, passphrase_file) as rsa:
            if not rsa.has_crt:
                raise bad_input(f"{key} has no primes, so no circuit contains them")
            deleted = forget_key(rsa.prime("p"), rsa.prime("q"))
    if json:
        console.print_json({"operation": "forget", "deleted": deleted})
    else:
        console.note(f"forget: {deleted} files deleted")
