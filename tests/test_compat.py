# SPDX-License-Identifier: Apache-2.0
"""`make compat` without its builds: what it would fetch, build and run, and what it says when it cannot."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from perle.flow import tools
from perle.flow.places import build_folder
from perle.flow.tools import ToolError
from tests import compat, house
from tests.openssl_builds import (
    CRATE,
    RELEASES,
    Release,
    add_exports,
    add_scripts,
    chosen,
    exports,
    fetched,
    install,
)

NUMBERS = """\
BN_new                                  7\t3_0_0\tEXIST::FUNCTION:
EVP_late                                8\t3_10_0\tEXIST::FUNCTION:EC
EVP_more                                9\t3_5_0\tEXIST:!VMS:FUNCTION:DEPRECATEDIN_3_0
a_variable                              10\t3_5_0\tEXIST::VARIABLE:
RAND_gone                               11\t3_0_0\tNOEXIST::FUNCTION:
"""
SCRIPT = """\
OPENSSL_3.0.0 {
  global:
    BN_new;
  local: *;
};
OPENSSL_3.5.0 {
  global:
    EVP_more;
} OPENSSL_3.0.0;
OPENSSL_3.10.0 {
  global:
    EVP_late;
} OPENSSL_3.5.0;
"""


def cargo(folder: Path, checksum: str, code: int = 0) -> None:
    """Put a cargo on the PATH that fetches nothing and locks this checksum."""
    text = f'[[package]]\nname = "{CRATE}"\nversion = "1.0.0"\nchecksum = "{checksum}"\n'
    script = f"#!/bin/sh\necho no network\nprintf '%s' '{text}' > Cargo.lock\nexit {code}\n"
    (folder / "cargo").write_text(script, encoding="utf-8")
    (folder / "cargo").chmod(0o755)


def test_releases() -> None:
    for one in RELEASES:
        crate = one.crate.split(".")
        assert crate[0] == f"{one.major}00"
        assert re.fullmatch("[0-9a-f]{64}", one.checksum)
    assert {one.major for one in RELEASES} == {3, 4}
    assert chosen([]) == RELEASES
    assert [one.version for one in chosen(["4", RELEASES[0].version, "4.0"])] == [
        RELEASES[1].version,
        RELEASES[0].version,
    ]
    for name in ("5", "3.", "", "4.0.33"):
        with pytest.raises(ToolError, match="no such OpenSSL here"):
            chosen([name])


def test_symbols_have_the_version_that_introduced_them() -> None:
    assert exports(NUMBERS) == SCRIPT


def test_what_the_crate_lacks(tmp_path: Path) -> None:
    (tmp_path / "util").mkdir()
    (tmp_path / "providers").mkdir()
    (tmp_path / "util" / "libcrypto.num").write_text(NUMBERS, encoding="utf-8")
    add_scripts(tmp_path)
    assert (tmp_path / "util" / "mkdef.pl").exists()
    rules = "libcrypto.ld: util/libcrypto.num util/mkdef.pl\nproviders/fips.ld: util/providers.num\n"
    (tmp_path / "Makefile").write_text(rules, encoding="utf-8")
    add_exports(tmp_path)
    assert (tmp_path / "libcrypto.ld").read_text(encoding="utf-8") == SCRIPT
    assert "OSSL_provider_init;" in (tmp_path / "providers" / "fips.ld").read_text(encoding="utf-8")


def test_what_is_kept_of_a_build(tmp_path: Path) -> None:
    release, sources, made = Release("4.1.2", "", ""), tmp_path / "sources", tmp_path / "made"
    files = ("libcrypto.so.4", "libssl.so.4", "apps/openssl", "providers/fips.so", "providers/legacy.so")
    for name in (*files, "include/openssl/evp.h"):
        (sources / name).parent.mkdir(parents=True, exist_ok=True)
        (sources / name).write_text(name, encoding="utf-8")
    install(sources, made, release)
    for name in ("bin/openssl", "lib/ossl-modules/fips.so", "include/openssl/evp.h", "ssl/openssl.cnf"):
        assert (made / name).is_file()
    assert (made / "lib" / "libcrypto.so").read_text(encoding="utf-8") == "libcrypto.so.4"


def test_sources_with_another_checksum_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release, log = RELEASES[0], tmp_path / "log"
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    cargo(tmp_path, release.checksum)
    folder = fetched(release, tmp_path / "good", log)
    assert folder == tmp_path / "good" / "vendored" / CRATE / "openssl"
    manifest = (tmp_path / "good" / "Cargo.toml").read_text(encoding="utf-8")
    assert f'{CRATE} = "={release.crate}"' in manifest
    cargo(tmp_path, "0" * 64)
    with pytest.raises(ToolError, match="has checksum 0000"):
        fetched(release, tmp_path / "other", log)


def test_without_cargo_or_a_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PERLE_CACHE", str(tmp_path / "cache"))
    bare = tmp_path / "bin"
    bare.mkdir()
    (bare / "g++").symlink_to(tools.system_tool("g++"))
    monkeypatch.setenv("PATH", str(bare))
    assert compat.main(["4.0"]) == 2
    said = capsys.readouterr().err
    assert "cargo: not found, needed for the sources of OpenSSL 4.0" in said
    monkeypatch.setenv("PATH", f"{bare}:/usr/bin:/bin")
    cargo(bare, "", code=101)
    assert compat.main(["4.0"]) == 2
    said = capsys.readouterr().err
    assert "exit status 101" in said
    assert "a network is needed" in said
    assert compat.main(["2"]) == 2
    assert "there are: 3." in capsys.readouterr().err


def test_the_environment_leads_to_no_other_openssl() -> None:
    release, prefix = RELEASES[0], Path("/prefix")
    before = {"PATH": "/usr/bin", "OPENSSL_CONF": "/c", "PERLE_PROVIDER": "/p.so", "HOME": "/h"}
    found = compat.environment(release, prefix, before)
    assert found["PATH"] == "/prefix/bin:/usr/bin"
    assert {found[name] for name in ("LIBRARY_PATH", "LD_LIBRARY_PATH")} == {"/prefix/lib"}
    assert found["CPATH"] == "/prefix/include"
    assert found["HOME"] == "/h"
    assert not set(compat.KEPT_OUT) & set(found)


def test_builds_are_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    folders = {build_folder(), *(compat.build_folder(one) for one in RELEASES)}
    assert len(folders) == 1 + len(RELEASES)
    assert len({one.key for one in RELEASES}) == len(RELEASES)
    monkeypatch.setenv("PERLE_BUILD", "/elsewhere")
    assert build_folder() == Path("/elsewhere")


def test_what_is_run() -> None:
    """All of it exists; programs of the system are left out where they are linked with another libcrypto."""
    assert all((house.ROOT / name).is_file() for name in compat.TESTS)
    old, new = (compat.command(Release(version, "", ""), ["-x"]) for version in ("3.9.9", "4.0.0"))
    assert compat.TESTS[0] == "tests/compat_checks.py"
    assert set(compat.TESTS) < set(old)
    assert new[: len(old)] == old
    assert new[len(old) :] == ["-k", f"not ({' or '.join(compat.OF_SYSTEM)})"]


def test_a_failed_release_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And the others still run."""
    codes = {RELEASES[0].version: 1, RELEASES[1].version: 0}
    ran: list[str] = []

    def run(words: list[str], env: dict[str, str], **_: object) -> subprocess.CompletedProcess[str]:
        ran.append(env["PERLE_OPENSSL_VERSION"])
        assert words[-1] == "-x"
        return subprocess.CompletedProcess(words, codes[ran[-1]])

    monkeypatch.setattr(compat, "installed", lambda one: Path("/") / one.version)
    monkeypatch.setattr(compat, "command", lambda _, more: ["pytest", *more])
    monkeypatch.setattr(subprocess, "run", run)
    assert compat.main(["--", "-x"]) == 1
    assert ran == list(codes)
    assert f"failed with OpenSSL {RELEASES[0].version}\n" in capsys.readouterr().err
    codes[RELEASES[0].version] = 0
    assert compat.main(["--", "-x"]) == 0
