# SPDX-License-Identifier: Apache-2.0
"""Compatibility without its builds: what is fetched, built and run, and what is said when it cannot be."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from perle.flow import tools
from perle.flow.places import build_folder
from perle.flow.tools import ToolError
from perle.trust import compat
from perle.trust.openssl_builds import (
    CRATE,
    RELEASES,
    Release,
    add_exports,
    add_scripts,
    exports,
    fetched,
    install,
)
from perle.trust.parts import Wanted
from tests import house

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


def test_without_cargo_or_a_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERLE_CACHE", str(tmp_path / "cache"))
    bare = tmp_path / "bin"
    bare.mkdir()
    (bare / "g++").symlink_to(tools.system_tool("g++"))
    monkeypatch.setenv("PATH", str(bare))
    with pytest.raises(ToolError, match=r"cargo: not found, needed for the sources of OpenSSL 4\.0"):
        compat.ran(RELEASES[1])
    monkeypatch.setenv("PATH", f"{bare}:/usr/bin:/bin")
    cargo(bare, "", code=101)
    with pytest.raises(ToolError, match=r"exit status 101(.|\n)*a network is needed"):
        compat.ran(RELEASES[1])


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


def test_what_is_run(tmp_path: Path) -> None:
    """All of it exists; programs of the system are left out where they are linked with another libcrypto."""
    assert all((house.ROOT / name).is_file() for name in (compat.CHECKS, *compat.TESTS))
    system = compat.command(None, tmp_path)
    old, new = (compat.command(Release(version, "", ""), tmp_path) for version in ("3.9.9", "4.0.0"))
    assert set(compat.TESTS) < set(system)
    assert set(old) - set(system) == {compat.CHECKS, "-k", "not (ssh)"}
    assert new[:-1] == old[:-1]
    assert new[-1] == f"not (ssh or {' or '.join(compat.OF_SYSTEM)})"


SOME = """
import pytest
def test_good(): pass
def test_bad(): assert False
def test_skipped(): pytest.skip("nginx is not installed")
@pytest.fixture
def broken(): raise OSError
def test_error(broken): pass
"""


def running(folder: Path, report: Path) -> list[str]:
    """Return the command that runs the tests of a folder."""
    options = ("-n", "0", "-p", "no:cacheprovider", "--rootdir", folder, "--junitxml", report)
    return [sys.executable, "-m", "pytest", *map(str, options), str(folder)]


def test_failures_are_recorded_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of tests that really run, and of a release."""
    (tmp_path / "test_some.py").write_text(SOME)
    released: list[Release] = []

    def command(release: Release | None, report: Path) -> list[str]:
        assert release is not None
        released.append(release)
        return running(tmp_path, report)

    monkeypatch.setattr(compat, "installed", lambda _: tmp_path)
    monkeypatch.setattr(compat, "command", command)
    monkeypatch.setattr(compat, "environment", lambda *_: dict(os.environ))
    [task] = compat.tasks(Wanted("openssl-4.0"))
    found = task.run(None)
    assert (found.part, found.case, released) == ("compat", "OpenSSL 4.0.3", [RELEASES[1]])
    assert found.failed == ["test_some::test_bad", "test_some::test_error"]
    skipped = {"skipped: nginx is not installed": 1}
    assert found.counts == {"passed": 1, "failed": 2, "skipped": 1, **skipped}
    assert compat.row(found) == ("1", "1")
    assert compat.remarks(found) == ["skipped: nginx is not installed: 1"]
    assert task.changes(found) == []
    monkeypatch.setattr(compat, "TESTS", compat.TESTS[1:])
    assert task.changes(found)


def test_tests_that_do_not_run_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = [sys.executable, "-c", "raise SystemExit('no pytest')"]
    monkeypatch.setattr(compat, "command", lambda *_: broken)
    with pytest.raises(ToolError, match="ended with status 1: no pytest"):
        compat.ran(None)


def test_tests_that_are_interrupted_are_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Although the report has those that passed."""
    (tmp_path / "test_some.py").write_text(
        "import pytest\ndef test_good(): pass\ndef test_end(): pytest.exit('enough', returncode=3)\n"
    )

    monkeypatch.setattr(compat, "command", lambda _, report: running(tmp_path, report))
    with pytest.raises(ToolError, match="ended with status 3"):
        compat.ran(None)


def test_each_openssl_has_a_name_of_its_own() -> None:
    assert compat.COMPAT.software == ("openssl-system", "openssl-3.5", "openssl-4.0")
    assert len(list(compat.tasks(Wanted()))) == len(compat.EVERY)
    assert list(compat.tasks(Wanted("orup"))) == []
