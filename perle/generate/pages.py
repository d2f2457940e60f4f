# SPDX-License-Identifier: Apache-2.0
"""The project's pages about a core, made self-contained: pictures are copied, other links are removed."""

from __future__ import annotations

import re
from pathlib import Path

from perle.cores.registry import CORES
from perle.generate.ip import Ip

# A label contains no bracket: `[0, M)` has one that is never closed.
LINK = re.compile(r"(!?)\[([^\[\]]*)\]\(([^)\s#]*)(#[^)\s]*)?\)")
FOLDER = "doc"


def pages(ip: Ip) -> dict[str, str]:
    """Return the pages and their pictures, by name in the directory."""
    sources = {
        ip.config.family.folder / "README.md": f"{ip.config.family.name}.md",
        CORES / "contract.md": "contract.md",
        CORES.parent / "papers" / "notation.md": "notation.md",
    }
    if ip.bus != "none":
        sources[CORES / "modexp" / "README.md"] = "modexp.md"
    if ip.has_engine:
        sources[ip.config.family.folder / "engine" / "README.md"] = "engine.md"
    names = {path.resolve(): name for path, name in sources.items() if path.exists()}
    for path in list(names):
        names |= {picture: picture.name for picture in _pictures(path)}
    assert len(set(names.values())) == len(names), "two pages or pictures of the same name"
    return {f"{FOLDER}/{name}": page(path, names) for path, name in names.items()}


def _pictures(page: Path) -> list[Path]:
    links = LINK.findall(page.read_text(encoding="utf-8"))
    found = [(page.parent / target).resolve() for mark, _, target, _ in links if mark]
    return [path for path in found if path.suffix == ".svg" and path.exists()]


def page(path: Path, names: dict[Path, str]) -> str:
    """Return a page whose links lead to `names`, by file; others are only their text."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".md":
        return text

    def link(match: re.Match[str]) -> str:
        mark, label, target, anchor = match[1], match[2], match[3], match[4] or ""
        if re.match(r"[a-z][a-z0-9+.-]*:", target) or not target:
            return match[0]
        name = names.get((path.parent / target).resolve())
        return f"{mark}[{label}]({name}{anchor})" if name else label

    return LINK.sub(link, text)
