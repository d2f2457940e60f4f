# SPDX-License-Identifier: Apache-2.0
"""Timing diagrams: each `timing.json` (WaveDrom) in a core's folder, rendered to `timing.svg`.

`python -m perle.report.wavedrom_svg --write` renders them, `--check` fails if a picture is out of date. The
rendering is deterministic: WaveDrom's output without unused symbols, on a card whose colours are inverted on
dark screens.
"""

from __future__ import annotations

import argparse
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import wavedrom

PACKAGE = Path(__file__).resolve().parent.parent
SVG = "http://www.w3.org/2000/svg"
HREF = "{http://www.w3.org/1999/xlink}href"
COMMENT = "<!-- SPDX-License-Identifier: Apache-2.0; made from {source} by perle.report.wavedrom_svg -->\n"
MARGIN = 24
"""Pixels added on either side: WaveDrom leaves too little room for long names."""
DARK = "@media (prefers-color-scheme: dark) { svg { filter: invert(0.93) hue-rotate(180deg); } }"


def sources() -> list[Path]:
    """Return the sources of all timing diagrams of the project."""
    return sorted(PACKAGE.glob("cores/*/timing.json"))


def _drop_unused_symbols(root: ET.Element) -> None:
    used = {element.get(HREF, "").removeprefix("#") for element in root.iter(f"{{{SVG}}}use")}
    for defs in root.iter(f"{{{SVG}}}defs"):
        for symbol in list(defs):
            if symbol.tag == f"{{{SVG}}}g" and symbol.get("id") not in used:
                defs.remove(symbol)


def render(source: Path) -> str:
    """Return the SVG text of a WaveDrom source file."""
    ET.register_namespace("", SVG)
    ET.register_namespace("xlink", "http://www.w3.org/1999/xlink")
    drawn = wavedrom.render(source.read_text(encoding="utf-8")).tostring()
    root = ET.fromstring(drawn)  # noqa: S314 - our own rendering of our own file
    _drop_unused_symbols(root)
    left, top, width, height = map(int, root.get("viewBox", "").replace(",", " ").split())
    left, width = left - MARGIN, width + 2 * MARGIN
    root.set("viewBox", f"{left} {top} {width} {height}")
    root.set("width", f"{width}")
    style = root.find(f"{{{SVG}}}style")
    if style is None:
        raise ValueError(f"{source}: WaveDrom drew no style sheet")
    style.text = f"{style.text} {DARK}"
    paper = {"x": f"{left}", "width": "100%", "height": "100%", "rx": "6", "fill": "#ffffff"}
    card = ET.Element(f"{{{SVG}}}rect", paper)
    root.insert(list(root).index(style) + 1, card)
    text = ET.tostring(root, encoding="unicode")
    # One group a line, so that a change of the source is a small change of the picture.
    return COMMENT.format(source=source.name) + re.sub(r"><(?=g |/?defs)", ">\n<", text) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Render all pictures, or check that they are up to date."""
    parser = argparse.ArgumentParser(prog="python -m perle.report.wavedrom_svg", description=__doc__)
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("--write", action="store_true", help="write the pictures")
    choice.add_argument("--check", action="store_true", help="fail if a picture is out of date")
    write = bool(parser.parse_args(arguments).write)
    stale = 0
    for source in sources():
        picture, text = source.with_suffix(".svg"), render(source)
        if picture.is_file() and picture.read_text(encoding="utf-8") == text:
            continue
        if write:
            picture.write_text(text, encoding="utf-8")
            continue
        stale += 1
        sys.stderr.write(f"{picture} is out of date: run python -m perle.report.wavedrom_svg --write\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
