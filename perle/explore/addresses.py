# SPDX-License-Identifier: Apache-2.0
"""Which addresses of schedulers and workers may be spoken to: by TLS, or without leaving this machine."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

CERTIFICATES = "--tls-ca, --tls-cert and --tls-key give the certificates"


def is_private(address: str) -> bool:
    """Whether nobody between here and this Dask address can listen.

    A name other than localhost is not looked up: what it leads to may be another answer the next time.
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
