# SPDX-License-Identifier: Apache-2.0
"""The provider and its clients on newer OpenSSL releases than the system's.

`python -m tests.compat [VERSION …]`: each release is built once (`tests.openssl_builds`), libperle and the
provider are built against it in a folder of its own, and the tests run with its `openssl` and its libraries.
`tests.compat_checks` runs among them: it fails if anything of the system's OpenSSL took part.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from perle.flow.places import CHECKOUT
from perle.flow.progress import tell
from perle.flow.tools import ToolError, system_tool
from tests.openssl_builds import Release, chosen, installed

TESTS = (
    "tests/compat_checks.py",
    *(f"tests/test_provider{part}.py" for part in ("", "_check", "_clients", "_formats", "_speed")),
    "perle/host/test_key.py",
    "perle/cli/rsa/test_rsa.py",
)
SYSTEM = 3
"""The N of libcrypto.so.N that Debian's programs are linked with: they do not run with another one."""
OF_SYSTEM = ("python", "stunnel", "nginx", "curl", "load", "on_the_core")
"""What the names of tests say that need a server or a client of the system, besides `openssl` itself."""
KEPT_OUT = ("OPENSSL_CONF", "OPENSSL_MODULES", "PERLE_LIB", "PERLE_PROVIDER")
"""Settings of the caller that would lead to other libraries."""


def build_folder(release: Release) -> Path:
    """Return where libperle and the provider are built against a release."""
    return CHECKOUT / "build" / f"openssl-{release.version}" / "host"


def environment(release: Release, prefix: Path, before: Mapping[str, str]) -> dict[str, str]:
    """Return an environment in which compiler, linker, programs and tests see this OpenSSL and no other."""
    library = str(prefix / "lib")
    return {
        **{name: value for name, value in before.items() if name not in KEPT_OUT},
        "PATH": f"{prefix / 'bin'}{os.pathsep}{before.get('PATH', os.defpath)}",
        "CPATH": str(prefix / "include"),
        "LIBRARY_PATH": library,
        "LD_LIBRARY_PATH": library,
        "PERLE_BUILD": str(build_folder(release)),
        "PERLE_OPENSSL": str(prefix),
        "PERLE_OPENSSL_VERSION": release.version,
    }


def command(release: Release, more: Sequence[str] = ()) -> list[str]:
    """Return the command that runs the tests on a release; `more` is for pytest."""
    words = [sys.executable, "-m", "pytest", "-n", "0", "-m", "not wide", *TESTS, *more]
    if release.major != SYSTEM:
        words += ["-k", f"not ({' or '.join(OF_SYSTEM)})"]
    return words


def main(words: Sequence[str]) -> int:
    """Run the tests on the releases named, or on all; what follows `--` is for pytest. 0: all passed."""
    split = words.index("--") if "--" in words else len(words)
    failed = []
    try:
        system_tool("g++", needed_for="the provider")
        for release in chosen(list(words[:split])):
            prefix = installed(release)
            tell(f"tests with OpenSSL {release.version}")
            run = command(release, words[split + 1 :])
            done = subprocess.run(
                run, cwd=CHECKOUT, env=environment(release, prefix, os.environ), check=False
            )
            failed += [release.version] if done.returncode else []
    except ToolError as error:
        tell(str(error))
        return 2
    if failed:
        tell(f"failed with OpenSSL {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
