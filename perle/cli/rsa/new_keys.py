# SPDX-License-Identifier: Apache-2.0
"""`perle rsa generate` and `perle rsa forget`: new keys, and what systems keep of a key."""

from __future__ import annotations

from typing import Annotated

import typer

from perle.cli.arith import Json
from perle.cli.io import console, files
from perle.cli.io.errors import bad_input, usage
from perle.cli.rsa import load
from perle.cli.rsa.options import PassFile
from perle.host.key import Key
from perle.host.pam.units import forget_all, forget_key

SHORTEST, LONGEST = 64, 16384


def generate(
    out: Annotated[
        str,
        typer.Option(
            "--out", metavar="K.pem", help="New file for the key; - is standard output.", show_default=False
        ),
    ],
    bits: Annotated[
        int, typer.Option(metavar="N", help=f"Bits of the modulus, even, {SHORTEST} to {LONGEST}.")
    ] = 2048,
    json: Json = False,
) -> None:
    """Make a key of two primes of N/2 bits and e = 65537: PEM, for its owner only, never over another file.

    The systems of the 1990 paper have keys of 508 bits; OpenSSL makes none so short. Real keys have 2048 or
    more.
    """
    if json and files.is_output(out):
        raise usage(f"--json and --out {out} both want standard output")
    if bits % 2 or not SHORTEST <= bits <= LONGEST:
        raise usage(f"--bits is an even number from {SHORTEST} to {LONGEST}, not {bits}")
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
        typer.Option("--key", metavar="K.pem", help="The key whose circuits go.", show_default=False),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Those of all keys.")] = False,
    passphrase_file: PassFile = None,
    json: Json = False,
) -> None:
    """Delete the circuits with primes in them that systems of modular product units left in the cache."""
    if every == (key is not None):
        raise usage("either --key K.pem or --all says whose circuits to delete")
    if key is None:
        deleted = forget_all()
    else:
        with load.loaded(key, passphrase_file) as rsa:
            if not rsa.has_crt:
                raise bad_input(f"{key} has no primes: no circuit holds any")
            deleted = forget_key(rsa.prime("p"), rsa.prime("q"))
    if json:
        console.print_json({"operation": "forget", "deleted": deleted})
    else:
        console.note(f"forget: {deleted} files deleted")
