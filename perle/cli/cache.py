# SPDX-License-Identifier: Apache-2.0
"""`perle cache`: what was built here and is kept, and making room."""

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

app = typer.Typer(no_args_is_help=True, help="Simulators and other builds that are kept.")

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
    """List what is kept: when it was last used, and its size."""
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
    """Sum up what is kept, by what it is."""
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
            metavar="DAYS", help=f"What was not used for so long. Default: {OLD:.0f}, without --keep-size."
        ),
    ] = None,
    keep_size: Annotated[
        float | None, typer.Option(metavar="GB", help="The oldest, until no more than this is kept.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
    json: Json = False,
) -> None:
    """Remove what was not used for long; it is built again when it is needed.

    What a running process builds or has loaded stays. Use is as fine as the file system notes it: most note
    reading once a day.
    """
    for name, value in (("--older-than", older_than), ("--keep-size", keep_size)):
        if value is not None and not 0 <= value < float("inf"):
            raise usage(f"{name} {value:g}: a number that is not negative is wanted")
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
        console.output().print(f"in use, stays: {one.key}")
    freed = sum(one.bytes for one in gone)
    console.output().print(f"{len(gone)} of them, {freed / MEGA:.1f} MB; left: {_total(entries())}")


def _date(one: Entry) -> str:
    return datetime.fromtimestamp(one.used, UTC).astimezone().strftime("%Y-%m-%d %H:%M")


def _total(found: list[Entry]) -> str:
    return f"{len(found)} entries, {sum(one.bytes for one in found) / MEGA:.1f} MB in {cache_root()}"


def _plain(one: Entry) -> dict[str, Any]:
    used = datetime.fromtimestamp(one.used, UTC).isoformat(timespec="seconds")
    return {"key": one.key, "kind": one.kind, "bytes": one.bytes, "used": used}
