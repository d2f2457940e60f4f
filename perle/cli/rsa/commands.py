# SPDX-License-Identifier: Apache-2.0
"""`perle rsa`: sign, verify, decrypt, encrypt and raw operations with OpenSSL's key and file formats."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from perle.cli.arith import Json
from perle.cli.boards import PRIVATE_HELP
from perle.cli.certificates import TlsCa, TlsCert, TlsKey
from perle.cli.io import console, files
from perle.cli.io.errors import Code, Fault, file_name, usage
from perle.cli.rsa import batch as folder_batch
from perle.cli.rsa import load, new_keys
from perle.cli.rsa.batch import Folder, Signing
from perle.cli.rsa.job import Job, check_one_stream
from perle.cli.rsa.options import (
    BatchDir,
    Board,
    CipherPadding,
    Hash,
    Input,
    Jobs,
    KeyFile,
    MgfHash,
    OaepHash,
    OutDir,
    OutFile,
    Overwrite,
    PassFile,
    Prehashed,
    PublicBoard,
    Resume,
    Scheduler,
    SignPadding,
    SignSalt,
    VerifySalt,
    Wait,
    check_prehashed,
    hash_name,
    mgf1_hash_name,
    read_digest,
    read_number,
    salt_length,
)  # fmt: skip
from perle.cli.rsa.workers import chosen
from perle.host import Boards, Key, Output, Padding, PerleError
from perle.host._headers import constants

app = typer.Typer(no_args_is_help=True, help="Run RSA on boards, with OpenSSL's key and file formats.")

DECRYPT_FAILED: int = constants.PERLE_ERR_DECRYPT

app.command()(new_keys.generate)


@app.command()
def sign(
    key: KeyFile,
    source: Input = files.STREAM,
    out: OutFile = None,
    padding: Annotated[
        SignPadding, typer.Option(help="Padding; with none, --in is as long as the modulus.")
    ] = SignPadding.pss,
    hash_: Hash = None,
    salt: SignSalt = None,
    prehashed: Prehashed = False,
    batch: BatchDir = None,
    out_dir: OutDir = None,
    resume: Resume = False,
    force: Overwrite = False,
    board: Board = None,
    jobs: Jobs = None,
    scheduler: Scheduler = None,
    tls_ca: TlsCa = None,
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
    wait: Wait = 60.0,
    passphrase_file: PassFile = None,
    json: Json = False,
) -> None:
    """Sign a file, or with --batch all files of a folder in parallel on all boards and lanes.

    With --jobs or --scheduler, workers on this machine or on many sign, each on its own boards: docs/farm.md.

    To verify with OpenSSL:
    openssl dgst -sha256 -verify pub.pem -signature F.sig -sigopt rsa_padding_mode:pss F
    """
    name, salt_bytes = hash_name(padding, hash_), salt_length(padding, salt, verify=False)
    check_prehashed(name, prehashed)
    workers = chosen(jobs, scheduler, (tls_ca, tls_cert, tls_key), wait)
    if batch is not None:
        if source != files.STREAM or out is not None:
            raise usage("--batch reads a folder: use --out-dir instead of --out, and no --in")
        how = Signing(Padding[padding.name.upper()], name, salt_bytes, prehashed)
        folder = Folder(batch, out_dir or batch, force, key, passphrase_file, resume)
        folder_batch.sign(folder, how, board, workers, json)
        return
    alone = {"--out-dir": out_dir, "--jobs or --scheduler": workers, "--resume": resume or None}
    for option, given in alone.items():
        if given is not None:
            raise usage(f"{option} needs --batch")

    options: dict[str, Any] = {"padding": Padding[padding.name.upper()], "hash": name, "salt": salt_bytes}

    def work(boards: Boards | None, rsa: Key, digest: bytes) -> Output:
        assert boards is not None
        return rsa.sign(boards, digest, **options)

    job = Job(
        "sign",
        key,
        source,
        out,
        board,
        passphrase_file,
        json,
        force,
        read=lambda path: read_digest(path, name, prehashed),
        check=lambda rsa, digest: rsa.encode(digest, **options),
    )
    job.run(work, padding=padding.value, hash=name)


@app.command()
def verify(
    key: KeyFile,
    signature: Annotated[
        str,
        typer.Option("--signature", metavar="F", parser=file_name, help="The signature.", show_default=False),
    ],
    source: Input = files.STREAM,
    padding: Annotated[SignPadding, typer.Option(help="Padding of the signature.")] = SignPadding.pss,
    hash_: Hash = None,
    salt: VerifySalt = None,
    prehashed: Prehashed = False,
    board: PublicBoard = None,
    passphrase_file: PassFile = None,
    json: Json = False,
) -> None:
    """Verify the signature of a file: print Verified OK, or Verification failure with exit code 1."""
    check_one_stream({"--key": key, "--signature": signature, "--in": source})
    name, salt_bytes = hash_name(padding, hash_), salt_length(padding, salt, verify=True)
    check_prehashed(name, prehashed)
    job = Job("verify", key, source, None, board, passphrase_file, json, private=False)
    digest, signed = read_digest(source, name, prehashed), files.read(signature)
    options: dict[str, Any] = {"padding": Padding[padding.name.upper()], "hash": name, "salt": salt_bytes}
    with load.loaded(key, passphrase_file) as rsa:
        spec, right, wall = job.compute(rsa, lambda boards: rsa.verify(boards, digest, signed, **options))
        bits = rsa.bits
    if json:
        facts = {"padding": padding.value, "hash": name, "board": spec, "wall_seconds": round(wall, 6)}
        console.print_json({"operation": "verify", "verified": right, "key_bits": bits, **facts})
    else:
        typer.echo("Verified OK" if right else "Verification failure")
    if not right:
        raise typer.Exit(Code.WRONG)


@app.command()
def decrypt(
    key: KeyFile,
    source: Input = files.STREAM,
    out: OutFile = None,
    padding: Annotated[
        CipherPadding, typer.Option(help="Padding; with none, the output is as long as the modulus.")
    ] = CipherPadding.oaep,
    hash_: OaepHash = None,
    mgf1_hash: MgfHash = None,
    force: Overwrite = False,
    board: Board = None,
    passphrase_file: PassFile = None,
    json: Json = False,
) -> None:
    """Decrypt a message.

    To encrypt one with OpenSSL:
    openssl pkeyutl -encrypt -pubin -inkey pub.pem -pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha256
    """
    name, mask = hash_name(padding, hash_), mgf1_hash_name(padding, mgf1_hash)

    def work(boards: Boards | None, rsa: Key, data: bytes) -> Output:
        assert boards is not None
        try:
            return rsa.decrypt(boards, data, padding=Padding[padding.name.upper()], hash=name, mgf1_hash=mask)
        except PerleError as error:
            if error.code != DECRYPT_FAILED:
                raise
            causes = "wrong key or padding"
            if name is not None:
                causes = "wrong key, padding or --hash (openssl's default is sha1)"
            raise Fault(Code.WRONG, f"decryption failed: {causes}") from None

    job = Job("decrypt", key, source, out, board, passphrase_file, json, force, text=True, secret=True)
    job.run(work, padding=padding.value, hash=name)


@app.command()
def encrypt(
    key: KeyFile,
    source: Input = files.STREAM,
    out: OutFile = None,
    padding: Annotated[
        CipherPadding, typer.Option(help="Padding; with none, --in is as long as the modulus.")
    ] = CipherPadding.oaep,
    hash_: OaepHash = None,
    mgf1_hash: MgfHash = None,
    force: Overwrite = False,
    board: PublicBoard = None,
    passphrase_file: PassFile = None,
    json: Json = False,
) -> None:
    """Encrypt a short message.

    To decrypt it with OpenSSL:
    openssl pkeyutl -decrypt -inkey key.pem -pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha256
    """
    name, mask = hash_name(padding, hash_), mgf1_hash_name(padding, mgf1_hash)

    def work(boards: Boards | None, rsa: Key, data: bytes) -> Output:
        return rsa.encrypt(boards, data, padding=Padding[padding.name.upper()], hash=name, mgf1_hash=mask)

    job = Job("encrypt", key, source, out, board, passphrase_file, json, force, private=False)
    job.run(work, padding=padding.value, hash=name)


@app.command()
def raw(
    key: KeyFile,
    source: Input = files.STREAM,
    out: OutFile = None,
    public: Annotated[
        bool, typer.Option("--public", help="Use the public exponent, even of a private key.")
    ] = False,
    force: Overwrite = False,
    board: Annotated[
        str | None,
        typer.Option(
            "--board",
            metavar="SPEC",
            help=PRIVATE_HELP + " Default: as for sign; with --public, as for encrypt.",
            show_default=False,
        ),
    ] = None,
    passphrase_file: PassFile = None,
    json: Json = False,
) -> None:
    """Compute the RSA power without padding: --in is a big-endian number below the modulus."""

    def work(boards: Boards | None, rsa: Key, data: bytes) -> Output:
        return rsa.public(boards, data) if public or boards is None else rsa.private(boards, data)

    secret = not public
    job = Job(
        "raw",
        key,
        source,
        out,
        board,
        passphrase_file,
        json,
        force,
        private=secret,
        secret=secret,
        read=read_number,
    )
    job.run(work, padding="none", exponent="public" if public else "private")


app.command()(new_keys.forget)
