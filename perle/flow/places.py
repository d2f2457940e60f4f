# SPDX-License-Identifier: Apache-2.0
"""Paths: next to the package in a checkout, inside it in an installed package.

A checkout builds into its own `build/`, and stores measurements in its `results/`. An installed package is
read-only: it builds into the user's cache, and stores measurements in the user's data folder, in addition to
those of the package.
"""

from __future__ import annotations

import hashlib
import os
import re
from importlib import metadata
from pathlib import Path

from platformdirs import user_data_path

from perle import __version__
from perle.flow.cache import cache_root

SETUP = "make setup"
PACKAGE = Path(__file__).resolve().parents[1]
CHECKOUT = PACKAGE.parent
INSTALLED = not (CHECKOUT / "host" / "Makefile").is_file()

_SOURCES = PACKAGE / "shipped" if INSTALLED else CHECKOUT
HOST = _SOURCES / "host"
"""Sources of libperle and of the provider for OpenSSL."""
RESULTS = _SOURCES / "results"
"""Recorded measurements and proofs that are part of the checkout or the installed package."""


def extra(name: str) -> str:
    """Return the command that installs the packages of an optional part, such as `soc`."""
    return f"pip install 'perle-{__version__}-py3-none-any.whl[{name}]'" if INSTALLED else SETUP


def installing(package: str) -> str:
    """Return the command that installs a Python package that Perle, or an optional part of it, needs."""
    if not INSTALLED:
        return SETUP
    needed = re.compile(rf"{re.escape(package)}\b.*extra == ['\"](\w+)['\"]")
    extras = (needed.match(line) for line in metadata.requires("perle") or ())
    found = next((one[1] for one in extras if one), "")
    return extra(found) if found else f"pip install 'perle-{__version__}-py3-none-any.whl'"


class DamagedError(ValueError):
    """A file of records that cannot be read; the message names file, line and fault."""


def build_folder() -> Path:
    """Return the build folder of libperle and the provider: `$PERLE_BUILD`, else of this checkout or version.

    It depends on the compiler and on the version of OpenSSL.
    """
    chosen = os.environ.get("PERLE_BUILD")
    if chosen:
        return Path(chosen).absolute()
    if not INSTALLED:
        return CHECKOUT / "build" / "host"
    place = hashlib.sha256(str(PACKAGE).encode()).hexdigest()[:8]
    return cache_root() / f"host-{__version__}-{place}" / "host"


def measurements() -> Path:
    """Return the folder of measurements."""
    return user_data_path("perle") / "measure" if INSTALLED else RESULTS / "measure"
