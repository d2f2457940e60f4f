# SPDX-License-Identifier: Apache-2.0
"""Drivers of bus and register multipliers: right results, the accesses they claim, time, refusals."""

from __future__ import annotations

import math
import random

import pytest

from perle.boards.memory import build_memory
from perle.cores.registry import resolve_memory
from perle.host._lib import PerleError
from perle.host.pam import driver as rsa_driver
from perle.host.pam.system import System, Time
from perle.host.sample import PUBLIC_EXPONENT, Numbers, prime, sample

BUS, REGISTERS = "bus_mul:variable512", "reg_mul:booth"
BUS_DRIVERS = ["bus_bignum", "bus_assembly", "bus_straight", "bus_chained"]
REGISTER_DRIVERS = ["reg_naive", "reg_straight"]
FULL_DRIVERS = ["full_bignum", "full_straight"]


def _blocks(rsa: Numbers) -> list[int]:
    """Return those at the edges, a multiple of a prime, and one of no kind."""
    return [0, 1, rsa.n - 1, rsa.q * 3 % rsa.n, (0x1234567 << rsa.n.bit_length() // 2) % rsa.n]


def _rsa(p_bits: int, q_bits: int) -> Numbers:
    return sample(1990 + 1000 * p_bits + q_bits, p_bits, q_bits)


RSA_508 = _rsa(254, 254)


def _system(driver: str, spec: str, clock: float) -> System:
    path = build_memory(resolve_memory(spec))
    return System([(path, clock)] * len(rsa_driver.boards(driver)))


def _decrypt(system: System, driver: str, rsa: Numbers, blocks: list[int]) -> Time:
    with rsa.key() as key:
        found, time = rsa_driver.private(system, driver, key, blocks)
    assert found == [pow(block, rsa.d, rsa.n) for block in blocks]
    assert time.now_ps == time.bus_ps + time.host_ps > 0
    return time


def _accesses(driver: str, rsa: Numbers, words: int, row: int) -> tuple[int, int]:
    """Return what a run and every block of it cost, from the formulas of the drivers' headers."""
    squares = sum(x.bit_length() - 1 for x in rsa.halves)
    others = sum(x.bit_count() - 1 for x in rsa.halves)
    products, whole, half = squares + others, 7 * words + 2, 6 * words + 2
    by_itself = 9 * whole + 8 * half  # into the Chinese remainder representation and out of it
    clear = 2 + row  # words of the row of full adders
    return {
        "bus_bignum": (clear, (3 * products + 17) * whole),
        "bus_assembly": (clear, (whole + 2 * half) * products + by_itself),
        # The first squaring of either prime has its operand in the host, the last product leaves by itself.
        "bus_straight": (
            clear,
            by_itself + (16 * words + 3) * squares + 16 * words * others + 2 * (-(words + 3) + 2 * words + 2),
        ),
        "bus_chained": (
            3 * clear,
            by_itself
            + (16 * words + 5) * products
            + 2 * (4 * words + 2),  # what stays; no r at the start, none passed on at the end
        ),
        "reg_naive": (21 * words, 7 * products + 12 * words + 37),
        "reg_straight": (21 * words + 2, 6 * products + 12 * words + 37),
    }[driver]


@pytest.mark.parametrize(
    ("driver", "spec", "clock"),
    [
        ("bus_bignum", BUS, 75),
        ("bus_assembly", BUS, 75),
        ("bus_straight", BUS, 66),
        ("bus_straight", "bus_mul:fixed256", 66),
        ("bus_chained", BUS, 66),
        ("reg_naive", "reg_mul:serial", 75),
        ("reg_naive", REGISTERS, 40),
        ("reg_straight", REGISTERS, 40),
    ],
)
def test_rsa_508(driver: str, spec: str, clock: float) -> None:
    blocks = _blocks(RSA_508)
    with _system(driver, spec, clock) as system:
        time = _decrypt(system, driver, RSA_508, blocks)
    once, each = _accesses(driver, RSA_508, 8, resolve_memory(spec).params.get("Words", 0))
    assert time.reads + time.writes == once + each * len(blocks)


@pytest.mark.parametrize("driver", BUS_DRIVERS + REGISTER_DRIVERS)
def test_keys_of_all_lengths_on_boards_in_any_state(driver: str) -> None:
    """One system, key after key; in between, what an unfinished run would leave."""
    primes = [(64, 254), (254, 61), (120, 90), (17, 16), (3, 100)]
    keys = [Numbers(5, prime(random.Random(3), 40)) if 3 in bits else _rsa(*bits) for bits in primes]
    unit = _rsa(32, 33)
    keys.append(Numbers(unit.p, unit.q, math.lcm(unit.p - 1, unit.q - 1) + 1))  # both exponents are one
    bus = driver in BUS_DRIVERS
    with _system(driver, BUS if bus else REGISTERS, 50) as system:
        for rsa in keys:
            for board in range(len(rsa_driver.boards(driver))):
                for i in range(5 if bus else 256):
                    for address in (0, 8) if bus else (4 * i,):
                        system.write(board, address, 0xFFFFFFFF)
                if not bus:
                    system.write(board, 4 * (0x40000 | 33 << 12 | 34 << 6 | 35))
            _decrypt(system, driver, rsa, _blocks(rsa))
            _decrypt(system, driver, rsa, [2])


@pytest.mark.parametrize("driver", FULL_DRIVERS)
def test_a_modulus_as_long_as_the_board(driver: str) -> None:
    """n near 2^256 and far from it: with and without carries and subtractions."""
    for spec, bits in (("bus_mul:fixed256", 128), (BUS, 96), (BUS, 71)):
        rsa = _rsa(bits, bits)
        with _system(driver, spec, 75) as system:
            _decrypt(system, driver, rsa, _blocks(rsa))
    top = Numbers(_near_the_top(128), _near_the_top(128, 1 << 100))
    with _system(driver, "bus_mul:fixed256", 75) as system:
        _decrypt(system, driver, top, [top.n - 1, top.n - 2, 3])


def _near_the_top(bits: int, below: int = 0) -> int:
    found = (1 << bits) - 1 - below
    while (
        pow(2, found - 1, found) != 1
        or pow(3, found - 1, found) != 1
        or math.gcd(found - 1, PUBLIC_EXPONENT) != 1
    ):
        found -= 2
    return found


@pytest.mark.parametrize("driver", ["bus_chained", *REGISTER_DRIVERS])
def test_primes_that_just_fit(driver: str) -> None:
    """The largest primes below β/4, where results come close to 2M."""
    bits = 510 if driver == "bus_chained" else 254
    rsa = Numbers(_near_the_top(bits), _near_the_top(bits, 1 << 60))
    with _system(driver, BUS if driver == "bus_chained" else REGISTERS, 40) as system:
        _decrypt(system, driver, rsa, [rsa.n - 1, rsa.p, rsa.n // 3])


def test_registers_of_512_bits() -> None:
    rsa = _rsa(300, 257)
    with _system("reg_straight", "reg_mul:booth512", 40) as system:
        _decrypt(system, "reg_straight", rsa, _blocks(rsa))


@pytest.mark.parametrize(
    ("driver", "spec", "bits", "most"),
    [
        ("bus_bignum", BUS, 511, 510),
        ("bus_chained", "bus_mul:fixed256", 255, 254),
        ("reg_naive", REGISTERS, 255, 254),
        ("reg_straight", REGISTERS, 255, 254),
        ("full_bignum", "bus_mul:fixed256", 130, 256),
    ],
)
def test_too_wide(driver: str, spec: str, bits: int, most: int) -> None:
    rsa = _rsa(bits, 127)
    wide = rsa.n.bit_length() if driver in FULL_DRIVERS else bits
    with (
        _system(driver, spec, 40) as system,
        rsa.key() as key,
        pytest.raises(PerleError, match=rf" {wide} bits.* {most} .*\(PERLE_ERR_WIDTH\)$"),
    ):
        rsa_driver.private(system, driver, key, [1])


@pytest.mark.parametrize(
    ("driver", "specs"),
    [
        ("bus_bignum", [REGISTERS]),
        ("full_straight", [REGISTERS]),
        ("bus_chained", [BUS, BUS, "bus_mul:fixed256"]),
        ("bus_chained", [BUS, BUS]),
        ("reg_straight", [REGISTERS, REGISTERS, BUS]),
        ("reg_naive", [REGISTERS, "reg_mul:booth512", REGISTERS]),
    ],
)
def test_other_boards(driver: str, specs: list[str]) -> None:
    with (
        System([(build_memory(resolve_memory(spec)), 40) for spec in specs]) as system,
        RSA_508.key() as key,
        pytest.raises(PerleError, match=r"\(PERLE_ERR_ARGUMENT\)$"),
    ):
        rsa_driver.private(system, driver, key, [1])


def test_no_blocks() -> None:
    for driver, spec in (("reg_straight", REGISTERS), ("bus_bignum", BUS)):
        with _system(driver, spec, 40) as system:
            _decrypt(system, driver, RSA_508, [])


def test_straight_line_code_keeps_the_boards_busy() -> None:
    """Nothing but the longer exponentiation takes time in a stream: Montgomery's product is 813 cycles."""
    longer = max(x.bit_length() + x.bit_count() - 2 for x in RSA_508.halves)
    blocks = [random.Random(i).randrange(RSA_508.n) for i in range(6)]
    with _system("reg_straight", REGISTERS, 40) as system:
        time = _decrypt(system, "reg_straight", RSA_508, blocks)
    assert time.now_ps < 1.02 * len(blocks) * longer * 813 * 40_000


def test_each_step_is_faster_than_the_one_before() -> None:
    """As in the table, at one clock."""
    rsa = _rsa(127, 127)
    for drivers in (FULL_DRIVERS, [*BUS_DRIVERS, *REGISTER_DRIVERS]):
        took = []
        for driver in drivers:
            with _system(driver, REGISTERS if driver in REGISTER_DRIVERS else BUS, 66) as system:
                took.append(_decrypt(system, driver, rsa, [5, 7]).now_ps)
        assert took == sorted(took, reverse=True)
