# SPDX-License-Identifier: Apache-2.0
"""The command `perle`."""

from __future__ import annotations

import sys

INTERRUPTED = 130
"""`Code.INTERRUPTED` of perle.cli.io, which may not have been read."""


def main() -> None:
    """Run `perle`. Ctrl-C ends it without a word of Python's also while its parts are still being read."""
    try:
        from perle.cli.app import main as run  # noqa: PLC0415 - this is what may be interrupted
    except KeyboardInterrupt:
        sys.stderr.write("perle: interrupted\n")
        sys.exit(INTERRUPTED)
    run()
