# SPDX-License-Identifier: Apache-2.0
"""Power and prices stated by a user with their source, and figures derived from them.

These are the energy of a signature in mJ and the price of 1,000 signatures per second.

Perle contains no such numbers: power was not measured on any board, and prices change.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from perle.report.costs import shown
from perle.report.line import NOW, Line

SOFTWARE = "software"
"""Name for one core of this machine's processor in a file of prices; devices are named as in the tables."""
COLUMNS = ("mJ per RSA", "price per 1,000 RSA/s")
KEYS = {"watts", "price", "currency", "source"}
MJ, THOUSAND = 1e3, 1e3


class PricesError(ValueError):
    """A file of prices is incomplete or has unknown entries."""


@dataclass(frozen=True)
class Price:
    """Power of a device in W, its price in a currency (either may be missing), and their source."""

    source: str
    watts: float | None = None
    price: float | None = None
    currency: str = ""


def read(path: Path) -> dict[str, Price]:
    """Return the prices in a TOML file, which has a table for each device and one for `software`.

    Raises PricesError, and OSError for a file that cannot be read.
    """
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise PricesError(f"{path}: {error}") from error
    return {name: _price(f"{path}: [{name}]", entry) for name, entry in said.items()}


def _price(where: str, entry: object) -> Price:
    if not isinstance(entry, dict) or set(entry) - KEYS:
        unknown = ", ".join(sorted(set(entry) - KEYS)) if isinstance(entry, dict) else "it is no table"
        raise PricesError(f"{where} takes {', '.join(sorted(KEYS))}: {unknown}")
    if not isinstance(entry.get("source"), str) or not entry["source"].strip():
        raise PricesError(f"{where} names no source")
    for key in ("watts", "price"):
        value = entry.get(key, 1)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
            raise PricesError(f"{where} {key} is no positive number: {value!r}")
    if ("price" in entry) != bool(entry.get("currency")):
        raise PricesError(f"{where} a price goes with its currency")
    numbers = {key: float(entry[key]) for key in ("watts", "price") if key in entry}
    return Price(entry["source"], currency=str(entry.get("currency", "")), **numbers)


def applied(lines: Iterable[Line], prices: Mapping[str, Price]) -> list[Line]:
    """Return the lines; those with a rate and stated numbers of their device get energy and price of RSA."""
    return [_applied(one, prices.get(SOFTWARE if one.origin == NOW else one.device)) for one in lines]


def _applied(line: Line, price: Price | None) -> Line:
    if price is None or not line.rsa_per_second:
        return line
    return replace(
        line,
        rsa_mj=price.watts and MJ * price.watts / line.rsa_per_second,
        rsa_price=price.price and THOUSAND * price.price / line.rsa_per_second,
        currency=price.currency,
    )


def cells(line: Line) -> list[str]:
    """Return a line's table cells, in the order of COLUMNS."""
    return [shown(line.rsa_mj), f"{shown(line.rsa_price)} {line.currency}".strip()]


def remarks(prices: Mapping[str, Price]) -> tuple[str, ...]:
    """Return the stated numbers and their sources, one line for each device."""
    return tuple(
        f"{name}: {', '.join(filter(None, (_watts(one), _asked(one))))}, as told; source: {one.source}."
        for name, one in prices.items()
    )


def _watts(one: Price) -> str:
    return f"{one.watts:g} W" if one.watts else ""


def _asked(one: Price) -> str:
    return f"{one.price:g} {one.currency}" if one.price else ""
