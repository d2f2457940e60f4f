# SPDX-License-Identifier: Apache-2.0
"""The tile in RTL against its model: every block of every product, and its cycle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from perle.cores.tile import model, schedule
from perle.cores.tile.conftest import (
    ASSERTIONS,
    CONTEXTS,
    DEVICE,
    FILES,
    UNUSED,
    TileBench,
    X,
    Y,
    device_files,
)
from perle.flow import verible, verilator
from perle.flow.tools import ToolError
from perle.spec import modexp
from perle.verify.cases import edge_moduli, edge_operands, random_modulus
from perle.verify.failure import BenchError

Product = tuple[int, int, int]
"""A modulus and two operands."""


def places(n: int, ctx: int) -> tuple[int, int]:
    """Return the address of a context's operands (the same for x and y), and that of q and M̂."""
    return ctx * 2 * n, ctx * 2 * n + n


def load(bench: TileBench, params: Mapping[str, int], ctx: int, product: Product) -> None:
    """Write a modulus's constant and the operands of a product."""
    m, x, y = product
    operand, mhat = places(bench.n, ctx)
    bench.write(X, operand, x)
    bench.write(Y, operand, y)
    bench.write(Y, mhat, model.constants(dict(params), m)["mhat"])


def check(bench: TileBench, params: dict[str, int], products: list[Product]) -> None:
    """Compute products in all contexts at the same time, and compare them with the model."""
    for at in range(0, len(products), CONTEXTS):
        group = products[at : at + CONTEXTS]
        for ctx, product in enumerate(group):
            load(bench, params, ctx, product)
        for ctx in range(len(group)):
            operand, mhat = places(bench.n, ctx)
            bench.request(ctx, operand, operand, operand, mhat)
        bench.wait()
        for ctx, (m, x, y) in enumerate(group):
            assert bench.read(places(bench.n, ctx)[0]) == model.mont_value(params, m, x, y), (m, x, y)


def edges(params: dict[str, int], m: int) -> Iterator[Product]:
    """Return products of the smallest and largest operands of a modulus, and of random ones."""
    found = edge_operands(m, model.operand_limit(params, m))
    yield from ((m, x, found[-1]) for x in found)
    yield from ((m, x, y) for x, y in pairwise(found))


@pytest.mark.parametrize("width", [64, 512, 1024, 1536, 2048])
def test_edges_of_every_size_in_one_tile(width: int) -> None:
    """The number of blocks is an input: a tile for 39 blocks computes with any smaller number."""
    params = {"Width": width, "RadixBits": 18}
    moduli = edge_moduli(width) if width <= 512 else [(1 << width) - 1, (1 << width - 1) + 1, 3]
    with TileBench({}) as bench:
        bench.blocks(model.blocks(params))
        for m in moduli:
            check(bench, params, list(edges(params, m)))


@pytest.mark.parametrize("seed", [1, 2])
def test_random_products_of_random_moduli(seed: int) -> None:
    """`seed` also determines the contents of registers and memories before the reset."""
    rng = Random(seed)
    with TileBench({}, seed) as bench:
        for width in (3, 60, 200, 512, 700):
            params = {"Width": width, "RadixBits": 18}
            bench.blocks(model.blocks(params))
            products = []
            for _ in range(40):
                m = random_modulus(rng, width)
                limit = model.operand_limit(params, m)
                products.append((m, rng.randrange(limit), rng.randrange(limit)))
            check(bench, params, products)


def test_tiny_blocks_exhaustively_over_the_redundant_range() -> None:
    """Blocks of 6 bits: every odd modulus below 8, a grid over all of its operands."""
    params = {"Width": 3, "RadixBits": 2}
    with TileBench({"RadixBits": 2, "MaxBlocks": 5}) as bench:
        bench.blocks(model.blocks(params))
        for m in (3, 5, 7):
            limit = model.operand_limit(params, m)
            check(
                bench,
                params,
                [(m, x, y) for x in range(0, limit, 7) for y in range(x % 5, limit, 11)],
            )


@pytest.mark.parametrize(("width", "k", "most"), [(40, 5, 6), (90, 7, 7), (1000, 17, 39)])
def test_other_digits(width: int, k: int, most: int) -> None:
    params, rng = {"Width": width, "RadixBits": k}, Random(k)
    with TileBench({"RadixBits": k, "MaxBlocks": most}) as bench:
        bench.blocks(model.blocks(params))
        for m in (random_modulus(rng, width), (1 << width) - 1):
            check(bench, params, list(edges(params, m)))


def test_chains_feed_back_in_every_context() -> None:
    """Each context squares in place, with its own modulus and the next request waiting."""
    params, count = {"Width": 190, "RadixBits": 18}, 60
    n, r = model.blocks(params), 1 << model.r_exp(params)
    moduli = [(1 << 190) - 1, (1 << 189) + 1, 3, random_modulus(Random(5), 190)]
    with TileBench({}) as bench:
        bench.blocks(n)
        for ctx, m in enumerate(moduli):
            load(bench, params, ctx, (m, 2 * r % m, 2 * r % m))
        for _ in range(count):
            for ctx in range(CONTEXTS):
                operand, mhat = places(n, ctx)
                bench.request(ctx, operand, operand, operand, mhat)
        bench.wait()
        for ctx, m in enumerate(moduli):
            found = model.reduce(params, m, bench.read(places(n, ctx)[0]))
            assert found == modexp(2, 2**count, m)


def test_a_product_may_leave_its_operands_alone() -> None:
    params, rng = {"Width": 300, "RadixBits": 18}, Random(8)
    m, n = random_modulus(rng, 300), model.blocks(params)
    x, y = (rng.randrange(model.operand_limit(params, m)) for _ in range(2))
    with TileBench({}) as bench:
        bench.blocks(n)
        bench.write(X, 1000 - n, x)
        bench.write(Y, 500, y)
        bench.write(Y, 700, model.constants(params, m)["mhat"])
        bench.request(2, 1000 - n, 500, 100, 700)
        bench.wait()
        z = bench.read(100)
        assert (z, bench.read(1000 - n)) == (model.mont_value(params, m, x, y), x)
        bench.request(3, 100, 500, 100, 700)
        bench.wait()
        assert bench.read(100) == model.mont_value(params, m, z, y)


@pytest.mark.parametrize("n", [3, 4, 6, 11, 20])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_takes_the_cycles_of_the_schedule(n: int, seed: int) -> None:
    """Requests at random times, one or two of a context at a time."""
    rng = Random(100 * n + seed)
    requests = []
    with TileBench({}) as bench:
        bench.blocks(n)
        for _ in range(3 + 4 * seed):
            ctx = rng.randrange(CONTEXTS)
            bench.lib.tile_clock(bench.handle, rng.choice([0, 0, 1, 7, 50, rng.randrange(4 * n * n)]))
            operand, mhat = places(n, ctx)
            requests.append((ctx, bench.request(ctx, operand, operand, operand, mhat)))
        found = bench.wait()
    assert found == max(schedule.finish(n, requests))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_contexts_of_different_sizes_take_the_cycles_of_the_schedule(seed: int) -> None:
    """Each context has its own number of blocks; products are right, and the schedule's."""
    rng, widths = Random(seed), [3, 700, 100, 300]
    rng.shuffle(widths)
    shapes = [{"Width": width, "RadixBits": 18} for width in widths]
    n, requests, works = [model.blocks(params) for params in shapes], [], []
    with TileBench({"Sizes": CONTEXTS}) as bench:
        bench.blocks(*n)
        for ctx, params in enumerate(shapes):
            m = random_modulus(rng, params["Width"])
            x, y = (rng.randrange(model.operand_limit(params, m)) for _ in range(2))
            load(bench, params, ctx, (m, x, y))
            works.append((m, x, y))
        for _ in range(12):
            ctx = rng.randrange(CONTEXTS)
            bench.lib.tile_clock(bench.handle, rng.choice([0, 1, 7, 300]))
            operand, mhat = places(bench.n, ctx)
            requests.append((ctx, bench.request(ctx, operand, operand, operand, mhat, X)))
            m, x, y = works[ctx]
            works[ctx] = m, model.mont_value(shapes[ctx], m, x, y), y
        assert bench.wait() == max(schedule.finish(n, requests))
        for ctx, (_, x, _) in enumerate(works):
            assert bench.read(places(bench.n, ctx)[0]) & (1 << 54 * n[ctx]) - 1 == x


def test_a_full_queue_of_results_holds_columns_back() -> None:
    """All contexts start at once, so that none has diagonals when results are written."""
    n = 20
    with TileBench({}) as bench:
        bench.blocks(n)
        requests = []
        for ctx in range(CONTEXTS):
            operand, mhat = places(n, ctx)
            requests.append((ctx, bench.request(ctx, operand, operand, operand, mhat)))
        assert bench.wait() == max(schedule.finish(n, requests))


def test_the_host_has_access_meanwhile() -> None:
    params, rng = {"Width": 512, "RadixBits": 18}, Random(3)
    m, n = random_modulus(rng, 512), model.blocks(params)
    limit = model.operand_limit(params, m)
    product = m, rng.randrange(limit), rng.randrange(limit)
    with TileBench({}) as bench:
        bench.blocks(n)
        load(bench, params, 0, product)
        operand, mhat = places(n, 0)
        bench.request(0, operand, operand, operand, mhat)
        for value in (rng.getrandbits(54 * n) for _ in range(5)):
            bench.write(X, 600, value)
            assert bench.read(600) == value
        assert bench.lib.tile_busy(bench.handle) == 1
        bench.wait()
        assert bench.read(operand) == model.mont_value(params, *product)


def test_with_the_cells_of_the_device() -> None:
    """The tile with the leaf cells of an ECP5: carry chains, memories and multipliers."""
    rng = Random(6)
    with TileBench({}, files=device_files()) as bench:
        for width in (64, 512):
            params = {"Width": width, "RadixBits": 18}
            bench.blocks(model.blocks(params))
            for m in ((1 << width) - 1, random_modulus(rng, width)):
                check(bench, params, list(edges(params, m)))


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (
            "block_product",
            "u_negative[i] == v_negative[i]",
            "u_negative[i] != v_negative[i]",
            "AssertProduct",
        ),
        ("accumulator", ".use_i  (!op_i.first)", ".use_i  (1'b1)", "AssertBlock"),
        ("accumulator", "Guard + 3", "Guard + 0", "AssertBlock"),
        ("window", "op_q[1].diag || op_q[1].drop", "op_q[1].diag", ""),
        ("sequencer", "(QuotientTurns - 1)", "(QuotientTurns - 2)", ""),
    ],
)
def test_the_bench_can_fail(file: str, old: str, new: str, said: str, tmp_path: Path) -> None:
    """A fault is found by an assertion (`said`) or by a wrong result."""
    name = f"perle_tile_{file}.sv"
    text = next(path for path in FILES if path.name == name).read_text(encoding="utf-8")
    assert old in text
    (tmp_path / name).write_text(text.replace(old, new), encoding="utf-8")
    files = [tmp_path / name if path.name == name else path for path in FILES]
    with pytest.raises(BenchError if said else AssertionError, match=said or None):
        run_broken(files)


def run_broken(files: list[Path]) -> None:
    """Compute products of 512 bits with these files, and check them."""
    params = {"Width": 512, "RadixBits": 18}
    with TileBench({"MaxBlocks": 11}, files=files) as bench:
        bench.blocks(11)
        check(bench, params, list(edges(params, (1 << 512) - 1)))


def test_style_and_warnings() -> None:
    everything = [*FILES, *ASSERTIONS]
    verible.lint([*everything[2:], *sorted(DEVICE.glob("*.sv"))])
    for params in ({}, {"RadixBits": 2, "MaxBlocks": 3}):
        verilator.lint(everything, "perle_tile", params, ["--assert", "-Wno-SYNCASYNCNET", *UNUSED])
    verilator.lint(device_files(), "perle_tile", {}, UNUSED)


def test_lint_can_fail(tmp_path: Path) -> None:
    bad = tmp_path / "perle_tile.sv"
    text = FILES[-1].read_text(encoding="utf-8")
    bad.write_text(
        text.replace("assign host_data_o = xb;", "assign host_data_o = xb[3:0];"), encoding="utf-8"
    )
    with pytest.raises(ToolError, match="WIDTH"):
        verilator.lint([*FILES[:-1], bad], "perle_tile", {}, UNUSED)
