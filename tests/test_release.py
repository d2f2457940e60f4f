# SPDX-License-Identifier: Apache-2.0
"""`make release`, on a small project of its own: what it makes, and that a failure changes nothing."""

from __future__ import annotations

import re
import tarfile
import zipfile
from pathlib import Path

import pytest

from perle.flow.tools import ToolError, run
from scripts.release import packages
from scripts.release.__main__ import main, release
from scripts.release.repository import git
from scripts.release.texts import ReleaseError
from tests import house

DAY = "2026-01-31"
PYPROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "perle"
requires-python = ">=3.11"
dynamic = ["version"]
[project.scripts]
perle = "perle:main"
[tool.hatch.version]
path = "perle/__init__.py"
"""
PACKAGE = '__version__ = "0.1.0"\n\n\ndef main():\n    print("perle", __version__)\n'
CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## [0.1.0] - 2025-01-01\n\n- All.\n"
FILES = {
    ".gitignore": "build/\ndist/\n",
    "pyproject.toml": PYPROJECT,
    "perle/__init__.py": PACKAGE,
    "CITATION.cff": "cff-version: 1.2.0\nversion: 0.1.0\nauthors: []\n",
    "CHANGELOG.md": CHANGELOG,
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project whose last release was 0.1.0, with one entry in its changelog since."""
    root = tmp_path / "project"
    run(["git", "init", "--quiet", "--initial-branch=main", root])
    for setting in ("user.name=a", "user.email=a@b.invalid", "commit.gpgSign=false", "tag.gpgSign=false"):
        git(root, "config", *setting.split("="))
    git(root, "config", "core.hooksPath", root / ".git" / "hooks")
    commit(root, FILES)
    git(root, "tag", "v0.1.0")
    git(root, "tag", "vision")
    return root


def commit(root: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "a")


def state(root: Path) -> tuple[dict[str, bytes], str]:
    """Return everything that a release may change: files, commits, tags, working trees."""
    files = {str(path): path.read_bytes() for path in root.rglob("*") if path.is_file()}
    kept = {name: data for name, data in files.items() if f"{root}/.git/" not in name}
    seen = (("rev-parse", "HEAD"), ("for-each-ref",), ("worktree", "list"), ("status", "--porcelain"))
    return kept, "\n".join(git(root, *words) for words in seen)


def test_a_release(project: Path) -> None:
    said = release(project, "0.2.0", DAY)
    assert "not pushed" in said
    assert git(project, "log", "--format=%s", "v0.1.0..main") == "release: 0.2.0"
    assert git(project, "rev-parse", "v0.2.0^{commit}") == git(project, "rev-parse", "main")
    message = git(project, "for-each-ref", "--format=%(objecttype) %(contents)", "refs/tags/v0.2.0")
    assert message == f"tag 0.2.0 - {DAY}\n\n### Added\n\n- A thing."
    texts = {name: (project / name).read_text(encoding="utf-8") for name in FILES}
    assert texts["perle/__init__.py"] == PACKAGE.replace("0.1.0", "0.2.0")
    assert f'\nversion: 0.2.0\ndate-released: "{DAY}"\nauthors' in texts["CITATION.cff"]
    heading = "## [Unreleased]\n"
    assert texts["CHANGELOG.md"] == CHANGELOG.replace(heading, f"{heading}\n## [0.2.0] - {DAY}\n")
    wheel, sources = "perle-0.2.0-py3-none-any.whl", "perle-0.2.0.tar.gz"
    assert {path.name for path in (project / "dist").iterdir()} == {wheel, sources, "SHA256SUMS"}
    assert run(["sha256sum", "--check", "SHA256SUMS"], cwd=project / "dist").stdout.count(": OK\n") == 2
    assert git(project, "status", "--porcelain") == ""
    assert git(project, "worktree", "list").count("\n") == 0
    assert not (project / "build").exists()
    # the next one has to say something, and replaces the day
    with pytest.raises(ReleaseError, match="nothing to release"):
        release(project, "0.2.1", DAY)
    commit(project, {"CHANGELOG.md": texts["CHANGELOG.md"].replace(heading, f"{heading}\n- More.\n")})
    release(project, "0.2.1", "2026-02-01")
    assert (project / "CITATION.cff").read_text(encoding="utf-8").count("date-released") == 1
    assert git(project, "tag", "--list", "--format=%(contents)", "v0.2.1") == "0.2.1 - 2026-02-01\n\n- More."


def test_the_same_commit_gives_the_same_packages(project: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    run(["git", "clone", "--quiet", project, other])
    (other / "perle" / "__init__.py").chmod(0o600)
    epoch = 1_700_000_000
    first = packages.make(project, tmp_path / "1", "0.1.0", epoch)
    again = packages.make(other, tmp_path / "2", "0.1.0", epoch)
    later = packages.make(other, tmp_path / "3", "0.1.0", epoch + 60)
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in again]
    assert all(one.read_bytes() != two.read_bytes() for one, two in zip(again, later, strict=True))
    with tarfile.open(first[0]) as sources, zipfile.ZipFile(first[1]) as wheel:
        assert {member.mtime for member in sources.getmembers()} == {epoch}
        assert {member.date_time[0] for member in wheel.infolist()} == {2023}


def test_a_dry_run_changes_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = state(project)
    assert main(["0.2.0", "--dry-run"], project) == 0
    said = capsys.readouterr().out
    assert re.search(r'^-__version__ = "0\.1\.0"\n\+__version__ = "0\.2\.0"$', said, re.MULTILINE)
    for line in ("+## [0.2.0] - 20", "+version: 0.2.0", "+date-released: ", "  dist/SHA256SUMS  "):
        assert f"\n{line}" in said
    assert state(project) == before


@pytest.mark.parametrize(
    ("version", "change", "fault"),
    [
        ("0.1.0", {}, "0.1.0 is not newer than 0.1.0"),
        ("0.0.9", {}, "0.0.9 is not newer than 0.1.0"),
        ("0.3.0", {}, "0.3.0 does not come next after 0.1.0: 0.1.1, 0.2.0, 1.0.0 would"),
        ("0.2", {}, "'0.2' is no version"),
        ("v0.2.0", {}, "'v0.2.0' is no version"),
        ("0.2.0-rc.1", {}, "is no version"),
        ("0.02.0", {}, "is no version"),
        ("0.2.0", {"CHANGELOG.md": CHANGELOG.replace("- A thing.\n", "")}, "nothing to release"),
        ("0.2.0", {"CHANGELOG.md": CHANGELOG.replace("[Unrel", "[unrel")}, "not exactly one line"),
        ("0.2.0", {"CITATION.cff": "cff-version: 1.2.0\n"}, "0 lines with version:"),
        ("0.2.0", {"perle/__init__.py": ""}, "no line __version__"),
    ],
)
def test_what_cannot_be_released(project: Path, version: str, change: dict[str, str], fault: str) -> None:
    if change:
        commit(project, change)
    before = state(project)
    with pytest.raises(ReleaseError, match=re.escape(fault)):
        release(project, version, DAY)
    assert state(project) == before


def test_a_tag_counts_more_than_the_package(project: Path) -> None:
    git(project, "tag", "v0.2.0")
    with pytest.raises(ReleaseError, match=r"0\.2\.0 is not newer than 0\.2\.0"):
        release(project, "0.2.0", DAY)


@pytest.mark.parametrize("name", ["new.txt", "CHANGELOG.md"])
def test_what_is_not_committed_is_not_released(
    project: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with (project / name).open("a", encoding="utf-8") as file:
        file.write("- More.\n")
    before = state(project)
    assert main(["0.2.0"], project) == 1
    assert re.search(rf"not committed:\n.*{name}\nrelease: nothing was changed", capsys.readouterr().err)
    assert state(project) == before


def test_other_branches_are_not_released(project: Path) -> None:
    git(project, "switch", "--quiet", "--create", "idea")
    with pytest.raises(ReleaseError, match="this is idea: releases are made on main"):
        release(project, "0.2.0", DAY)
    git(project, "switch", "--quiet", "--detach")
    with pytest.raises(ReleaseError, match="this is no branch"):
        release(project, "0.2.0", DAY)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (
            {
                "pyproject.toml": PYPROJECT
                + '[tool.hatch.build.targets.wheel.force-include]\n"absent" = "a"\n'
            },
            "absent",
        ),
        (
            {"perle/__init__.py": PACKAGE.replace(", __version__", ', "0.1.0"')},
            "says 'perle 0.1.0', not 0.2.0",
        ),
        ({"perle/__init__.py": PACKAGE + "import nothing_of_this_name\n"}, "nothing_of_this_name"),
    ],
)
def test_packages_that_fail_change_nothing(
    project: Path, change: dict[str, str], fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    commit(project, change)
    before = state(project)
    assert main(["0.2.0"], project) == 1
    said = capsys.readouterr().err
    assert fault in said
    assert said.endswith("\nrelease: nothing was changed\n")
    assert state(project) == before


def test_a_branch_that_cannot_follow_leaves_no_tag(project: Path) -> None:
    """Somebody commits while the packages are built: here, a hook of the release's own commit does."""
    hook = project / ".git" / "hooks" / "post-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\necho more >> '{project}/CHANGELOG.md'\n", encoding="utf-8")
    hook.chmod(0o755)
    head, tags = git(project, "rev-parse", "main"), git(project, "tag", "--list")
    with pytest.raises(ToolError, match=r"CHANGELOG\.md"):
        release(project, "0.2.0", DAY)
    assert (git(project, "rev-parse", "main"), git(project, "tag", "--list")) == (head, tags)
    assert list((project / "dist").iterdir()) == []


def test_what_is_released_of_this_project() -> None:
    """The day of the citation is that of the last release in the changelog, if there was one."""
    released = re.findall(
        r"^## \[(\d\S*)\] - (\S+)$", house.text_of(house.ROOT / "CHANGELOG.md"), re.MULTILINE
    )
    citation = house.text_of(house.ROOT / "CITATION.cff")
    said = re.findall(r'^version: (\S+)\ndate-released: "(\S+)"$', citation, re.MULTILINE)
    assert said == released[:1]
