# SPDX-License-Identifier: Apache-2.0
"""`perle rsa` on systems of active memories, new keys, and refusals."""

from __future__ import annotations

import hashlib
import stat
from pathlib import Path

import pytest

from perle.cli.io.errors import Code
from perle.host.pam.driver import names
from perle.host.sample import sample
from tests.cli_run import answer, invoke, openssl, refused

MESSAGE = b"a message\n"
PREFIX = bytes.fromhex("3031300d060960864801650304020105000420")  # DigestInfo of SHA-256
PKCS1 = ("--padding", "pkcs1")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a new 508-bit key, a key whose units other tests build too, and a message."""
    folder = tmp_path_factory.mktemp("systems")
    assert "RSA-508" in invoke("rsa", "generate", "--bits", 508, "--out", folder / "new.pem").stderr
    with sample("RSA-508", 254, 254).key() as key:
        (folder / "known.pem").write_bytes(key.to_pem())
    for name in ("new", "known"):
        openssl("pkey", "-in", folder / f"{name}.pem", "-pubout", "-out", folder / f"{name}.pub")
    (folder / "message").write_bytes(MESSAGE)
    return folder


def numbers(pem: Path) -> int:
    """Return the modulus as OpenSSL reads it."""
    return int(openssl("rsa", "-in", pem, "-noout", "-modulus").decode().strip().partition("=")[2], 16)


def is_signature(pem: Path, data: bytes) -> bool:
    """Whether a PKCS#1 v1.5 signature of MESSAGE is right, by Python's own arithmetic."""
    block = pow(int.from_bytes(data, "big"), 65537, numbers(pem)).to_bytes(64, "big")
    digest = PREFIX + hashlib.sha256(MESSAGE).digest()
    return block == b"\0\1" + b"\xff" * (61 - len(digest)) + b"\0" + digest


@pytest.mark.parametrize(
    ("key", "system"),
    [("new", "bus_chained"), ("new", "reg_straight,timing=axi,clock=20"), ("known", "mpu_inlined:w254")],
)
def test_signatures(place: Path, tmp_path: Path, key: str, system: str) -> None:
    pem, signature, spec = place / f"{key}.pem", tmp_path / "signature", f"system:{system}"
    args = ("rsa", "sign", "--key", pem, *PKCS1, "--in", place / "message", "--board", spec)
    done = invoke(*args, "--out", signature)
    assert "depends on the bits of the private exponent" in done.stderr
    assert f"ms of modelled time on {spec}" in done.stderr
    assert ("perle rsa forget" in done.stderr) == ("mpu" in system)
    assert is_signature(pem, signature.read_bytes())
    check = ("rsa", "verify", "--key", place / f"{key}.pub", *PKCS1, "--board", "none")
    told = invoke(*check, "--in", place / "message", "--signature", signature).stdout
    assert told == "Verified OK\n"
    facts = answer(*args)
    assert bytes.fromhex(facts["data"]) == signature.read_bytes()
    assert (facts["cycles"], facts["elapsed_cycles"], facts["board"]) == (0, 0, spec)
    assert facts["time_ps"] > 0


def test_decrypt_and_raw(place: Path, tmp_path: Path) -> None:
    key, secret, board = place / "new.pem", tmp_path / "secret", ("--board", "system:reg_naive")
    args = ("--key", place / "new.pub", *PKCS1, "--board", "none", "--in", place / "message")
    invoke("rsa", "encrypt", *args, "--out", secret)
    done = invoke("rsa", "decrypt", "--key", key, *PKCS1, "--in", secret, *board)
    assert done.stdout == MESSAGE.decode()
    block = tmp_path / "block"
    block.write_bytes(bytes(63) + b"\7")
    facts = answer("rsa", "raw", "--key", key, "--in", block, *board)
    assert pow(int(facts["data"], 16), 65537, numbers(key)) == 7
    wrong = tmp_path / "wrong"
    wrong.write_bytes(bytes(63) + b"\7")
    message = invoke("rsa", "decrypt", "--key", key, *PKCS1, "--in", wrong, *board, code=Code.WRONG).stderr
    assert "decryption failed" in message


@pytest.mark.wide
@pytest.mark.parametrize("driver", ["reg_straight", "mpu_inlined"])
def test_openssl_keys_of_1024_bits(place: Path, tmp_path: Path, driver: str) -> None:
    key, public, signature = tmp_path / "key.pem", tmp_path / "key.pub", tmp_path / "signature"
    openssl("genrsa", "-out", key, "1024")
    openssl("pkey", "-in", key, "-pubout", "-out", public)
    args = ("--board", f"system:{driver}", "--in", place / "message", "--out", signature)
    invoke("rsa", "sign", "--key", key, *args)
    mode = ("-sigopt", "rsa_padding_mode:pss")
    check = ("-verify", public, "-signature", signature, *mode, place / "message")
    assert openssl("dgst", "-sha256", *check) == b"Verified OK\n"
    if driver.startswith("mpu"):
        assert answer("rsa", "forget", "--key", key)["deleted"] > 0


def test_new_keys_are_private_and_never_replace_another(tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    facts = answer("rsa", "generate", "--bits", 512, "--out", path)
    assert facts == {"operation": "generate", "key_bits": 512, "out": str(path)}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert b"RSA key ok" in openssl("rsa", "-in", path, "-check", "-noout")
    before = path.read_bytes()
    assert "exists already" in refused(Code.INPUT, "rsa", "generate", "--bits", 512, "--out", path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    other = tmp_path / "other.pem"
    other.write_text(invoke("rsa", "generate", "--bits", 64, "--out", "-").stdout)
    assert numbers(other).bit_length() == 64


@pytest.mark.parametrize("bits", ["63", "509", "62", "16386"])
def test_lengths_of_keys_that_are_not_made(tmp_path: Path, bits: str) -> None:
    told = refused(Code.USAGE, "rsa", "generate", "--bits", bits, "--out", tmp_path / "key.pem")
    assert "even number from 64 to 16384" in told
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("spec", "code", "told"),
    [
        ("system:reg_curved", Code.USAGE, "there are: full_bignum"),
        ("system:reg_straight:curved", Code.USAGE, "no configuration 'curved'"),
        ("system:reg_straight,timing=scsi", Code.USAGE, "vme68020"),
        ("system:reg_straight,lanes=2", Code.USAGE, "a system takes timing=NAME and clock=NS"),
        ("system:reg_straight,boards=2", Code.USAGE, "a system takes timing=NAME and clock=NS"),
        ("system:reg_straight,clock=fast", Code.USAGE, "the period of a clock in ns"),
    ],
)
def test_specifications_that_are_refused(place: Path, spec: str, code: int, told: str) -> None:
    args = ("--key", place / "new.pem", *PKCS1, "--in", place / "message", "--out", "-", "--board", spec)
    message = refused(code, "rsa", "sign", *args)
    assert told in message
    assert message.count("\n") == 1


def test_keys_that_are_refused(place: Path, tmp_path: Path) -> None:
    long = tmp_path / "long.pem"
    openssl("genrsa", "-out", long, "1024")
    sign = ("--in", place / "message", "--out", "-", "--board")
    told = refused(Code.INPUT, "rsa", "sign", "--key", long, *sign, "system:reg_straight:booth")
    assert "registers of 256 bits take 254" in told
    told = refused(Code.INPUT, "rsa", "sign", "--key", long, *sign, "system:bus_chained")
    assert "take 510" in told
    told = refused(Code.INPUT, "rsa", "sign", "--key", place / "new.pub", *sign, "system:reg_straight")
    assert "public key" in told


def test_commands_that_want_other_boards(place: Path) -> None:
    system = ("--board", "system:reg_straight")
    public = ("rsa", "encrypt", "--key", place / "new.pub", *PKCS1, "--in", place / "message", "--out", "-")
    for args in (
        ("mul", *system, 3, 5, "1d"),
        ("exp", *system, 3, 5, "1d"),
        ("speed", *system),
        ("build", "system:reg_straight"),
        public + system,
    ):
        told = refused(Code.USAGE, *args)
        assert "a system only runs private RSA operations" in told
        assert told.count("\n") == 1


def test_systems_are_in_the_list() -> None:
    assert answer("boards")["systems"] == [f"system:{name}" for name in names()]
    assert "system:mpu_inlined" in invoke("boards").stdout
    assert "system:DRIVER" in invoke("rsa", "sign", "--help").stdout


def test_forget(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERLE_CACHE", str(tmp_path))
    for name in ("fast-0123456789ab", "w254-ba9876543210"):
        (tmp_path / f"memory-mod_product-{name}-{0:016x}.so").touch()
    assert answer("rsa", "forget", "--key", place / "known.pem")["deleted"] == 0
    assert "2 files deleted" in invoke("rsa", "forget", "--all").stderr
    assert not list(tmp_path.iterdir())
    assert "--all" in refused(Code.USAGE, "rsa", "forget")
    assert "--all" in refused(Code.USAGE, "rsa", "forget", "--all", "--key", place / "known.pem")
    assert "no primes" in refused(Code.INPUT, "rsa", "forget", "--key", place / "known.pub")
