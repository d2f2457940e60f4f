# SPDX-License-Identifier: Apache-2.0
"""Options that a padding does not use, and what a report says of those that it uses."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli_run import answer, invoke, openssl, refused

MESSAGE = bytes(31) + b"\5"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a key of 256 bits, and a message as long as its modulus."""
    folder = tmp_path_factory.mktemp("options")
    invoke("rsa", "generate", "--bits", 256, "--out", folder / "key")
    openssl("pkey", "-in", folder / "key", "-pubout", "-out", folder / "public")
    (folder / "message").write_bytes(MESSAGE)
    (folder / "short").write_bytes(b"a message")
    (folder / "empty").write_bytes(b"")
    return folder


@pytest.mark.parametrize(
    ("command", "padding", "option"),
    [
        ("sign", "pkcs1", ("--salt", "digest")),
        ("sign", "none", ("--salt", "20")),
        ("sign", "none", ("--hash", "sha256")),
        ("verify", "pkcs1", ("--salt", "auto")),
        ("verify", "none", ("--hash", "sha1")),
        ("encrypt", "pkcs1", ("--hash", "sha256")),
        ("encrypt", "none", ("--mgf1-hash", "sha1")),
        ("decrypt", "none", ("--hash", "sha1")),
        ("decrypt", "pkcs1", ("--mgf1-hash", "sha1")),
    ],
)
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_what_the_padding_does_not_use_is_refused(
    place: Path, command: str, padding: str, option: tuple[str, ...], form: tuple[str, ...]
) -> None:
    signature = ("--signature", place / "message") if command == "verify" else ()
    words = ("rsa", command, "--key", place / "key", *signature, "--padding", padding, *option, *form)
    assert f"{' '.join(option)}: padding {padding} does not use it" in refused(2, *words)


@pytest.mark.parametrize("command", ["sign", "verify"])
@pytest.mark.parametrize("unhashed", [("--padding", "none"), ("--padding", "pkcs1", "--hash", "none")])
def test_without_a_hash_there_is_no_digest(place: Path, command: str, unhashed: tuple[str, ...]) -> None:
    signature = ("--signature", place / "message") if command == "verify" else ()
    words = ("rsa", command, "--key", place / "key", *signature, *unhashed, "--prehashed")
    assert "--prehashed: without a hash --in is what is signed" in refused(2, *words)


def test_nor_for_a_folder(place: Path) -> None:
    batch = ("--batch", place, "--padding", "pkcs1", "--salt", "7")
    assert "--salt 7: padding pkcs1 does not use it" in refused(
        2, "rsa", "sign", "--key", place / "key", *batch
    )


def test_a_report_has_the_hash_that_was_used(place: Path) -> None:
    public = ("--key", place / "public", "--board", "none")
    key = ("--key", place / "key", "--board", "sim:orup:w128")
    whole, short = ("--in", place / "message"), ("--in", place / "short")
    hashes = {
        padding: answer("rsa", "encrypt", *public, *data, "--padding", padding)["hash"]
        for padding, data in (("none", whole), ("pkcs1", short))
    }
    assert hashes == {"none": None, "pkcs1": None}
    assert answer("rsa", "sign", *key, *short, "--padding", "pkcs1", "--hash", "none")["hash"] is None
    bare = ("--padding", "none", "--hash", "none")  # what is used anyway
    assert answer("rsa", "sign", *key, *whole, *bare)["hash"] is None


def test_a_failed_decryption_blames_only_what_was_used(place: Path) -> None:
    words = ("rsa", "decrypt", "--key", place / "key", "--board", "sim:orup:w128", "--in", place / "message")
    said = refused(1, *words, "--padding", "pkcs1")
    assert "decryption failed: wrong key or padding\n" in said


@pytest.mark.parametrize("more", [(), ("--public",), ("--public", "--board", "none")])
def test_an_empty_input_is_no_number(place: Path, more: tuple[str, ...]) -> None:
    words = ("rsa", "raw", "--key", place / "key", *more, "--json")
    assert "empty: the message is empty" in refused(3, *words, "--in", place / "empty")
    assert "standard input: the message is empty" in refused(3, *words, stdin="")
