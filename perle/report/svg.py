# SPDX-License-Identifier: Apache-2.0
"""The frame of every drawn picture: a card with title, description and style, also for dark screens."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


def document(
    made: str,
    title: str,
    desc: str,
    style: str,
    size: tuple[float, float],
    parts: Iterable[str],
    font: int = 13,
) -> str:
    """Return the SVG text of a picture: `made` names its generator, `size` is its width and height."""
    width, height = size
    title, desc = (escape(text, quote=False) for text in (title, desc))
    head = (
        f"<!-- SPDX-License-Identifier: Apache-2.0; {made} -->\n"
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-labelledby="title desc"\n     font-family="system-ui, sans-serif" font-size="{font}">\n'
        f'  <title id="title">{title}</title>\n  <desc id="desc">{desc}</desc>\n'
        f"  <style>{style}  </style>\n"
    )
    card = f'<rect class="card" x="0.5" y="0.5" width="{width - 1:g}" height="{height - 1:g}" rx="6"/>'
    return head + "\n".join(f"  {part}" for part in (card, *parts)) + "\n</svg>\n"
