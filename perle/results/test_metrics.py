# SPDX-License-Identifier: Apache-2.0
"""Derived figures against values worked out by hand."""

from __future__ import annotations

import re

import pytest

from perle.cores.registry import families, resolve
from perle.results import metrics
from perle.results.metrics import Halves, TooWideError
from tests import house


def test_times() -> None:
    assert metrics.period(125) == 8
    assert metrics.fmax(8) == 125
    assert metrics.latency(74, 8) == 592
    assert metrics.rate(4, 5) == 50_000_000  # every 20 ns


def test_a_clock_counts_as_the_rating_of_the_multipliers_on_a_device_that_has_one() -> None:
    multipliers, none = resolve("orup:w64"), resolve("iterative:w64")
    for target, clock in (("ecp5_8", 200), ("ecp5_25_6", 200), ("lifcl40_9", 252), ("ihp130", 252)):
        assert metrics.rated(multipliers, 252, target) == clock
        assert metrics.rated(none, 252, target) == 252
    assert metrics.rated(multipliers, 150, "ecp5_8") == 150


def test_products() -> None:
    """As the papers have them: one at a time in 2(n + 5) cycles; three passes of a full batch."""
    digits, batch = resolve("orup:w512"), resolve("karatsuba:w512")
    assert metrics.product_cycles(digits) == metrics.product_interval(digits) == 2 * (32 + 5)
    assert metrics.product_interval(batch) == 3
    assert metrics.product_cycles(batch) > 3
    row = resolve("bit_systolic:w512")
    assert 2 * metrics.product_interval(row) < metrics.product_cycles(row) < 4 * metrics.product_interval(row)


def test_an_exponentiation_is_its_products() -> None:
    """Two in, 14 of the table, 128 digits of five, and the way out."""
    config = resolve("orup:w512")
    out = config.model.reduce_cycles(config.params)
    assert metrics.exponentiation_cycles(config, 512) == (2 + 14 + 128 * 5) * 74 + out
    with pytest.raises(TooWideError, match="512 bits, not of 1024"):
        metrics.exponentiation_cycles(config, 1024)


def test_energy_of_an_exponentiation_is_that_of_its_products() -> None:
    """Two in, 14 of the table, 128 digits of five, and the way out."""
    products = 2 + 14 + 128 * 5 + 1
    assert metrics.operation_energy(resolve("orup:w512"), 512, 3.0) == pytest.approx(products * 0.003)


def test_rsa_by_arrangement() -> None:
    """Half of it on each of two cores takes half as long; lanes help a pipelined core only."""
    for core in ("bit_systolic:w512", "orup:w512"):
        config = resolve(core)
        half = metrics.exponentiation_cycles(config, 512)
        assert metrics.rsa_cycles(config, 1024) == 2 * half
        assert metrics.rsa_cycles(config, 1024, Halves.TWO) == half
    pipelined, other = resolve("bit_systolic:w512"), resolve("orup:w512")
    half = metrics.exponentiation_cycles(pipelined, 512)
    assert half < metrics.rsa_cycles(pipelined, 1024, Halves.LANES) <= half + 600
    assert metrics.rsa_cycles(other, 1024, Halves.LANES) == metrics.rsa_cycles(other, 1024)
    assert metrics.rsa_rate(other, 1024, 10) == pytest.approx(1e8 / metrics.rsa_cycles(other, 1024))


def test_a_saturated_core_takes_no_wider_keys() -> None:
    assert metrics.full_rsa_rate(resolve("orup:w512"), 1024, 10) > 0
    with pytest.raises(TooWideError, match="512 bits, not of 513"):
        metrics.full_rsa_rate(resolve("orup:w512"), 1026, 10)


def test_a_width_that_is_chosen_at_run_time_is_that_of_the_half() -> None:
    wide = resolve("scalable:r4_w32_p64_n4096")
    assert metrics.exponentiation_cycles(wide, 512) < metrics.exponentiation_cycles(wide, 1024) / 2


def test_products_of_costs() -> None:
    assert metrics.area_delay(3000, 0.5) == 1500
    assert metrics.energy_delay(15.7, 453) == pytest.approx(7112.1)  # the paper's best
    assert metrics.product_energy(6.4 * 8, 306) == pytest.approx(15.66720)
    assert metrics.multiplier_cycles(32, 74) == 2368
    assert metrics.lut_cycles(8235, 74) == 609_390


def test_utilisation() -> None:
    """Two numbers of 34 bits on two multipliers of 17 × 17: four digit products for x·y, four for q·M."""
    assert metrics.utilisation(34, 4, 2, (17, 17)) == 1
    assert metrics.utilisation(34, 8, 2, (17, 17)) == 0.5
    assert metrics.utilisation(512, 74, 32, (17, 17)) == pytest.approx(524288 / 684352)
    assert metrics.utilisation(512, 3, 243, (17, 17)) > 1


def test_factors() -> None:
    assert metrics.factor_bits(resolve("orup:w1024_r18")) == (18, 18)
    assert metrics.factor_bits(resolve("karatsuba:w512_step4")) == (16, 16)
    for family in families().values():
        for name in family.configs:
            config = family.config(name)
            has = config.model.multipliers(config.params) > 0
            assert (metrics.factor_bits(config) is not None) == has


def test_every_figure_is_documented() -> None:
    """The page names each kind of figure, and every function says its unit or formula."""
    page = house.text_of(house.ROOT / "docs" / "metrics.md")
    for term in ("latency of a product", "throughput", "area-delay", "energy-delay", "multiplier-cycles",
                 "LUT-cycles", "utilisation η", *(half.value for half in Halves)):  # fmt: skip
        assert term in page
    assert re.search(r"2·n² / \(initiation interval · multipliers · w_a·w_b\)", page)
    for page_with_link in ("README.md", "CONTRIBUTING.md"):
        assert "docs/metrics.md" in house.text_of(house.ROOT / page_with_link)
