# SPDX-License-Identifier: Apache-2.0
"""The model against the oracle: products, exact values, closed range, OpReduce, the paper's counts."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perle.cores.karatsuba import model
from perle.cores.registry import Config, family, resolve
from perle.papers import load
from perle.spec import IllegalModulusError, mont
from perle.verify.cases import edge_moduli, edge_operands, random_modulus
from perle.verify.strategies import moduli, operands

Shape = dict[str, int]
BITS = st.integers(0, 1)


def shape(width: int, leaf: int, limb: int, step4: int = 0, half: int = 0) -> Shape:
    """Return the parameters of a multiplier of any shape."""
    chosen = {"Width": width, "LeafWidth": leaf, "LimbWidth": limb, "WithStep4": step4, "HalfProducts": half}
    return family("karatsuba").complete(chosen)


def check(par: Shape, m: int, x: int, y: int) -> None:
    """Check one product of the model: congruent, in range, equal to the closed form; and its OpReduce."""
    z = model.mont(par, m, x, y)
    r = 1 << model.r_exp(par)
    assert z % m == mont(x, y, m, r)
    assert z < model.operand_limit(par, m)
    assert z == model.mont_value(par, m, x, y)
    assert model.reduce(par, m, z) == mont(z, 1, m, r)


@pytest.mark.parametrize("leaf", [2, 3])
@pytest.mark.parametrize("limb", [1, 2, 3])
def test_every_product_of_few_bits(leaf: int, limb: int) -> None:
    par = shape(6, leaf, limb)
    for bits in range(2, 7):
        for x in range(1 << bits):
            for y in range(1 << bits):
                low, value = model.product(par, bits, x, y)
                assert value == x * y
                assert low == x * y % (1 << bits)


def test_range_of_the_carries() -> None:
    """Carries between limbs are −1 … 1 for a difference and 0 … 2 for a sum, which reaches 2 as in 14·57."""
    seen: dict[bool, set[int]] = {False: set(), True: set()}
    cut = model.Cut(3, 2)
    for x in range(64):
        for y in range(64):
            x_diff, y_diff = (x >> 3) - (x & 7), (y >> 3) - (y & 7)
            sub = (x_diff < 0) == (y_diff < 0)
            saved = model.carry_save(cut, (x & 7) * (y & 7), (x >> 3) * (y >> 3))
            _, carries = model.add_or_subtract(cut, saved, abs(x_diff * y_diff), sub)
            seen[sub] |= {carry - int(sub) for carry in carries}
            if (x, y) == (14, 57):
                assert not sub
                assert carries == [0, 1, 2, 1]
    assert seen == {True: {-1, 0, 1}, False: {0, 1, 2}}


@pytest.mark.parametrize("step4", [0, 1])
@pytest.mark.parametrize("half", [0, 1])
def test_tiny_width_exhaustively_over_the_redundant_range(step4: int, half: int) -> None:
    par = shape(3, 2, 1, step4, half)
    for m in (3, 5, 7):
        r = 1 << model.r_exp(par)
        limit = model.operand_limit(par, m)
        for x in range(r):
            assert model.reduce(par, m, x) == mont(x, 1, m, r)
        for x in range(limit):
            for y in range(limit):
                check(par, m, x, y)


@pytest.mark.parametrize("name", ["w128", "w128_step4", "w128_half", "w256", "w512_half"])
def test_edges(name: str) -> None:
    config = resolve(f"karatsuba:{name}")
    for m in edge_moduli(config.width):
        edges = edge_operands(m, model.operand_limit(config.params, m))
        for x in edges[-4:]:
            check(config.params, m, x, edges[-1])


@settings(deadline=None, max_examples=50)  # leaves and limbs of single bits are slow
@given(st.integers(3, 120), st.integers(2, 32), st.integers(1, 70), BITS, BITS, st.data())
def test_any_shape_any_odd_modulus(
    width: int, leaf: int, limb: int, step4: int, half: int, data: st.DataObject
) -> None:
    par = shape(width, leaf, limb, step4, half)
    m = data.draw(moduli(width), "M")
    limit = model.operand_limit(par, m)
    check(par, m, data.draw(operands(limit), "x"), data.draw(operands(limit), "y"))
    check(par, m, limit - 1, limit - 1)


@settings(deadline=None)
@given(st.integers(2, 120), st.integers(2, 20), st.integers(1, 40), st.data())
def test_any_product_of_dense_and_sparse_factors(
    bits: int, leaf: int, limb: int, data: st.DataObject
) -> None:
    """Runs of ones and zeros produce long carries."""
    cuts = data.draw(st.lists(st.integers(0, bits), min_size=2, max_size=8))
    full = (1 << bits) - 1
    x, y = 0, full
    for i, cut in enumerate(cuts):
        if i % 2:
            x ^= full >> cut
        else:
            y ^= full >> cut
    low, value = model.product(shape(64, leaf, limb), bits, x, y)
    assert value == x * y
    assert low == value & full


@pytest.mark.parametrize("name", ["w256", "w128_step4"])
def test_closed_form_chain_never_leaves_the_range(name: str) -> None:
    config = resolve(f"karatsuba:{name}")
    par = config.params
    for m in edge_moduli(config.width):
        limit = model.operand_limit(par, m)
        z, r, expected = limit - 1, 1 << model.r_exp(par), (limit - 1) % m
        for _ in range(1000):
            z, expected = model.mont_value(par, m, z, z), mont(expected, expected, m, r)
            assert z < limit
            assert z % m == expected


def test_a_bit_less_of_r_would_not_be_closed() -> None:
    """R = 2^(Width+1) is below 4M: operands below 2M give a result that is not."""
    m, r = 61, 1 << 7
    top = max((x * y + (-x * y * pow(m, -1, r)) % r * m) // r for x in range(2 * m) for y in range(2 * m))
    assert top >= 2 * m


def test_step_4_is_needed_without_the_two_bits() -> None:
    """R = 2^Width: the sum of the third pass does reach M, and more."""
    par = shape(6, 2, 2, step4=1)
    assert max(model.passes(par, 61, x, y) for x in range(61) for y in range(61)) > 61


@pytest.mark.parametrize("name", ["w128", "w128_step4", "w128_half"])
def test_m_itself_becomes_zero(name: str) -> None:
    par = resolve(f"karatsuba:{name}").params
    m = (1 << 126) - 137
    for y in (0, m, 2 * m, 3 * m):
        assert model.reduce(par, m, y) == 0
    r = 1 << model.r_exp(par)
    assert model.reduce(par, m, r - 1) == mont(r - 1, 1, m, r)


def test_the_early_low_half_is_that_of_the_product() -> None:
    """With HalfProducts the passes start earlier and compute the same."""
    rng = Random(5)
    full, half = resolve("karatsuba:w256").params, resolve("karatsuba:w256_half").params
    m = random_modulus(rng, 256)
    for _ in range(20):
        x, y = rng.randrange(2 * m), rng.randrange(2 * m)
        assert model.mont(full, m, x, y) == model.mont(half, m, x, y)
    assert model.depth(half) < model.depth(full)
    assert model.mul_cycles(half) < model.mul_cycles(full)


@pytest.mark.parametrize("m", [0, 1, 2, 64, (1 << 128) + 1])
def test_illegal_moduli_are_refused(m: int) -> None:
    par = resolve("karatsuba:w128").params
    with pytest.raises(IllegalModulusError):
        model.constants(par, m)
    with pytest.raises(IllegalModulusError):
        model.operand_limit(par, m)


def test_counts_of_the_paper() -> None:
    """512 bits with step 4 down to 32-bit products of four embedded multipliers each; three passes."""
    paper = load("chow2010")
    par = resolve("karatsuba:w512_step4").params
    assert par["LeafWidth"] == paper["leaf"].number
    assert par["LimbWidth"] == paper["limb"].number
    assert model.multipliers(par) == paper["ours_multipliers"].number
    assert model.interval(par) == paper["ours_iterations"].number


@pytest.mark.parametrize(("width", "multipliers"), [(128, 36), (256, 108)])
def test_the_paper_s_own_cores(width: int, multipliers: int) -> None:
    """Two and three layers down to 32 bits, four device multipliers each."""
    paper, par = load("chow2010"), resolve(f"karatsuba:w{width}_paper").params
    assert par["LeafWidth"] == paper["leaf"].number
    assert par["LimbWidth"] == paper["limb"].number
    assert par["WithStep4"]
    assert model.operand_bits(par) == paper[f"width_{width}"].number
    assert model.leaf_bits(par) == paper["leaf"].number
    assert model.multipliers(par) == multipliers


def test_a_split_leaf_takes_its_sum_longer() -> None:
    """32 bits: two cycles of the multipliers, one of the middle term, two limbs of the 48 bits above it."""
    par = resolve("karatsuba:w128_paper").params
    assert model.leaf_cycles(par) == 2 + 1 + 2
    assert model.product_cycles(par) == (4 * 2 + 1) + (4 * 1 + 1) + 5
    plain = par | {"SplitLeaf": 0}
    assert model.multipliers(plain) == model.multipliers(par)
    assert model.mul_cycles(par) == model.mul_cycles(plain) + 3 * 3


@pytest.mark.parametrize(("name", "leaves"), [("w128", 27), ("w256", 81), ("w512", 243), ("w1024", 729)])
def test_leaf_multipliers(name: str, leaves: int) -> None:
    config: Config = resolve(f"karatsuba:{name}")
    assert model.multipliers(config.params) == leaves


@pytest.mark.parametrize("name", ["w128", "w128_half", "w128_paper", "w128_fold", "w512_fold"])
def test_requests_as_early_as_they_are_taken(name: str) -> None:
    """Back to back, `admits` fills the slots, then waits for the third pass, as `acceptance` says."""
    par = resolve(f"karatsuba:{name}").params
    taken: list[int] = []
    for now in range(7 * model.depth(par)):
        if model.admits(par, taken, now):
            taken.append(now)
    assert taken == [model.acceptance(par, i) for i in range(len(taken))]
    assert len(taken) == 3 * model.slots(par)


def test_an_empty_folded_loop_takes_a_request_in_any_cycle() -> None:
    """While an operation is in the loop, others are accepted in every third cycle; afterwards in any."""
    par = resolve("karatsuba:w128_fold").params
    stages = model.depth(par)
    assert [now for now in range(1, 8) if model.admits(par, [0], now)] == [3, 6]
    assert not model.admits(par, [0], stages)
    assert all(model.admits(par, [0], now) for now in range(3 * stages, 3 * stages + 3))


@given(st.integers(64, 2048), st.integers(2, 32), st.integers(1, 128), BITS, BITS, BITS)
def test_a_folded_loop_is_a_multiple_of_three_cycles(
    width: int, leaf: int, limb: int, step4: int, half: int, split: int
) -> None:
    par = shape(width, leaf, limb, step4, half) | {"SplitLeaf": split}
    folded = par | {"Fold": 1}
    assert model.depth(folded) % 3 == 0
    assert 3 * model.leaves(folded) == model.leaves(par)
    assert model.interval(folded) == 3 * model.interval(par)
    # the register in front of the multiplier, at most two behind it, and the delay to the third cycle
    assert 0 < model.product_cycles(folded) - model.product_cycles(par) <= 6


def test_cycles_of_a_folded_layer() -> None:
    """514 bits, limbs of 66: halves of 257 bits in 4 limbs; in the multiplier 2, 1, 1 and 1."""
    par = resolve("karatsuba:w512_fold").params
    assert model.halves(par) == [257, 129, 65, 33, 17]
    multiplier = 2 + 9 + 5 + 5 + 5
    assert model.product_cycles(par) == 3 * (1 + 1 + 4) + multiplier
    assert model.depth(par) == 3 * 13 == 1 + model.product_cycles(par) - 2 * 3
    assert model.mul_cycles(par) == 2 + 2 * 39 + 44 + 8 + 4
    assert model.multipliers(par) == 81


def test_cycles_layer_by_layer() -> None:
    """514 bits: halves of 257, 129, 65, 33, 17 bits in 8, 4, 2, 1, 1 limbs of at most 33."""
    par = resolve("karatsuba:w512").params
    assert model.halves(par) == [257, 129, 65, 33, 17]
    assert model.product_cycles(par) == 2 + 33 + 17 + 9 + 5 + 5
    assert model.depth(par) == 72
    assert model.mul_cycles(par) == 3 * 72 + 1 + 32 + 4
    half = resolve("karatsuba:w512_half").params
    assert model.depth(half) == 72 - 2 * 8
    assert model.mul_cycles(half) == 2 * 56 + 1 + 72 + 16 + 4
