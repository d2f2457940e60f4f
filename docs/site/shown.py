# SPDX-License-Identifier: Apache-2.0
"""Files that pages link to and that are no pages: each is shown on one of its own, a folder as a list."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

SOURCE = PurePosixPath("source")
PICTURES = (".svg",)
LANGUAGES = {
    ".c": "c",
    ".conf": "nginx",
    ".cpp": "cpp",
    ".h": "c",
    ".hpp": "cpp",
    ".py": "python",
    ".sv": "systemverilog",
    ".toml": "toml",
}
"""What highlights a file, by its suffix; anything else is shown as it stands."""


def place(path: PurePosixPath) -> PurePosixPath:
    """Return the page that shows a file or folder of the repository."""
    return SOURCE / f"{path}.md"


def listed(folder: Path) -> list[Path]:
    """Return the files of a folder that has no README."""
    return sorted(one for one in folder.iterdir() if one.is_file() and not one.name.startswith("."))


def page(root: Path, path: PurePosixPath) -> str:
    """Return the page that shows a file or folder, as Markdown."""
    head = f"---\norphan: true\n---\n\n# {path}\n\n"
    file = root / path
    if file.is_dir():
        return head + "".join(f"- [{one.name}]({path.name}/{one.name}.md)\n" for one in listed(file))
    if file.suffix in PICTURES:
        up = "../" * len(place(path).parent.parts)
        return f"{head}![{path.name}]({up}{path})\n"
    language = LANGUAGES.get(file.suffix, "none")
    return f"{head}```````{{code-block}} {language}\n:force:\n\n{file.read_text(encoding='utf-8')}```````\n"
