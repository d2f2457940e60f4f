# SPDX-License-Identifier: Apache-2.0
"""The house rules that read text. Each check takes files and returns its findings, one line each."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parents[1]

SPDX = "SPDX-License-Identifier: Apache-2.0"
MAX_LINES = 350
TABLES = {"budget.toml"}
"""Sources that a tool writes, an entry after the other: as long as there are entries."""

SOURCES = {
    *(".c", ".cff", ".cfg", ".cpp", ".h", ".hpp", ".mk", ".py", ".rdl", ".sh"),
    *(".sv", ".svh", ".toml", ".v", ".vlt", ".yaml", ".yml"),
    *("Makefile", ".clang-format", ".editorconfig", ".gitignore", ".verible-lint-rules"),
}
BINARY = {".png", ".gz", ".pdf", ".ico", ".woff2"}

# The project speaks of itself alone, and of what it does, not of what it will do. (A letter in brackets
# keeps these patterns from finding themselves.)
FORBIDDEN = [
    r"(?<![\w.])/wor[k]\b",
    r"\.\./share[d]\b",
    r"\b(perle-spe[c]|ERRAT[A]|DESIG[N]|TOOL[S])\.md\b",
    r"(?i)\bissues? (?:no\.? ?|#)?\d",
    r"(?i)\b(?:sub-?)?age[n]ts?\b",
    r"(?i)\bthe integrato[r]\b",
    r"(?i)\b(?:this|previous|next) sessio[n]\b",
    r"(?i)\b(?:claud[e]|anthropi[c]|chatgp[t]|copilo[t])\b",
    r"\b(?:TOD[O]|FIXM[E]|XX[X])\b",
    # one word a meaning: docs/glossary.md has it
    r"(?i)\b(?:kept ful[l]|cycles a produc[t]|stored ru[n]s?|wip(?:e|ed|es|in[g])\b)",
]

# Folders that are never sources, for a tree that is no git checkout.
NOT_SOURCES = {"build", "dist", "__pycache__", "sim_build", "obj_dir"}


def blocks(language: str, text: str) -> list[str]:
    """Return what stands in the code blocks of a language in Markdown."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@cache
def tree(root: Path = ROOT) -> tuple[Path, ...]:
    """Return every file that is, or would be, kept in the repository."""
    listing = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=root, capture_output=True, check=False
    )
    if listing.returncode == 0:
        found = [root / name for name in listing.stdout.decode().split("\0") if name]
    else:
        found = list(_walk(root))
    return tuple(sorted(path for path in set(found) if path.is_file()))


def _walk(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if not path.is_dir():
            yield path
        elif path.name == ".ci" or not _is_passed_over(path.name):
            yield from _walk(path)


def _is_passed_over(folder: str) -> bool:
    return folder in NOT_SOURCES or folder.startswith(".") or folder.endswith(".egg-info")


def files(*suffixes: str) -> list[Path]:
    """Return the repository's files with one of these suffixes."""
    return [path for path in tree() if path.suffix in suffixes]


def is_source(path: Path) -> bool:
    """Whether the rules for sources hold for this file: by its name, or because it starts with a shebang."""
    if path.suffix in SOURCES or path.name in SOURCES:
        return True
    return not path.suffix and path.read_bytes().startswith(b"#!")


def text_of(path: Path) -> str:
    """Return the text of a file of the repository."""
    return path.read_text(encoding="utf-8")


def _each(paths: Iterable[Path], fault: Callable[[Path], str]) -> list[str]:
    return [f"{path}: {said}" for path in paths if (said := fault(path))]


def spdx(paths: Iterable[Path]) -> list[str]:
    """Find sources whose first line, after a shebang, is not the licence."""

    def fault(path: Path) -> str:
        lines = text_of(path).splitlines()
        first = lines[1:2] if lines and lines[0].startswith("#!") else lines[:1]
        kept = first and re.fullmatch(rf"(#|//|/\*|<!--|--) {SPDX}( \*/| -->)?", first[0])
        return "" if kept else f"the first line is not {SPDX}"

    return _each(filter(is_source, paths), fault)


def length(paths: Iterable[Path]) -> list[str]:
    """Find sources that are too long to see through."""

    def fault(path: Path) -> str:
        count = len(text_of(path).splitlines())
        return f"{count} lines, more than {MAX_LINES}" if count > MAX_LINES else ""

    return _each((path for path in paths if is_source(path) and path.name not in TABLES), fault)


def words(paths: Iterable[Path]) -> list[str]:
    """Find words that have no place in the project."""
    found = []
    for path in paths:
        if path.suffix in BINARY:
            continue
        for number, line in enumerate(text_of(path).splitlines(), 1):
            hits = [hit[0] for pattern in FORBIDDEN if (hit := re.search(pattern, line))]
            found += [f"{path}:{number}: {hit!r}" for hit in hits]
    return found


def whitespace(paths: Iterable[Path]) -> list[str]:
    """Find carriage returns, trailing blanks, tabs where none belong, a missing or extra last newline."""

    def fault(path: Path) -> str:
        text = path.read_bytes().decode()
        tabs = path.name != "Makefile" and path.suffix != ".mk" and "\t" in text
        loose = re.search(r"[ \t\r]+$", text, re.MULTILINE)
        end = text and (not text.endswith("\n") or text.endswith("\n\n"))
        return "; ".join(
            said
            for said, bad in [("tab", tabs), ("blank or CR at a line's end", loose), ("end of file", end)]
            if bad
        )

    return _each((path for path in paths if is_source(path) or path.suffix == ".md"), fault)


def links(paths: Iterable[Path]) -> list[str]:
    """Find relative links of Markdown files that lead nowhere, the heading after a `#` included."""
    found = []
    for path in paths:
        for target in _targets(_prose(text_of(path))):
            if re.match(r"[a-z][a-z0-9+.-]*:", target):
                continue
            name, _, anchor = unquote(target).partition("#")
            goal = (path.parent / name).resolve() if name else path
            if not goal.exists():
                found.append(f"{path}: {target} does not exist")
            elif anchor and goal.suffix == ".md" and anchor not in _anchors(text_of(goal)):
                found.append(f"{path}: {target}: no such heading")
    return found


def _prose(text: str) -> str:
    without_blocks = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", without_blocks)


def _targets(text: str) -> list[str]:
    inline = re.findall(r"\]\(\s*<?([^)\s>]+)", text)
    reference = re.findall(r"^\[[^\]]+\]:\s+(\S+)", text, re.MULTILINE)
    html = re.findall(r"<(?:img|a)\b[^>]*?\b(?:src|href)=\"([^\"]+)\"", text)
    return [*inline, *reference, *html]


def _anchors(text: str) -> set[str]:
    without_blocks = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL)
    anchors: set[str] = set()
    for heading in re.findall(r"^#{1,6} +(.+?) *#*$", without_blocks, re.MULTILINE):
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        repeats = sum(1 for known in anchors if re.fullmatch(rf"{re.escape(slug)}(-\d+)?", known))
        anchors.add(f"{slug}-{repeats}" if repeats else slug)
    return anchors | set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text))
