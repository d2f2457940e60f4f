# SPDX-License-Identifier: Apache-2.0
"""What tests of batches share: a key and a board that is half as wide. A pytest plugin."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli_run import openssl

pytest_plugins = ["perle.host.fixtures"]


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a key of OpenSSL and its public half."""
    folder = tmp_path_factory.mktemp("keys")
    openssl("genrsa", "-out", folder / "key", "768")
    openssl("pkey", "-in", folder / "key", "-pubout", "-out", folder / "public")
    return folder


@pytest.fixture
def board(softboard: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the software board with three lanes."""
    monkeypatch.setenv("SOFTBOARD", "width=384,lanes=3")
    return f"sim:{softboard}"
