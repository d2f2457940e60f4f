# SPDX-License-Identifier: Apache-2.0
"""The model of a tile against the oracle: exact value, ranges of every sum, canonical result, operations."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perle.cores.tile import model
from perle.spec import IllegalModulusError, modexp, mont
from perle.verify.cases import edge_moduli, edge_operands, random_modulus


def sized(width: int, radix: int = 18) -> dict[str, int]:
    """Return the parameters of a tile of any size."""
    return {"Width": width, "RadixBits": radix}


def check(params: dict[str, int], m: int, x: int, y: int) -> None:
    """Check a product of the model: congruent, in range, equal to the closed form; and its reduction."""
    z, r = model.mont(params, m, x, y), 1 << model.r_exp(params)
    assert z % m == mont(x, y, m, r)
    assert z < model.operand_limit(params, m)
    assert z == model.mont_value(params, m, x, y)
    assert model.reduce(params, m, z) == mont(z, 1, m, r)


@pytest.mark.parametrize("k", [2, 3])
def test_every_product_of_two_blocks(k: int) -> None:
    numbers = range(1 << model.DIGITS * k)
    step = 1 if k == 2 else 7
    for u in numbers:
        for v in numbers[:: 1 if u % step == 0 else step]:
            assert model.block_product(k, u, v) == u * v


@given(st.integers(0, 2**54 - 1), st.integers(0, 2**54 - 1), st.integers(0, 2**54 - 1))
def test_differences_of_blocks_of_full_width(a: int, b: int, c: int) -> None:
    top = 2**54 - 1
    assert model.pair_product(18, (a, b), (c, top)) == (a - b) * (c - top)
    assert model.pair_product(18, (0, top), (top, a)) == -top * (top - a)


@pytest.mark.parametrize(("width", "k"), [(3, 1), (4, 1), (3, 2)])
def test_tiny_width_exhaustively_over_the_redundant_range(width: int, k: int) -> None:
    """Every modulus and every operand of its redundant range, with blocks of 3 and 6 bits."""
    params = sized(width, k)
    for m in range(3, 1 << width, 2):
        limit, r = model.operand_limit(params, m), 1 << model.r_exp(params)
        for x in range(0, limit, 1 if k == 1 else 11):
            assert model.reduce(params, m, x) == mont(x, 1, m, r)
            for y in range(0, limit, 1 if k == 1 else 13):
                z = model.mont(params, m, x, y)
                assert z < limit
                assert z % m == mont(x, y, m, r)


@pytest.mark.parametrize("k", [1, 2])
def test_every_operand_of_every_small_modulus_leaves_the_domain(k: int) -> None:
    params = sized(6, k)
    for m in range(3, 64, 2):
        r = 1 << model.r_exp(params)
        assert all(
            model.reduce(params, m, y) == mont(y, 1, m, r)
            for y in range(0, model.operand_limit(params, m), 1 if k == 1 else 29)
        )


@pytest.mark.parametrize("width", [64, 512, 1024])
def test_edges(width: int) -> None:
    params = sized(width)
    for m in edge_moduli(width):
        edges = edge_operands(m, model.operand_limit(params, m))
        for x in edges if width < 512 else edges[-2:]:
            check(params, m, x, edges[-1])
            check(params, m, edges[-1], x)


@settings(deadline=None)
@given(st.integers(2, 18), st.integers(3, 200), st.randoms(use_true_random=False))
def test_any_shape_any_odd_modulus(k: int, width: int, rng: Random) -> None:
    params = sized(width, k)
    m = random_modulus(rng, width)
    limit = model.operand_limit(params, m)
    check(params, m, rng.randrange(limit), rng.randrange(limit))


@pytest.mark.parametrize("width", [2048, 4096])
def test_the_widest_numbers_stay_within_the_bits_of_every_sum(width: int) -> None:
    params, m = sized(width), (1 << width) - 1
    top = model.operand_limit(params, m) - 1
    check(params, m, top, top)


def test_a_chain_of_squares_feeds_back() -> None:
    params, m = sized(128), (1 << 128) - 159
    limit, r = model.operand_limit(params, m), 1 << model.r_exp(params)
    x = 3 * r % m
    for _ in range(1000):
        x = model.mont(params, m, x, x)
        assert x < limit
    assert model.reduce(params, m, x) == modexp(3, 2**1000, m)


@pytest.mark.parametrize(("width", "blocks", "count"), [(512, 11, 131), (1024, 20, 419), (1536, 30, 929)])
def test_a_product_takes_fewer_operations_than_half_of_a_schoolbook(
    width: int, blocks: int, count: int
) -> None:
    params = sized(width)
    assert (model.blocks(params), model.operations(params)) == (blocks, count)
    pairs = sum(len(list(model.pairs(blocks, c))) for c in range(2 * blocks))
    assert 2 * pairs + 2 * blocks - 1 == count
    assert model.multiplier_cycles(params) < 2 * (model.DIGITS * blocks) ** 2 / 2


def test_illegal_moduli_are_refused() -> None:
    for m in (0, 1, 4, 1 << 64 | 1):
        with pytest.raises(IllegalModulusError):
            model.constants(sized(64), m)
