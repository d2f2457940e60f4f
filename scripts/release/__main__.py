# SPDX-License-Identifier: Apache-2.0
"""`make release`: make a release, or show what it would change, and say what was done."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from perle.flow.places import CHECKOUT
from perle.flow.tools import ToolError
from scripts.release import packages, repository
from scripts.release.texts import ReleaseError


def release(root: Path, version: str, day: str, *, dry: bool = False) -> str:
    """Make a release of the checkout `root`, dated `day`, and return what was done, for a person.

    A dry run goes as far as trying the wheel, and returns what would change. After it, and where ReleaseError
    or ToolError is raised, the checkout, its branches and its tags are what they were.
    """
    made = repository.plan(root, version, day)
    with repository.second_tree(root) as tree:
        epoch = repository.commit(tree, made)
        built = packages.make(tree, tree.parent / "dist", version, epoch)
        packages.check_installed(built[1], version)
        listing = "".join(f"  dist/{path.name}  {path.stat().st_size:,} bytes\n" for path in built)
        if dry:
            change = repository.git(tree, "show", "--no-color", "--format=", "HEAD")
            return f"{change}\n\n{version} would be tagged {made.tag}, with these files:\n{listing}"
        repository.publish(root, tree, made, built)
    return f"{version} is committed and tagged {made.tag}, not pushed; its files:\n{listing}"


def main(words: Sequence[str], root: Path = CHECKOUT) -> int:
    """Do what the command line asks for, and return what the program exits with."""
    parser = argparse.ArgumentParser(prog="python -m scripts.release", description=__doc__)
    parser.add_argument("version", help="MAJOR.MINOR.PATCH, one step after the last one")
    parser.add_argument("--dry-run", action="store_true", help="show what would change, and change nothing")
    asked = parser.parse_args(words)
    try:
        said = release(root, asked.version, datetime.now(UTC).date().isoformat(), dry=asked.dry_run)
    except (ReleaseError, ToolError) as error:
        sys.stderr.write(f"release: {error}\nrelease: nothing was changed\n")
        return 1
    except OSError as error:
        sys.stderr.write(f"release: {error}\n")
        return 1
    sys.stdout.write(said)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
