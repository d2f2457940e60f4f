# SPDX-License-Identifier: Apache-2.0
"""Which addresses of schedulers and workers are safe: those with TLS, and those on this machine."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

CERTIFICATES = "--tls-ca, --tls-cert and --tls-key give the certificates"


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
