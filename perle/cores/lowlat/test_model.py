# SPDX-License-Identifier: Apache-2.0
"""The model of the row against the oracle: exact value, closed range, canonical OpReduce."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perle.cores.lowlat import model
from perle.cores.registry import Config, family, resolve
from perle.spec import IllegalModulusError, mont
from perle.verify.cases import edge_moduli, edge_operands, random_modulus

TINY = [
    family("lowlat").complete({"Width": 3, "RadixBits": 3, "QuotientDelay": delay}) for delay in (3, 4, 5)
]
SHAPES = st.tuples(st.integers(3, 18), st.integers(3, 5)) | st.tuples(st.integers(19, 36), st.integers(4, 5))
"""Legal radices with their delays."""

# Width 24, radix 8, d = 3: M, x, y for which position 0 saves a carry of three, which is rare. The low digits
# of M̂ and y are 1, 7, and digits 7, 1, 1 of x and of the quotient are multiplied by them in the same steps.
THREE_UNITS = [
    (14068021, 84846353999, 81496321423),
    (13509013, 84991603791, 80991060623),
    (15967385, 1737907883, 664875087),
    (12288675, 84991604815, 18952093135),
    (10744743, 51543265885, 46373742671),
    (14628837, 10049715853, 7242642127),
]

# At width 25, radix 8 and d = 3: M, x, y whose product has a saved carry of two at its highest digit.
HIGHEST_CARRY = [
    (33546439, 258240487420, 258240487352),
    (33548643, 269798169358, 269798139114),
    (33547451, 267104804858, 267104803224),
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


@pytest.mark.parametrize("tiny", TINY, ids=["d3", "d4", "d5"])
def test_tiny_width_over_the_redundant_range(tiny: dict[str, int]) -> None:
    """Every modulus; operands across the range with an odd stride."""
    for m in (3, 5, 7):
        limit = model.operand_limit(tiny, m)
        r = 1 << model.r_exp(tiny)
        stride = limit // 1024 * 2 + 1
        for x in range(0, limit, stride):
            assert model.reduce(tiny, m, x) == mont(x, 1, m, r)
            for y in range(x % 97, limit, 97 * stride):
                z = model.mont(tiny, m, x, y)
                assert z < limit
                assert z % m == mont(x, y, m, r)


@pytest.mark.parametrize("tiny", TINY, ids=["d3", "d4", "d5"])
def test_every_operand_of_every_modulus_of_four_bits(tiny: dict[str, int]) -> None:
    params = {**tiny, "Width": 4}
    r = 1 << model.r_exp(params)
    for m in range(3, 16, 2):
        for x in range(m):
            for y in range(m):
                z = model.mont(params, m, x, y)
                assert z == model.mont_value(params, m, x, y)
                assert model.reduce(params, m, z) == mont(x * y, 1, m, r) * pow(r, -1, m) % m


@pytest.mark.parametrize("name", ["w64", "w128", "w512", "w512_d4", "w512_d5", "w512_r36"])
def test_edges(name: str) -> None:
    config = resolve(f"lowlat:{name}")
    for m in edge_moduli(config.width):
        edges = edge_operands(m, model.operand_limit(config.params, m))
        for x in edges:
            check(config, m, x, edges[-1])
            check(config, m, edges[-1], x)


@settings(deadline=None)
@given(SHAPES, st.integers(3, 300), st.randoms(use_true_random=False))
def test_any_shape_any_odd_modulus(shape: tuple[int, int], width: int, rng: Random) -> None:
    radix, delay = shape
    params = family("lowlat").complete({"Width": width, "RadixBits": radix, "QuotientDelay": delay})
    m = random_modulus(rng, width)
    limit = model.operand_limit(params, m)
    check(Config(family("lowlat"), "any", params), m, rng.randrange(limit), rng.randrange(limit))


@pytest.mark.parametrize("name", ["w512", "w512_d4", "w512_d5", "w512_r36"])
def test_closed_form_chain_never_leaves_the_range(name: str) -> None:
    params = resolve(f"lowlat:{name}").params
    for m in edge_moduli(params["Width"]):
        limit = model.operand_limit(params, m)
        z, r, expected = limit - 1, 1 << model.r_exp(params), (limit - 1) % m
        for _ in range(1000):
            z, expected = model.mont_value(params, m, z, z), mont(expected, expected, m, r)
            assert z < limit
            assert z % m == expected


@settings(deadline=None)
@given(SHAPES, st.integers(3, 200), st.randoms(use_true_random=False))
def test_products_follow_each_other_before_they_are_resolved(
    shape: tuple[int, int], width: int, rng: Random
) -> None:
    radix, delay = shape
    params = family("lowlat").complete({"Width": width, "RadixBits": radix, "QuotientDelay": delay})
    m = rng.choice([*edge_moduli(width), random_modulus(rng, width)])
    limit = model.operand_limit(params, m)
    row = model.product(params, m, limit - 1, rng.choice([limit - 1, rng.randrange(limit)]))
    for _ in range(20):
        last = row.resolve()
        x = rng.choice([last, limit - 1, rng.randrange(limit)])
        row = model.product(params, m, x, row)
        assert row.resolve() == model.mont_value(params, m, x, last)


def test_every_saved_carry_is_forwarded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Width 25, radix 8: includes a carry of two at the highest digit."""
    seen: set[tuple[int, bool]] = set()
    unresolved = model.Row.unresolved

    def watched(row: model.Row) -> tuple[list[int], list[int]]:
        digits, carries = unresolved(row)
        seen.update((carry, j == row.n - 1) for j, carry in enumerate(carries))
        return digits, carries

    monkeypatch.setattr(model.Row, "unresolved", watched)
    rng = Random(3)
    params = family("lowlat").complete({"Width": 25, "RadixBits": 3, "QuotientDelay": 3})
    for m, x, y in HIGHEST_CARRY:
        limit = model.operand_limit(params, m)
        for a in (0, limit - 1, x, y, *(rng.randrange(limit) for _ in range(20))):
            row = model.product(params, m, x, y)
            assert model.product(params, m, a, row).resolve() == model.mont_value(params, m, a, row.resolve())
    assert seen == {(0, False), (1, False), (2, False), (2, True)}


@pytest.mark.parametrize(("k", "delay"), [(18, 3), (18, 4), (18, 5), (36, 4), (36, 5)])
def test_a_smaller_array_would_not_be_closed(k: int, delay: int) -> None:
    """The closure bound is tight: with one digit less, a legal modulus leaves the range."""
    width = 512
    params = family("lowlat").complete({"Width": width, "RadixBits": k, "QuotientDelay": delay})
    m = (1 << width) - (1 << k * (delay + 1)) + 1  # ≡ 1 (mod β^(d+1)): mprime is the largest
    mt = model.constants(params, m)["mprime"] * m
    assert 1 << k * (model.digits(params) - 1) < 4 * mt <= 1 << model.r_exp(params)


def test_the_first_digit_saves_a_carry_of_three(monkeypatch: pytest.MonkeyPatch) -> None:
    carries: list[int] = []
    step = model.Row.step

    def watched(row: model.Row, *addends: list[int]) -> None:
        step(row, *addends)
        carries.append(row.c[0])

    monkeypatch.setattr(model.Row, "step", watched)
    config = Config(
        family("lowlat"), "w24", family("lowlat").complete({"Width": 24, "RadixBits": 3, "QuotientDelay": 3})
    )
    for m, x, y in THREE_UNITS:
        carries.clear()
        check(config, m, x, y)
        assert max(carries) == 3


@pytest.mark.parametrize("delay", [3, 4, 5])
def test_m_itself_becomes_zero(delay: int) -> None:
    params = family("lowlat").complete({"Width": 64, "QuotientDelay": delay})
    m = (1 << 64) - 59
    assert model.reduce(params, m, 0) == 0
    assert model.reduce(params, m, m) == 0
    assert model.reduce(params, m, 5 * m) == 0


@pytest.mark.parametrize("m", [0, 1, 2, 64, (1 << 64) + 1])
def test_illegal_moduli_are_refused(m: int) -> None:
    with pytest.raises(IllegalModulusError):
        model.constants(resolve("lowlat:w64").params, m)
