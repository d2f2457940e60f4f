# SPDX-License-Identifier: Apache-2.0
"""The model of the chain against the oracle: exact value, closed range, OpReduce, the paper's cycles."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perle.cores.registry import family, resolve
from perle.cores.scalable import model
from perle.papers import load
from perle.spec import IllegalModulusError, mont
from perle.verify.cases import edge_moduli, edge_operands
from perle.verify.strategies import moduli, operands

KINDS = {"r2": model.R2, "r4": model.R4, "b4": model.B4}
WIDE = ["r2_w16_p16_n256", "r4_w16_p8_n256", "b4_w16_p8_n256"]


def shape(width: int, word: int, elements: int, kind: int) -> dict[str, int]:
    """Return a parameter set."""
    return family("scalable").complete(
        {"Width": width, "WordWidth": word, "Elements": elements, "Kind": kind}
    )


def check(params: dict[str, int], m: int, x: int, y: int, n: int) -> None:
    """One product on n bits: congruent, in range, equal to the closed form; and its OpReduce."""
    z = model.mont(params, m, x, y, n)
    r = 1 << model.r_exp_for(params, n)
    assert z % m == mont(x, y, m, r)
    assert 0 <= z < model.operand_limit(params, m)
    assert z == model.mont_value(params, m, x, y, n)
    assert model.reduce(params, m, z, n) == mont(z, 1, m, r)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_tiny_widths_exhaustively_over_the_redundant_range(kind: int) -> None:
    params = shape(4, 4, 3, kind)
    for n in (3, 4):
        for m in range(3, 1 << n, 2):
            limit = model.operand_limit(params, m)
            for x in range(limit):
                for y in range(limit):
                    check(params, m, x, y, n)


@pytest.mark.parametrize("name", WIDE)
def test_edges(name: str) -> None:
    params = resolve(f"scalable:{name}").params
    for m in edge_moduli(256):
        edges = edge_operands(m, model.operand_limit(params, m))
        for x in edges:
            check(params, m, x, edges[-1], 256)
            check(params, m, edges[-1], x, m.bit_length())


@given(
    st.sampled_from(list(KINDS.values())),
    st.integers(3, 200),
    st.sampled_from([4, 8, 16, 32]),
    st.integers(1, 40),
    st.data(),
)
def test_any_shape_any_odd_modulus(
    kind: int, width: int, word: int, elements: int, data: st.DataObject
) -> None:
    params = shape(width, word, elements, kind)
    m = data.draw(moduli(width), "M")
    limit = model.operand_limit(params, m)
    n = data.draw(st.integers(max(3, m.bit_length()), width), "n")
    check(params, m, data.draw(operands(limit), "x"), data.draw(operands(limit), "y"), n)
    check(params, m, limit - 1, limit - 1, max(3, m.bit_length()))


@pytest.mark.parametrize("name", WIDE)
def test_chain_of_a_thousand_squares_never_leaves_the_range(name: str) -> None:
    params = resolve(f"scalable:{name}").params
    for m in edge_moduli(256):
        n = m.bit_length()
        limit, r = model.operand_limit(params, m), 1 << model.r_exp_for(params, n)
        z, expected = limit - 1, (limit - 1) % m
        for _ in range(1000):
            z, expected = model.mont_value(params, m, z, z, n), mont(expected, expected, m, r)
            assert 0 <= z < limit
            assert z % m == expected


def test_the_printed_bound_is_too_small_for_radix_4() -> None:
    """With n2 = n + v + 2 as printed, M ≡ 1 (mod 4) leaves the range; with n2 = n + 2v + 2 it does not."""
    v, n = 2, 256
    m = (1 << n) - 3
    mt, limit = 3 * m, 6 * m
    for n2, closed in ((n + v + 2, False), (n + 2 * v + 2, True)):
        r = 1 << v * (-(-n2 // v) - 1)
        z, squares = limit - 1, 0
        while z < limit and squares < 1000:
            z, squares = (z * z + -z * z * pow(mt, -1, r) % r * mt) // r, squares + 1
        assert (z < limit) == closed


@pytest.mark.parametrize(
    ("kind", "m", "word"), [(model.R2, (1 << 30) - 1, 32), (model.R4, (1 << 29) - 3, 32)], ids=["r2", "r4"]
)
def test_the_printed_words_are_too_few(kind: int, m: int, word: int) -> None:
    """Where n1 = n + v + 1 bits exactly fill e words, the running sum of a legal product needs one more."""
    n = m.bit_length()
    params = shape(n, word, 1, kind)
    printed = -(-(n + model.radix_bits(params) + 1) // word)
    assert model.words(params, n) == printed + 1
    limit = model.operand_limit(params, m)
    chain, widest = model.Chain(params, n, m), 0
    digit = (1 << model.radix_bits(params)) - 1
    for _ in range(model.iterations(params, n)):
        chain.step(digit, limit - 1)
        widest = max(widest, chain.s)
    assert widest >> word * printed


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_multiples_of_m_become_zero(kind: int) -> None:
    params = shape(64, 16, 4, kind)
    for m in ((1 << 64) - 59, (1 << 64) - 3, 3, 5):
        for k in range(model.operand_limit(params, m) // m):
            assert model.reduce(params, m, k * m) == 0


def test_every_multiple_occurs_on_the_way_out_of_radix_4() -> None:
    """Products with 1 reach 3M: all three comparisons are needed."""
    params = shape(6, 8, 4, model.R4)
    m = 61
    products = {model.mont(params, m, 1, y) // m for y in range(model.operand_limit(params, m))}
    assert products == {0, 1, 2, 3}


@pytest.mark.parametrize("m", [0, 1, 2, 64, (1 << 64) + 1])
def test_illegal_moduli_are_refused(m: int) -> None:
    with pytest.raises(IllegalModulusError):
        model.constants(shape(64, 16, 4, model.R4), m)


def test_operand_widths_beyond_the_hardware_or_below_the_modulus_are_refused() -> None:
    params = shape(64, 16, 4, model.R4)
    assert model.constants(params, 1025, 11)["bits"] == 11
    with pytest.raises(IllegalModulusError, match="11 bits, more than 10"):
        model.constants(params, 1025, 10)
    with pytest.raises(ValueError, match="65 bits on hardware for 64"):
        model.constants(params, 1025, 65)


@pytest.mark.parametrize(("element", "printed"), [("r2", "r2"), ("r4", "r4"), ("b4", "r4b")])
def test_kernel_cycles_are_those_of_table_2(element: str, printed: str) -> None:
    paper = load("carter2012")
    rows = [name for name in paper.claims if name.startswith(f"cycles_{printed}_p")]
    assert len(rows) == 3
    for row in rows:
        elements = int(row.rpartition("p")[2])
        params = resolve(f"scalable:{element}_w16_p{elements}_n256").params
        assert params["Elements"] == elements
        assert model.kernel_cycles(params, 256) == paper[row].number


def test_time_follows_the_operand_width() -> None:
    params = resolve("scalable:r4_w32_p64_n4096").params
    times = [model.mul_cycles_for(params, n) for n in (512, 1024, 2048, 4096)]
    assert times == sorted(set(times))
    assert times[-1] == model.mul_cycles(params)


def test_timing_diagram_shows_the_latency_and_the_kernel() -> None:
    """The response is in the model's cycle; the result's first word is kernel_cycles after that of y."""
    params = shape(8, 4, 2, model.R2)
    drawn = json.loads((family("scalable").folder / "timing.json").read_text(encoding="utf-8"))
    lanes = {lane["name"]: lane for lane in drawn["signal"] if lane}
    gap = lanes["cycle"]["wave"].index("|")

    def cycle(column: int) -> int:
        return int(lanes["cycle"]["data"][column - (column > gap)])

    assert cycle(lanes["rsp_valid_o"]["wave"].index("1")) == model.mul_cycles(params)
    begin = cycle(lanes["element 0"]["wave"].index("3"))
    end = cycle(lanes["out of FIFO"]["wave"].index("6"))
    assert end - begin == model.kernel_cycles(params, 8)
