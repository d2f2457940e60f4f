# SPDX-License-Identifier: Apache-2.0
"""The model of the row against the oracle: exact value, closed range, canonical OpReduce, printed cycles."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perle.cores.orup import model
from perle.cores.registry import Config, family, resolve
from perle.papers import load
from perle.spec import IllegalModulusError, mont
from perle.verify.cases import edge_moduli, edge_operands, random_modulus

TINY = [
    family("orup").complete({"Width": 3, "RadixBits": 3, "ChainSegments": 1, "QuotientDelay": delay})
    for delay in (0, 1)
]


def check(config: Config, m: int, x: int, y: int) -> None:
    """Check one product of the model: congruent, in range, equal to the closed form; and its OpReduce."""
    par = config.params
    z = model.mont(par, m, x, y)
    r = 1 << model.r_exp(par)
    assert z % m == mont(x, y, m, r)
    assert z < model.operand_limit(par, m)
    assert z == model.mont_value(par, m, x, y)
    assert model.reduce(par, m, z) == mont(z, 1, m, r)


@pytest.mark.parametrize("tiny", TINY, ids=["d0", "d1"])
def test_tiny_width_exhaustively_over_the_redundant_range(tiny: dict[str, int]) -> None:
    for m in (3, 5, 7):
        limit = model.operand_limit(tiny, m)
        r = 1 << model.r_exp(tiny)
        values = range(0, limit, 1 + 6 * tiny["QuotientDelay"])
        for x in range(limit):
            assert model.reduce(tiny, m, x) == mont(x, 1, m, r)
            for y in values:
                z = model.mont(tiny, m, x, y)
                assert z < limit
                assert z % m == mont(x, y, m, r)


@pytest.mark.parametrize("name", ["w64", "w128", "w512", "w512_d1"])
def test_edges(name: str) -> None:
    config = resolve(f"orup:{name}")
    for m in edge_moduli(config.width):
        edges = edge_operands(m, model.operand_limit(config.params, m))
        for x in edges:
            check(config, m, x, edges[-1])
            check(config, m, edges[-1], x)


@given(st.integers(3, 18), st.integers(3, 300), st.integers(0, 2), st.randoms(use_true_random=False))
def test_any_shape_any_odd_modulus(radix: int, width: int, delay: int, rng: Random) -> None:
    params = family("orup").complete({"Width": width, "RadixBits": radix, "QuotientDelay": delay})
    m = random_modulus(rng, width)
    limit = model.operand_limit(params, m)
    check(Config(family("orup"), "any", params), m, rng.randrange(limit), rng.randrange(limit))


@pytest.mark.parametrize("name", ["w1024", "w1024_d1"])
def test_closed_form_chain_never_leaves_the_range(name: str) -> None:
    params = resolve(f"orup:{name}").params
    for m in edge_moduli(1024):
        limit = model.operand_limit(params, m)
        z, r, expected = limit - 1, 1 << model.r_exp(params), (limit - 1) % m
        for _ in range(1000):
            z, expected = model.mont_value(params, m, z, z), mont(expected, expected, m, r)
            assert z < limit
            assert z % m == expected


@pytest.mark.parametrize("delay", [0, 1, 2])
def test_a_smaller_array_would_not_be_closed(delay: int) -> None:
    """The closure bound is tight: with one digit less, a legal modulus leaves the range."""
    k, width = 17, 512
    params = family("orup").complete({"Width": width, "RadixBits": k, "QuotientDelay": delay})
    m = (1 << width) - (1 << k * (delay + 1)) + 1  # ≡ 1 (mod β^(d+1)): mprime is the largest
    mt = model.constants(params, m)["mprime"] * m
    assert 1 << k * (model.digits(params) - 1) < 4 * mt <= 1 << model.r_exp(params)


@pytest.mark.parametrize("delay", [0, 1])
def test_m_itself_becomes_zero(delay: int) -> None:
    params = family("orup").complete({"Width": 64, "QuotientDelay": delay})
    m = (1 << 64) - 59
    assert model.reduce(params, m, 0) == 0
    assert model.reduce(params, m, m) == 0
    assert model.reduce(params, m, 5 * m) == 0


@pytest.mark.parametrize("m", [0, 1, 2, 64, (1 << 64) + 1])
def test_illegal_moduli_are_refused(m: int) -> None:
    with pytest.raises(IllegalModulusError):
        model.constants(resolve("orup:w64").params, m)


@pytest.mark.parametrize("name", ["w512", "w1024"])
def test_product_cycles_are_those_of_the_slides(name: str) -> None:
    config = resolve(f"orup:{name}")
    n = model.digits(config.params)
    assert model.mul_cycles(config.params) == 2 * (n + 5)
    printed = load("tang2003")[f"mul_{config.width}"].number
    assert model.mul_cycles(config.params) == printed
