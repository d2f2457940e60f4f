# SPDX-License-Identifier: Apache-2.0
"""Raw private operations on simulated boards against OpenSSL: a hundred fresh keys of every size."""

from __future__ import annotations

import subprocess
from pathlib import Path
from random import Random

import pytest

from perle.cores.modexp.model import Command, Mode, cycles
from perle.cores.registry import resolve
from perle.host import Boards, Key

KEYS = 100


def openssl(*args: str | Path, data: bytes = b"") -> bytes:
    """Run an OpenSSL command."""
    return subprocess.run(["openssl", *args], input=data, capture_output=True, check=True).stdout


@pytest.mark.slow
@pytest.mark.parametrize("bits", [512, 1024, pytest.param(2048, marks=pytest.mark.wide)])
def test_private_operations_agree_with_openssl(bits: int, tmp_path: Path) -> None:
    rng = Random(bits)
    config = resolve(f"orup:w{bits // 2}")
    half = cycles(config, Command.EXP, Mode.WINDOW, bits // 2)
    file = tmp_path / "key.pem"
    with Boards(f"sim:{config.spec},boards=2") as boards:
        for _ in range(KEYS):
            pem = openssl("genrsa", str(bits))
            file.write_bytes(pem)
            with Key.from_bytes(pem) as key:
                message = rng.randrange(key.n).to_bytes(bits // 8, "big")
                out = key.private(boards, message)
                raw = ("-inkey", file, "-pkeyopt", "rsa_padding_mode:none")
                assert out.data == openssl("pkeyutl", "-decrypt", *raw, data=message)
                assert (out.cycles, out.elapsed) == (2 * half, half)
                assert key.public(None, out.data).data == message
        total = boards.total()
        assert (total.operations, total.faults, total.timeouts) == (2 * KEYS, 0, 0)
