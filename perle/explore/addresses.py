# SPDX-License-Identifier: Apache-2.0
"""Addresses of schedulers and workers: their form, and which are safe: with TLS, or on this machine."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

CERTIFICATES = "--tls-ca, --tls-cert and --tls-key give the certificates"


class AddressError(ValueError):
    """It is not the address of a scheduler."""


def check(scheduler: str) -> None:
    """Raise AddressError unless it has the form [tls://|tcp://]HOST:PORT."""
    scheme, found, rest = scheduler.rpartition("://")
    try:
        there = urlsplit(f"//{rest}")
        complete = there.hostname and there.port and there.netloc == rest and "@" not in rest
    except ValueError:  # the port, or brackets
        complete = False
    if not complete or (found and scheme not in ("tls", "tcp")):
        raise AddressError(
            f"{scheduler!r} is not the address of a scheduler: tls://HOST:PORT or tcp://HOST:PORT"
        )


def is_private(address: str) -> bool:
    """Whether nobody can eavesdrop on a connection to this Dask address.

    Names other than localhost are not resolved, because the answer may differ at the next lookup.
    """
    scheme, found, rest = address.rpartition("://")
    if scheme in ("tls", "inproc"):
        return True
    if found and scheme != "tcp":
        return False
    host = urlsplit(f"//{rest}").hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
