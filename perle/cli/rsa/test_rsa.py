# SPDX-License-Identifier: Apache-2.0
"""`perle rsa` against OpenSSL in both directions, and refusals."""

from __future__ import annotations

import json
import os
import pty
import random
import stat
import time
from pathlib import Path

import pytest

from perle.cli.io.errors import Code
from perle.cli.io.openssl import verifies
from perle.cores import registry
from perle.cores.modexp.model import Command, Mode, cycles
from tests.cli_run import answer, environment, invoke, openssl, program, refused, spawn

MESSAGE = b"a message\nof two lines\n"
PASSPHRASE = b"open sesame"
PSS = ("-sigopt", "rsa_padding_mode:pss")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with OpenSSL's keys in all formats, and a message."""
    folder = tmp_path_factory.mktemp("rsa")

    def path(name: str) -> str:
        return str(folder / name)

    for bits in (512, 768, 1024):
        openssl("genrsa", "-out", path(f"{bits}.pem"), str(bits))
        openssl("pkey", "-in", path(f"{bits}.pem"), "-pubout", "-out", path(f"{bits}.pub"))
    key = path("768.pem")
    openssl("rsa", "-in", key, "-traditional", "-out", path("pkcs1.pem"))
    openssl("rsa", "-in", key, "-traditional", "-outform", "DER", "-out", path("pkcs1.der"))
    openssl("pkcs8", "-topk8", "-nocrypt", "-in", key, "-out", path("pkcs8.pem"))
    openssl("pkcs8", "-topk8", "-nocrypt", "-in", key, "-outform", "DER", "-out", path("pkcs8.der"))
    phrase = f"pass:{PASSPHRASE.decode()}"
    openssl("pkcs8", "-topk8", "-in", key, "-passout", phrase, "-out", path("encrypted8.pem"))
    openssl("rsa", "-in", key, "-traditional", "-aes128", "-passout", phrase, "-out", path("encrypted1.pem"))
    openssl("genrsa", "-primes", "3", "-out", path("three.pem"), "1024")
    openssl("ecparam", "-genkey", "-name", "prime256v1", "-out", path("curve.pem"))
    (folder / "broken.pem").write_bytes((folder / "768.pem").read_bytes()[:200])
    (folder / "message").write_bytes(MESSAGE)
    (folder / "passphrase").write_bytes(PASSPHRASE + b"\nand more\n")
    (folder / "wrong").write_bytes(b"close sesame\n")
    return folder


@pytest.mark.parametrize("padding", ["pss", "pkcs1"])
@pytest.mark.parametrize("name", ["sha256", "sha1", "sha384"])
def test_openssl_verifies_what_was_signed(place: Path, tmp_path: Path, padding: str, name: str) -> None:
    signature, mode = tmp_path / "signature", ("-sigopt", f"rsa_padding_mode:{padding}")
    args = ("--padding", padding, "--hash", name, "--in", place / "message")
    facts = answer("rsa", "sign", "--key", place / "1024.pem", *args, "--out", signature)
    assert facts["bytes"] == signature.stat().st_size == 128
    assert facts["board"] == "sim:orup:w512,boards=2"
    half = cycles(registry.resolve("orup:w512"), Command.EXP, Mode.WINDOW, 512)
    assert (facts["elapsed_cycles"], facts["cycles"]) == (half, 2 * half)
    check = ("-verify", place / "1024.pub", "-signature", signature, *mode)
    assert openssl("dgst", f"-{name}", *check, place / "message") == b"Verified OK\n"


def test_the_defaults_are_pss_and_sha256(place: Path, tmp_path: Path) -> None:
    signature = tmp_path / "signature"
    invoke("rsa", "sign", "--key", place / "768.pem", "--in", place / "message", "--out", signature)
    assert verifies(place / "768.pub", place / "message", signature)
    assert not verifies(place / "768.pub", place / "passphrase", signature)
    check = ("-verify", place / "768.pub", "-signature", signature, *PSS, "-sigopt", "rsa_pss_saltlen:32")
    assert openssl("dgst", "-sha256", *check, place / "message") == b"Verified OK\n"


@pytest.mark.parametrize("board", ["none", None])
@pytest.mark.parametrize(
    ("padding", "salt"), [("pss", "max"), ("pss", "digest"), ("pss", "7"), ("pkcs1", "digest")]
)
def test_signatures_of_openssl_verify(
    place: Path, tmp_path: Path, padding: str, salt: str, board: str | None
) -> None:
    signature = tmp_path / "signature"
    mode = ["-sigopt", f"rsa_padding_mode:{padding}"]
    mode += ["-sigopt", f"rsa_pss_saltlen:{salt}"] if padding == "pss" else []
    openssl("dgst", "-sha1", "-sign", place / "512.pem", *mode, "-out", signature, place / "message")
    args = ["rsa", "verify", "--key", place / "512.pub", "--hash", "sha1", "--padding", padding]
    args += ["--board", board] if board else []
    good, right = ("--in", place / "message"), ("--signature", signature)
    assert invoke(*args, *good, *right).stdout == "Verified OK\n"
    wrong = tmp_path / "wrong"
    for content in (MESSAGE + b"!", b""):
        wrong.write_bytes(content)
        result = invoke(*args, "--in", wrong, *right, code=Code.WRONG)
        assert (result.stdout, result.stderr) == ("Verification failure\n", "")
    facts = answer(*args, "--in", wrong, *right, code=Code.WRONG)
    assert (facts["verified"], facts["board"]) == (False, None if board else "sim:orup:w512")
    for spoilt in (b"", b"short", bytes(64), b"\xff" * 64, signature.read_bytes() + b"\0"):
        wrong.write_bytes(spoilt)
        invoke(*args, *good, "--signature", wrong, code=Code.WRONG)


def test_a_verifier_cannot_ask_for_the_longest_salt(place: Path) -> None:
    """libperle verifies with a given salt length or any: for `max` it would accept any."""
    args = ("rsa", "verify", "--key", place / "512.pub", "--in", place / "message", "--signature", "none")
    assert "digest, auto" in refused(Code.USAGE, *args, "--salt", "max")


@pytest.mark.parametrize("key", ["768.pem", "pkcs1.pem", "pkcs1.der", "pkcs8.pem", "pkcs8.der"])
def test_keys_in_every_form(place: Path, key: str) -> None:
    args = ("rsa", "sign", "--key", place / key, "--in", place / "message", "--padding", "pkcs1")
    wanted = openssl("dgst", "-sha256", "-sign", place / "768.pem", place / "message")
    assert bytes.fromhex(answer(*args)["data"]) == wanted
    assert spawn(*args).stdout == wanted
    assert spawn(*args, "--out", "-").stdout == wanted


@pytest.mark.parametrize("key", ["encrypted1.pem", "encrypted8.pem"])
def test_encrypted_keys(place: Path, key: str) -> None:
    args = ("rsa", "sign", "--key", place / key, "--in", place / "message", "--padding", "pkcs1")
    wanted = openssl("dgst", "-sha256", "-sign", place / "768.pem", place / "message")
    assert spawn(*args, "--passphrase-file", place / "passphrase").stdout == wanted
    assert "PERLE_ERR_PASSPHRASE" in refused(Code.INPUT, *args, "--passphrase-file", place / "wrong")
    assert "none" in refused(Code.INPUT, *args, "--passphrase-file", place / "none")
    done = spawn(*args)
    assert (done.returncode, done.stdout) == (Code.INPUT, b"")
    assert b"--passphrase-file" in done.stderr


def test_a_terminal_is_asked_for_the_passphrase(place: Path, tmp_path: Path) -> None:
    signature = tmp_path / "signature"
    words = ["rsa", "sign", "--key", place / "encrypted8.pem", "--in", place / "message", "--out", signature]
    process, terminal = pty.fork()
    if process == 0:
        os.execve(program()[0], [*program(), *map(str, words)], environment())
    told = b""
    try:
        while b"Passphrase" not in told:
            told += os.read(terminal, 1000)
        time.sleep(0.2)  # until getpass has switched echo off
        os.write(terminal, PASSPHRASE + b"\n")
        while chunk := os.read(terminal, 1000):
            told += chunk
    except OSError:  # the program has closed its side
        pass
    _, status = os.waitpid(process, 0)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(status) == 0, told.decode()
    assert PASSPHRASE not in told
    assert signature.stat().st_size == 96


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("three.pem", "two primes"),
        ("broken.pem", "broken.pem"),
        ("curve.pem", "RSA"),
        ("message", "PEM"),
        ("none.pem", "No such file"),
        (".", "directory"),
        ("768.pub", "public key"),
    ],
)
def test_keys_that_are_none(place: Path, tmp_path: Path, key: str, told: str) -> None:
    args = ("--key", place / key, "--in", place / "message", "--out", tmp_path / "out")
    for command in ("sign", "decrypt", "raw"):
        assert told in refused(Code.INPUT, "rsa", command, *args)
    assert list(tmp_path.iterdir()) == []


def test_standard_input_is_read_once(place: Path) -> None:
    key = ("--key", place / "768.pub", "--board", "none")
    told = refused(Code.USAGE, "rsa", "verify", *key, "--signature", "-", stdin="message")
    assert "--signature and --in cannot both be standard input" in told
    assert "--key and --in" in refused(Code.USAGE, "rsa", "sign", "--key", "-", stdin="message")


def test_files_that_are_none(place: Path, tmp_path: Path) -> None:
    key = ("rsa", "sign", "--key", place / "512.pem")
    assert "none" in refused(Code.INPUT, *key, "--in", place / "none", "--out", tmp_path / "out")
    told = refused(
        Code.INPUT, *key, "--padding", "pkcs1", "--in", place / "message", "--out", tmp_path / "a" / "b"
    )
    assert f"{tmp_path}/a/b" in told
    verify = ("rsa", "verify", "--key", place / "512.pub", "--in", place / "message")
    assert "none" in refused(Code.INPUT, *verify, "--signature", place / "none")
    assert list(tmp_path.iterdir()) == []


def test_what_does_not_fit(place: Path, tmp_path: Path) -> None:
    args = ("--key", place / "512.pem", "--in", place / "message", "--out", tmp_path / "out")
    for board in ((), ("--board", "sim:orup:w250")):  # it is not built for that
        told = refused(Code.INPUT, "rsa", "sign", *args, "--hash", "sha512", *board)
        assert "too short for a digest" in told
        assert "building" not in told
    assert "hash" in refused(Code.USAGE, "rsa", "sign", *args, "--hash", "crc32")
    narrow = ("--padding", "pkcs1", "--board", "sim:orup:w128")
    assert "WIDTH" in refused(Code.INPUT, "rsa", "sign", *args, *narrow)
    long = tmp_path / "long"
    long.write_bytes(bytes(100))
    key = ("--key", place / "512.pub", "--in", long, "--board", "none")
    assert "up to 53 bytes" in refused(
        Code.INPUT, "rsa", "encrypt", *key, "--padding", "pkcs1", "--out", tmp_path / "out"
    )
    assert "standard output" in refused(Code.USAGE, "rsa", "sign", *args[:4], "--out", "-", "--json")
    assert [path.name for path in tmp_path.iterdir()] == ["long"]


PKEYUTL = {
    "oaep": (["rsa_padding_mode:oaep", "rsa_oaep_md:sha256"], []),
    "sha1": (["rsa_padding_mode:oaep"], ["--hash", "sha1"]),
    "mgf1": (
        ["rsa_padding_mode:oaep", "rsa_oaep_md:sha256", "rsa_mgf1_md:sha1"],
        ["--hash", "sha256", "--mgf1-hash", "sha1"],
    ),
    "pkcs1": (["rsa_padding_mode:pkcs1"], ["--padding", "pkcs1"]),
}


@pytest.mark.parametrize("mode", PKEYUTL)
def test_messages_to_and_from_openssl(place: Path, tmp_path: Path, mode: str) -> None:
    options, ours = PKEYUTL[mode]
    theirs = [word for option in options for word in ("-pkeyopt", option)]
    cipher, plain = tmp_path / "cipher", tmp_path / "plain"
    openssl(
        "pkeyutl",
        "-encrypt",
        "-pubin",
        "-inkey",
        place / "768.pub",
        *theirs,
        "-in",
        place / "message",
        "-out",
        cipher,
    )
    invoke("rsa", "decrypt", "--key", place / "768.pem", *ours, "--in", cipher, "--out", plain)
    assert plain.read_bytes() == MESSAGE
    assert stat.S_IMODE(plain.stat().st_mode) == 0o600
    args = (
        "rsa",
        "encrypt",
        "--key",
        place / "768.pub",
        "--board",
        "none",
        *ours,
        "--in",
        "-",
        "--out",
        cipher,
        "--force",
    )
    assert spawn(*args, stdin=MESSAGE).returncode == 0
    assert openssl("pkeyutl", "-decrypt", "-inkey", place / "768.pem", *theirs, "-in", cipher) == MESSAGE


def test_decryption_that_fails(place: Path, tmp_path: Path) -> None:
    cipher, out = tmp_path / "cipher", tmp_path / "out"
    invoke(
        "rsa",
        "encrypt",
        "--key",
        place / "768.pub",
        "--board",
        "none",
        "--in",
        place / "message",
        "--out",
        cipher,
    )
    args = ("rsa", "decrypt", "--key", place / "768.pem", "--in", cipher, "--out", out)
    assert "decryption failed" in refused(Code.WRONG, *args, "--hash", "sha1")
    spoilt = bytearray(cipher.read_bytes())
    spoilt[40] ^= 1
    cipher.write_bytes(spoilt)
    assert "decryption failed" in refused(Code.WRONG, *args)
    assert not out.exists()


def test_raw_is_the_bare_power(place: Path, tmp_path: Path) -> None:
    text = openssl("rsa", "-in", place / "512.pem", "-noout", "-modulus").decode()
    n = int(text.partition("=")[2], 16)
    number = tmp_path / "number"
    number.write_bytes(random.Random(3).randrange(n).to_bytes(64, "big"))
    base = ("rsa", "raw", "--key", place / "512.pem", "--in", number)
    facts = answer(*base)
    power = bytes.fromhex(facts["data"])
    raw = ("-inkey", place / "512.pem", "-pkeyopt", "rsa_padding_mode:none", "-in", number)
    assert power == openssl("pkeyutl", "-decrypt", *raw)
    assert (facts["exponent"], facts["board"]) == ("private", "sim:orup:w256,boards=2")
    public = answer(*base, "--public")
    assert int(public["data"], 16) == pow(int.from_bytes(number.read_bytes(), "big"), 65537, n)
    assert (public["exponent"], public["board"]) == ("public", "sim:orup:w512")
    number.write_bytes(n.to_bytes(64, "big"))
    assert "range" in refused(Code.INPUT, *base).lower()


def test_one_board_does_both_halves(place: Path) -> None:
    args = ("rsa", "sign", "--key", place / "512.pem", "--in", place / "message", "--padding", "pkcs1")
    two, one = answer(*args), answer(*args, "--board", "sim:orup:w256")
    assert one["data"] == two["data"]
    assert one["cycles"] == one["elapsed_cycles"] == two["cycles"] == 2 * two["elapsed_cycles"]


def test_a_digest_can_be_signed_as_it_is(place: Path, tmp_path: Path) -> None:
    digest = tmp_path / "digest"
    digest.write_bytes(openssl("dgst", "-sha256", "-binary", place / "message"))
    args = ("rsa", "sign", "--key", place / "512.pem", "--padding", "pkcs1")
    plain = answer(*args, "--in", place / "message")["data"]
    assert answer(*args, "--in", digest, "--prehashed")["data"] == plain
    bare = bytes.fromhex(answer(*args, "--in", digest, "--hash", "none")["data"])
    assert bare == openssl("pkeyutl", "-sign", "-inkey", place / "512.pem", "-in", digest)
    assert "length" in refused(Code.INPUT, *args, "--in", place / "message", "--prehashed").lower()


@pytest.mark.slow
def test_rsa_2048_for_real(place: Path, tmp_path: Path) -> None:
    key, public, signature = tmp_path / "key.pem", tmp_path / "key.pub", tmp_path / "signature"
    openssl("genrsa", "-out", key, "2048")
    openssl("pkey", "-in", key, "-pubout", "-out", public)
    done = spawn(
        "rsa", "sign", "--key", key, "--in", place / "message", "--out", signature, "--json", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr.decode()
    assert json.loads(done.stdout)["board"] == "sim:orup:w1024,boards=2"
    check = ("-verify", public, "-signature", signature, *PSS)
    assert openssl("dgst", "-sha256", *check, place / "message") == b"Verified OK\n"
    same = ("rsa", "verify", "--key", public, "--board", "none", "--in", place / "message")
    assert invoke(*same, "--signature", signature).stdout == "Verified OK\n"
