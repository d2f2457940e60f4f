# SPDX-License-Identifier: Apache-2.0
"""What the tests share that run OpenSSL's programs with the provider and without it. A pytest plugin."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.host import provider as host_provider
from perle.host.provider import Provision
from tests.provider_run import Openssl, runner


@pytest.fixture(scope="module")
def provider() -> Path:
    """Return the path of the provider, built where it is missing."""
    return host_provider.provider_path()


@pytest.fixture
def conf(provider: Path, softboard: Path, tmp_path: Path) -> Path:
    """Write a configuration with two software boards, whose processes leave their pages."""
    provision = Provision(
        (f"sim:{softboard},boards=2",), "fail", status=tmp_path / "status", more={"keep_status": "yes"}
    )
    path = tmp_path / "openssl.cnf"
    path.write_text(provision.text(provider))
    return path


@pytest.fixture
def default(tmp_path: Path) -> Openssl:
    """Return openssl as it is without this project."""
    return runner(tmp_path, {"OPENSSL_CONF": "/dev/null"})


@pytest.fixture
def perled(conf: Path, tmp_path: Path) -> Openssl:
    """Return openssl with the provider."""
    return runner(tmp_path, {"OPENSSL_CONF": str(conf), "SOFTBOARD": "width=1024"})


@pytest.fixture
def key_file(default: Openssl, tmp_path: Path) -> Path:
    """Return a key of 2048 bits in tmp_path, its public half and a message beside it."""
    (tmp_path / "m").write_bytes(b"a message")
    default("genrsa", "-out", "key.pem", 2048)
    default("pkey", "-in", "key.pem", "-pubout", "-out", "pub.pem")
    return tmp_path / "key.pem"
