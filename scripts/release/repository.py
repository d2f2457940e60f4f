# SPDX-License-Identifier: Apache-2.0
"""A release in the repository: what must hold before, the working tree it is made in, commit and tag."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from perle.flow.tools import ToolError, run
from scripts.release import texts
from scripts.release.texts import ReleaseError

BRANCH = "main"
PACKAGE, CITATION, CHANGELOG = "perle/__init__.py", "CITATION.cff", "CHANGELOG.md"


@dataclass(frozen=True)
class Plan:
    """A release that can be made: its version, the new texts of files by name, and what the tag says."""

    version: str
    files: dict[str, str]
    message: str

    @property
    def tag(self) -> str:
        """v0.2.0."""
        return f"v{self.version}"


def git(root: Path, *words: str | Path) -> str:
    """Return what git says in a working tree; ToolError where it fails."""
    return run(["git", "-C", root, *words], timeout=600).stdout.strip()


def plan(root: Path, version: str, day: str) -> Plan:
    """Return what a release of this day changes; ReleaseError where it cannot be made. Reads only."""
    wanted = texts.parse(version)
    _check_tree(root)
    old = {name: (root / name).read_text(encoding="utf-8") for name in (PACKAGE, CITATION, CHANGELOG)}
    last = max([texts.parse(texts.current_version(old[PACKAGE])), *_tagged(root)])
    if version not in texts.next_versions(last):
        after = "{}.{}.{}".format(*last)
        relation = "is not newer than" if wanted <= last else "does not come next after"
        raise ReleaseError(f"{version} {relation} {after}: {', '.join(texts.next_versions(last))} would")
    files = {
        PACKAGE: texts.new_package(old[PACKAGE], version),
        CITATION: texts.new_citation(old[CITATION], version, day),
        CHANGELOG: texts.new_changelog(old[CHANGELOG], version, day),
    }
    return Plan(version, files, f"{version} - {day}\n\n{texts.notes(old[CHANGELOG])}")


def _check_tree(root: Path) -> None:
    branch = git(root, "branch", "--show-current")
    if branch != BRANCH:
        raise ReleaseError(f"this is {branch or 'no branch'}: releases are made on {BRANCH}")
    changed = git(root, "status", "--porcelain", "--untracked-files=normal")
    if changed:
        raise ReleaseError(f"there are changes that are not committed:\n{changed}")


def _tagged(root: Path) -> list[texts.Version]:
    """Return the versions that have tags; other tags are none of ours."""
    names = git(root, "tag", "--list", "v*").splitlines()
    return [texts.parse(name[1:]) for name in names if texts.VERSION.fullmatch(name[1:])]


@contextmanager
def second_tree(root: Path) -> Iterator[Path]:
    """Give another working tree of the last commit, with nothing in it but that; it is gone afterwards.

    It is in the ignored folder `build`, from where files are moved into `dist` in one step each.
    """
    place = root / "build"
    place.mkdir(exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(dir=place, prefix="release-") as folder:
            tree = Path(folder) / "tree"
            git(root, "worktree", "add", "--quiet", "--detach", tree)
            try:
                yield tree
            finally:
                with suppress(ToolError):  # the folder goes in any case, and git forgets it by itself
                    git(root, "worktree", "remove", "--force", tree)
    finally:
        with suppress(OSError):  # others have files there
            place.rmdir()


def commit(tree: Path, made: Plan) -> int:
    """Commit the new texts in a second tree, and return the time of the commit, in seconds since 1970."""
    for name, text in made.files.items():
        (tree / name).write_text(text, encoding="utf-8")
    git(tree, "commit", "--quiet", "--all", "--message", f"release: {made.version}")
    return int(git(tree, "show", "--no-patch", "--format=%ct"))


def publish(root: Path, tree: Path, made: Plan, packages: Iterable[Path]) -> None:
    """Tag the commit of the second tree, let the branch follow it, and move the packages into `dist`.

    Where one of the first two fails (ToolError), neither has happened.
    """
    dist = root / "dist"
    dist.mkdir(exist_ok=True)
    message = tree.parent / "message"
    message.write_text(made.message, encoding="utf-8")
    new = git(tree, "rev-parse", "HEAD")
    # `whitespace`: else headings, which begin with #, were left out as comments
    git(root, "tag", "--annotate", "--cleanup=whitespace", "--file", message, made.tag, new)
    try:
        git(root, "merge", "--quiet", "--ff-only", new)
    except BaseException:
        git(root, "tag", "--delete", made.tag)
        raise
    for path in packages:
        path.replace(dist / path.name)
