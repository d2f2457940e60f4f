# SPDX-License-Identifier: Apache-2.0
"""Keys on boards in the containers of every day: signed and encrypted messages (CMS), and PKCS #12 files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.provider_run import Openssl, counted

pytest_plugins = ["perle.host.fixtures", "tests.provider_fixtures"]

pytestmark = pytest.mark.slow


@pytest.fixture
def certificate(default: Openssl, key_file: Path, tmp_path: Path) -> Path:
    """Return a certificate of the key, made without the provider."""
    default("req", "-x509", "-key", key_file, "-subj", "/CN=perle.example", "-days", 3, "-out", "c.pem")
    return tmp_path / "c.pem"


def test_messages_are_signed(
    perled: Openssl, default: Openssl, key_file: Path, certificate: Path, tmp_path: Path
) -> None:
    pss = ("-keyopt", "rsa_padding_mode:pss", "-keyopt", "rsa_pss_saltlen:digest")
    for options in ((), pss):
        signer = ("-signer", certificate, "-inkey", key_file, *options)
        perled("cms", "-sign", "-in", "m", *signer, "-out", "signed")
        for program in (default, perled):
            check = ("-CAfile", certificate, "-purpose", "any")
            assert program("cms", "-verify", *check, "-in", "signed").strip() == b"a message"
        assert counted(tmp_path) == {"boards": 1}


def test_messages_are_decrypted(
    perled: Openssl, default: Openssl, key_file: Path, certificate: Path, tmp_path: Path
) -> None:
    oaep = ("-keyopt", "rsa_padding_mode:oaep", "-keyopt", "rsa_oaep_md:sha256")
    # As everywhere, PKCS #1 v1.5 is left to OpenSSL's own implementation.
    for options, count in ((oaep, {"boards": 1}), ((), {"declined": 1})):
        to = ("-recip", certificate, *options)
        default("cms", "-encrypt", "-aes256", "-binary", "-in", "m", "-out", "sealed", *to)
        found = perled("cms", "-decrypt", "-in", "sealed", "-recip", certificate, "-inkey", key_file)
        assert found == b"a message"
        assert counted(tmp_path) == count


def test_pkcs12(perled: Openssl, default: Openssl, key_file: Path, certificate: Path, tmp_path: Path) -> None:
    word = ("-passout", "pass:word")
    files = ("-inkey", key_file, "-in", certificate)
    for one, other in ((perled, default), (default, perled)):
        one("pkcs12", "-export", *files, *word, "-out", "both.p12")
        out = other("pkcs12", "-in", "both.p12", "-passin", "pass:word", "-noenc", "-nocerts")
        (tmp_path / "again.pem").write_bytes(out)
        counted(tmp_path)  # exporting may test that key and certificate belong together
        perled("dgst", "-sha256", "-sign", "again.pem", "-out", "s", "m")
        assert b"OK" in default("dgst", "-sha256", "-verify", "pub.pem", "-signature", "s", "m")
        assert counted(tmp_path) == {"boards": 1}
