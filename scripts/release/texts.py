# SPDX-License-Identifier: Apache-2.0
"""What a release changes in texts: the version, the day, and the heading of the changelog."""

from __future__ import annotations

import re

UNRELEASED = "## [Unreleased]"
NUMBER = r"(0|[1-9][0-9]*)"
# Of Semantic Versioning without pre-releases: Python's packages would spell those otherwise than the tag.
VERSION = re.compile(rf"{NUMBER}\.{NUMBER}\.{NUMBER}")

Version = tuple[int, int, int]


class ReleaseError(ValueError):
    """No release can be made, or it would not be what it says; the message names the fault."""


def parse(text: str) -> Version:
    """Return the three numbers of MAJOR.MINOR.PATCH; ReleaseError where that is not what it is."""
    found = VERSION.fullmatch(text)
    if found is None:
        raise ReleaseError(f"{text!r} is no version: it has to be MAJOR.MINOR.PATCH, such as 0.2.0")
    major, minor, patch = map(int, found.groups())
    return major, minor, patch


def next_versions(last: Version) -> tuple[str, str, str]:
    """Return what may follow a version: the next patch, minor and major version."""
    major, minor, patch = last
    return f"{major}.{minor}.{patch + 1}", f"{major}.{minor + 1}.0", f"{major + 1}.0.0"


def current_version(package: str) -> str:
    """Return what `__version__` is in the text of perle/__init__.py."""
    found = re.search(r'^__version__ = "(.*)"$', package, re.MULTILINE)
    if found is None:
        raise ReleaseError('perle/__init__.py: no line __version__ = "…"')
    return found[1]


def new_package(text: str, version: str) -> str:
    """Return perle/__init__.py with another version."""
    return text.replace(f'__version__ = "{current_version(text)}"', f'__version__ = "{version}"')


def new_citation(text: str, version: str, day: str) -> str:
    """Return CITATION.cff with another version and its day, which may have been absent."""
    kept = re.sub(r"^date-released:.*\n", "", text, flags=re.MULTILINE)
    lines = f'version: {version}\ndate-released: "{day}"'
    new, count = re.subn(r"^version:.*$", lines, kept, flags=re.MULTILINE)
    if count != 1:
        raise ReleaseError(f"CITATION.cff: {count} lines with version:, not one")
    return new


def notes(changelog: str) -> str:
    """Return what has changed since the last release, without the heading; there has to be an entry."""
    if changelog.count(f"\n{UNRELEASED}\n") != 1:
        raise ReleaseError(f"CHANGELOG.md: not exactly one line {UNRELEASED}")
    section = changelog.partition(f"\n{UNRELEASED}\n")[2]
    section = re.split(r"^## ", section, maxsplit=1, flags=re.MULTILINE)[0]
    if re.search(r"^- \S", section, re.MULTILINE) is None:
        raise ReleaseError(f"CHANGELOG.md: nothing under {UNRELEASED}: there is nothing to release")
    return f"{section.strip()}\n"


def new_changelog(text: str, version: str, day: str) -> str:
    """Return the changelog in which what was unreleased has a version, and nothing is unreleased."""
    notes(text)
    return text.replace(f"\n{UNRELEASED}\n", f"\n{UNRELEASED}\n\n## [{version}] - {day}\n")
