# SPDX-License-Identifier: Apache-2.0
"""Fixtures shared by the tests of libperle's binding: software boards and a key. A pytest plugin."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from perle.flow import host_make, tools
from perle.host import Boards, Key


@pytest.fixture(scope="session")
def softboard() -> Path:
    """Return the path of the software board, which is configured by the environment variable SOFTBOARD."""
    return host_make.softboard()


@pytest.fixture
def boards(softboard: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Boards]:
    """Open one software board of 1024 bits."""
    monkeypatch.setenv("SOFTBOARD", "width=1024")
    with Boards(softboard) as opened:
        yield opened


@pytest.fixture
def wide(softboard: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Boards]:
    """Open one software board of 2048 bits."""
    monkeypatch.setenv("SOFTBOARD", "width=2048")
    with Boards(softboard) as opened:
        yield opened


@pytest.fixture(scope="session")
def pem() -> bytes:
    """Return a 1024-bit key as openssl writes it."""
    return tools.run([tools.system_tool("openssl"), "genrsa", "1024"], timeout=120).stdout.encode()


@pytest.fixture(scope="session")
def key(pem: bytes) -> Key:
    """Return that key, loaded."""
    return Key.from_bytes(pem)
