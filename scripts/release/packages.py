# SPDX-License-Identifier: Apache-2.0
"""The packages of a release: the sources, the wheel that is built from them alone, and their checksums."""

from __future__ import annotations

import hashlib
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from pathlib import Path

from perle.flow.tools import run
from scripts.release.texts import ReleaseError

SUMS = "SHA256SUMS"
PIP = ("-m", "pip", "--disable-pip-version-check", "--no-input")
INSTALL = ("install", "--quiet", "--no-deps", "--no-index", "--no-compile")
# Seconds that no step comes near, unless it hangs.
TIMEOUT = 600.0


def make(tree: Path, out: Path, version: str, epoch: int) -> list[Path]:
    """Build the packages of a tree into the folder `out`, with their checksums beside them.

    The wheel comes from the unpacked sources, so that they are seen to be complete. `epoch`, in seconds since
    1970, is the time of all files in them: the same tree and the same time give the same bytes. ReleaseError
    where the build makes other files than these.
    """
    out.mkdir()
    _build(tree, out, "sdist", epoch)
    sources = out / f"perle-{version}.tar.gz"
    with tempfile.TemporaryDirectory(dir=out.parent) as folder:
        _build(unpacked(sources, Path(folder)), out, "wheel", epoch)
    made = [sources, out / f"perle-{version}-py3-none-any.whl"]
    found = sorted(out.iterdir())
    if found != sorted(made):
        raise ReleaseError(f"the build made {', '.join(path.name for path in found)}")
    (out / SUMS).write_text(checksums(made), encoding="utf-8")
    return [*made, out / SUMS]


def unpacked(sources: Path, folder: Path) -> Path:
    """Unpack sources into a folder, and return the tree in it.

    By tar: Python before 3.11.4, as Debian 12 has it, cannot refuse members that lead out of the folder.
    """
    run(["tar", "-xzf", sources, "-C", folder], timeout=TIMEOUT)
    return folder / sources.name.removesuffix(".tar.gz")


def _build(tree: Path, out: Path, kind: str, epoch: int) -> None:
    words = ["-m", "hatchling", "build", "--target", kind, "--directory", str(out)]
    run([sys.executable, *words], cwd=tree, env={"SOURCE_DATE_EPOCH": str(epoch)}, timeout=TIMEOUT)


def checksums(paths: Iterable[Path]) -> str:
    """Return a line for each file, as `sha256sum --check` reads it."""
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in paths)


def check_installed(wheel: Path, version: str) -> None:
    """Install a wheel into an empty environment, without a network; its command has to tell this version.

    What it depends on is that of the running Python, which has it at its locked versions. Raises ReleaseError
    where the command tells another version, and ToolError where the wheel cannot be installed or started.
    """
    with tempfile.TemporaryDirectory() as folder:
        python = Path(folder) / "bin" / "python"
        run([sys.executable, "-m", "venv", "--without-pip", folder], timeout=TIMEOUT)
        run([sys.executable, *PIP, "--python", python, *INSTALL, wheel], timeout=TIMEOUT)
        _add_dependencies(python)
        # nothing of a checkout: neither its folder nor what PYTHONPATH names
        said = run([python.with_name("perle"), "--version"], cwd=Path(folder), env={"PYTHONPATH": ""}).stdout
        if said.strip() != f"perle {version}":
            raise ReleaseError(f"perle --version of the installed wheel says {said.strip()!r}, not {version}")


def _add_dependencies(python: Path) -> None:
    # A folder that a .pth file names comes after the environment's own, and its own .pth files are not read:
    # a perle that was installed in editable form is not found through it.
    here = [sysconfig.get_path(kind) for kind in ("purelib", "platlib")]
    place = run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]).stdout.strip()
    (Path(place) / "dependencies.pth").write_text("\n".join([*here, ""]), encoding="utf-8")
