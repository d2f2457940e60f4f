# SPDX-License-Identifier: Apache-2.0
"""RSA on two modular product units and a register multiplier: results, boards and keys that are refused."""

from __future__ import annotations

import os
import random
import stat
from collections.abc import Callable, Iterator
from math import gcd, lcm
from pathlib import Path

import pytest

from perle.boards.memory import build_memory
from perle.cores.registry import Config, UnknownCoreError, resolve_memory
from perle.flow.cache import cache_root, log_path
from perle.host.key import PerleError
from perle.host.pam import driver as rsa_driver
from perle.host.pam import units as modulus_units
from perle.host.pam.system import System
from perle.host.sample import PUBLIC_EXPONENT, Numbers, prime, sample

DRIVERS = ("mpu_partial", "mpu_interleaved", "mpu_inlined")
WIDTH, ARGUMENT = "PERLE_ERR_WIDTH", "PERLE_ERR_ARGUMENT"


def unit_paths(numbers: Numbers, name: str) -> list[Path]:
    """Return both units of a key, built."""
    return [modulus_units.build_unit(config) for config in modulus_units.units(numbers.p, numbers.q, name)]


def opened(units: list[Path], reg_mul: str, clock: float = 38, reg_clock: float = 50) -> System:
    """Open a system as the drivers want it."""
    multiplier = build_memory(resolve_memory(f"reg_mul:{reg_mul}"))
    return System([*((unit, clock) for unit in units), (multiplier, reg_clock)])


def blocks_of(n: int) -> list[int]:
    """Return blocks of all kinds."""
    return [random.Random("block").randrange(n), 0, n - 1, 1, random.Random("other").randrange(n)]


@pytest.fixture(scope="module")
def rsa508() -> Numbers:
    """Return a key of two 254-bit primes."""
    return sample("RSA-508", 254, 254)


Units = Callable[[str], list[Path]]


@pytest.fixture(scope="module")
def units(rsa508: Numbers) -> Units:
    """Return the units of that key by configuration."""
    return lambda name: unit_paths(rsa508, name)


@pytest.fixture
def system(units: Units) -> Iterator[System]:
    """Open the paper's fastest system, in constant-time products."""
    with opened(units("w254"), "booth") as found:
        yield found


@pytest.mark.parametrize("name", DRIVERS)
def test_every_driver_is_right_whatever_a_run_before_it_left(
    rsa508: Numbers, system: System, name: str
) -> None:
    blocks = blocks_of(rsa508.n)
    expected = [pow(block, rsa508.d, rsa508.n) for block in blocks]
    first, time = rsa_driver.private(system, name, rsa508.key(), blocks)
    assert first == expected
    assert time.now_ps == time.bus_ps + time.host_ps > 0
    assert time.waited_ps > 0
    assert rsa_driver.private(system, name, rsa508.key(), blocks[::-1])[0] == expected[::-1]
    for other in DRIVERS:
        assert rsa_driver.private(system, other, rsa508.key(), blocks[:1])[0] == expected[:1]


@pytest.mark.wide
@pytest.mark.parametrize("name", DRIVERS)
@pytest.mark.parametrize(
    ("unit", "reg_mul"), [("fast", "serial"), ("ripple", "booth"), ("radix2", "serial"), ("w254", "booth512")]
)
def test_every_kind_of_board(rsa508: Numbers, units: Units, name: str, unit: str, reg_mul: str) -> None:
    blocks = blocks_of(rsa508.n)[:3]
    with opened(units(unit), reg_mul) as boards:
        got = rsa_driver.private(boards, name, rsa508.key(), blocks)[0]
    assert got == [pow(block, rsa508.d, rsa508.n) for block in blocks]


@pytest.mark.wide
@pytest.mark.parametrize(
    ("bits_p", "bits_q", "unit", "reg_mul"), [(97, 254, "fast", "booth"), (300, 255, "w254", "booth512")]
)
def test_primes_of_other_lengths(bits_p: int, bits_q: int, unit: str, reg_mul: str) -> None:
    numbers = sample("lengths", bits_p, bits_q)
    blocks = [*blocks_of(numbers.n), numbers.p, numbers.n - numbers.q]
    with opened(unit_paths(numbers, unit), reg_mul) as boards:
        for name in DRIVERS:
            got = rsa_driver.private(boards, name, numbers.key(), blocks)[0]
            assert got == [pow(block, numbers.d, numbers.n) for block in blocks]


@pytest.mark.wide
def test_short_exponents() -> None:
    """Chains shorter than what overlaps them, with each kind of first digit."""
    rng, exponents, primes = random.Random("short"), (PUBLIC_EXPONENT, 3, 5, 0b110111), list[int]()
    while len(primes) < 2:
        found = prime(rng, 254)
        if all(gcd(found - 1, d) == 1 for d in exponents):
            primes.append(found)
    paths = unit_paths(Numbers(primes[0], primes[1]), "w254")
    for d in exponents:
        e = pow(d, -1, lcm(primes[0] - 1, primes[1] - 1))
        numbers = Numbers(primes[0], primes[1], e)
        blocks = blocks_of(numbers.n)
        with opened(paths, "booth") as boards:
            for name in DRIVERS:
                got = rsa_driver.private(boards, name, numbers.key(), blocks)[0]
                assert got == [pow(block, d, numbers.n) for block in blocks]


@pytest.mark.parametrize("name", DRIVERS)
def test_boards_of_another_kind_or_prime_are_refused(rsa508: Numbers, units: Units, name: str) -> None:
    p, q = units("w254")
    multiplier = build_memory(resolve_memory("reg_mul:booth"))
    wrong = {
        "modulus": [q, p, multiplier],
        "no register multiplier": [p, q, p],
        "no modular product unit": [p, multiplier, multiplier],
        "other boards": [p, q],
    }
    for why, boards in wrong.items():
        system = System([(board, 50) for board in boards])
        with system, pytest.raises(PerleError, match=why) as raised:
            rsa_driver.private(system, name, rsa508.key(), [2])
        assert raised.value.name == ARGUMENT


@pytest.mark.wide
@pytest.mark.parametrize("name", DRIVERS)
def test_primes_too_wide_are_refused(units: Units, name: str) -> None:
    wide = sample("lengths", 300, 255)
    too_narrow = {
        r"p has 300 bits, its modular product unit takes 254": units("w254"),
        r"p has 300 bits, the register multiplier takes 254": unit_paths(wide, "w254"),
    }
    for why, paths in too_narrow.items():
        with opened(paths, "booth") as boards, pytest.raises(PerleError, match=why) as raised:
            rsa_driver.private(boards, name, wide.key(), [2])
        assert raised.value.name == WIDTH


def test_more_overlap_is_faster(rsa508: Numbers, units: Units) -> None:
    blocks = [pow(3, i, rsa508.n) for i in range(1, 5)]
    with opened(units("w254"), "booth") as boards:
        times = [rsa_driver.private(boards, name, rsa508.key(), blocks)[1] for name in DRIVERS]
    assert times[0].now_ps > times[1].now_ps > times[2].now_ps
    assert times[1].reads + times[1].writes > times[2].reads + times[2].writes


@pytest.mark.parametrize(("name", "beside"), [("mpu_interleaved", 221), ("mpu_inlined", 187)])
def test_accesses_of_a_block(rsa508: Numbers, system: System, name: str, beside: int) -> None:
    products = 0
    for exponent in rsa508.halves:
        digits = bin(exponent)[2:].replace("11", "0m").replace("1", "m")
        # a digit that is loaded is not squared for: one bit, or two
        products += len(digits) + digits.count("m") - (2 if digits.startswith("0m") else 1)
    counts = []
    for blocks in ([5] * 2, [5] * 3):
        time = rsa_driver.private(system, name, rsa508.key(), blocks)[1]
        counts.append(time.reads + time.writes)
    assert counts[1] - counts[0] == products + beside


@pytest.mark.parametrize(
    ("name", "now_ps", "host_ps"),
    [
        ("mpu_partial", 8_697_483_248, 5_777_994_222),
        ("mpu_interleaved", 6_367_983_280, 255_999_744),
        ("mpu_inlined", 6_205_716_636, 107_999_892),
    ],
)
def test_the_account_of_three_blocks(
    rsa508: Numbers, system: System, name: str, now_ps: int, host_ps: int
) -> None:
    """To the picosecond, as in `test_accounts.py`: results do not show what the host books for its work."""
    time = rsa_driver.private(system, name, rsa508.key(), [5, rsa508.n - 2, rsa508.q])[1]
    assert (time.now_ps, time.host_ps) == (now_ps, host_ps)


@pytest.mark.parametrize(
    ("name", "now_ps", "host_ps"),
    [
        ("mpu_partial", 4_881_033_296, 2_977_997_022),
        ("mpu_interleaved", 2_933_033_310, 125_999_874),
        ("mpu_inlined", 2_731_366_651, 62_999_937),
    ],
)
def test_the_account_of_short_primes(name: str, now_ps: int, host_ps: int) -> None:
    """Of 97 bits: the host's share of a word holds one bit."""
    rsa = sample("narrow", 97, 97)
    with opened(unit_paths(rsa, "fast"), "booth") as boards:
        time = rsa_driver.private(boards, name, rsa.key(), [5, rsa.n - 2, rsa.q])[1]
    assert (time.now_ps, time.host_ps) == (now_ps, host_ps)


def test_units_are_the_keys_own_and_keep_its_secret(rsa508: Numbers, units: Units) -> None:
    configs = modulus_units.units(rsa508.p, rsa508.q)
    other = sample("another", 254, 254)
    names = {config.name for config in (*configs, *modulus_units.units(other.p, other.q))}
    assert len(names) == 4
    assert [config.params["Modulus"] for config in configs] == [rsa508.p, rsa508.q]
    secrets = [f"{number:{base}}" for number in (rsa508.p, rsa508.q) for base in "dxX"]
    for config, path in zip(configs, units("w254"), strict=True):
        # unlike rglob, walk skips the folders that another process removes meanwhile
        walked = ((Path(top), (*dirs, *files)) for top, dirs, files in os.walk(cache_root()))
        found = [top / name for top, names in walked for name in names if config.name in name]
        assert path in found
        for file in found:
            assert not any(secret in str(file) for secret in secrets)
        for file in (path, log_path(path)):
            assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_unit_can_be_forgotten(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PERLE_CACHE", str(tmp_path))
    config = Config(resolve_memory("mod_product:w254").family, "w254-0123456789ab", {})
    entry = tmp_path / f"memory-mod_product-{config.name}-{0:016x}.so"
    link = tmp_path / "boards" / f"mod_product-{config.name}.so"
    kept = tmp_path / "memory-mod_product-w254-0123456789abc-0.so"
    link.parent.mkdir()
    for path in (entry, log_path(entry), kept):
        path.touch()
    link.symlink_to(entry)
    modulus_units.forget(config)
    assert [path for path in tmp_path.rglob("*") if not path.is_dir()] == [kept]
    assert not link.is_symlink()


def test_what_no_unit_can_be_built_for() -> None:
    with pytest.raises(UnknownCoreError, match="Width"):
        modulus_units.units(3, (1 << 1300) + 1)
