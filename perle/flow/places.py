# SPDX-License-Identifier: Apache-2.0
"""Where things are: beside the package in a checkout, inside of it when it is installed.

A checkout builds into its own `build/`, and its measurements are the project's. An installed package is
only read: it builds into the user's cache, and keeps measurements in the user's data folder, over those that
it came with.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from platformdirs import user_data_path

from perle import __version__
from perle.flow.cache import cache_root

PACKAGE = Path(__file__).resolve().parents[1]
CHECKOUT = PACKAGE.parent
INSTALLED = not (CHECKOUT / "host" / "Makefile").is_file()

_SOURCES = PACKAGE / "shipped" if INSTALLED else CHECKOUT
HOST = _SOURCES / "host"
"""Sources of libperle and of the provider for OpenSSL."""
RESULTS = _SOURCES / "results"
"""Recorded measurements and proofs that the package came with."""


class DamagedError(ValueError):
    """A file of records that cannot be read; the message names file, line and fault."""


def build_folder() -> Path:
    """Return where libperle and the provider are built: `$PERLE_BUILD`, else this checkout's or version's.

    With another compiler, or against another OpenSSL, it is another folder.
    """
    chosen = os.environ.get("PERLE_BUILD")
    if chosen:
        return Path(chosen).absolute()
    if not INSTALLED:
        return CHECKOUT / "build" / "host"
    place = hashlib.sha256(str(PACKAGE).encode()).hexdigest()[:8]
    return cache_root() / f"host-{__version__}-{place}" / "host"


def measurements() -> Path:
    """Return where measurements are kept."""
    return user_data_path("perle") / "measure" if INSTALLED else RESULTS / "measure"
