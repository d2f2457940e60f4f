# SPDX-License-Identifier: Apache-2.0
"""What the tests of libperle's binding share: a software board and a key."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from perle import hostlib
from perle.flow import tools
from perle.host import Boards, Key


@pytest.fixture(scope="session")
def softboard() -> Path:
    hostlib.library()
    tools.run(["make", "-C", hostlib.SOURCES, "soft"], timeout=300)
    return hostlib.BUILT.with_name("softboard.so")


@pytest.fixture
def boards(softboard: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Boards]:
    monkeypatch.setenv("SOFTBOARD", "width=1024")
    with Boards(softboard) as opened:
        yield opened


@pytest.fixture(scope="session")
def pem() -> bytes:
    return subprocess.run(["openssl", "genrsa", "1024"], capture_output=True, check=True, timeout=120).stdout


@pytest.fixture(scope="session")
def key(pem: bytes) -> Key:
    return Key.from_bytes(pem)
