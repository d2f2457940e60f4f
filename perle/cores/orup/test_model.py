# SPDX-License-Identifier: Apache-2.0
"""The row's model against the oracle: exact value, closed range, canonical exit, the slides' cycles."""

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

TINY = family("orup").complete({"Width": 3, "RadixBits": 3, "ChainSegments": 1})


def check(config: Config, m: int, x: int, y: int) -> None:
    """One product of the model: congruent, in range, as the closed form says; and its way out."""
    par = config.params
    z = model.mont(par, m, x, y)
    r = 1 << model.r_exp(par)
    assert z % m == mont(x, y, m, r)
    assert z < model.operand_limit(par, m)
    assert z == model.mont_value(par, m, x, y)
    assert model.reduce(par, m, z) == mont(z, 1, m, r)


def test_tiny_width_exhaustively_over_the_redundant_range() -> None:
    for m in (3, 5, 7):
        limit = model.operand_limit(TINY, m)
        r = 1 << model.r_exp(TINY)
        for x in range(limit):
            assert model.reduce(TINY, m, x) == mont(x, 1, m, r)
            for y in range(limit):
                z = model.mont(TINY, m, x, y)
                assert z < limit
                assert z % m == mont(x, y, m, r)


@pytest.mark.parametrize("name", ["w64", "w128", "w512"])
def test_edges(name: str) -> None:
    config = resolve(f"orup:{name}")
    for m in edge_moduli(config.width):
        edges = edge_operands(m, model.operand_limit(config.params, m))
        for x in edges:
            check(config, m, x, edges[-1])
            check(config, m, edges[-1], x)


@given(st.integers(3, 18), st.integers(3, 300), st.integers(1, 8), st.randoms(use_true_random=False))
def test_any_shape_any_odd_modulus(radix: int, width: int, segments: int, rng: Random) -> None:
    params = family("orup").complete({"Width": width, "RadixBits": radix, "ChainSegments": segments})
    m = random_modulus(rng, width)
    limit = model.operand_limit(params, m)
    check(Config(family("orup"), "any", params), m, rng.randrange(limit), rng.randrange(limit))


def test_closed_form_chain_never_leaves_the_range() -> None:
    params = resolve("orup:w1024").params
    for m in edge_moduli(1024):
        limit = model.operand_limit(params, m)
        z, r, expected = limit - 1, 1 << model.r_exp(params), (limit - 1) % m
        for _ in range(1000):
            z, expected = model.mont_value(params, m, z, z), mont(expected, expected, m, r)
            assert z < limit
            assert z % m == expected


def test_a_smaller_array_would_not_be_closed() -> None:
    """The closure bound is tight: one digit less and a legal modulus leaves the range."""
    k, width = 17, 512
    n = model.digits(resolve("orup:w512").params) - 1
    m = (1 << width) - (1 << k) + 1  # ≡ 1 (mod 2^k): mprime is the largest digit
    mt = (-pow(m, -1, 1 << k) % (1 << k)) * m
    r = 1 << (k * n)
    assert r < 4 * mt


def test_m_itself_becomes_zero() -> None:
    params = resolve("orup:w64").params
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
