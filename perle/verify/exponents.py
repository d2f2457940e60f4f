# SPDX-License-Identifier: Apache-2.0
"""One test suite for a multiplier with its exponentiator (perle/cores/modexp), the same for every family.

A family's `test_exp.py` subclasses `ExponentSuite` as `TestExponents` and defines its specifics. The suite is
not part of `contract.py`, because a change of the exponentiator must not make the multipliers' proofs stale.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import ClassVar

import pytest

from perle.cores.modexp.model import Command, Mode, cycles, run
from perle.cores.registry import Config, families, resolve
from perle.verify.cases import edge_moduli, random_modulus
from perle.verify.word import WordBench


def try_commands(bench: WordBench, m: int, x: int, y: int, e: int, elen: int) -> None:
    """Run every command in every mode; compare results and cycle counters with model and oracle."""
    config = bench.config
    bench.load(m)
    assert bench.command(Command.MONT, x, y) == run(config, Command.MONT, m, x, y)
    assert bench.cycles == cycles(config, Command.MONT)
    assert bench.command(Command.MULMOD, x, y) == x * y % m
    assert bench.cycles == cycles(config, Command.MULMOD)
    for mode in Mode:
        z = bench.command(Command.EXP, x, e=e, mode=mode, elen=elen)
        assert z == run(config, Command.EXP, m, x, e=e, mode=mode, elen=elen)
        assert z % m == pow(x, e, m)
        assert bench.cycles == cycles(config, Command.EXP, mode, elen, e)
    assert not bench.errors()


class ExponentSuite:
    """The tests; attributes and hooks define the differences between families."""

    family_name: ClassVar[str]
    ports: ClassVar[Sequence[Config]] = ()
    """Configurations that are tested; by default the narrowest one."""
    exponents: ClassVar[int] = 20
    """Number of random moduli, in addition to the edge moduli."""

    def interrupted(self, config: Config) -> Iterable[int]:
        """Return the cycles of an exponentiation in which it is reset."""
        product = config.model.mul_cycles(config.params)
        return (1, 2, 50, 333, *range(product - 8, product + 8))

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Give each test its configurations."""
        named = families()[self.family_name].configs
        configs = [resolve(f"{self.family_name}:{name}") for name in named]
        chosen = self.ports or [min(configs, key=lambda config: config.width)]
        names = [one.name if one.name in named else "-".join(map(str, one.params.values())) for one in chosen]
        metafunc.parametrize("config", chosen, ids=names)

    def test_exponentiation(self, config: Config) -> None:
        """Every command and mode through the word port: exact result and cycle counter."""
        width, rng = config.width, Random(64)
        with WordBench(config) as bench:
            for m in [*edge_moduli(width), *(random_modulus(rng, width) for _ in range(self.exponents))]:
                x, y, elen = rng.choice([m - 1, rng.randrange(m)]), rng.randrange(m), rng.randrange(1, 65)
                try_commands(bench, m, x, y, rng.getrandbits(elen), elen)

    def test_reset_in_mid_operation(self, config: Config) -> None:
        """An operation interrupted in any cycle yields no result and changes no later operation."""
        m, e = (1 << config.width) - 59, 0xDEADBEEF
        with WordBench(config) as bench:
            for when in self.interrupted(config):
                bench.load(m)
                assert bench.command(Command.EXP, 5, e=e, elen=32) == pow(5, e, m)
                bench.start(Command.EXP, Mode.WINDOW, 32)
                bench.lib.word_advance(bench.handle, when)
                bench.lib.word_reset(bench.handle)
                bench.wait()
                assert bench.read() == 0
                bench.lib.word_advance(bench.handle, 500)  # idle: assertions check that nothing is left
            bench.load(m)
            assert bench.command(Command.MULMOD, m - 1, m - 2) == 2
