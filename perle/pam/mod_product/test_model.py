# SPDX-License-Identifier: Apache-2.0
"""The unit's model against the oracle: rows of adders, closed form, closed range, and what a host does."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from hashlib import shake_256
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perle.cores.registry import memories, resolve_memory
from perle.pam.mod_product import driving, model
from perle.pam.mod_product.driving import Method
from perle.pam.mod_product.model import MULT_B1, MULT_B3, READ_P, SQUARE, WRITE_B, WRITE_B_ALIGN
from perle.spec import IllegalModulusError, mont
from perle.tables import Table
from perle.verify.cases import edge_moduli, random_modulus

W254 = resolve_memory("mod_product:w254").params


def shaped(**chosen: int) -> model.Params:
    """Return the parameters of any shape."""
    return memories()["mod_product"].complete(chosen)


def by_steps(params: model.Params, a: int, b: int) -> int:
    """Return a product as the rows of adders compute it."""
    return model.product_resolved(params, *model.product_steps(params, a, b))


def check(params: model.Params, a: int, b: int) -> int:
    """One product of legal operands: congruent, in range, both ways of computing it the same."""
    m, z = params["Modulus"], by_steps(params, a, b)
    assert z == model.product_value(params, a, b)
    assert z % m == mont(a, b, m, 1 << model.r_exp(params))
    assert driving.within_limit(params, z)
    return z


@pytest.mark.parametrize("radix", [1, 2])
@pytest.mark.parametrize("width", [3, 4])
def test_all_operands_of_all_tiny_moduli(width: int, radix: int) -> None:
    for m in range(3, 1 << width, 2):
        params = shaped(Width=width, Modulus=m, RadixBits=radix)
        legal = [*range(model.operand_limit(params)), 1 << model.r_exp(params)]
        stride = 1 if width == 3 else 3
        for a in legal[::stride]:
            for b in legal:
                check(params, a, b)


@pytest.mark.parametrize("radix", [1, 2])
@pytest.mark.parametrize("width", [6, 8, 10])
def test_every_odd_modulus_of_a_small_width(width: int, radix: int) -> None:
    rng = Random(width)
    for m in range(3, 1 << width, 2):
        params = shaped(Width=width, Modulus=m, RadixBits=radix)
        limit, one = model.operand_limit(params), 1 << model.r_exp(params)
        edges = [0, 1, m - 1, m, limit - 1, one, rng.randrange(limit)]
        for a in edges:
            for b in edges:
                check(params, a, b)
        if width == 6:
            for a in range(m):
                for b in range(m):
                    check(params, a, b)
        z = limit - 1
        for _ in range(40):
            z = model.product_value(params, z, z)
            assert z < limit


@given(st.integers(3, 300), st.integers(1, 2), st.randoms(use_true_random=False))
def test_any_operands_of_any_modulus(width: int, radix: int, rng: Random) -> None:
    """Operands out of range too: the registers are still defined."""
    params = shaped(Width=width, Modulus=random_modulus(rng, width), RadixBits=radix)
    bits, limit = model.operand_bits(params), model.operand_limit(params)
    a, b = rng.getrandbits(bits), rng.getrandbits(bits)
    assert by_steps(params, a, b) == model.product_value(params, a, b)
    check(params, rng.randrange(limit), rng.randrange(limit))


@pytest.mark.parametrize("width", [254, 512])
def test_chains_of_edge_moduli_stay_in_range(width: int) -> None:
    for m in edge_moduli(width):
        params = shaped(Width=width, Modulus=m)
        limit, r = model.operand_limit(params), 1 << model.r_exp(params)
        z, expected = limit - 1, (limit - 1) % m
        for _ in range(1000):
            z, expected = model.product_value(params, z, z), mont(expected, expected, m, r)
            assert z < limit
            assert z % m == expected


def test_a_smaller_beta_would_not_be_closed() -> None:
    """β = 2^260 is the smallest for 254 bits: with two bits fewer a legal modulus leaves the range."""
    assert model.r_exp(W254) == 260
    assert model.r_exp(W254 | {"RadixBits": 1}) == 260
    m = (1 << 254) - (1 << 127) + 1
    mt = model.constants(W254 | {"Modulus": m}).mt
    assert 1 << 258 < 4 * mt <= 1 << 260


def test_beta_is_the_one() -> None:
    for x in (0, 1, W254["Modulus"] - 1, model.operand_limit(W254) - 1, 1 << 260):
        assert by_steps(W254, 1 << 260, x) == x
        assert by_steps(W254, x, 1 << 260) == x


def test_instructions_one_by_one() -> None:
    """Figure 4, register by register."""
    board = model.Board(W254)
    assert (board.a, board.s) == (1 << 256, 0)
    for word in range(16):
        assert board.access(True, WRITE_B, 0x1000 + word) == 0
    assert board.b3 == sum((0x1000 + j) << (32 * j) for j in range(8))
    assert board.b1 == sum((0x1008 + j) << (32 * j) for j in range(8))
    assert board.s == board.a == 1 << 256
    board.access(True, WRITE_B_ALIGN, 0)
    assert board.s == board.a == 1 << 257
    assert board.cycles == 17
    board.access(True, MULT_B1)
    board.access(True, MULT_B3)
    assert board.cycles == 17 + 1 + model.product_cycles(W254) + 1
    before = board.a
    assert board.s == before
    assert [board.access(False, READ_P) for _ in range(2)] == [0, before & 0xFFFFFFFF]
    assert board.p == before >> 32 & 0xFFFFFFFF
    assert board.s == before >> 64
    assert board.a == 1 << 256
    assert board.access(False, 3) == board.access(False, SQUARE) == board.access(True, 6, 9) == 0
    assert board.s == before >> 64


def test_cycles() -> None:
    """130 digits and two more steps; carry resolution takes 9 cycles by words, 130 at two bits per cycle."""
    cycles = {name: model.product_cycles(resolve_memory(f"mod_product:{name}").params) for name in CYCLES}
    assert cycles == CYCLES
    assert (model.read_cycles(W254), model.read_cycles(W254 | {"RadixBits": 1})) == (16, 32)


CYCLES = {"w254": 141, "ripple": 262, "radix2": 273, "radix2_ripple": 522, "w512": 278, "w1024": 550}


def settling(params: model.Params, a: int, b: int) -> int:
    """Return the cycles to resolve the carries of a product."""
    u, v, _ = model.product_steps(params, a, b)
    return model.product_cycles(params, u, v) - model.steps(params)


@pytest.mark.parametrize(("radix", "mean"), [(2, 7.0), (1, 5.8)])
def test_carry_completion_takes_few_cycles_on_average(radix: int, mean: float) -> None:
    params = W254 | {"Fast": 1, "RadixBits": radix}
    z, taken = Random(160).randrange(params["Modulus"]), []
    for _ in range(4000):
        taken.append(settling(params, z, z))
        z = model.product_value(params, z, z)
    assert abs(sum(taken) / len(taken) - mean) < 0.2


def test_carry_completion_takes_many_cycles_at_worst() -> None:
    """2^-5 mod M is 2^255 in the domain, for which carries propagate through all bits."""
    params = W254 | {"Fast": 1}
    m, bits = params["Modulus"], model.sum_bits(params)
    assert model.product_value(params, pow(2, -5, m), driving.r2(params)) == 1 << 255
    assert settling(params, pow(2, -5, m), driving.r2(params)) == 253
    assert model.product_cycles(params, (1 << bits) - 1, 1) - model.steps(params) == bits + 1
    assert model.resolve_cycles_worst(params) == bits + 1


def test_a_detector_that_is_spread_over_chips_adds_its_latency() -> None:
    """Every product takes so many cycles more, whatever its carries."""
    z = Random(25).randrange(W254["Modulus"])
    for latency in (0, 1, 25):
        late = W254 | {"Fast": 1, "DetectLatency": latency}
        assert settling(late, z, z) == settling(W254 | {"Fast": 1}, z, z) + latency
        assert model.resolve_cycles_worst(late) == model.sum_bits(late) + 1 + latency
    assert settling(W254 | {"DetectLatency": 25}, z, z) == 9


def test_nine_words_and_their_reduction() -> None:
    assert [driving.result_words(shaped(Width=width, Modulus=3)) for width in (254, 512, 1024)] == [9, 17, 33]
    rng = Random(9)
    for m in edge_moduli(254):
        params = W254 | {"Modulus": m}
        limit = model.operand_limit(params)
        for z in [0, m - 1, m, limit - 1, limit // 2, *(rng.randrange(limit) for _ in range(50))]:
            assert driving.reduce_constant_time(params, z) == z % m
            if m >> 253:
                assert driving.reduce_table(params, z) == z % m
                assert driving.fold(params, z) < 1 << 256  # eight words


def test_domain() -> None:
    m, consts = W254["Modulus"], driving.host_constants(W254)
    x = 0x1234567 << 200
    assert driving.from_montgomery(W254, driving.to_montgomery(W254, x)) == x % m
    assert model.product_value(W254, x, consts["r2"]) % m == driving.to_montgomery(W254, x)
    assert driving.from_montgomery(W254, driving.cube(W254, x)) == pow(x, 3, m)
    assert consts["one"] * consts["rinv"] % m == 1


@pytest.mark.parametrize("bits", range(2, 12))
def test_mean_lengths_of_chains(bits: int) -> None:
    for method in (Method.BINARY, Method.WINDOW):
        lengths = [len(driving.chain(e, method)) for e in range(1 << (bits - 1), 1 << bits)]
        assert Fraction(sum(lengths), len(lengths)) == driving.mean_products(bits, method)


def test_b3_saves_eleven_percent() -> None:
    """With the product that leaves the domain 381.5 and 338.6 for 254 bits; the paper says 20 %."""
    binary, window = (driving.mean_products(254, method) for method in (Method.BINARY, Method.WINDOW))
    assert (float(binary), round(float(window), 1)) == (380.5, 337.6)
    assert round(float(1 - (window + 1) / (binary + 1)), 3) == 0.112


@given(st.integers(0, (1 << 64) - 1), st.integers(0, 300), st.sampled_from(Method))
def test_chains_are_the_power(x: int, exponent: int, method: Method) -> None:
    params = shaped(Width=64, Modulus=(1 << 64) - 59)
    got = driving.power(params, model.Board(params), x, exponent, method)
    assert got == pow(x, exponent, params["Modulus"])


@pytest.mark.parametrize("method", Method)
@pytest.mark.parametrize("width", [3, 10, 40, 254, 512])
def test_exponentiation(width: int, method: Method) -> None:
    rng = Random(width)
    for m in [*edge_moduli(width)[:4], *edge_moduli(width)[-4:]]:
        params = shaped(Width=width, Modulus=m)
        board = model.Board(params)
        for exponent in (0, 1, rng.getrandbits(width) | 1 << (width - 1)):
            x = rng.randrange(m)
            assert driving.power(params, board, x, exponent, method) == pow(x, exponent, m)


def test_regular_exponentiations_take_the_same_accesses_but_for_their_choice() -> None:
    few, many = (driving.exponentiation(W254, 3, e, Method.REGULAR, bits=254) for e in (1, (1 << 254) - 1))
    fold = {MULT_B3: MULT_B1}
    assert [(w, fold.get(a, a)) for w, a, _ in few] == [(w, fold.get(a, a)) for w, a, _ in many]


@pytest.mark.parametrize("m", [0, 1, 2, 64, (1 << 254) + 1])
def test_illegal_moduli_are_refused(m: int) -> None:
    with pytest.raises(IllegalModulusError):
        model.Board(W254 | {"Modulus": m})


@pytest.mark.parametrize("name", ["w254", "w512", "w1024"])
def test_the_fixed_primes(name: str) -> None:
    """As core.toml says they were made; a prime passes Fermat's test to many bases."""
    params = resolve_memory(f"mod_product:{name}").params
    width, m = params["Width"], params["Modulus"]
    seed = int.from_bytes(shake_256(f"perle mod_product {width}".encode()).digest(width // 8 + 1), "big")
    start = seed % (1 << (width - 1)) | 1 << (width - 1) | 1
    assert 0 <= m - start < 4000
    assert all(pow(base, m - 1, m) == 1 for base in (2, 3, 5, 7, 11, 13))
    assert all(pow(2, c - 1, c) != 1 for c in range(start, m, 2))


def cycle_table() -> str:
    """Return the table of the README."""
    table = Table(("config", "k", "β", "steps", "settling", "product", "words read"), right=range(1, 7))
    for name in memories()["mod_product"].configs:
        par = resolve_memory(f"mod_product:{name}").params
        steps, worst = model.steps(par), model.resolve_cycles_worst(par)
        least = 1 + par["DetectLatency"]
        first = (f"{least} … ", f"{steps + least} … ") if par["Fast"] else ("", "")
        cells = [f"`{name}`", par["RadixBits"], f"2^{model.r_exp(par)}", steps, f"{first[0]}{worst}"]
        cells += [f"{first[1]}{steps + worst}", driving.result_words(par)]
        table.add(*cells)
    return table.markdown()


def test_the_readme_says_so() -> None:
    text = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
    assert f"<!-- cycles:begin -->\n{cycle_table()}<!-- cycles:end -->" in text
    count = Counter((w, a) for w, a, _ in driving.exponentiation(W254, 3, 1 << 253))
    assert (count[True, WRITE_B], count[True, WRITE_B_ALIGN], count[False, READ_P]) == (12 + 8, 4, 10)
