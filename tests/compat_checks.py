# SPDX-License-Identifier: Apache-2.0
"""`make compat` runs this first: what was built and what runs is the newer OpenSSL, nothing of the system's.

And the provider beside OpenSSL's own FIPS provider. `make test` does not collect it: these are no tests of
the system's OpenSSL.
"""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import time
from pathlib import Path

import pytest

from perle.flow.host_make import make_host
from perle.flow.places import build_folder
from perle.flow.tools import run
from perle.host._lib import library_path
from tests.provider_run import Openssl, counted, runner

pytest_plugins = ["perle.host.fixtures", "tests.provider_fixtures"]

VERSION = os.environ["PERLE_OPENSSL_VERSION"]
LIBRARIES = Path(os.environ["PERLE_OPENSSL"]) / "lib"
MAJOR = VERSION.partition(".")[0]
PRODUCTS = ("perle.so", "libperle.so", "exits", "asan/provider")


def mapped(process: int) -> set[Path]:
    """Return the files that a process has mapped."""
    lines = Path(f"/proc/{process}/maps").read_text(encoding="utf-8").splitlines()
    return {Path(words[5]) for line in lines if len(words := line.split(maxsplit=5)) == 6}


def test_the_program_is_of_this_version(default: Openssl) -> None:
    """Its libraries too, which it prints when they are of another version."""
    said = default("version", "-a").decode()
    assert f"OpenSSL {VERSION} " in said.splitlines()[0]
    assert set(re.findall(r"\b\d+\.\d+\.\d+\b", said.splitlines()[0])) == {VERSION}
    assert f'MODULESDIR: "{LIBRARIES}/ossl-modules"' in said


@pytest.mark.parametrize("name", PRODUCTS)
def test_everything_is_linked_with_its_libcrypto(name: str) -> None:
    """Also what the tests in C++ are."""
    path = build_folder() / name
    make_host(path)
    found = re.findall(r"^\s*(lib(?:crypto|ssl)\S*) => (\S+)", run(["ldd", path]).stdout, re.MULTILINE)
    assert found == [(f"libcrypto.so.{MAJOR}", f"{LIBRARIES}/libcrypto.so.{MAJOR}")]


def test_everything_is_compiled_with_its_headers() -> None:
    """The compiler wrote down which headers it read."""
    folder = build_folder()
    for name in PRODUCTS:
        make_host(folder / name)
    read = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*/*.dep"))
    headers = re.findall(r"\S+/openssl/\w+\.h", read)
    assert f"{LIBRARIES.parent}/include/openssl/provider.h" in headers
    assert {str(Path(header).parent) for header in headers} == {f"{LIBRARIES.parent}/include/openssl"}


def test_libperle_uses_its_libcrypto() -> None:
    """In the process of the tests."""
    ctypes.CDLL(str(library_path()))
    assert LIBRARIES / f"libcrypto.so.{MAJOR}" in mapped(os.getpid())
    libcrypto = ctypes.CDLL(f"libcrypto.so.{MAJOR}")
    libcrypto.OpenSSL_version.restype = ctypes.c_char_p
    assert libcrypto.OpenSSL_version(0).startswith(f"OpenSSL {VERSION} ".encode())


def test_the_provider_runs_with_its_libcrypto(conf: Path, provider: Path, tmp_path: Path) -> None:
    """In the process of a program that signs on boards."""
    environment = {**os.environ, "OPENSSL_CONF": str(conf), "SOFTBOARD": "width=1024"}
    command = ["openssl", "speed", "-seconds", "60", "rsa2048"]
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL) as process:
        for _ in range(200):
            files = mapped(process.pid)
            if provider in files:
                break
            time.sleep(0.05)
        process.kill()
    assert provider in files
    assert provider.parent == build_folder()
    names = ("libcrypto", "libssl")
    assert {path.parent for path in files if path.name.startswith(names)} == {LIBRARIES}


@pytest.fixture
def beside_fips(conf: Path, default: Openssl, tmp_path: Path) -> Openssl:
    """Return openssl with the FIPS provider and this one, without the default provider."""
    module = LIBRARIES / "ossl-modules" / "fips.so"
    default("fipsinstall", "-out", "fips.cnf", "-module", module)
    text = conf.read_text(encoding="utf-8")
    assert "default = default_sect\n" in text
    text = text.replace("default = default_sect\n", "base = base_sect\nfips = fips_sect\n")
    text = text.replace("[default_sect]", "[base_sect]")
    first, rest = text.split("[openssl_init]")
    conf.write_text(f"{first}.include {tmp_path / 'fips.cnf'}\n\n[openssl_init]{rest}", encoding="utf-8")
    return runner(tmp_path, {"OPENSSL_CONF": str(conf), "SOFTBOARD": "width=1024"})


def test_keys_on_boards_beside_fips(
    beside_fips: Openssl, default: Openssl, key_file: Path, tmp_path: Path
) -> None:
    """Digests are those of the FIPS provider, signatures are made on boards."""
    listed = beside_fips("list", "-providers").decode()
    assert re.findall(r"^  (\w+)$", listed, re.MULTILINE) == ["base", "fips", "perle"]
    digests = beside_fips("list", "-digest-algorithms").decode()
    assert "SHA2-256" in digests
    assert set(re.findall(r" @ (\w+)$", digests, re.MULTILINE)) == {"fips"}
    beside_fips("dgst", "-md5", "m", code=1)
    beside_fips("dgst", "-sha256", "-sign", key_file, "-out", "s", "m")
    assert b"Verified OK" in default("dgst", "-sha256", "-verify", "pub.pem", "-signature", "s", "m")
    assert counted(tmp_path) == {"boards": 1}


def test_fips_alone_where_it_is_asked_for(
    beside_fips: Openssl, default: Openssl, conf: Path, key_file: Path, tmp_path: Path
) -> None:
    """A program that asks for `fips=yes` gets no boards: they are not validated."""
    text = conf.read_text(encoding="utf-8")
    conf.write_text(text.replace("?perle.boards=yes", "fips=yes"), encoding="utf-8")
    beside_fips("dgst", "-sha256", "-sign", key_file, "-out", "s", "m")
    assert b"Verified OK" in default("dgst", "-sha256", "-verify", "pub.pem", "-signature", "s", "m")
    assert counted(tmp_path) == {}
