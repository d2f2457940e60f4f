# SPDX-License-Identifier: Apache-2.0
"""Newer OpenSSL releases than the system's, built from sources that cargo fetches, and kept in the cache."""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from perle.flow import tools
from perle.flow.cache import cache_root, cached, content_hash, log_path
from perle.flow.progress import tell
from perle.flow.tools import ToolError

CRATE = "openssl-src"
"""The crate that carries OpenSSL's sources."""
OPTIONS = ("shared", "enable-fips", "no-tests", "no-docs", "no-makedepend", "--libdir=lib", "-O1")
"""For Configure. It is built once, and how fast it is does not matter."""
SECONDS = 7200
MODULE = "{ global: OSSL_provider_init; bind_engine; v_check; local: *; };\n"
"""What a provider or an engine exports."""
BUILT = ("libcrypto.so", "libssl.so", "apps/openssl", "providers/fips.so", "providers/legacy.so")
CONFIGURATION = """\
[req]
distinguished_name = names
x509_extensions = authority
[names]
[authority]
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid:always,issuer
basicConstraints = critical,CA:true
"""
MANIFEST = """\
[package]
name = "sources"
version = "0.0.0"
edition = "2021"
[dependencies]
{crate} = "={version}"
"""


@dataclass(frozen=True)
class Release:
    """A release of OpenSSL, and the crate that carries it, with the checksum that cargo locks."""

    version: str
    crate: str
    checksum: str

    @property
    def major(self) -> int:
        """Return the first number of the version: that of libcrypto.so too."""
        return int(self.version.partition(".")[0])

    @property
    def key(self) -> str:
        """Return the name of its entry in the cache."""
        return f"openssl-{self.version}-{content_hash((), self.checksum, OPTIONS)}"


RELEASES = (
    Release("3.5.5", "300.5.5", "3f1787d533e03597a7934fd0a765f0d28e94ecc5fb7789f8053b1e699a56f709"),
    Release("4.0.3", "400.0.2", "d2093956673b8dbda85c87fa4fb78e70698ce6c5978a2837d1613f661d3bef76"),
)


def locked(lock: str) -> str:
    """Return the checksum of the crate in the text of a Cargo.lock; "" if it is not there."""
    packages = tomllib.loads(lock).get("package", [])
    return next((str(one.get("checksum", "")) for one in packages if one["name"] == CRATE), "")


def installed(release: Release) -> Path:
    """Return the folder with a release's bin, include and lib: fetched and built on the first call.

    Raises ToolMissing or ToolError; the log is beside the folder.
    """
    prefix = cache_root() / release.key

    def make(fresh: Path) -> None:
        log = log_path(fresh)
        sources = fetched(release, fresh.parent / "crate", log)
        tell(f"building OpenSSL {release.version} (once; a quarter of an hour on two cores)")
        add_scripts(sources)
        perl, maker = tools.system_tool("perl"), tools.system_tool("make")
        # Its programs and modules find its own libraries, whatever the system's are.
        where = (f"--prefix={prefix}", f"--openssldir={prefix}/ssl", f"-Wl,-rpath,{prefix}/lib")
        tools.run([perl, "Configure", *OPTIONS, *where], cwd=sources, log=log, timeout=SECONDS)
        add_exports(sources)
        # Not `build_sw`: it compiles everything once more, for static libraries.
        for goals in (["build_generated"], [f"-j{os.cpu_count()}", *BUILT]):
            tools.run([maker, *goals], cwd=sources, log=log, timeout=SECONDS)
        made = fresh.parent / "made"
        install(sources, made, release)
        made.rename(fresh)

    return cached(release.key, "", make)


def add_scripts(sources: Path) -> None:
    """Add files that Configure asks for: the crate leaves out what only shared objects need.

    The scripts stay empty: `add_exports` writes what one of them would, and nothing here reads the other's.
    """
    for name in ("mkdef.pl", "mk-fipsmodule-cnf.pl", "providers.num"):
        (sources / "util" / name).touch()


def add_exports(sources: Path) -> None:
    """Write the lists of exported symbols of all shared objects, once the Makefile names them."""
    makefile = (sources / "Makefile").read_text(encoding="utf-8")
    for name in re.findall(r"^(\S+)\.ld:", makefile, re.MULTILINE):
        numbers = sources / "util" / f"{name}.num"
        text = exports(numbers.read_text(encoding="utf-8")) if numbers.exists() else MODULE
        (sources / f"{name}.ld").write_text(text, encoding="utf-8")


def install(sources: Path, made: Path, release: Release) -> None:
    """Copy what was built to where programs expect it, and write openssl.cnf: `openssl req` asks for one."""
    for name in ("bin", "lib/ossl-modules", "ssl"):
        (made / name).mkdir(parents=True)
    shutil.copytree(sources / "include" / "openssl", made / "include" / "openssl")
    shutil.copy(sources / "apps" / "openssl", made / "bin")
    for module in ("fips", "legacy"):
        shutil.copy(sources / "providers" / f"{module}.so", made / "lib" / "ossl-modules")
    for name in ("libcrypto.so", "libssl.so"):
        shutil.copy(sources / f"{name}.{release.major}", made / "lib")
        (made / "lib" / name).symlink_to(f"{name}.{release.major}")
    (made / "ssl" / "openssl.cnf").write_text(CONFIGURATION, encoding="utf-8")


def exports(numbers: str) -> str:
    """Return a linker's version script: every symbol under the version that introduced it.

    `numbers` is OpenSSL's own list, in lines like `BN_new 7 3_0_0 EXIST::FUNCTION:`. Symbols of features that
    are not compiled are harmless to the linker.
    """
    since: dict[str, list[str]] = defaultdict(list)
    for line in numbers.splitlines():
        symbol, _, version, about = line.split(maxsplit=3)
        if about.startswith("EXIST:") and ":FUNCTION:" in about:
            since[version].append(symbol)
    text, before = "", ""
    for version in sorted(since, key=lambda one: [int(number) for number in one.split("_")]):
        name = f"OPENSSL_{version.replace('_', '.')}"
        symbols = "".join(f"    {symbol};\n" for symbol in since[version])
        hidden = "" if before else "  local: *;\n"
        text += f"{name} {{\n  global:\n{symbols}{hidden}}}{before};\n"
        before = f" {name}"
    return text


def fetched(release: Release, folder: Path, log: Path) -> Path:
    """Return the folder of a release's sources, which cargo puts below `folder`.

    Raises ToolMissing or ToolError.
    """
    cargo = tools.system_tool("cargo", needed_for=f"the sources of OpenSSL {release.version}")
    tell(f"fetching OpenSSL {release.version} with cargo")
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "lib.rs").touch()
    manifest = MANIFEST.format(crate=CRATE, version=release.crate)
    (folder / "Cargo.toml").write_text(manifest, encoding="utf-8")
    hint = "a network is needed, or a mirror in the configuration of cargo"
    tools.run([cargo, "vendor", "--quiet", "vendored"], cwd=folder, log=log, timeout=600, hint=hint)
    checksum = locked((folder / "Cargo.lock").read_text(encoding="utf-8"))
    if checksum != release.checksum:
        raise ToolError("cargo", f"{CRATE} {release.crate} has checksum {checksum}, not {release.checksum}")
    return folder / "vendored" / CRATE / "openssl"
