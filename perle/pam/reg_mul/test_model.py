# SPDX-License-Identifier: Apache-2.0
"""The model against plain arithmetic: the paper's sequences, where the highest carry is lost, cycles."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perle.cores.registry import memories, resolve_memory
from perle.pam.reg_mul import model
from perle.pam.reg_mul.model import Access, Board, charge, close, mult
from perle.verify.strategies import moduli, operands

FAMILY = memories()["reg_mul"]
BOOTH = resolve_memory("reg_mul:booth").params
FULL = (1 << 256) - 1
ONE_WORD = [charge(0, 2, None), mult(1, 3, 4), close(5)]
SQUARE_512 = [*model.product_512([0, 1], [2, 3], [4, 5, 6, 7], [8, 9, 10, 11]), close(11)]


def split(value: int, words: int, width: int = 256) -> list[int]:
    return [value >> (width * i) & ((1 << width) - 1) for i in range(words)]


def joined(words: Sequence[int], width: int = 256) -> int:
    return sum(word << (width * i) for i, word in enumerate(words))


def after(program: Sequence[Access], values: Sequence[int]) -> list[int]:
    """Return the registers after a program that starts with `values` in the first ones."""
    board = Board(BOOTH)
    board.registers[: len(values)] = values
    board.run(program)
    return board.registers


def one_word(a: int, b: int, s: int) -> int:
    return joined(after(ONE_WORD, [a, b, *split(s, 2)])[4:6])


def product_512(a: int, b: int, s: int) -> int:
    values = [*split(a, 2), *split(b, 2), *split(s, 4)]
    return joined(after(SQUARE_512, values)[8:12])


# -- the paper's sequences


@given(operands(1 << 256), operands(1 << 768), operands(1 << 1023))
def test_256_by_768_bits_in_five_instructions(a: int, b: int, s: int) -> None:
    s = min(s, (1 << 1024) - 1 - a * b)
    program = [*model.product_row(0, [1, 2, 3], [4, 5, 6, 7], [8, 9, 10]), close(11)]
    assert program == [
        charge(0, 4, None),
        mult(1, 5, 8),
        mult(2, 6, 9),
        mult(3, 7, 10),
        charge(None, None, 11),
    ]
    assert joined(after(program, [a, *split(b, 3), *split(s, 4)])[8:12]) == a * b + s


@given(operands(1 << 512), operands(1 << 512), operands(1 << 512))
def test_512_by_512_bits_of_any_value_with_a_summand_of_512(a: int, b: int, s: int) -> None:
    assert product_512(a, b, s) == a * b + s


@given(operands(1 << 508), operands(1 << 508), operands(1 << 764))
def test_508_by_508_bits_with_a_summand_of_764(a: int, b: int, s: int) -> None:
    assert product_512(a, b, s) == a * b + s


def test_products_of_512_bits_take_six_instructions_each_and_one_to_end() -> None:
    """Each opening Charge stores the highest word of the previous product; a square needs nothing more."""
    rng, board, program = Random(512), Board(BOOTH), []
    values = [rng.getrandbits(256) for _ in range(8)]
    board.registers[:8] = values
    pairs = [([0, 1], [2, 3]), ([4, 5], [6, 7]), ([0, 1], [0, 1])]
    closes = None
    for i, (a, b) in enumerate(pairs):
        p = range(8 + 4 * i, 12 + 4 * i)
        program += model.product_512(a, b, [None] * 4, p, closes)
        closes = p[3]
    program.append(close(closes))
    assert len(program) == 6 * len(pairs) + 1
    board.run(program)
    for i, (a, b) in enumerate(pairs):
        expected = joined([values[n] for n in a]) * joined([values[n] for n in b])
        assert joined(board.registers[8 + 4 * i : 12 + 4 * i]) == expected


def test_512_by_512_plus_1024_is_102_instructions_with_all_operands_transferred() -> None:
    words = [16 + 16 + 32, 6, 32]
    loads = [access for n in range(8) for access in model.write_register(BOOTH, n, 0)]
    reads = [access for n in range(8, 12) for access in model.read_register(BOOTH, n)]
    assert [len(loads), len(SQUARE_512) - 1, len(reads)] == words
    assert sum(words) == 102


@given(moduli(254), st.data())
def test_montgomery_in_three_multiplies_is_closed(m: int, data: st.DataObject) -> None:
    x, y = data.draw(operands(2 * m)), data.draw(operands(2 * m))
    program = [*model.montgomery(0, 1, 2, 3, scratch=[4, 5, 6]), close(7)]
    result = after(program, [x, y, m, -pow(m, -1, 1 << 256) % (1 << 256)])[7]
    assert result < 2 * m
    assert (result << 256) % m == x * y % m
    assert result == model.montgomery_value(256, x, y, m)
    assert sum(access.addr >> 18 == model.Op.MULT for access in program) == 3


def test_a_chain_of_montgomery_squares_stays_in_registers() -> None:
    """R[0] ← R[0]² repeatedly: the Charge that opens a square stores the previous one into its operand."""
    m, board = (1 << 254) - 127, Board(BOOTH)
    board.registers[:4] = [expected := 2 * m - 1, 0, m, -pow(m, -1, 1 << 256) % (1 << 256)]
    closes = None
    for _ in range(1000):
        board.run(model.montgomery(0, 0, 2, 3, scratch=[4, 5, 6], closes=closes))
        expected, closes = model.montgomery_value(256, expected, expected, m), 0
        assert board.acc == expected < 2 * m
    board.run([close(0)])
    assert board.registers[0] == expected


# -- the 257th bit


def test_the_carry_is_lost_by_the_closing_charge() -> None:
    exact = FULL * FULL + (1 << 512) - 1
    assert one_word(FULL, FULL, (1 << 512) - 1) == exact - (1 << 512)


def test_the_carry_counts_in_the_next_mult() -> None:
    """Mult(-, -, p) moves all of ACC: with one more instruction, nothing is lost."""
    program = [charge(0, 2, None), mult(1, 3, 4), mult(None, None, 5), close(6)]
    assert joined(after(program, [FULL] * 4)[4:7]) == FULL * FULL + (1 << 512) - 1


def test_how_often_random_operands_lose_a_carry() -> None:
    rng = Random(257)
    lost = sum(
        one_word(a, b, s) != a * b + s
        for a, b, s in (
            (rng.getrandbits(256), rng.getrandbits(256), rng.getrandbits(512)) for _ in range(1000)
        )
    )
    assert 200 < lost < 300  # a·b + s ≥ 2^512 for one in four


def test_a_row_loses_a_carry_exactly_when_its_sum_is_too_long() -> None:
    """Every a, b, s at four bits."""
    params = FAMILY.complete({"Width": 4, "WordBits": 4})
    board = Board(params)
    board.registers[:16] = range(16)
    for s1, s0, a, b in ((i >> 12, i >> 8 & 15, i >> 4 & 15, i & 15) for i in range(1 << 16)):
        board.run([charge(a, s0, None), mult(b, s1, 16), close(17)])
        exact = a * b + 16 * s1 + s0
        assert board.registers[16] + 16 * board.registers[17] == exact % 256


def test_508_bits_lose_a_carry_in_the_middle_if_the_summand_has_1016() -> None:
    """The first row is 256 × 508 + 768 bits, and its third word of S leaves no headroom."""
    a = b = (1 << 508) - 1
    s = FULL << 512
    assert a * b + s < 1 << 1024
    assert product_512(a, b, s) == a * b + s - (1 << 768)


def never_lost(a: Sequence[int], b: Sequence[int], s: Sequence[int]) -> None:
    """Rows of products of 254-bit words: ACC never has more than 255 bits."""
    board = Board(BOOTH)
    for word in a:
        board.registers[:3] = [word, b[0], s[0]]
        board.run([charge(0, 2, 3)])
        for multiplier, summand in zip(b, s[1:], strict=True):
            board.registers[1:3] = [multiplier, summand]
            board.run([mult(1, 2, 3)])
            assert board.acc < 1 << 255


WORDS_254 = st.lists(operands(1 << 254), min_size=4, max_size=4)


@given(WORDS_254, WORDS_254, WORDS_254, operands(1 << 254))
def test_words_of_254_bits_never_lose_a_carry(a: list[int], b: list[int], s: list[int], last: int) -> None:
    never_lost(a, b, [*s, last])


def test_the_largest_words_of_254_bits_never_lose_a_carry() -> None:
    most = [(1 << 254) - 1] * 50
    never_lost(most[:4], most, [*most, most[0]])


@given(operands(1 << 254), operands(1 << 254), operands((1 << 512) - (1 << 508)))
def test_products_of_254_bits_never_lose_a_carry(a: int, b: int, s: int) -> None:
    assert one_word(a, b, s) == a * b + s


# -- instructions


def test_charge_sees_what_it_stores_and_mult_reads_before_it_stores() -> None:
    board = Board(BOOTH)
    board.registers[:3] = [3, 5, 7]
    board.run([charge(0, 1, None), mult(2, 0, 2)])  # 3·7 + 5
    assert (board.registers[2], board.acc) == (26, 3)
    board.run([charge(2, 2, 2)])
    assert (board.registers[2], board.a, board.acc) == (3, 3, 3)
    board.run([mult(1, 1, 1)])  # 3·5 + 3
    assert (board.registers[1], board.acc) == (18, 5)


def test_a_dash_is_zero_as_a_source_and_nothing_as_a_destination() -> None:
    board = Board(BOOTH)
    board.registers[:] = range(1, 33)
    before = list(board.registers)
    board.run([charge(5, 6, None), mult(None, None, None), charge(None, None, None), mult(7, None, None)])
    assert (board.registers, board.a, board.acc) == (before, 0, 0)
    assert charge(None, None, None).addr == 1 << 18
    assert mult(0, 31, None).addr == 2 << 18 | 32 << 12 | 63 << 6


def test_words_and_undefined_instructions() -> None:
    board = Board(BOOTH)
    value = Random(8).getrandbits(256)
    board.run(model.write_register(BOOTH, 31, value))
    assert board.registers == [0] * 31 + [value]
    assert model.join(BOOTH, board.run(model.read_register(BOOTH, 31))) == value
    for write, addr in [(True, 256), (False, 256), (False, 1 << 18), (False, 2 << 18), (True, 3 << 18)]:
        before = board.cycles
        assert board.access(write, addr, FULL) == 0
        assert board.cycles == before + 1
    assert board.registers == [0] * 31 + [value]


# -- cycles


@pytest.mark.parametrize(
    ("name", "mult_cycles", "charge_cycles"),
    [("serial", 260, 267), ("booth", 132, 139), ("booth512", 260, 275)],
)
def test_cycles(name: str, mult_cycles: int, charge_cycles: int) -> None:
    params = resolve_memory(f"reg_mul:{name}").params
    assert (model.mult_cycles(params), model.charge_cycles(params)) == (mult_cycles, charge_cycles)
    for instruction, cycles in ((mult(0, 1, 2), mult_cycles), (charge(0, 1, 2), charge_cycles)):
        for gap in (0, 1, 100, cycles - 2, cycles - 1, cycles, 1000):
            board = Board(params)
            board.run([instruction])
            board.advance(gap)
            left = max(0, cycles - 1 - gap)
            assert board.wait(True, mult(3, 4, 5).addr) == left
            pending, other = model.read_word(params, 2, 0), model.read_word(params, 3, 0)
            assert board.wait(False, pending.addr) == left + 1
            assert board.wait(False, other.addr) <= min(left, 1 + model.segments(params) + 3) + 1


def test_the_readme_tells_these_cycles() -> None:
    text = (FAMILY.folder / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|((?: [\d,]+ \|)+)$", text, re.MULTILINE)
    assert [name for name, _ in rows] == list(FAMILY.configs)
    for name, cells in rows:
        params = resolve_memory(f"reg_mul:{name}").params
        board = Board(params)
        board.run([*model.montgomery(0, 0, 1, 2, [3, 4, 5]), close(0)])
        montgomery = board.cycles - 1  # to the Charge that closes it, as in a chain
        told = [int(cell.replace(",", "")) for cell in cells.strip(" |").split(" | ")]
        width = params["Width"]
        sums = [
            model.mult_cycles(params),
            model.charge_cycles(params),
            montgomery,
            model.clear_cycles(params),
        ]
        assert told == [width, params["BitsPerCycle"], *sums]
