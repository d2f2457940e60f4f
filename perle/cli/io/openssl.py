# SPDX-License-Identifier: Apache-2.0
"""The `openssl` program: makes keys, and checks the results of boards."""

from __future__ import annotations

import os
from pathlib import Path

from perle.flow.tools import ToolError, ToolMissing, run, system_tool

PSS = ("-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:digest")
OAEP = ("-pkeyopt", "rsa_padding_mode:oaep", "-pkeyopt", "rsa_oaep_md:sha256")

TIMEOUT = 120.0


def _openssl(*words: str | Path) -> str:
    program = system_tool("openssl", needed_for="making keys and checking results")
    return run([program, *words], timeout=TIMEOUT).stdout


def make_key(bits: int, path: Path) -> None:
    """Write a new RSA key as PEM that only its owner can read."""
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    _openssl("genrsa", "-out", path, str(bits))


def public_half(key: Path, out: Path) -> None:
    """Write the public key of a private one."""
    _openssl("pkey", "-in", key, "-pubout", "-out", out)


def verifies(public: Path, file: Path, signature: Path) -> bool:
    """Whether OpenSSL accepts a PSS signature with SHA-256."""
    try:
        _openssl("dgst", "-sha256", "-verify", public, "-signature", signature, *PSS, file)
    except ToolMissing:
        raise
    except ToolError:
        return False
    return True


def encrypt(public: Path, file: Path, out: Path) -> None:
    """Encrypt a file with OAEP and SHA-256."""
    _openssl("pkeyutl", "-encrypt", "-pubin", "-inkey", public, *OAEP, "-in", file, "-out", out)
