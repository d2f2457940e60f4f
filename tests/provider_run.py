# SPDX-License-Identifier: Apache-2.0
"""Run OpenSSL's program for tests of the provider, and add up what its processes counted."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from perle.host import provider as host_provider
from perle.host.provider import statuses

Openssl = Callable[..., bytes]


def runner(cwd: Path, more: dict[str, str]) -> Openssl:
    """Return openssl in a folder and with settings of the environment; it must end with `code`."""

    def run(*words: object, code: int = 0, stdin: bytes = b"") -> bytes:
        done = subprocess.run(
            ["openssl", *map(str, words)],
            cwd=cwd,
            env={**os.environ, **more},
            input=stdin,
            capture_output=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == code, done.stderr.decode()
        return done.stdout if code == 0 else done.stderr

    return run


def counted(folder: Path) -> dict[str, int]:
    """Add up what all processes counted, and forget it."""
    pages = list(statuses(folder / "status"))
    assert not any(page.running for page in pages)
    host_provider.forget_ended(folder / "status")
    total: dict[str, int] = {}
    for page in pages:
        for name, count in page.counts.items():
            total[name] = total.get(name, 0) + count
    return {name: count for name, count in total.items() if count}
