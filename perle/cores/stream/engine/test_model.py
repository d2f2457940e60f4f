# SPDX-License-Identifier: Apache-2.0
"""The engine's model: turns, loads, the tables of the README; and lint of the hardware."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.boards.sources import sources
from perle.cores.modexp.model import Command
from perle.cores.registry import resolve
from perle.cores.stream.engine import model
from perle.cores.stream.model import (
    ELEMENT_CYCLES,
    TURN_CYCLES,
    digits,
    elements,
    interval,
    multipliers,
    turns,
)
from perle.flow import verilator
from perle.tables import Table

PRIVATE = (("RSA-1024, CRT", "w512", 2), ("RSA-2048, CRT", "w1024", 2), ("RSA-4096, CRT", "w2048", 2))
"""Private operations of RSA: name, configuration, exponentiations of its full width."""

PASSES = ("w512", "w512_f2", "w1024", "w1024_f3", "w2048", "w2048_f2", "w2048_f6")


def private_table() -> str:
    """Return the README's table: 700 exponentiations on 2·S lanes, 1000 cycles between two of one lane."""
    head = ("operation", "config", "N", "S", "products", "a lane, cycles", "cycles an operation")
    table = Table((*head, "turns used", "η"), right=range(2, 9))
    for name, spec, halves in PRIVATE:
        config = resolve(f"stream:{spec}")
        par, s = config.params, model.threads(config.params)
        one = model.products(config, Command.EXP, elen=config.width)
        found = model.load(config, 2 * s, 700, one, gap=1000)
        row = (name, f"`{spec}`", digits(par), s, f"{one:,}", f"{one * model.product_cycles(par):,}")
        shares = (f"{halves * found.cycles / 700:,.0f}", f"{100 * found.turns:.2f} %", f"{found.eta:.3f}")
        table.add(*row, *shares)
    return table.markdown()


def passes_table() -> str:
    """Return the README's table: savings and costs of several passes."""
    table = Table(("config", "elements", "S", "multipliers", "initiation interval", "η"), right=range(1, 6))
    for name in PASSES:
        config = resolve(f"stream:{name}")
        par, eta = config.params, model.utilisation(config, interval(config.params))
        table.add(f"`{name}`", elements(par), turns(par), multipliers(par), interval(par), f"{eta:.3f}")
    return table.markdown()


def test_the_readme_says_what_the_model_says() -> None:
    own = Path(__file__).with_name("README.md")
    assert private_table() in own.read_text(encoding="utf-8")
    assert passes_table() in (own.parents[1] / "README.md").read_text(encoding="utf-8")


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
    """S is the smallest number of turns after which a result is available, for all numbers of digits."""
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
