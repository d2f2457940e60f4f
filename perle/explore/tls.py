# SPDX-License-Identifier: Apache-2.0
"""Certificates for a Dask scheduler: the files, whether they are usable, and why a scheduler refuses them.

Measurements (`perle explore`) and signing farms use the same files and options.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from ssl import SSLCertVerificationError

from distributed import Security
from distributed.comm.core import CommClosedError

from perle.explore.addresses import CERTIFICATES, check

SCHEME = "tls://"


class InsecureError(RuntimeError):
    """The connection to the scheduler would not be encrypted, or the certificates are missing or unusable."""


@dataclass(frozen=True)
class Tls:
    """PEM files: the certificate authority, and the client's own certificate and key.

    Files that are not given are taken from Dask's configuration.
    """

    ca: str | None = None
    cert: str | None = None
    key: str | None = None


def security(scheduler: str, tls: Tls) -> Security | None:
    """Return the certificates for a scheduler; None if its address is not tls://.

    InsecureError for files that are missing, are not certificates, or do not belong together, and for files
    given for a connection that would not use them. AddressError for what is not an address.
    """
    check(scheduler)
    given = {"tls_ca_file": tls.ca, "tls_client_cert": tls.cert, "tls_client_key": tls.key}
    if not scheduler.startswith(SCHEME):
        if any(given.values()):
            raise InsecureError(f"{scheduler}: certificates are for {SCHEME}…, this address is not encrypted")
        return None
    for path in filter(None, given.values()):
        if not Path(path).is_file():
            raise InsecureError(f"{path}: no such file; {CERTIFICATES}")
    found = Security(require_encryption=True, **{name: path for name, path in given.items() if path})
    roles = found.get_tls_config_for_role("client")
    if not roles["ca_file"] or not roles["cert"]:
        raise InsecureError(f"{scheduler}: certificates are missing; {CERTIFICATES}")
    try:
        found.get_connection_args("client")
    except (OSError, ValueError) as error:  # OpenSSL's errors about files can be either
        files = ", ".join(str(roles[name]) for name in ("ca_file", "cert", "key") if roles[name])
        raise InsecureError(
            f"{files}: these do not serve as authority, certificate and key: {error}"
        ) from None
    return found


def refusal(scheduler: str, error: Exception) -> str:
    """Return why a scheduler was not reached, with a hint if certificates are the cause."""
    said = f"{scheduler}: {error}"
    if not scheduler.startswith(SCHEME):
        reset = ConnectionResetError in (type(error), type(error.__cause__))
        return f"{said}; does it use TLS: {SCHEME}?" if reset else said
    if isinstance(error.__cause__, SSLCertVerificationError):
        why = error.__cause__.verify_message
        return f"{scheduler}: its certificate has expired, or is not from the authority of --tls-ca ({why})"
    if isinstance(error, CommClosedError):
        why = f"does its authority know --tls-cert, and has that not expired? ({error})"
        return f"{scheduler}: it ended the connection; {why}"
    return said
