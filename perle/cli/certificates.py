# SPDX-License-Identifier: Apache-2.0
"""The options that give certificates for a Dask scheduler, wherever a command takes one."""

from __future__ import annotations

from typing import Annotated

import typer

from perle.cli.io.errors import usage

TlsCa = Annotated[
    str | None,
    typer.Option("--tls-ca", metavar="F", help="Who signed the scheduler's certificate.", show_default=False),
]
TlsCert = Annotated[
    str | None,
    typer.Option(
        "--tls-cert", metavar="F", help="One's own certificate for the scheduler.", show_default=False
    ),
]
TlsKey = Annotated[
    str | None,
    typer.Option("--tls-key", metavar="F", help="The key of that certificate.", show_default=False),
]
Files = tuple[str | None, str | None, str | None]
"""Authority, certificate and key, as the options give them."""


def used(scheduler: str | None, files: Files) -> Files:
    """Return the files; usage error where there is no scheduler that they could be for."""
    if scheduler is None and any(files):
        raise usage("--tls-ca, --tls-cert and --tls-key belong to --scheduler tls://…")
    return files
