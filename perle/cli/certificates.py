# SPDX-License-Identifier: Apache-2.0
"""The options with the certificates for a Dask scheduler, shared by all commands that have --scheduler."""

from __future__ import annotations

from typing import Annotated

import typer

from perle.cli.io.errors import file_name, usage

TlsCa = Annotated[
    str | None,
    typer.Option(
        "--tls-ca",
        metavar="F",
        parser=file_name,
        help="Certificate authority of the scheduler (PEM).",
        show_default=False,
    ),
]
TlsCert = Annotated[
    str | None,
    typer.Option(
        "--tls-cert",
        metavar="F",
        parser=file_name,
        help="Client certificate for the scheduler (PEM).",
        show_default=False,
    ),
]
TlsKey = Annotated[
    str | None,
    typer.Option(
        "--tls-key",
        metavar="F",
        parser=file_name,
        help="Private key of --tls-cert (PEM).",
        show_default=False,
    ),
]
Files = tuple[str | None, str | None, str | None]
"""Paths of the certificate authority, the certificate and its key, as given by the options."""


def used(scheduler: str | None, files: Files) -> Files:
    """Return the files; they are a usage error without a scheduler."""
    if scheduler is None and any(files):
        raise usage("--tls-ca, --tls-cert and --tls-key need --scheduler tls://…")
    return files
