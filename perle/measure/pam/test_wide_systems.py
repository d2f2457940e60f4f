# SPDX-License-Identifier: Apache-2.0
"""RSA-1024 and RSA-2048 on systems whose boards are wider than the paper's."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from perle.cores.registry import Config, resolve_memory
from perle.host.pam.driver import private
from perle.host.pam.system import System
from perle.host.pam.units import build_unit, units
from perle.host.sample import Numbers
from perle.measure.pam.rsa_scenario import numbers


def boards(key: Numbers, driver: str, registers: int) -> list[tuple[Config | Path, float]]:
    """Return three boards: register multipliers, or units two bits wider than the primes and one of those."""
    third = resolve_memory(f"reg_mul:w{registers}")
    if driver.startswith("reg"):
        return [(third, 40)] * 3
    halves = units(key.p, key.q, width=max(key.p.bit_length(), key.q.bit_length()) + 2)
    return [*((build_unit(half), 38.0) for half in halves), (third, 50)]


@pytest.mark.wide
@pytest.mark.parametrize(
    ("bits", "driver", "registers"),
    [
        (1024, "mpu_inlined", 1024),
        (1024, "reg_straight", 1024),
        (2048, "mpu_interleaved", 2048),
        (2048, "reg_naive", 2048),
    ],
)
def test_real_widths(bits: int, driver: str, registers: int) -> None:
    secret, rng = numbers(bits, seed=bits), Random(bits)
    blocks = [rng.randrange(secret.n), secret.n - 1]
    with System(boards(secret, driver, registers)) as system, secret.key() as key:
        found, taken = private(system, driver, key, blocks)
    assert found == [pow(block, secret.d, secret.n) for block in blocks]
    assert taken.now_ps > 0
