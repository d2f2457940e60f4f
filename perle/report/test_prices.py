# SPDX-License-Identifier: Apache-2.0
"""Energy and price of a signature, derived from numbers that users state."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.report import prices
from perle.report.line import MEASURED, NOW, Line
from perle.report.prices import Price, PricesError

FILE = """
[ecp5_8]
watts = 2.5
price = 50
currency = "EUR"
source = "a meter, and an order"

[software]
watts = 10
source = "the maker's sheet"
"""
OURS = Line("stream:w512", MEASURED, "ecp5_8", 512, rsa_per_second=1000.0)
OTHER = Line("stream:w512", MEASURED, "ecp5", 512, rsa_per_second=1000.0)
CPU = Line("OpenSSL", NOW, "one core, a processor", 512, rsa_per_second=4000.0)


def test_energy_and_price_of_a_rate(tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(FILE, encoding="utf-8")
    known = prices.read(path)
    ours, other, cpu, slow = prices.applied([OURS, OTHER, CPU, Line("x", MEASURED, "ecp5_8", 512)], known)
    assert (ours.rsa_mj, ours.rsa_price, ours.currency) == (2.5, 50.0, "EUR")
    assert (cpu.rsa_mj, cpu.rsa_price) == (2.5, None)
    assert (other.rsa_mj, slow.rsa_mj) == (None, None)
    assert prices.cells(ours) == ["2.5", "50 EUR"]
    assert prices.cells(cpu) == ["2.5", "–"]
    assert prices.remarks(known) == (
        "ecp5_8: 2.5 W, 50 EUR, as told; source: a meter, and an order.",
        "software: 10 W, as told; source: the maker's sheet.",
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[ecp5_8]\nwatts = 2", "names no source"),
        ('[ecp5_8]\nwatts = -2\nsource = "x"', "watts is no positive number"),
        ('[ecp5_8]\nwatts = nan\nsource = "x"', "watts is no positive number"),
        ('[ecp5_8]\nprice = 2\nsource = "x"', "currency"),
        ('[ecp5_8]\nvolts = 2\nsource = "x"', "volts"),
        ("ecp5_8 = 2", "no table"),
        ("[ecp5_8", "prices.toml: Expected"),
    ],
)
def test_what_is_no_file_of_prices_is_refused(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PricesError, match=said):
        prices.read(path)
    with pytest.raises(FileNotFoundError, match="absent"):
        prices.read(tmp_path / "absent.toml")


def test_a_price_without_power() -> None:
    assert prices.remarks({"ecp5_8": Price("s", price=3.0, currency="USD")}) == (
        "ecp5_8: 3 USD, as told; source: s.",
    )
