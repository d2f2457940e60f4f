# SPDX-License-Identifier: Apache-2.0
"""The multiplier with its exponentiator: results, cycles, resets."""

from __future__ import annotations

from random import Random

import pytest

from perle.cores.modexp.model import Command, cycles
from perle.cores.scalable import model
from perle.cores.scalable.test_rtl import KINDS, shape
from perle.verify.cases import edge_moduli, random_modulus
from perle.verify.exponents import ExponentSuite
from perle.verify.word import CONST, R2, WordBench

pytestmark = pytest.mark.proves("exact", "timed")


class SizedWordBench(WordBench):
    """The testbench of the word port with constants for operands of any n bits."""

    def __enter__(self) -> SizedWordBench:
        return self

    def load_sized(self, m: int, n: int) -> None:
        """Write a modulus, its constants and its R² for operations on n bits."""
        params = self.config.params
        self.write(CONST, m)
        for i, value in enumerate(model.constants(params, m, n).values(), CONST + 1):
            self.write(i, value)
        self.write(R2, pow(1 << model.r_exp_for(params, n), 2, m))


class TestExponents(ExponentSuite):
    family_name = "scalable"
    ports = tuple(shape(64, 16, 4, kind) for kind in KINDS.values())


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_exponentiation_of_any_width(kind: int) -> None:
    """Through the word port against the oracle, at the full width and at the width of each modulus."""
    rng = Random(kind)
    with SizedWordBench(shape(64, 16, 4, kind)) as bench:
        for m in [*edge_moduli(64), *(random_modulus(rng, 64) for _ in range(10))]:
            x, e = rng.randrange(m), rng.getrandbits(48)
            for n in (64, m.bit_length()):
                bench.load_sized(m, n)
                assert bench.command(Command.EXP, x, e=e, elen=48) == pow(x, e, m)
                assert bench.cycles == cycles(bench.config, Command.EXP, elen=48, bits=n)
                assert bench.command(Command.MULMOD, m - 1, x) == -x % m
                assert bench.cycles == cycles(bench.config, Command.MULMOD, bits=n)
            assert not bench.errors()
