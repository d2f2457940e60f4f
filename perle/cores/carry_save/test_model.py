# SPDX-License-Identifier: Apache-2.0
"""The model of the row against the oracle: exact value, closed range, canonical OpReduce, its digits."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perle.cores.carry_save import model
from perle.cores.registry import Config, family, resolve
from perle.spec import IllegalModulusError, mont
from perle.verify.cases import edge_moduli, edge_operands, random_modulus


def shape(width: int, radix: int, delay: int) -> dict[str, int]:
    """Return the parameters of any row."""
    return family("carry_save").complete({"Width": width, "RadixBits": radix, "QuotientDelay": delay})


def check(params: dict[str, int], m: int, x: int, y: int) -> None:
    """Check one product of the model: congruent, in range, equal to the closed form; and its OpReduce."""
    z = model.mont(params, m, x, y)
    r = 1 << model.r_exp(params)
    assert z % m == mont(x, y, m, r)
    assert z < model.operand_limit(params, m)
    assert z == model.mont_value(params, m, x, y)
    assert model.reduce(params, m, z) == mont(z, 1, m, r)


@pytest.mark.parametrize("delay", [1, 2])
def test_tiny_width_over_the_redundant_range(delay: int) -> None:
    params = shape(3, 2, delay)
    r = 1 << model.r_exp(params)
    for m in (3, 5, 7):
        limit = model.operand_limit(params, m)
        for x in range(0, limit, 1 + 2 * delay):
            assert model.reduce(params, m, x) == mont(x, 1, m, r)
            for y in range(0, limit, 2 * delay - 1):
                z = model.mont(params, m, x, y)
                assert z < limit
                assert z % m == mont(x, y, m, r)


@pytest.mark.parametrize("name", ["w64", "w256", "w256_r2", "w256_r8_d2"])
def test_edges(name: str) -> None:
    config: Config = resolve(f"carry_save:{name}")
    for m in edge_moduli(config.width):
        edges = edge_operands(m, model.operand_limit(config.params, m))
        for x in edges:
            check(config.params, m, x, edges[-1])
            check(config.params, m, edges[-1], x)


@given(st.integers(1, 8), st.integers(3, 300), st.integers(1, 2), st.randoms(use_true_random=False))
def test_any_shape_any_odd_modulus(half: int, width: int, delay: int, rng: Random) -> None:
    params = shape(width, 2 * min(half, (width + 1) // 2), delay)
    m = random_modulus(rng, width)
    limit = model.operand_limit(params, m)
    check(params, m, rng.randrange(limit), rng.randrange(limit))


@given(st.integers(1, 8), st.integers(3, 200), st.integers(1, 2), st.randoms(use_true_random=False))
def test_multiples_of_the_modulus_become_zero(half: int, width: int, delay: int, rng: Random) -> None:
    """For every multiple of M but 0 the N divisions leave M, which the highest quotient digits show."""
    params = shape(width, 2 * min(half, (width + 1) // 2), delay)
    m = random_modulus(rng, width)
    most = model.operand_limit(params, m) // m - 1
    for multiple in (0, 1, 2, most, rng.randrange(most)):
        assert model.reduce(params, m, multiple * m) == 0


@pytest.mark.parametrize("delay", [1, 2])
def test_a_shorter_row_would_not_be_closed(delay: int) -> None:
    """The closure bound is tight: with one digit less, a legal modulus leaves the range."""
    params = shape(512, 4, delay)
    k, n = 4, model.digits(params)
    m = (1 << 512) - (1 << k * (delay + 1)) + 1  # ≡ 1 (mod β^(d+1)): its multiple is the largest
    assert 1 << k * (n - 1) < 2 * model.operand_limit(params, m) <= 1 << k * n


@pytest.mark.parametrize("k", [2, 4, 6, 8])
def test_digits_add_up_and_stay_in_range(k: int) -> None:
    """All numbers of two digits: −β/2 < digit < β, and digits and last carry add up to the number."""
    least, most = 0, 0
    for value in range(1 << 2 * k):
        digits = model.Digits(k)
        found = [digits.digit(value & (1 << k) - 1), digits.digit(value >> k)]
        assert found[0] + (found[1] << k) + (digits.carry << 2 * k) == value
        least, most = min(least, *found), max(most, *found)
    assert (least, most) == (-((1 << k) - 1) // 3, 2 * ((1 << k) - 1) // 3)


def test_a_quotient_of_the_lowest_digits() -> None:
    """Every odd modulus and sum of four bits: q·M ≡ −s, and the carry."""
    for m in range(1, 16, 2):
        for s in range(16):
            q, carry = model.quotient(4, s, m)
            assert q < 16
            assert s + q * m == carry << 4


@pytest.mark.parametrize("m", [0, 1, 2, 64, (1 << 64) + 1])
def test_illegal_moduli_are_refused(m: int) -> None:
    with pytest.raises(IllegalModulusError):
        model.constants(resolve("carry_save:w64").params, m)
