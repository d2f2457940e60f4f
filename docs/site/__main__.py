# SPDX-License-Identifier: Apache-2.0
"""`make docs`: build the site and say where it is."""

from __future__ import annotations

import sys

from docs.site import build
from perle.flow.places import CHECKOUT
from perle.flow.tools import ToolError

OUT = CHECKOUT / "build" / "site"
PAGES = CHECKOUT / "build" / "site-pages"


def main() -> int:
    """Build, and return what the program exits with."""
    try:
        build.site(OUT, PAGES)
        build.report(OUT)
    except ToolError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"open {OUT / 'index.html'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
