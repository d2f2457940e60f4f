# SPDX-License-Identifier: Apache-2.0
"""Accounts to the picosecond: what a calculation takes, who did it, and what software alone would have taken.

Tables and pictures of the applications and drivers are made of these figures. Here they stand for operands of
every length around a board's rows, where a calculator changes from its host to the board: it computes the
right result on either, so that its choice, and what it books for it, show in nothing else.

After a change that is meant: `python -m perle.host.pam.test_accounts` prints the figures.
"""

from __future__ import annotations

from collections.abc import Callable
from pprint import pprint

import pytest

from perle.boards.memory import build_memory
from perle.cores.registry import resolve_memory
from perle.host.pam import driver as rsa_driver
from perle.host.pam.bignum import Bignum
from perle.host.pam.system import System
from perle.host.sample import sample

WORD = 1 << 32
CLOCK_NS = 66
NONE = "none"
BOARDS = ["bus_mul:fixed512", "bus_mul:variable512", "reg_mul:serial", "reg_mul:booth", NONE]
DRIVERS = {
    "bus_bignum": "bus_mul:variable512",
    "bus_assembly": "bus_mul:variable512",
    "bus_straight": "bus_mul:variable512",
    "bus_chained": "bus_mul:variable512",
    "reg_naive": "reg_mul:booth",
    "reg_straight": "reg_mul:booth",
    "full_bignum": "bus_mul:variable512",
    "full_straight": "bus_mul:variable512",
}

NEAR = [(42, 6), (26, 8), (25, 11), (36, 14), (37, 32), (24, 19)]
"""Lengths of dividends and divisors where a board takes hardly less time than the host, or hardly more."""


def number(words: int) -> int:
    """Return a number of so many words, none of which is zero or all ones."""
    return sum((0x9E3779B9 * (i + words + 1) % (WORD - 2) + 1) << 32 * i for i in range(words)) | 1


def _products(big: Bignum) -> None:
    for a in (1, 2, 3, 5, 8, 15, 16, 17, 24, 31, 32, 33, 39, 40, 41, 47):
        for b in range(1, 20):
            assert big.mul(number(a), number(b) + 2) == number(a) * (number(b) + 2)


def _squares(big: Bignum) -> None:
    for n in (*range(1, 50), 79, 80, 81, 160):
        assert big.mul(number(n), number(n)) == number(n) ** 2


def _quotients(big: Bignum) -> None:
    for b in (1, 2, 3, 5, 8, 15, 16, 17, 31, 33, 40, 41):
        for a in (1, 2, 4, 7, 9, 15, 16, 17, 20, 31, 32, 33, 48, 64, 83, 90):
            assert big.divide(number(a), number(b)) == divmod(number(a), number(b))
    for a, b in NEAR:
        assert big.divide(number(a), number(b)) == divmod(number(a), number(b))


def _powers(big: Bignum, odd: int) -> None:
    for n in (1, 2, 3, 4, 5, 6, 8, 10, 15, 16, 17, 31):
        m = number(n) + 1 - odd
        for e in (3, 5, 0xBEEF):
            assert big.powmod(number(n + 1), e, m) == pow(number(n + 1), e, m)


def _odd_powers(big: Bignum) -> None:
    _powers(big, 1)


def _even_powers(big: Bignum) -> None:
    _powers(big, 0)


def _residues(big: Bignum) -> None:
    for n in (1, 2, 3, 5, 8, 12, 16, 17, 20, 32, 40, 41):
        a, b, m = number(n) - 1, number(n) - 3, number(n)
        assert big.mulmod(a, b, m) == a * b % m
        assert big.mulmod(a, a, m + 1) == a * a % (m + 1)


def _carries(big: Bignum) -> None:
    """Carries that run on above the words of a row."""
    for n in (1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 40, 41):
        ones = WORD**n - 1
        assert big.mul(ones, WORD**16 - 1) == ones * (WORD**16 - 1)
        assert big.divide(WORD**48 - 1, ones) == divmod(WORD**48 - 1, ones)
        for m in (ones, WORD**n - number(n // 2) - 1, WORD ** (n - 1) * 2 + 1):
            assert big.powmod(ones - 1, 5, m) == pow(ones - 1, 5, m)


WORK: list[Callable[[Bignum], None]] = [
    _products,
    _squares,
    _quotients,
    _odd_powers,
    _even_powers,
    _residues,
    _carries,
]

# Time with the board, waited for it, in software; products, products of words on the board and on the host.
ACCOUNTS: dict[str, list[tuple[int, ...]]] = {
    "bus_mul:fixed512": [
        (34_676_928_000, 4_821_598_916, 228_979_771_020, 260, 66_731, 529),
        (17_003_382_000, 1_352_785_675, 150_711_515_955, 49, 55_197, 20),
        (127_092_146_148, 12_158_286_065, 177_725_155_608, 706, 96_734, 6_993),
        (136_577_732_412, 19_404_946_178, 450_568_216_098, 688, 177_887, 6_499),
        (161_601_748_770, 15_799_831_537, 442_645_557_354, 927, 150_183, 11_206),
        (29_113_547_265, 3_001_494_816, 71_710_928_289, 172, 30_894, 1_068),
        (130_181_095_935, 15_202_148_362, 476_834_523_165, 663, 175_654, 3_341),
    ],
    "bus_mul:variable512": [
        (30_322_116_000, 3_488_251_908, 228_979_771_020, 289, 67_183, 77),
        (16_278_042_000, 1_140_745_560, 150_711_515_955, 51, 55_222, 4),
        (117_127_527_330, 10_034_425_704, 177_725_155_608, 968, 102_838, 4_375),
        (120_984_907_230, 18_092_474_503, 450_568_216_098, 945, 183_226, 2_858),
        (147_326_476_770, 11_827_355_299, 442_645_557_354, 1_031, 151_293, 10_258),
        (27_006_431_265, 2_538_676_793, 71_710_928_289, 252, 33_342, 253),
        (117_146_557_935, 12_076_770_707, 476_834_523_165, 831, 177_302, 1_708),
    ],
    "reg_mul:serial": [
        (63_286_308_012, 36_884_186_070, 228_979_771_020, 231, 65_876, 1_384),
        (40_286_591_253, 28_557_129_649, 150_711_515_955, 46, 69_247, 84),
        (185_787_943_659, 55_273_022_850, 177_725_155_608, 284, 119_276, 16_393),
        (224_689_022_928, 101_548_613_109, 450_568_216_098, 419, 189_515, 16_053),
        (259_119_256_770, 55_904_541_164, 442_645_557_354, 294, 134_908, 38_439),
        (46_358_481_957, 17_574_605_059, 71_710_928_289, 88, 37_174, 3_228),
        (250_091_681_224, 118_252_012_438, 476_834_523_165, 402, 234_645, 12_025),
    ],
    "reg_mul:booth": [
        (39_470_802_012, 15_217_710_884, 228_979_771_020, 250, 66_468, 792),
        (24_809_063_253, 13_225_801_458, 150_711_515_955, 48, 69_332, 35),
        (166_799_259_367, 34_548_199_839, 177_725_155_608, 448, 152_587, 11_866),
        (170_005_867_220, 55_640_108_608, 450_568_216_098, 591, 207_382, 9_757),
        (192_084_904_770, 39_737_061_395, 442_645_557_354, 508, 181_118, 19_551),
        (42_176_787_957, 11_187_743_941, 71_710_928_289, 151, 47_957, 1_681),
        (192_229_085_224, 63_653_072_568, 476_834_523_165, 585, 263_880, 6_173),
    ],
    "none": [
        (228_979_771_020, 0, 228_979_771_020, 0, 0, 67_260),
        (150_711_515_955, 0, 150_711_515_955, 0, 0, 43_426),
        (177_725_155_608, 0, 177_725_155_608, 0, 0, 43_358),
        (450_568_216_098, 0, 450_568_216_098, 0, 0, 127_400),
        (442_645_557_354, 0, 442_645_557_354, 0, 0, 114_776),
        (71_710_928_289, 0, 71_710_928_289, 0, 0, 19_732),
        (476_834_523_165, 0, 476_834_523_165, 0, 0, 134_360),
    ],
}

# Time, waited; reads and writes.
RUNS: dict[str, tuple[int, ...]] = {
    "bus_assembly": (138_675_876_640, 41_857_276_720, 27_684, 110_514),
    "bus_bignum": (246_854_777_532, 21_918_000, 41_436, 110_514),
    "bus_chained": (85_078_398_640, 3_207_598_720, 27_684, 89_160),
    "bus_straight": (91_612_068_640, 12_248_668_720, 27_684, 85_578),
    "full_bignum": (338_408_714_160, 21_918_000, 53_508, 138_702),
    "full_straight": (162_197_880_640, 26_049_309_760, 36_036, 116_862),
    "reg_naive": (42_442_658_608, 18_979_176_118, 144, 8_361),
    "reg_straight": (31_479_312_640, 26_238_212_720, 144, 7_229),
}


def accounts(board: str) -> list[tuple[int, ...]]:
    """Return what each kind of work comes to on a board."""
    if board == NONE:
        with Bignum() as alone:
            return [_account(alone, work) for work in WORK]
    with System([(resolve_memory(board), CLOCK_NS)]) as system, Bignum(system) as big:
        return [_account(big, work) for work in WORK]


def _account(big: Bignum, work: Callable[[Bignum], None]) -> tuple[int, ...]:
    big.reset_cost()
    work(big)
    cost = big.cost
    assert cost.now_ps == cost.bus_ps + cost.host_ps
    done = (cost.products, cost.word_products, cost.host_word_products)
    return cost.now_ps, cost.waited_ps, cost.software_ps, *done


def run(driver: str) -> tuple[int, ...]:
    """Return what three blocks take with a driver."""
    rsa = sample(1990, 127, 127)
    boards = [(build_memory(resolve_memory(DRIVERS[driver])), CLOCK_NS)] * len(rsa_driver.boards(driver))
    with System(boards) as system, rsa.key() as key:
        time = rsa_driver.private(system, driver, key, [5, rsa.n - 2, rsa.q])[1]
    return time.now_ps, time.waited_ps, time.reads, time.writes


@pytest.mark.parametrize("board", BOARDS)
def test_accounts(board: str) -> None:
    assert accounts(board) == ACCOUNTS[board]


@pytest.mark.parametrize("driver", DRIVERS)
def test_runs(driver: str) -> None:
    assert run(driver) == RUNS[driver]


if __name__ == "__main__":
    pprint({board: accounts(board) for board in BOARDS})  # noqa: T203 - asked for
    pprint({driver: run(driver) for driver in DRIVERS})  # noqa: T203
