# SPDX-License-Identifier: Apache-2.0
"""The engine's model: turns, loads, the tables of the READMEs; and lint of the hardware."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.boards.sources import sources
from perle.cores.modexp.model import Command
from perle.cores.registry import resolve
from perle.cores.stream.engine import model
from perle.cores.stream.model import ELEMENT_CYCLES, TURN_CYCLES, digits
from perle.flow import verilator


def test_the_readme_says_what_the_model_says() -> None:
    own = Path(__file__).with_name("README.md")
    assert model.private_table() in own.read_text(encoding="utf-8")
    assert model.passes_table() in (own.parents[1] / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "lanes", "word_bits"), [("w20", 2, 32), ("w64", 9, 64), ("w1024", 14, 64)])
def test_lint(name: str, lanes: int, word_bits: int, tmp_path: Path) -> None:
    """The engine alone, and the whole board with its assertions."""
    config = resolve(f"stream:{name}")
    own = config.family.engine
    assert own is not None
    shape = {"Lanes": lanes, "WordBits": word_bits, "WindowBits": own.window_bits}
    verilator.lint(own.files, own.top, {**config.params, **shape})
    board = sources(config, word_bits, tmp_path, lanes=lanes, checks=True)
    verilator.lint([board.waivers, *board.files], board.top, {}, ["--assert", "-Wno-SYNCASYNCNET"])


def test_threads() -> None:
    """The fewest turns after which a result is available, over all numbers of digits."""
    config = resolve("stream:w20")
    seen = {}
    for width in range(3, 4097):
        params = {**config.params, "Width": width}
        n, s = digits(params), model.threads(params)
        latency = TURN_CYCLES + ELEMENT_CYCLES * n
        assert (s - 1) * (n + 1) < latency <= s * (n + 1)
        seen[n] = s
    assert {n: s for n, s in seen.items() if n < 12} == dict.fromkeys((3, 4), 9) | dict.fromkeys(
        range(5, 10), 8
    ) | dict.fromkeys((10, 11), 7)
    assert {s for n, s in seen.items() if n >= 10} == {7}


def test_loads() -> None:
    """With more lanes than threads turns are lost only at the ends; with as many, also during loading."""
    config = resolve("stream:w512")
    s, count = model.threads(config.params), model.products(config, Command.EXP, elen=512)
    assert s == 7
    full = model.load(config, 2 * s, 20 * s, count, gap=1000)
    even = model.load(config, s, 20 * s, count, gap=1000)
    assert full.turns > 0.998 > even.turns > 0.98
    assert full.eta == pytest.approx(full.turns * 2 * 512**2 / (31 * 61 * 18**2))
