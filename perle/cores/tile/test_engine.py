# SPDX-License-Identifier: Apache-2.0
"""Powers of a tile against the oracle, in all contexts at a time; the cycles do not depend on an exponent."""

from __future__ import annotations

from random import Random

import pytest

from perle.cores.tile import model
from perle.cores.tile.conftest import ASSERTIONS, CONTEXTS, ENGINE, EngineBench, device_files
from perle.flow import verible, verilator
from perle.spec import modexp
from perle.verify.cases import random_modulus


def load(bench: EngineBench, params: dict[str, int], ctx: int, m: int, x: int, e: int) -> None:
    """Write what a context needs for x^e mod M."""
    r = 1 << model.r_exp(params)
    bench.load(ctx, x, e, model.constants(params, m)["mhat"], r % m, r * r % m)


def power(bench: EngineBench, params: dict[str, int], ctx: int, m: int) -> int:
    """Return the canonical result of a context."""
    z = bench.read(bench.bases[ctx])
    assert z < model.operand_limit(params, m)
    return model.leave(params, m, z)


@pytest.mark.parametrize(
    ("width", "bits", "elen"), [(64, 4, 64), (64, 3, 61), (64, 2, 7), (200, 4, 100), (512, 4, 30)]
)
def test_powers_in_all_contexts(width: int, bits: int, elen: int) -> None:
    """Each context has its own modulus, base and exponent; the widest exponent and zero are among them."""
    params, rng = {"Width": width, "RadixBits": 18}, Random(width + bits)
    with EngineBench({"DigitBits": bits}) as bench:
        bench.shape(model.blocks(params), elen)
        for exponents in ([(1 << elen) - 1, 0, 1, rng.getrandbits(elen)], [rng.getrandbits(elen)] * CONTEXTS):
            moduli = [(1 << width) - 1, *(random_modulus(rng, width) for _ in range(CONTEXTS - 1))]
            bases = [rng.randrange(m) for m in moduli]
            for ctx, (m, x, e) in enumerate(zip(moduli, bases, exponents, strict=True)):
                load(bench, params, ctx, m, x, e)
            bench.start((1 << CONTEXTS) - 1)
            bench.wait()
            for ctx, (m, x, e) in enumerate(zip(moduli, bases, exponents, strict=True)):
                assert power(bench, params, ctx, m) == modexp(x, e, m), (ctx, hex(e))


def test_contexts_start_and_end_on_their_own() -> None:
    """A context works on while another one is loaded, started and read."""
    params, rng = {"Width": 64, "RadixBits": 18}, Random(9)
    with EngineBench({}) as bench:
        bench.shape(model.blocks(params), 40)
        jobs = []
        for ctx in range(CONTEXTS):
            m = random_modulus(rng, 64)
            jobs.append((m, rng.randrange(m), rng.getrandbits(40)))
            load(bench, params, ctx, *jobs[-1])
            bench.start(1 << ctx)
        for ctx in reversed(range(CONTEXTS)):
            bench.wait(1 << ctx)
            m, x, e = jobs[ctx]
            assert power(bench, params, ctx, m) == modexp(x, e, m)


def test_the_time_depends_on_lengths_alone() -> None:
    params, rng = {"Width": 64, "RadixBits": 18}, Random(4)
    taken = set()
    for e in (0, 1, (1 << 32) - 1, 0x0F0F0F0F, rng.getrandbits(32)):
        with EngineBench({}) as bench:
            bench.shape(model.blocks(params), 32)
            m = random_modulus(rng, 64)
            for ctx in range(CONTEXTS):
                load(bench, params, ctx, m, rng.randrange(m), e)
            # the host's accesses take any time: from here on everything is alike
            bench.lib.tile_clock(bench.handle, -int(bench.lib.tile_now(bench.handle)) % 1024)
            begun = int(bench.lib.tile_now(bench.handle))
            bench.start((1 << CONTEXTS) - 1)
            taken.add(bench.wait() - begun)
    assert len(taken) == 1


@pytest.mark.parametrize(("apart", "share"), [(0, 1.08), (1, 1.01)])
def test_products_follow_each_other_without_a_gap(apart: int, share: float) -> None:
    """The next product is asked for in time; results of contexts that start together wait for ports."""
    params = {"Width": 512, "RadixBits": 18}
    n = model.blocks(params)
    products, turns = 1 + 15 + 13 + 12 * 4 + 1, n * n + n + 5
    with EngineBench({}) as bench:
        bench.shape(n, 52)
        for ctx in range(CONTEXTS):
            load(bench, params, ctx, (1 << 512) - 1, 3 + ctx, (1 << 52) - 1)
        for ctx in range(CONTEXTS):
            begun = int(bench.lib.tile_now(bench.handle))
            bench.start(1 << ctx)
            bench.lib.tile_clock(bench.handle, apart * turns)
        assert products * turns * CONTEXTS < bench.wait() - begun < products * turns * CONTEXTS * share


def test_style_and_warnings() -> None:
    verible.lint(ENGINE[-2:])
    for bits in (2, 3, 4):
        params = {"DigitBits": bits}
        verilator.lint([*ENGINE, *ASSERTIONS], ENGINE[-1].stem, params, ["--assert", "-Wno-SYNCASYNCNET"])
    verilator.lint(device_files(ENGINE), ENGINE[-1].stem, {})
