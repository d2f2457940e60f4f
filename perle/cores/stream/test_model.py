# SPDX-License-Identifier: Apache-2.0
"""The model of the PE chain against the oracle: exact value, closed range, canonical result, rate."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perle.cores.modexp.lanes import interval
from perle.cores.registry import Config, family, resolve
from perle.cores.stream import model
from perle.spec import IllegalModulusError, mont
from perle.verify.cases import edge_moduli, edge_operands, random_modulus


def sized(width: int, radix: int, fold: int = 1) -> dict[str, int]:
    """Return the parameters of a chain of any size."""
    return family("stream").complete({"Width": width, "RadixBits": radix, "Fold": fold})


def check(params: dict[str, int], m: int, x: int, y: int) -> None:
    """Check a product of the model: congruent, in range, equal to the closed form; and its reduction."""
    z = model.mont(params, m, x, y)
    r = 1 << model.r_exp(params)
    assert z % m == mont(x, y, m, r)
    assert z < model.operand_limit(params, m)
    assert z == model.mont_value(params, m, x, y)
    assert model.reduce(params, m, z) == mont(z, 1, m, r)


@pytest.mark.parametrize(("width", "radix"), [(3, 3), (3, 4), (4, 3)])
def test_tiny_width_exhaustively_over_the_redundant_range(width: int, radix: int) -> None:
    params = sized(width, radix)
    for m in range(3, 1 << width, 2):
        limit, r = model.operand_limit(params, m), 1 << model.r_exp(params)
        for x in range(limit):
            assert model.reduce(params, m, x) == mont(x, 1, m, r)
            for y in range(0, limit, 1 if width * radix == 9 else 5):
                z = model.mont(params, m, x, y)
                assert z < limit
                assert z % m == mont(x, y, m, r)


@pytest.mark.parametrize("radix", [3, 5])
def test_every_operand_of_every_small_modulus_leaves_the_domain(radix: int) -> None:
    params = sized(6, radix)
    for m in range(3, 64, 2):
        r = 1 << model.r_exp(params)
        assert all(
            model.reduce(params, m, y) == mont(y, 1, m, r) for y in range(model.operand_limit(params, m))
        )


@pytest.mark.parametrize("name", ["w64", "w128", "w512", "w1024_r17"])
def test_edges(name: str) -> None:
    config = resolve(f"stream:{name}")
    for m in edge_moduli(config.width):
        edges = edge_operands(m, model.operand_limit(config.params, m))
        for x in edges if config.width < 1024 else edges[-2:]:
            check(config.params, m, x, edges[-1])
            check(config.params, m, edges[-1], x)


@given(st.integers(3, 18), st.integers(3, 300), st.integers(1, 7), st.randoms(use_true_random=False))
def test_any_shape_any_odd_modulus(radix: int, width: int, fold: int, rng: Random) -> None:
    params = sized(width, radix, fold)
    m = random_modulus(rng, width)
    limit = model.operand_limit(params, m)
    check(params, m, rng.randrange(limit), rng.randrange(limit))


def test_closed_form_chain_never_leaves_the_range() -> None:
    params = resolve("stream:w1024").params
    for m in edge_moduli(1024):
        limit = model.operand_limit(params, m)
        z, r, expected = limit - 1, 1 << model.r_exp(params), (limit - 1) % m
        for _ in range(1000):
            z, expected = model.mont_value(params, m, z, z), mont(expected, expected, m, r)
            assert z < limit
            assert z % m == expected


def test_a_shorter_line_would_not_be_closed() -> None:
    """The closure bound is tight: with one digit less, a legal modulus leaves the range."""
    k, width = 18, 1024
    params = sized(width, k)
    m = (1 << width) - (1 << k) + 1  # ≡ 1 (mod β): mprime is the largest
    mt = model.constants(params, m)["mprime"] * m
    assert 1 << k * (model.digits(params) - 1) < 4 * mt <= 1 << model.r_exp(params)


def test_both_ways_out_happen() -> None:
    """The value from the last PE is below M for some operands and at least M for others."""
    params = sized(64, 18)
    m = (1 << 64) - (1 << 18) + 1  # mprime is the largest
    limit = model.operand_limit(params, m)
    n, k = model.digits(params), params["RadixBits"]
    rng, above = Random(64), []
    for y in [0, m, 5 * m, *(rng.randrange(limit) for _ in range(200))]:
        z = model.iterations(params, m, 1, y)
        q = z[0] * model.constants(params, m)["mprime"] & ((1 << k) - 1)
        value = model.writeback(params, z, q, model.split(params, m, n + 1))
        assert value < 2 * m
        above.append(value >= m)
    assert not above[0]
    assert above[1], "M stands for 0"
    assert 20 < sum(above) < 180


@pytest.mark.parametrize("m", [0, 1, 2, 64, (1 << 64) + 1])
def test_illegal_moduli_are_refused(m: int) -> None:
    with pytest.raises(IllegalModulusError):
        model.constants(resolve("stream:w64").params, m)


@pytest.mark.parametrize("name", list(family("stream").configs))
def test_every_cycle_of_every_multiplier_counts(name: str) -> None:
    """The share of multiplier capacity used in one initiation interval, by bit products of x·y and q·M."""
    config = resolve(f"stream:{name}")
    par = config.params
    n, k, fold = model.digits(par), par["RadixBits"], par["Fold"]
    assert model.interval(par) == fold * (n + 1)
    assert n % fold == 0
    assert model.multipliers(par) == (2 * (n + 1) - 1 if fold == 1 else 2 * (n // fold + 1))
    used = 2 * config.width**2 / (model.interval(par) * model.multipliers(par) * k**2)
    least = 0.8 if fold > 1 else 0.9
    assert used >= (least if config.width >= 1024 else 0.35)


def test_lanes_fill_the_line() -> None:
    """Enough exponentiations start a product every N + 1 cycles; a single one waits for each product."""
    config: Config = resolve("stream:w512")
    assert interval(config, 1) == model.mul_cycles(config.params)
    assert model.interval(config.params) <= interval(config, model.in_flight(config.params)) < 31.2


@pytest.mark.parametrize(
    "name", ["w128_f2", *(pytest.param(wide, marks=pytest.mark.wide) for wide in ("w1024_f3", "w2048_f6"))]
)
def test_lanes_fill_a_line_of_several_passes(name: str) -> None:
    """Two or three exponentiations per turn saturate the chain to within 3 %."""
    config = resolve(f"stream:{name}")
    whole = model.interval(config.params)
    assert whole <= interval(config, model.in_flight(config.params), 400) < 1.03 * whole
