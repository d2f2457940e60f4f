# SPDX-License-Identifier: Apache-2.0
"""Which values the settings of the OpenSSL provider take: the same as in host/provider/settings.cpp."""

from __future__ import annotations

import re

LONGEST_MS = 86_400_000
MOST_FAILURES, MOST_HEAP = 1000, 1 << 30
CHOICES = ("yes", "no")

# Characters that need no quoting in a configuration file and are not expanded.
_PLAIN = re.compile(r"[A-Za-z0-9_./:,=+@%~-]+")
_NUMBER = re.compile(r"[0-9]{1,20}")
_DECIMAL = re.compile(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", re.IGNORECASE)


class ConfigurationError(ValueError):
    """A configuration cannot be written: a value is out of range, or has characters that cannot be quoted."""


def plain(name: str, value: str) -> str:
    """Return a value that needs no quotes; raises ConfigurationError for another."""
    if not _PLAIN.fullmatch(value):
        raise ConfigurationError(
            f"{name}: {value!r} has characters that a configuration of OpenSSL does not take"
        )
    return value


def within(name: str, value: int, least: int, most: int) -> None:
    """Raise ConfigurationError for a number out of its range."""
    if not least <= value <= most:
        raise ConfigurationError(f"{name}: {value} is not from {least} to {most}")


def _number(name: str, value: str, least: int, most: int) -> int:
    if not _NUMBER.fullmatch(value):
        raise ConfigurationError(f"{name}: {value!r} is not a number from {least} to {most}")
    within(name, int(value), least, most)
    return int(value)


def _retire_after(value: str) -> None:
    _number("retire_after", value, 1, MOST_FAILURES)


def _retry(value: str) -> None:
    _number("retry", value, 1, LONGEST_MS)


def _keep_status(value: str) -> None:
    if value not in CHOICES:
        raise ConfigurationError(f"keep_status: {value!r} is none of {', '.join(CHOICES)}")


def _secure_heap(value: str) -> None:
    found = _number("secure_heap", value, 0, MOST_HEAP)
    if found & (found - 1):
        raise ConfigurationError(f"secure_heap: {found} is no power of two (up to {MOST_HEAP}; 0: none)")


def _inject(value: str) -> None:
    if not _DECIMAL.fullmatch(value) or not 0 <= float(value) <= 1:
        raise ConfigurationError(f"inject: {value!r} is not a probability from 0 to 1")


def _cache(value: str) -> None:
    if not value.startswith("/"):
        raise ConfigurationError(f"cache: {value!r} is not an absolute path")


_CHECKS = {
    "retire_after": _retire_after,
    "retry": _retry,
    "keep_status": _keep_status,
    "secure_heap": _secure_heap,
    "inject": _inject,
    "cache": _cache,
}
SETTINGS = tuple(_CHECKS)
"""The settings that have no option of their own in `perle provider conf`."""


def checked(name: str, value: str) -> str:
    """Return the value of one of SETTINGS; raises ConfigurationError if the provider would refuse it."""
    if name not in _CHECKS:
        raise ConfigurationError(f"no setting {name!r}; there are: {', '.join(SETTINGS)}")
    plain(name, value)
    _CHECKS[name](value)
    return value
