# SPDX-License-Identifier: Apache-2.0
"""Commands of a tile against the oracle, in all contexts at once; cycles do not depend on exponents."""

from __future__ import annotations

from random import Random

import pytest

from perle.cores.modexp.model import Command, Mode
from perle.cores.tile import model
from perle.cores.tile.conftest import (
    ASSERTIONS,
    CONTEXTS,
    NARROW,
    POWERS,
    UNUSED,
    NarrowBench,
    PowersBench,
    device_files,
)
from perle.flow import verible, verilator
from perle.verify.cases import random_modulus

LINT = ["-Wno-SYNCASYNCNET", *UNUSED]


def load(bench: PowersBench, params: dict[str, int], ctx: int, m: int, x: int, e: int, y: int = 0) -> None:
    """Write the operands and constants of a context."""
    r = 1 << model.r_exp(params)
    bench.load(ctx, x, y, e, model.constants(params, m)["mhat"], r * r % m)


def result(bench: PowersBench, params: dict[str, int], ctx: int, m: int) -> int:
    """Return the canonical result of a context."""
    z = bench.read(bench.bases[ctx])
    assert z < model.operand_limit(params, m)
    return model.leave(params, m, z)


@pytest.mark.parametrize(("width", "bits", "elen"), [(64, 4, 64), (64, 2, 7), (200, 4, 100), (512, 4, 30)])
def test_powers_in_all_contexts(width: int, bits: int, elen: int) -> None:
    """Each context has its own modulus, base and exponent; the widest exponent and zero are among them."""
    params, rng = {"Width": width, "RadixBits": 18}, Random(width + bits)
    with PowersBench({"WindowBits": bits}) as bench:
        bench.shape(model.blocks(params))
        for exponents in ([(1 << elen) - 1, 0, 1, rng.getrandbits(elen)], [rng.getrandbits(elen)] * CONTEXTS):
            moduli = [(1 << width) - 1, *(random_modulus(rng, width) for _ in range(CONTEXTS - 1))]
            jobs = [(m, rng.randrange(m), e) for m, e in zip(moduli, exponents, strict=True)]
            for ctx, job in enumerate(jobs):
                load(bench, params, ctx, *job)
            for ctx in range(CONTEXTS):
                bench.start(ctx, Command.EXP, elen=elen)
            bench.wait()
            for ctx, (m, x, e) in enumerate(jobs):
                assert result(bench, params, ctx, m) == pow(x, e, m), (ctx, hex(e))


@pytest.mark.parametrize("bits", [4, 2])
def test_every_command_and_mode_in_each_context(bits: int) -> None:
    params, rng = {"Width": 64, "RadixBits": 18}, Random(11)
    with PowersBench({"WindowBits": bits}) as bench:
        bench.shape(model.blocks(params))
        for ctx in range(CONTEXTS):
            for mode in Mode:
                m = random_modulus(rng, 64)
                x, y, e = rng.randrange(m), rng.randrange(m), rng.getrandbits(33)
                load(bench, params, ctx, m, x, e, y)
                bench.start(ctx, Command.EXP, mode, 33)
                bench.wait()
                z = bench.read(bench.bases[ctx])
                assert (z % m if mode is Mode.PAPER else model.leave(params, m, z)) == pow(x, e, m)
                load(bench, params, ctx, m, x, e, y)
                bench.start(ctx, Command.MULMOD)
                bench.wait()
                assert result(bench, params, ctx, m) == x * y % m
                load(bench, params, ctx, m, x, e, y)
                bench.start(ctx, Command.MONT)
                bench.wait()
                assert bench.read(bench.bases[ctx]) == model.mont(params, m, x, y)


@pytest.mark.parametrize("bits", [4, 2])
def test_each_context_has_its_own_number_of_blocks(bits: int) -> None:
    """R² is that of the widest modulus; a context computes with few blocks, and then with more."""
    most, rng = 11, Random(12)
    widest = {"Width": 54 * (most - 1) - 2, "RadixBits": 18}
    r2 = 1 << 2 * most * 54
    with NarrowBench(most, bits) as bench:
        for first in range(3, most + 1):
            jobs = []
            for ctx in range(CONTEXTS):
                n = 3 + (first - 3 + 3 * ctx) % (most - 2)
                m = rng.getrandbits(54 * (n - 1) - 2) | 1 | int(ctx != 1) << 54 * (n - 1) - 3
                x, e, elen = rng.randrange(m), rng.getrandbits(9), 9
                bench.load(ctx, x, 0, e, model.constants(widest, m)["mhat"], r2 % m)
                mode = (Mode.WINDOW, Mode.LADDER, Mode.BINARY)[ctx % 3]
                bench.start_with(n, ctx, mode, elen)
                jobs.append((n, m, x, e))
            for ctx, (n, m, x, e) in enumerate(jobs):
                bench.wait(1 << ctx)
                z = bench.read(bench.bases[ctx])
                assert z < 1 << 54 * n
                assert model.leave(widest, m, z) == pow(x, e, m), (first, ctx)


def test_small_moduli_start_while_others_compute() -> None:
    """The products that divide R² find a place among those of three contexts with short products.

    One exponent is so long that it extends into the second of its two places.
    """
    most, rng = 39, Random(14)
    widest, r2 = {"Width": 2048, "RadixBits": 18}, 1 << 2 * most * 54

    def begin(bench: NarrowBench, ctx: int, n: int, elen: int) -> tuple[int, int, int]:
        m = rng.getrandbits(54 * (n - 1) - 2) | 1 | 1 << 54 * (n - 1) - 3
        x, e = rng.randrange(m), rng.getrandbits(elen)
        bench.load(ctx, x, 0, e, model.constants(widest, m)["mhat"], r2 % m)
        bench.start_with(n, ctx, Mode.LADDER, elen)
        return m, x, e

    def end(bench: NarrowBench, ctx: int, job: tuple[int, int, int]) -> None:
        bench.wait(1 << ctx)
        assert model.leave(widest, job[0], bench.read(bench.bases[ctx])) == pow(job[1], job[2], job[0])

    with NarrowBench(most) as bench:
        others = [begin(bench, ctx, 3, elen) for ctx, elen in enumerate((32 * most + 50, 400, 400))]
        for n in (4, 3, 5, 4):
            end(bench, CONTEXTS - 1, begin(bench, CONTEXTS - 1, n, 5))
        for ctx, job in enumerate(others):
            end(bench, ctx, job)


def test_contexts_start_and_end_on_their_own() -> None:
    """A context continues while another one is loaded, started and read."""
    params, rng = {"Width": 64, "RadixBits": 18}, Random(9)
    with PowersBench({}) as bench:
        bench.shape(model.blocks(params))
        jobs = []
        for ctx in range(CONTEXTS):
            m = random_modulus(rng, 64)
            jobs.append((m, rng.randrange(m), rng.getrandbits(40)))
            load(bench, params, ctx, *jobs[-1])
            bench.start(ctx, Command.EXP, elen=40)
        for ctx in reversed(range(CONTEXTS)):
            bench.wait(1 << ctx)
            m, x, e = jobs[ctx]
            assert result(bench, params, ctx, m) == pow(x, e, m)


@pytest.mark.parametrize("bits", [4, 2])
@pytest.mark.parametrize("mode", [Mode.WINDOW, Mode.LADDER])
def test_the_time_depends_on_lengths_alone(mode: Mode, bits: int) -> None:
    params, rng = {"Width": 64, "RadixBits": 18}, Random(4)
    taken = set()
    for e in (0, 1, (1 << 32) - 1, 0x0F0F0F0F, rng.getrandbits(32)):
        with PowersBench({"WindowBits": bits}) as bench:
            bench.shape(model.blocks(params))
            m = random_modulus(rng, 64)
            for ctx in range(CONTEXTS):
                load(bench, params, ctx, m, rng.randrange(m), e)
            # accesses of the host take a varying time; from a multiple of 1024 cycles on all runs are alike
            bench.lib.tile_clock(bench.handle, -int(bench.lib.tile_now(bench.handle)) % 1024)
            begun = int(bench.lib.tile_now(bench.handle))
            for ctx in range(CONTEXTS):
                bench.start(ctx, Command.EXP, mode, 32)
            taken.add(bench.wait() - begun)
    assert len(taken) == 1


@pytest.mark.parametrize(("apart", "share"), [(0, 1.08), (1, 1.01)])
def test_products_follow_each_other_without_a_gap(apart: int, share: float) -> None:
    """The next product is requested in time; results of contexts that start together wait for ports."""
    params = {"Width": 512, "RadixBits": 18}
    n = model.blocks(params)
    products, turns = 2 + 14 + 13 * 5 + 1, n * n + n + 5
    with PowersBench({}) as bench:
        bench.shape(n)
        for ctx in range(CONTEXTS):
            load(bench, params, ctx, (1 << 512) - 1, 3 + ctx, (1 << 52) - 1)
        for ctx in range(CONTEXTS):
            begun = int(bench.lib.tile_now(bench.handle))
            bench.start(ctx, Command.EXP, elen=52)
            bench.lib.tile_clock(bench.handle, apart * turns)
        assert products * turns * CONTEXTS < bench.wait() - begun < products * turns * CONTEXTS * share


def test_style_and_warnings() -> None:
    verible.lint([path for path in POWERS if "tile" in path.name])
    for bits in (2, 4):
        params, files = {"WindowBits": bits}, [*POWERS, *ASSERTIONS]
        verilator.lint(files, "perle_tile_powers", params, ["--assert", *LINT])
        verilator.lint([*NARROW, *ASSERTIONS], "perle_tile_narrow", params, ["--assert", *LINT])
    verilator.lint(device_files(POWERS), "perle_tile_powers", {}, UNUSED)
