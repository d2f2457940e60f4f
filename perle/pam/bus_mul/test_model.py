# SPDX-License-Identifier: Apache-2.0
"""The model against plain arithmetic, against a row of full adders, and against the paper's counts."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, takewhile
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perle.cores.registry import memories, resolve_memory
from perle.pam.bus_mul import model
from perle.pam.bus_mul.model import READ_P, WRITE_A, WRITE_B, WRITE_S, Board, Carry, Product
from perle.papers import load

FIXED = resolve_memory("bus_mul:fixed512").params
VARIABLE = resolve_memory("bus_mul:variable512").params
WORDS, BITS = FIXED["Words"], FIXED["WordBits"]


def sized(words: int, variable: int, bits: int) -> model.Params:
    return memories()["bus_mul"].complete({"Words": words, "Variable": variable, "WordBits": bits})


def check(params: model.Params, products: list[Product], carry: Carry) -> None:
    """Every product of a pipelined sequence is exact; the row is empty at its end."""
    board = Board(params)
    reads = model.play(board, model.pipelined(params, products, carry))
    bits = params["WordBits"]
    for product, got in zip(products, model.results(params, products, reads, carry), strict=True):
        value = product.s + product.a * product.b
        if carry is not Carry.READ:
            value %= 1 << bits * (product.n + product.length(params))
        assert got == value >> bits * product.skip << bits * product.skip
    assert board.p[products[-1].length(params)] == 0


@pytest.mark.parametrize("variable", [0, 1])
def test_all_operands_of_a_small_row(variable: int) -> None:
    params = sized(2, variable, 2)
    for n in (1, 2):
        every = [
            Product(a, b, s, n) for a in range(16) for b in range(1 << 2 * n) for s in range(1 << 4 + 2 * n)
        ]
        check(params, every, Carry.READ)
        check(params, every, Carry.APART)
        check(params, [one for one in every if one.s + one.a * one.b < 1 << 4 + 2 * n], Carry.ABSENT)


@given(st.integers(1, 9), st.integers(0, 1), st.integers(2, 32), st.randoms(use_true_random=False))
def test_products_of_any_lengths(words: int, variable: int, bits: int, rng: Random) -> None:
    params, products = sized(words, variable, bits), []
    carry = rng.choice(list(Carry))
    for _ in range(rng.randint(1, 6)):
        n, size = rng.randint(1, 2 * words), rng.choice(model.lengths(params))
        a, b = rng.getrandbits(bits * size), rng.getrandbits(bits * n)
        room = (1 << bits * (n + size)) - (a * b if carry is Carry.ABSENT else 0)
        products.append(Product(a, b, rng.randrange(room), n, size, rng.choice([0, rng.randint(0, n)])))
        if rng.random() < 0.3:
            products.append(Product(a, b, rng.randrange(room), n, size, 0, same_a=True))
    check(params, products, carry)


@settings(max_examples=60)
@given(st.integers(1, 5), st.integers(2, 6), st.randoms(use_true_random=False))
def test_a_row_of_full_adders_does_the_same(words: int, bits: int, rng: Random) -> None:
    """Bit by bit, carries never resolved; for every length, the output is the word of the model."""
    params = sized(words, 1, bits)
    size = words * bits
    board, full = Board(params), (1 << size) - 1
    a = sums = carries = 0
    for _ in range(60):
        load, digit, s = rng.random() < 0.4, rng.getrandbits(bits), rng.getrandbits(bits)
        board.access(True, WRITE_A if load else WRITE_B, digit)
        before = dict(board.p)
        left = dict.fromkeys(before, 0)
        board.access(True, WRITE_S, s)
        for i in range(bits):
            addend = a if digit >> i & 1 and not load else 0
            parity = sums ^ carries ^ addend
            carries = sums & carries | addend & (sums | carries)
            for length in left:
                left[length] |= (parity >> size - bits * length & 1) << i
            sums = (parity | (s >> i & 1) << size) >> 1
            a = (a | (digit >> i & 1) << size) >> 1 if load else a
        assert a == board.a <= full
        for length, p in board.p.items():
            low = size - bits * length
            assert (sums >> low) + (carries >> low) == p < 1 << bits * length + 1
        assert left[board.tap] == board.p_out


def test_p_needs_513_bits() -> None:
    """All ones: bit 512 of P is used, and no higher bit ever is."""
    board = Board(FIXED)
    ones = (1 << BITS) - 1
    for instruction in (WRITE_A, WRITE_B):
        board.access(True, instruction, ones)
        for _ in range(40):
            board.access(True, WRITE_S, ones)
            assert board.p[WORDS] < 1 << WORDS * BITS + 1
    assert board.p[WORDS] >> WORDS * BITS == 1
    check(FIXED, [Product((1 << 512) - 1, (1 << 512) - 1, (1 << 1024) - 1, 16)] * 3, Carry.READ)


def test_figure_2() -> None:
    """Three products, pipelined and overlapped: the accesses of each row of the middle one."""
    n = 16
    rng = Random(2)
    products = [Product(rng.getrandbits(512), rng.getrandbits(512), rng.getrandbits(512), n)] * 3
    rows: list[dict[int, int]] = [{}]
    board = Board(FIXED)
    for write, addr, data in model.pipelined(FIXED, products):
        if rows[-1] and addr <= max(rows[-1]):
            rows.append({})
        rows[-1][addr] = board.access(write, addr, data) if not write else data
        if write:
            board.access(write, addr, data)
    assert len(rows) == 3 * (WORDS + n) + WORDS + 1
    a, b, s = (model._split(value, BITS, 32) for value in (products[1].a, products[1].b, products[1].s))
    p = model._split(products[1].s + products[1].a * products[1].b, BITS, 32)
    middle = rows[WORDS + n : 2 * (WORDS + n)]
    last = [*p[n - 1 :], *p[: n - 1]]  # the rows first read the previous product, then their own
    for i, row in enumerate(middle):
        buffer = {WRITE_A: a[i]} if i < WORDS else {WRITE_B: b[i - WORDS]}
        assert row == {**buffer, WRITE_S: s[i], READ_P: last[i]}


def test_latency_is_17_steps() -> None:
    steps, reads = 0, []
    board = Board(FIXED)
    for write, addr, data in model.multiply_accumulate(FIXED, Product(0, 0, 0, 16)):
        board.access(write, addr, data)
        steps += addr == WRITE_S
        if addr == READ_P:
            reads.append(steps)
    # the first WriteS is step 1, its first word of the product is read after step 1 + 17
    assert reads[0] == 1 + model.latency_steps(WORDS)
    assert model.latency_steps(WORDS) == load("shand1990")["latency"].number == 17
    assert all(later == earlier + 1 for earlier, later in pairwise(reads))


def test_accesses_of_a_product() -> None:
    """The paper's 97 for 512 × 512 + 1024 bits, and the variants with one more and one less."""
    assert model.accesses(FIXED, 16, Carry.ABSENT) == 96 == 16 + 16 + 32 + 32
    assert model.accesses(FIXED, 16, Carry.APART) == load("shand1990")["bus_accesses"].number == 97
    assert model.accesses(FIXED, 16, Carry.READ) == 98
    two = [Product(0, 0, 0, 16)] * 2
    kinds = Counter(addr for _, addr, _ in model.pipelined(FIXED, two, Carry.APART))
    kinds.subtract(addr for _, addr, _ in model.pipelined(FIXED, two[:1], Carry.APART))
    assert kinds == {WRITE_A: 16, WRITE_B: 16, WRITE_S: 33, READ_P: 32}


def test_a_product_alone_saves_16_write_bs() -> None:
    for carry, count in ((Carry.ABSENT, 114), (Carry.APART, 114), (Carry.READ, 116)):
        alone = model.multiply_accumulate(FIXED, Product(0, 0, 0, 16), carry)
        assert len(alone) == count
        flush = alone[-2 * 17 - 1 :] if carry is not Carry.READ else alone[-2 * 18 - 1 :]
        assert flush[0] == (True, WRITE_B, 0)
        assert {access[:2] for access in flush[1::2]} == {(True, WRITE_S)}
        assert {access[:2] for access in flush[2::2]} == {(False, READ_P)}


def test_the_carry_that_is_not_kept_apart_is_added_to_the_next_s() -> None:
    ones = Product((1 << 512) - 1, (1 << 512) - 1, (1 << 1024) - 1, 16)
    after = Product(3, 5, 7, 16)
    for carry, expected in ((Carry.ABSENT, 3 * 5 + 7 + 1), (Carry.APART, 3 * 5 + 7)):
        reads = model.play(Board(FIXED), model.pipelined(FIXED, [ones, after], carry))
        assert model.results(FIXED, [ones, after], reads, carry)[1] == expected


def test_same_a_and_skipped_words_cost_less() -> None:
    assert model.accesses(FIXED, 16, Carry.APART, same_a=True) == 97 - 15
    low = Product(0, 0, 0, 16, skip=16)
    full = Product(0, 0, 0, 16)
    assert len(model.pipelined(FIXED, [full] * 2)) - len(model.pipelined(FIXED, [full, low])) == 16


def test_buffers_are_read_without_being_emptied() -> None:
    """One WriteB, many steps: the digit is used in each of them."""
    board = Board(FIXED)
    for _ in range(16):
        board.access(True, WRITE_A, 0xFFFFFFFF)
        board.access(True, WRITE_S, 0)
    board.access(True, WRITE_B, 0x12345678)
    for _ in range(4):
        board.access(True, WRITE_S, 0)
    digits = sum(0x12345678 << 32 * i for i in range(4))
    assert board.p[16] == ((1 << 512) - 1) * digits >> 128


@pytest.mark.parametrize(("count", "words"), [(1, 2), (2, 2), (3, 4), (15, 16), (16, 16), (20, 16)])
def test_length_by_the_number_of_write_as(count: int, words: int) -> None:
    board = Board(VARIABLE)
    board.access(True, WRITE_B)
    for _ in range(count):
        board.access(True, WRITE_A)
    board.access(True, WRITE_B)
    assert board.tap == 16  # not before the first digit of B
    board.access(True, WRITE_S)
    assert board.tap == words
    assert model.lengths(VARIABLE) == [2, 4, 6, 8, 10, 12, 14, 16]
    assert model.lengths(FIXED) == [16]


def test_a_shorter_a_flushes_no_more_than_it_must() -> None:
    """Lengths may change between products; words that would be lost with the tap are shifted out first."""
    long, short = Product(1, 1, 0, 16, 16), Product(1, 1, 0, 16, 2)
    kinds = Counter(addr for _, addr, _ in model.pipelined(VARIABLE, [long, short, short]))
    # one WriteB and three steps are the flush at the end, 14 steps with S = 0 the cost of the change
    digits, steps = 3 * 16, 32 + 14 + 18 + 18 + 3
    assert kinds == {WRITE_A: 16 + 2 + 2, WRITE_B: digits + 1, WRITE_S: steps, READ_P: 32 + 18 + 18}


def test_write_s_alone_waits() -> None:
    board = Board(FIXED)
    board.access(True, WRITE_S)
    assert board.cycles == 1
    for write, addr in ((True, WRITE_A), (True, WRITE_B), (False, READ_P), (False, WRITE_A), (True, READ_P)):
        assert board.wait(write, addr) == 0
        assert board.access(write, addr) == 0
    assert board.busy
    assert board.wait(True, WRITE_S) == 32 - 1 - 5
    board.access(True, WRITE_S)
    assert board.cycles == 1 + 32
    board.advance(32)
    assert not board.busy
    assert board.wait(True, WRITE_S) == 0


@pytest.mark.parametrize(
    "product",
    [
        *[Product(1 << 64, 0, 0, 1, 2), Product(0, 1 << 32, 0, 1, 2), Product(0, 0, 1 << 96, 1, 2)],
        *[Product(0, 0, 0, 0), Product(0, 0, 0, 1, 3), Product(0, 0, 0, 1, 18), Product(-1, 0, 0, 1)],
        *[Product(0, 0, 0, 1, skip=2), Product(0, 0, 0, 1, same_a=True)],
    ],
)
def test_what_no_sequence_can_do(product: Product) -> None:
    with pytest.raises(ValueError, match=r"word|A in"):
        model.pipelined(VARIABLE, [product])


def test_results_want_all_words() -> None:
    with pytest.raises(ValueError, match="more words"):
        model.results(FIXED, [Product(0, 0, 0, 1)], [0] * 18)


def test_the_readmes_numbers() -> None:
    readme = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
    for name, config in memories()["bus_mul"].configs.items():
        params = memories()["bus_mul"].complete(config)
        for words in (2, 8, params["Words"]):
            if words in model.lengths(params):
                assert row_of(name, params, words) in readme


def test_the_readmes_example() -> None:
    readme = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
    lines = readme.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("    from perle"))
    example = list(takewhile(lambda line: not line or line.startswith("    "), lines[first:]))
    names: dict[str, Any] = {}
    exec("\n".join(line[4:] for line in example), names)
    assert names["values"] == [one.s + one.a * one.b for one in names["products"]]


def row_of(name: str, params: model.Params, words: int) -> str:
    """Return the row of a product of equal lengths in the README's table."""
    cells = [str(model.accesses(params, words, carry, words)) for carry in Carry]
    cells += [str(len(model.multiply_accumulate(params, Product(0, 0, 0, words, words))))]
    one = Product(0, 0, 0, words, words)
    boards = [Board(params), Board(params)]
    for board, count in zip(boards, (2, 3), strict=True):
        model.play(board, model.pipelined(params, [one] * count, Carry.APART))
    return f"| `{name}` | {32 * words} | {' | '.join(cells)} | {boards[1].cycles - boards[0].cycles:,} |"
