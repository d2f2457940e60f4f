# SPDX-License-Identifier: Apache-2.0
"""RTL of the exponentiator with `orup` at 512 and 1,024 bits: results, and cycles of tang2003's figures."""

from __future__ import annotations

from random import Random

import pytest

from perle.cores.modexp.model import Command, Mode, cycles, io_cycles
from perle.cores.registry import resolve
from perle.papers import load
from perle.verify.cases import edge_moduli, random_modulus
from perle.verify.word import CONST, E, WordBench, X


@pytest.mark.parametrize("h", [512, 1024])
def test_paper_mode_takes_the_printed_cycles_port_included(h: int) -> None:
    """Back to back: write R², M̂, A, E and start; an exponent with half its bits set; read the result."""
    rng = Random(h)
    with WordBench(resolve(f"orup:w{h}")) as bench:
        m = random_modulus(rng, h) | 1 << (h - 1)
        x, r2 = rng.randrange(m), pow(1 << bench.config.model.r_exp(bench.config.params), 2, m)
        e = sum(1 << i for i in rng.sample(range(h), h // 2))
        constants = bench.config.model.constants(bench.config.params, m)
        bench.load(m)
        begin = bench.now
        for window, value in ((2, r2), (CONST + 1, constants["mhat"]), (X, x), (E, e)):
            bench.write(window, value)
        bench.start(Command.EXP, Mode.PAPER)
        loaded = bench.now
        bench.wait()
        finished = bench.now
        z = bench.read()
        assert z % m == pow(x, e, m)
        assert not bench.errors()
        total = bench.now - begin
        io_in, io_out = io_cycles(bench.config)
        assert loaded - begin == io_in == load("tang2003")[f"input_{h}"].number
        assert bench.now - finished + 1 == io_out == load("tang2003")[f"output_{h}"].number
        assert bench.cycles == cycles(bench.config, Command.EXP, Mode.PAPER, 0, e)
        assert total == io_in + bench.cycles + io_out
        assert abs(total - load("tang2003")[f"total_{h}"].number) <= 1


@pytest.mark.parametrize("name", ["w512", "w1024"])
def test_real_widths(name: str) -> None:
    rng = Random(name)
    config = resolve(f"orup:{name}")
    with WordBench(config) as bench:
        for m in [*edge_moduli(config.width)[-4:], random_modulus(rng, config.width)]:
            bench.load(m)
            x, e = rng.randrange(m), rng.getrandbits(config.width)
            assert bench.command(Command.EXP, x, e=e, elen=config.width) == pow(x, e, m)
            assert bench.cycles == cycles(config, Command.EXP, Mode.WINDOW, config.width)
            assert bench.command(Command.EXP, x, e=65537, mode=Mode.BINARY, elen=17) == pow(x, 65537, m)
            assert bench.command(Command.MULMOD, x, m - 1) == x * (m - 1) % m
