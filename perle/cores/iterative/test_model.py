# SPDX-License-Identifier: Apache-2.0
"""The model against the oracle: exact value, closed range, canonical OpReduce, tight bounds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perle.cores.iterative import model
from perle.cores.registry import Config, family, resolve
from perle.spec import IllegalModulusError, mont
from perle.verify.cases import edge_moduli, edge_operands
from perle.verify.strategies import moduli, operands


def sized(width: int, paper: int = 0, segment: int = 32) -> Config:
    """Return a configuration of any width."""
    params = family("iterative").complete({"Width": width, "PaperStates": paper, "Segment": segment})
    return Config(family("iterative"), f"any{width}", params)


def check(config: Config, m: int, x: int, y: int) -> None:
    """Check one product of the model: congruent, in range, equal to the closed form; and its OpReduce."""
    par = config.params
    z = model.mont(par, m, x, y)
    r = 1 << model.r_exp(par)
    assert z % m == mont(x, y, m, r)
    assert z < model.operand_limit(par, m) <= 1 << model.operand_bits(par)
    assert z == model.mont_value(par, m, x, y)
    assert model.reduce(par, m, z) == mont(z, 1, m, r)


def test_every_operand_of_every_odd_modulus_below_32() -> None:
    config = sized(5)
    for m in range(3, 32, 2):
        for x in range(2 * m):
            for y in range(2 * m):
                check(config, m, x, y)


@pytest.mark.parametrize("name", ["w64", "w128", "w512"])
def test_edges(name: str) -> None:
    config = resolve(f"iterative:{name}")
    for m in edge_moduli(config.width):
        edges = edge_operands(m, model.operand_limit(config.params, m))
        for x in edges:
            for y in edges:
                check(config, m, x, y)


@given(st.integers(2, 300), st.data())
def test_any_width_any_odd_modulus(width: int, data: st.DataObject) -> None:
    m = data.draw(moduli(width), "M")
    check(sized(width), m, data.draw(operands(2 * m), "x"), data.draw(operands(2 * m), "y"))


@given(st.integers(2, 200), st.data())
def test_any_operand_of_the_line_stays_in_the_registers(width: int, data: st.DataObject) -> None:
    """Operands beyond 2·M have no guaranteed range, but the assertions of the model on its sums hold."""
    m, line = data.draw(moduli(width), "M"), operands(1 << (width + 1))
    z = model.mont(sized(width).params, m, data.draw(line, "x"), data.draw(line, "y"))
    assert z < 1 << (width + 1)


def test_closed_form_chain_never_leaves_the_range() -> None:
    params = resolve("iterative:w1024").params
    for m in edge_moduli(1024):
        limit = model.operand_limit(params, m)
        z, r, expected = limit - 1, 1 << model.r_exp(params), (limit - 1) % m
        for _ in range(1000):
            z, expected = model.mont_value(params, m, z, z), mont(expected, expected, m, r)
            assert z < limit
            assert z % m == expected


@pytest.mark.parametrize("segment", [2, 3])
def test_segments_make_the_same_of_every_operand_of_every_odd_modulus(segment: int) -> None:
    """One segment, two, three; assertions in the model check the range of every register."""
    for width in range(2, 7):
        params = sized(width, segment=segment).params
        for m in range(3, 1 << width, 2):
            for x in range(0, 2 * m, 1 if width < 6 else 5):
                for y in range(2 * m):
                    assert model.by_segments(params, m, x, y) == model.mont_value(params, m, x, y)


@given(st.integers(2, 300), st.sampled_from([2, 3, 8, 16, 32, 64]), st.data())
def test_segments_make_the_same(width: int, segment: int, data: st.DataObject) -> None:
    """Any operand of OperandBits, any width, any segments."""
    m, line = data.draw(moduli(width), "M"), operands(1 << (width + 1))
    x, y = data.draw(line, "x"), data.draw(line, "y")
    params = sized(width, segment=segment).params
    assert model.by_segments(params, m, x, y) == model.mont_value(params, m, x, y)


def test_a_segment_needs_the_two_bits_above_it() -> None:
    """The carry out of a segment at the end reaches 2: one bit is not enough."""
    top, segment = 0, 3
    for m in range(1, 64, 2):
        b, mod, s = 7, m >> 3 & 7, 0
        for i in range(20):
            s = ((s + b + (i % 3 > 0) * mod) >> 1) + (1 << (segment - 1))
            top = max(top, s >> segment)
    assert top == 2


def test_one_iteration_less_would_not_be_closed() -> None:
    """Width + 1 iterations: some products of operands below 2·M reach 2·M."""
    m = 63
    r = 1 << 7
    worst = max((x * y + (-x * y * pow(m, -1, r)) % r * m) // r for x in range(2 * m) for y in range(2 * m))
    assert worst >= 2 * m
    assert max(model.mont(sized(6).params, m, x, y) for x in range(2 * m) for y in range(2 * m)) < 2 * m


def test_the_running_sum_needs_all_of_its_bits() -> None:
    """S exceeds OperandBits between iterations: Width + 2 bits are needed, not Width + 1."""
    m, width = 61, 6
    a, r, peak = 2 * m - 1, 0, 0
    for i in range(width + 2):
        r += (a >> i & 1) * (2 * m - 1)
        r = (r + (r & 1) * m) >> 1
        peak = max(peak, r)
    assert 1 << (width + 1) <= peak < 1 << (width + 2)


def test_only_m_itself_leaves_as_m() -> None:
    """The product by 1 is at most M, and equals M only for y = M, which OpReduce replaces by 0."""
    params = sized(6).params
    for m in range(3, 64, 2):
        assert [y for y in range(2 * m) if model.mont(params, m, 1, y) >= m] == [m]
        assert model.reduce(params, m, m) == 0


@pytest.mark.parametrize("m", [0, 1, 2, 64, (1 << 64) + 1])
def test_illegal_moduli_are_refused(m: int) -> None:
    params = resolve("iterative:w64").params
    for refused in (model.constants, model.operand_limit):
        with pytest.raises(IllegalModulusError):
            refused(params, m)


def test_cycles() -> None:
    """One cycle per bit, or three; plus the load, and a comparison or the carries of the segments."""
    for width in (64, 1024, 4096):
        whole, paper = sized(width, segment=0).params, sized(width, 1).params
        assert model.mul_cycles(whole) == width + 3
        assert model.reduce_cycles(whole) == width + 4
        assert model.mul_cycles(paper) == model.reduce_cycles(paper) == 3 * (width + 2) + 1
        for segment in (2, 32, 64):
            params = sized(width, segment=segment).params
            count = -(-(width + 1 - 5) // segment)
            assert model.mul_cycles(params) == model.reduce_cycles(params) == width + count + 8


def test_the_papers_configurations_are_whole() -> None:
    for name in family("iterative").configs:
        assert model.segmented(resolve(f"iterative:{name}").params) == (not name.endswith("_paper"))
