# SPDX-License-Identifier: Apache-2.0
"""The model of the columns against the oracle: exact value, closed range, OpReduce, the paper's cycles."""

from __future__ import annotations

from itertools import accumulate
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perle.cores.bit_systolic import model
from perle.cores.iterative import model as iterative
from perle.cores.registry import Config, family, resolve
from perle.papers import load
from perle.spec import IllegalModulusError, mont
from perle.verify.cases import edge_moduli, edge_operands, random_modulus
from perle.verify.strategies import moduli, operands


def sized(width: int) -> Config:
    """Return a row of any width."""
    return Config(family("bit_systolic"), f"any{width}", family("bit_systolic").complete({"Width": width}))


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


@pytest.mark.parametrize("name", ["w64", "w128"])
def test_edges(name: str) -> None:
    config = resolve(f"bit_systolic:{name}")
    for m in edge_moduli(config.width):
        edges = edge_operands(m, model.operand_limit(config.params, m))
        for x in edges:
            check(config, m, x, edges[-1])
            check(config, m, edges[-1], x)


@given(st.integers(2, 150), st.data())
def test_any_width_any_odd_modulus(width: int, data: st.DataObject) -> None:
    m = data.draw(moduli(width), "M")
    check(sized(width), m, data.draw(operands(2 * m), "x"), data.draw(operands(2 * m), "y"))


@given(st.integers(2, 150), st.data())
def test_any_operand_of_the_line_stays_in_the_row(width: int, data: st.DataObject) -> None:
    """Operands beyond 2·M have no guaranteed range, but their result still has no bit n."""
    m, line = data.draw(moduli(width), "M"), operands(1 << (width + 1))
    z = model.mont(sized(width).params, m, data.draw(line, "x"), data.draw(line, "y"))
    assert z < 1 << (width + 1)


def test_closed_form_chain_never_leaves_the_range() -> None:
    params = resolve("bit_systolic:w1024").params
    for m in edge_moduli(1024):
        limit = model.operand_limit(params, m)
        z, r, expected = limit - 1, 1 << model.r_exp(params), (limit - 1) % m
        for _ in range(1000):
            z, expected = model.mont_value(params, m, z, z), mont(expected, expected, m, r)
            assert z < limit
            assert z % m == expected


def test_it_is_the_iterative_multiplier_unrolled() -> None:
    """Bit for bit the same products: boards of both families are interchangeable."""
    rng = Random(3)
    for width in (2, 9, 64):
        params = family("iterative").complete({"Width": width})
        for _ in range(100):
            m = random_modulus(rng, width)
            x, y = rng.randrange(2 * m), rng.randrange(2 * m)
            assert model.mont(sized(width).params, m, x, y) == iterative.mont(params, m, x, y)
            assert model.r_exp(sized(width).params) == iterative.r_exp(params)


def as_printed(n: int, m: int, a: int, b: int) -> int:
    """Figure 6 as printed: the carry runs on, the sum stays at j, r_(j+1) is added to x_j."""
    mb, carry, r = m + b, 0, [0] * (n + 2)
    for i in range(n + 1):
        q = r[0] ^ (a >> i & b & 1)
        x = [0, m, b, mb][2 * (a >> i & 1) + q]
        for j in range(n + 1):
            total = r[j + 1] + (x >> j & 1) + carry
            r[j], carry = total & 1, total >> 1
    return sum(bit << j for j, bit in enumerate(r))


def test_figure_6_as_printed_is_wrong() -> None:
    """For hardly any operands below M does the printed loop give the product."""
    n, right, tried = 6, 0, 0
    for m in range(33, 64, 2):
        for a in range(1, m, 5):
            for b in range(1, m, 3):
                tried += 1
                right += as_printed(n, m, a, b) % m == mont(a, b, m, 1 << (n + 1))
    assert tried > 2000
    assert right < tried / 10


def test_the_left_border_needs_its_own_bit() -> None:
    """Figure 9 assumes r_n = 0, which operands below M of n bits already violate."""
    n, m = 6, 63
    a = b = m - 1
    s = peak = 0
    for i in range(n):
        s += (a >> i & 1) * b
        s = (s + (s & 1) * m) >> 1
        peak = max(peak, s)
    assert peak >> n == 1


def test_only_m_itself_leaves_as_m() -> None:
    params = sized(6).params
    for m in range(3, 64, 2):
        assert [y for y in range(2 * m) if model.mont(params, m, 1, y) >= m] == [m]
        assert model.reduce(params, m, m) == 0


@pytest.mark.parametrize("m", [0, 1, 2, 64, (1 << 64) + 1])
def test_illegal_moduli_are_refused(m: int) -> None:
    params = resolve("bit_systolic:w64").params
    for refused in (model.constants, model.operand_limit):
        with pytest.raises(IllegalModulusError):
            refused(params, m)


@pytest.mark.parametrize("name", ["w128", "w256", "w512", "w1024"])
def test_cycles_are_those_of_the_paper(name: str) -> None:
    """For operands of n bits 2n + 3 to the first bit as printed, 3n + 3 to the last; 5 for ports and FIFO."""
    paper, params = load("nedjah2002"), resolve(f"bit_systolic:{name}").params
    n = model.operand_bits(params)
    assert model.first_bit_cycles(params) == paper.compute(f"first_bit(n={n})")
    assert model.first_bit_cycles(params) == paper.compute(f"out_bit(n={n}, j=0) + extra")
    assert model.mul_cycles(params) == model.reduce_cycles(params) == model.last_bit_cycles(params) + 5
    assert model.mul_cycles(params) == 3 * n + 8
    assert model.last_bit_cycles(params) == paper.compute(f"out_bit(n={n}, j={n}) + extra")
    assert model.rows(params) == paper.compute(f"rows(n={n})")
    assert sum(model.start_gaps(params)) == 2 * model.interval(params) == 2 * (n + 1)


def acceptances(params: model.Params, count: int) -> list[int]:
    """Return the cycles in which operations are accepted if one is always waiting."""
    taken: list[int] = []
    now = 0
    while len(taken) < count:
        if model.admits(params, taken, now):
            taken.append(now)
        now += 1
    return taken


@pytest.mark.parametrize("width", [6, 7, 64, 129, 512])
def test_what_is_in_flight_covers_the_latency(width: int) -> None:
    """Enough operations may be in flight to saturate the row: only the initiation interval is a limit."""
    params = sized(width).params
    one, other = model.start_gaps(params)
    assert acceptances(params, 8) == list(accumulate([one, other, one, other, one, other, one], initial=0))


def test_a_row_of_less_than_six_bits_waits_for_its_queue() -> None:
    params = sized(5).params
    assert acceptances(params, 5)[4] > 2 * sum(model.start_gaps(params))
