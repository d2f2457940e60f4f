# SPDX-License-Identifier: Apache-2.0
"""`perle cache`: list the cached builds, and remove old ones."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from perle.cli.arith import Json
from perle.cli.io import console
from perle.cli.io.errors import usage
from perle.flow.cache import cache_root
from perle.flow.cache_entries import Entry, chosen, entries, forget_links, remove
from perle.tables import Table

app = typer.Typer(no_args_is_help=True, help="List and remove cached simulators and other builds.")

MEGA, GIGA = 1e6, 1e9
OLD = 30.0
KINDS = {
    "bench": "testbench of a core, compiled",
    "board": "simulated board",
    "cocotb": "testbench by cocotb",
    "engine": "simulated engine",
    "exp": "Verilog of an exponentiator",
    "harness": "design to place and route",
    "headers": "Verilator's headers, compiled once for all simulators",
    "memory": "simulated active memory",
    "plain": "Verilog-2005 copy of a core",
    "verilated": "Verilator's run-time library",
    "word": "testbench of a multiplier, compiled",
}


@app.command("list")
def show(json: Json = False) -> None:
    """List the cached builds, with last use and size."""
    found = entries()
    if json:
        console.print_json({"cache": str(cache_root()), "entries": [_plain(one) for one in found]})
        return
    table = Table(("last used", "size, MB", "entry"), right=(1,))
    for one in found:
        table.add(_date(one), f"{one.bytes / MEGA:.1f}", one.key)
    console.output().print(table)
    console.output().print(_total(found))


@app.command()
def size(json: Json = False) -> None:
    """Show the total size of each kind of build."""
    found = entries()
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for one in found:
        sums[one.kind][0] += 1
        sums[one.kind][1] += one.bytes
    order = sorted(sums.items(), key=lambda item: -item[1][1])
    if json:
        rows = [{"kind": kind, "entries": count, "bytes": total} for kind, (count, total) in order]
        console.print_json({"cache": str(cache_root()), "kinds": rows})
        return
    table = Table(("kind", "entries", "size, MB", "what it is"), right=(1, 2))
    for kind, (count, total) in order:
        table.add(kind, count, f"{total / MEGA:.1f}", KINDS.get(kind, ""))
    console.output().print(table)
    console.output().print(_total(found))


@app.command()
def prune(
    older_than: Annotated[
        float | None,
        typer.Option(
            metavar="DAYS",
            help=f"Remove what was unused for so long. Default: {OLD:.0f}, without --keep-size.",
        ),
    ] = None,
    keep_size: Annotated[
        float | None,
        typer.Option(metavar="GB", help="Remove the least recently used, down to this total size."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be removed.")] = False,
    json: Json = False,
) -> None:
    """Remove builds that were not used for a long time; they are built again when needed.

    Builds in progress, and those that a running process has loaded, are kept. The time of last use comes from
    the file system; most file systems update it once a day.
    """
    for name, value in (("--older-than", older_than), ("--keep-size", keep_size)):
        if value is not None and not 0 <= value * GIGA < float("inf"):
            raise usage(f"{name} {value:g}: must be a number of at least 0")
    days = OLD if older_than is None and keep_size is None else older_than
    wanted = chosen(
        entries(), older_than=days, keep_bytes=None if keep_size is None else round(keep_size * GIGA)
    )
    gone = wanted if dry_run else remove(wanted)
    if not dry_run:
        forget_links()
    busy = [one for one in wanted if one not in gone]
    if json:
        lists = {"removed": [_plain(one) for one in gone], "in_use": [_plain(one) for one in busy]}
        console.print_json({"cache": str(cache_root()), "dry_run": dry_run, **lists})
        return
    word = "would be removed" if dry_run else "removed"
    for one in gone:
        console.output().print(f"{word}: {one.key} ({one.bytes / MEGA:.1f} MB, last used {_date(one)})")
    for one in busy:
        console.output().print(f"in use, kept: {one.key}")
    freed = sum(one.bytes for one in gone)
    console.output().print(f"{word}: {len(gone)} entries, {freed / MEGA:.1f} MB; left: {_total(entries())}")


def _date(one: Entry) -> str:
    return datetime.fromtimestamp(one.used, UTC).astimezone().strftime("%Y-%m-%d %H:%M")


def _total(found: list[Entry]) -> str:
    return f"{len(found)} entries, {sum(one.bytes for one in found) / MEGA:.1f} MB in {cache_root()}"


def _plain(one: Entry) -> dict[str, Any]:
    used = datetime.fromtimestamp(one.used, UTC).isoformat(timespec="seconds")
    return {"key": one.key, "kind": one.kind, "bytes": one.bytes, "used": used}
