# SPDX-License-Identifier: Apache-2.0
"""What libperle derives of a modulus is what the families' models say: every configuration, any parameters.

No board is simulated: libperle is told what a board says of itself, and what its build tells.
"""

from __future__ import annotations

import ctypes as c
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from perle.boards.wrapper import engine
from perle.cores import registry
from perle.cores.registry import Config, Family, UnknownCoreError, run_time_width
from perle.flow import host_make
from perle.host.key import PerleError

FAMILIES = registry.families()
NAMED = [family.config(name) for family in FAMILIES.values() for name in family.configs]
SIZE = 1 << 16

Derive = Callable[..., int]


@pytest.fixture(scope="session")
def derive() -> Derive:
    """Return `test_derive` of host/tests/derive.cpp."""
    product = host_make.of_tests("derive.so", "derive", "constants without a board")
    function: Derive = c.CDLL(str(product)).test_derive
    return function


def derived(derive: Derive, config: Config, m: int, told: dict[str, int], word_bits: int = 64) -> list[int]:
    """Return r_exp, the limit of cycles, the bound of operands, R² mod M and the constants, M first."""
    family = config.family
    said = (family.id, config.width, config.operand_bits, word_bits, 1 + len(family.constants))
    data, out = m.to_bytes(-(-m.bit_length() // 8), "big"), c.create_string_buffer(SIZE)
    names = (c.c_char_p * len(told))(*(name.encode() for name in told))
    values = (c.c_long * len(told))(*told.values())
    status = derive(
        *((c.c_uint32 * len(said))(*said), names, values, c.c_size_t(len(told))),
        *(data, c.c_size_t(len(data)), out, c.c_size_t(SIZE)),
    )
    text = out.value.decode()
    if status != 0:
        raise PerleError(status, "", text)
    r_exp, limit, *numbers = text.split()
    return [int(r_exp), int(limit), *(int(number, 16) for number in numbers)]


def expected(config: Config, m: int) -> list[int]:
    """Return the same from the family's model, without the limit of cycles."""
    model, params, sized = config.model, config.params, run_time_width(config)
    n = m.bit_length()
    r_exp = sized.r_exp_for(params, n) if sized else model.r_exp(params)
    named = sized.constants(params, m, n) if sized else model.constants(params, m)
    constants = [m, *(named[name] for name in config.family.constants)]
    return [r_exp, model.operand_limit(params, m), pow(1 << r_exp, 2, m), *constants]


def slowest(config: Config) -> int:
    """Return the cycles of the slowest product there is, on a board with lanes too."""
    model, params = config.model, config.params
    cycles = [model.mul_cycles(params), model.reduce_cycles(params)]
    if own := engine(config, lanes=2):
        cycles.append(config.family.module(own.model).product_cycles(params))
    return max(cycles)


def moduli(width: int) -> list[int]:
    """Return moduli of every kind: all ones, next to a power of two, 1 and 3 modulo 4, full and short."""
    rng, top = Random(width), 1 << width
    full = top // 2 | rng.getrandbits(width - 1)
    drawn = (3, 5, top - 1, top // 2 + 1, full & ~3 | 1, full | 3, full >> 1 | 1)
    return sorted({m for m in drawn if 3 <= m < top})


def check(derive: Derive, config: Config) -> None:
    for m in moduli(config.width):
        r_exp, limit, *numbers = derived(derive, config, m, config.params)
        assert [r_exp, *numbers] == expected(config, m), hex(m)
        assert limit >= slowest(config)


@pytest.mark.parametrize("config", NAMED, ids=[config.spec for config in NAMED])
def test_named_configurations(derive: Derive, config: Config) -> None:
    check(derive, config)


@st.composite
def parameters(draw: st.DrawFn, family: Family) -> Config:
    """Draw any legal parameters, as often from the ends of their ranges as not."""
    chosen = {
        key: draw(st.sampled_from((par.lo, par.default, par.hi)) | st.integers(par.lo, par.hi))
        for key, par in family.params.items()
    }
    if "WordWidth" in chosen:
        chosen["WordWidth"] = 1 << draw(st.integers(2, 6))
    try:
        return Config(family, "drawn", family.complete(chosen))
    except UnknownCoreError:  # against a rule
        reject()


@pytest.mark.parametrize("name", FAMILIES)
def test_any_legal_parameters(derive: Derive, name: str) -> None:
    @settings(max_examples=100, deadline=None, derandomize=True)
    @given(parameters(FAMILIES[name]))
    def every(config: Config) -> None:
        check(derive, config)

    every()


@pytest.mark.parametrize("told", [{"Fold": 1}, {"Fold": 0}, {"Fold": 65}, {"RadixBits": 17}])
def test_parameters_that_do_not_go_with_the_widths(derive: Derive, told: dict[str, int]) -> None:
    config = registry.resolve("stream:w1024_f4")
    with pytest.raises(PerleError, match=f"{next(iter(told))} = {next(iter(told.values()))}"):
        derived(derive, config, 3, config.params | told)


def test_passes_that_are_not_told_are_one(derive: Derive) -> None:
    plain, folded = registry.resolve("stream:w1024"), registry.resolve("stream:w1024_f4")
    assert derived(derive, plain, 3, {"RadixBits": 18}) == derived(derive, plain, 3, plain.params)
    with pytest.raises(PerleError, match="RadixBits = 18 does not go"):
        derived(derive, folded, 3, {"RadixBits": 18})
