# SPDX-License-Identifier: Apache-2.0
"""The command `perle`."""

from __future__ import annotations

import sys

INTERRUPTED = 130
"""The value of `Code.INTERRUPTED` in perle.cli.io, which may not be imported yet."""


def main() -> None:
    """Run `perle`. Ctrl-C ends it without a traceback, even while modules are still being imported."""
    try:
        from perle.cli.app import main as run  # noqa: PLC0415 - Ctrl-C may interrupt this import
    except KeyboardInterrupt:
        sys.stderr.write("perle: interrupted\n")
        sys.exit(INTERRUPTED)
    run()
