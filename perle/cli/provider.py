# SPDX-License-Identifier: Apache-2.0
"""`perle provider`: boards for all programs that use OpenSSL 3."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from perle.cli import boards, provider_check, provider_metrics
from perle.cli.arith import Json
from perle.cli.io import console, files
from perle.cli.io.errors import bad_input, file, file_name, folder, usage
from perle.host import Boards, resolve_spec
from perle.host.provider import (
    QUEUE,
    TIMEOUT_MS,
    ProcessStatus,
    Provision,
    forget_ended,
    provider_path,
    status_folder,
    statuses,
)
from perle.host.settings import SETTINGS, ConfigurationError, checked
from perle.tables import Table

app = typer.Typer(no_args_is_help=True, help="Run the RSA keys of OpenSSL programs on boards.")

MANY = Annotated[
    list[str] | None,
    typer.Option(
        "--board",
        metavar="SPEC",
        help=f"{boards.SPEC_HELP} Repeatable. Default: two boards for keys of {provider_check.KEY} bits.",
        show_default=False,
    ),
]
Folder = Annotated[
    Path | None,
    typer.Option(
        "--status",
        metavar="DIR",
        parser=folder,
        help="Folder of the status files. Default: perle in $XDG_RUNTIME_DIR, or status in the cache.",
        show_default=False,
    ),
]


@app.command()
def conf(
    board: MANY = None,
    fallback: Annotated[
        str, typer.Option(help="For operations that no board completes: software or fail.")
    ] = "software",
    queue: Annotated[int, typer.Option(help="Largest number of operations waiting for a board.")] = QUEUE,
    timeout: Annotated[
        int, typer.Option(metavar="MS", help="Time limit for waiting for a board, and for its operation.")
    ] = TIMEOUT_MS,
    exponent_blinding: Annotated[
        bool, typer.Option(help="Randomize the exponent in every operation.")
    ] = True,
    status: Folder = None,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Other settings: see host/provider/README.md."),
    ] = None,
) -> None:
    """Print a configuration file for OPENSSL_CONF; its boards are built and tried first."""
    more: dict[str, str] = {}
    for one in setting or []:
        name, equals, value = one.partition("=")
        if not equals or not value or name not in SETTINGS:
            raise usage(f"--set {one}: must be NAME=VALUE with one of {', '.join(SETTINGS)}")
        try:
            more[name] = checked(name, value)
        except ConfigurationError as error:
            raise usage(f"--set {error}") from None
    specs = board or [provider_check.default_boards()]
    for spec in specs:
        if boards.is_system(spec):
            raise usage(
                f"{spec}: the time of a system depends on the exponent; a server's key needs constant time"
            )
    with console.steps() as steps:
        found = tuple(resolve_spec(spec, steps) for spec in specs)
        provision = Provision(found, fallback, queue, timeout, exponent_blinding, status, more)
        try:
            provision.text(Path("/perle.so"))
            for spec in found:
                Boards(spec).close()
            steps("building the provider")
            text = provision.text(provider_path())
        except ConfigurationError as error:
            raise usage(str(error)) from None
    typer.echo(text, nl=False)


@app.command()
def path() -> None:
    """Print the path of the provider's shared object; it is built if missing or outdated."""
    with console.steps() as steps:
        steps.work("building the provider")
        found = provider_path()
    typer.echo(str(found))


@app.command()
def check(
    conf: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            parser=file,
            help="Configuration to check. Default: $OPENSSL_CONF, or the output of perle provider conf.",
            show_default=False,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Check that this machine's OpenSSL signs on the boards of a configuration, and show the files it uses.

    OpenSSL loads the provider. A product and an exponentiation on every board are compared with software. A
    new key signs on the boards, with fallback to software disabled, and OpenSSL verifies without boards.
    """
    chosen = os.environ.get("OPENSSL_CONF")
    where = conf or (Path(chosen) if chosen else None)
    with console.steps() as steps:
        found = provider_check.check(where, steps)
    if json:
        console.print_json([asdict(fact) for fact in found])
        return
    table = Table(("", "found"))
    for fact in found:
        table.add(fact.what, fact.value)
    console.output().print(table)
    console.output().print("OpenSSL signs on these boards")


@app.command()
def metrics(
    status: Folder = None,
    out: Annotated[
        str,
        typer.Option(
            "--out", "-o", metavar="FILE", parser=file_name, help="Output file; - is standard output."
        ),
    ] = files.STREAM,
    listen: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="Serve the metrics under /metrics until interrupted."),
    ] = None,
) -> None:
    """Write metrics for Prometheus of all processes that use the provider.

    A file of earlier metrics is replaced, in one step, as node_exporter's textfile collector requires.
    """
    folder = status or status_folder()
    if status is not None and not folder.is_dir():
        raise bad_input(f"{folder}: no such folder")
    if listen is not None:
        if out != files.STREAM:
            raise usage("--listen and --out exclude each other")
        provider_metrics.serve(folder, listen)
        return
    text = provider_metrics.text(folder)
    with files.writing(out, force=provider_metrics.replaceable(out) or None) as write:
        write(text.encode())


@app.command("status")
def show(
    status: Folder = None,
    forget: Annotated[
        bool, typer.Option("--forget", help="First remove the status files of ended processes.")
    ] = False,
    json: Json = False,
) -> None:
    """Show the operations and boards of all processes that use the provider."""
    folder = status or status_folder()
    if status is not None and not folder.is_dir():
        raise bad_input(f"{folder}: no such folder")
    if forget:
        console.note(f"{forget_ended(folder)} removed")
    found = list(statuses(folder))
    if json:
        console.print_json([_plain(page) for page in found])
    elif not found:
        console.note(f"no status of a process in {folder}")
    else:
        _print(found)


def _plain(page: ProcessStatus) -> dict[str, Any]:
    return {**asdict(page), "path": str(page.path)}


def _print(found: list[ProcessStatus]) -> None:
    table = Table(
        ("process", "on boards", "software", "declined", "failed", "wrong", "bad keys", "waiting", "policy")
    )
    for page in found:
        counts = page.counts
        names = ("boards", "software", "declined", "failed", "wrong", "bad_keys", "waiting")
        row = [counts[name] for name in names]
        table.add(f"{page.pid}{'' if page.running else ' (ended)'}", *row, page.fallback)
    console.output().print(table)
    rows = Table((
        *("process", "boards", "state", "operations", "errors", "wrong", "time-outs", "recovered"),
        "last error",
    ))  # fmt: skip
    for page in found:
        for board in page.boards:
            values = (board.operations, board.errors, board.wrong, board.timeouts, board.recovered)
            rows.add(page.pid, board.spec, board.state, *values, board.last_error)
    console.output().print(rows)
