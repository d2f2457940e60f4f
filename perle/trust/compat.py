# SPDX-License-Identifier: Apache-2.0
"""Compatibility: the tests of the provider and of its clients with the system's OpenSSL and with newer ones.

Each newer release is built once (`perle.trust.openssl_builds`), libperle and the provider are built against
it in a folder of its own, and the tests run with its `openssl` and its libraries. `tests/compat_checks.py`
runs among them: it fails if anything of the system's OpenSSL took part.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from perle.flow.places import CHECKOUT, INSTALLED
from perle.flow.tools import ToolError, system_tool
from perle.trust import records
from perle.trust.openssl_builds import RELEASES, Release, installed
from perle.trust.parts import Part, Task, Wanted
from perle.trust.provider_files import provider_settings
from perle.trust.records import Record, Run

NAME = "compat"
CHECKS = "tests/compat_checks.py"
"""The tests that the other OpenSSL is used, and those of it that the system's has not."""
TESTS = (
    *(f"tests/test_provider{part}.py" for part in ("", "_check", "_clients", "_formats", "_speed")),
    "perle/host/test_key.py",
    "perle/cli/rsa/test_rsa.py",
)
SYSTEM = 3
"""The N of libcrypto.so.N that Debian's programs are linked with: they do not run with another one."""
OF_SYSTEM = ("python", "stunnel", "nginx", "curl", "load", "on_the_core")
"""Occur in the names of tests that need a server or a client of the system, besides `openssl` itself."""
EXACT = "ssh"
"""Occurs in the names of tests with OpenSSH, which refuses another minor release than it was built with."""
KEPT_OUT = ("OPENSSL_CONF", "OPENSSL_MODULES", "PERLE_LIB", "PERLE_PROVIDER")
"""Settings of the caller that would lead to other libraries."""
ENDED = (0, 1)
"""The statuses of pytest after running all tests: they passed, or some failed."""
FAULTS = ("failure", "error")
OUTCOMES = ("passed", "failed", "skipped")
PREFIX = "skipped: "
"""Begins the names of counts of skipped tests, by reason."""
OURS = "openssl-system"
"""Selects the system's OpenSSL with `--family`."""
OF_OURS = "the system's OpenSSL"


def case_of(release: Release | None) -> str:
    """Return the name of a campaign; None: with the system's OpenSSL."""
    return OF_OURS if release is None else f"OpenSSL {release.version}"


def name_of(release: Release | None) -> str:
    """Return the name that selects a campaign: openssl-3.5."""
    return OURS if release is None else f"openssl-{release.version.rpartition('.')[0]}"


EVERY: tuple[Release | None, ...] = (None, *RELEASES)


@dataclass(frozen=True)
class Ran:
    """Numbers of tests by outcome, names of those that failed, and numbers of skipped ones by reason."""

    counts: Mapping[str, int]
    failed: Sequence[str]
    reasons: Mapping[str, int]


def build_folder(release: Release) -> Path:
    """Return where libperle and the provider are built against a release."""
    return CHECKOUT / "build" / f"openssl-{release.version}" / "host"


def environment(release: Release | None, prefix: Path, before: Mapping[str, str]) -> dict[str, str]:
    """Return an environment in which compiler, linker, programs and tests see this OpenSSL and no other."""
    kept = {name: value for name, value in before.items() if name not in KEPT_OUT}
    if release is None:
        return kept
    library = str(prefix / "lib")
    return {
        **kept,
        "PATH": f"{prefix / 'bin'}{os.pathsep}{before.get('PATH', os.defpath)}",
        "CPATH": str(prefix / "include"),
        "LIBRARY_PATH": library,
        "LD_LIBRARY_PATH": library,
        "PERLE_BUILD": str(build_folder(release)),
        "PERLE_OPENSSL": str(prefix),
        "PERLE_OPENSSL_VERSION": release.version,
    }


def command(release: Release | None, report: Path) -> list[str]:
    """Return the command that runs the tests, and writes a JUnit report."""
    own = () if release is None else (CHECKS,)
    words = [
        sys.executable,
        "-m",
        "pytest",
        "-n",
        "0",
        "-m",
        "not wide",
        *own,
        *TESTS,
        "--junitxml",
        str(report),
    ]
    if release is not None:
        without = (EXACT,) if release.major == SYSTEM else (EXACT, *OF_SYSTEM)
        words += ["-k", f"not ({' or '.join(without)})"]
    return words


def read(report: Path) -> Ran:
    """Return what a JUnit report tells."""
    counts, failed, reasons = Counter[str](), list[str](), Counter[str]()
    for one in ET.parse(report).getroot().iter("testcase"):  # noqa: S314 - of our own tests
        if any(one.find(kind) is not None for kind in FAULTS):
            counts["failed"] += 1
            failed.append(f"{one.get('classname', '')}::{one.get('name', '')}")
        elif (skipped := one.find("skipped")) is not None:
            counts["skipped"] += 1
            reasons[skipped.get("message", "")] += 1
        else:
            counts["passed"] += 1
    return Ran({name: counts[name] for name in OUTCOMES}, failed, reasons)


def ran(release: Release | None) -> Ran:
    """Run the tests with a release, which is built first; ToolError if they cannot be run."""
    if INSTALLED:
        raise ToolError(NAME, "needs a checkout: the tests are not installed")
    system_tool("g++", needed_for="the provider")
    prefix = Path() if release is None else installed(release)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        done = subprocess.run(
            command(release, report),
            cwd=CHECKOUT,
            env=environment(release, prefix, os.environ),
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode not in ENDED or not report.is_file():
            last = (done.stdout + done.stderr).strip().splitlines()[-1:] or ["no output"]
            raise ToolError("pytest", f"ended with status {done.returncode}: {last[0]}")
        return read(report)


def measure(release: Release | None, seed: int, _before: Record | None = None) -> Record:
    """Run the tests with a release, and record how they ended."""
    mine = Run(NAME, case_of(release), seed, **settings(release))
    found = ran(release)
    for name in found.failed:
        mine.fail(name)
    reasons = {f"{PREFIX}{why}": number for why, number in found.reasons.items()}
    tools = ("g++", "openssl") if release is None else ("g++",)
    return mine.end({**found.counts, **reasons}, made_of(), tools)


def made_of() -> list[Path]:
    """Return the files that a campaign depends on: libperle, and which tests are run."""
    return [*records.host_files(), Path(__file__)]


def settings(release: Release | None) -> dict[str, str]:
    """Return what a campaign depends on besides libperle: provider, tests, and the release's checksum."""
    tests = [CHECKOUT / name for name in (CHECKS, *TESTS)]
    checksum = {} if release is None else {"checksum": release.checksum}
    return {**provider_settings(tests), **checksum}


def _basis(release: Release | None) -> tuple[list[Path], dict[str, Any]]:
    return made_of(), settings(release)


def tasks(wanted: Wanted) -> Iterator[Task]:
    """Yield a task for each OpenSSL; none for a family of cores."""
    for one in EVERY:
        if wanted.family in (None, name_of(one)):
            run = partial(measure, one, wanted.seed)
            yield Task(NAME, case_of(one), run, basis=partial(_basis, one))


def row(one: Record) -> Sequence[str]:
    """Return the figures of a record."""
    return tuple(f"{int(one.counts[name]):,}" for name in ("passed", "skipped"))


def remarks(one: Record) -> Sequence[str]:
    """Tell which OpenSSL the system's is, and why tests were skipped."""
    known = one.tools.get("openssl", "")
    return [
        *([f"this was {known}"] if known else []),
        *(f"{name}: {int(n)}" for name, n in one.counts.items() if name.startswith(PREFIX)),
    ]


COMPAT = Part(
    NAME,
    "Compatibility",
    "The provider, libperle and their clients (`openssl` with cms, smime, pkcs12, x509 and TLS 1.2 and 1.3, "
    "Python, curl, nginx, stunnel, ssh-keygen) work with the OpenSSL of the system, with which `make test` "
    "runs the same tests, and with newer releases, built from sources in a package registry; with these also "
    "beside OpenSSL's FIPS provider. Further tests show that compiler, linker and processes use the newer "
    f"release alone. Servers and clients of the system need its libcrypto.so.{SYSTEM}; their tests are left "
    "out with another one, and those of ssh-keygen with all newer releases, which it refuses.",
    tasks,
    ("tests passed", "skipped"),
    row,
    remarks,
    software=tuple(map(name_of, EVERY)),
)
