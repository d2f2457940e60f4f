# SPDX-License-Identifier: Apache-2.0
"""`perle doctor`, `perle boards` and `perle build`: the tools and boards of this machine."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.text import Text

from perle.boards import simulated
from perle.boards.build import build_board
from perle.cli.arith import Json
from perle.cli.attached import attached
from perle.cli.attached import table as attached_table
from perle.cli.boards import CORE, config_of, lanes_of
from perle.cli.io import console
from perle.cli.io.errors import Code
from perle.cores import registry
from perle.flow import doctor as health
from perle.flow.cache import cache_root, log_path
from perle.host.pam.driver import names as drivers
from perle.host.pam.spec import PREFIX
from perle.measure.target import every
from perle.tables import Table


class TraceFormat(StrEnum):
    """Formats of waveforms."""

    vcd = "vcd"
    fst = "fst"

    @property
    def kind(self) -> Literal["vcd", "fst"]:
        """The format's name in a build."""
        return "vcd" if self is TraceFormat.vcd else "fst"


def doctor(json: Json = False) -> None:
    """Check all tools that Perle calls; exit code 5 if a required one is missing."""
    found = health.checks()
    absent = health.missing(found)
    lacking = {check.name for check in found if not check.found}
    ready = {name: sorted(lacking.intersection(one.needs)) for name, one in every().items()}
    if json:
        targets = {
            check.name: [name for name, one in every().items() if check.name in one.needs] for check in found
        }
        console.print_json([{**asdict(check), "targets": targets[check.name]} for check in found])
    else:
        table = Table(("", "tool", "version", "needed for", "how to get it"))
        for check in found:
            absent_mark = Text("–", "yellow") if check.optional else Text("✗", "red")
            mark = Text("✓", "green") if check.found else absent_mark
            table.add(mark, check.name, check.version, check.needed_for, check.fix)
        console.output().print(table)
        measures = Table(("perle measure --target", "ready", "lacks"))
        for name, lacks in ready.items():
            measures.add(name, "no" if lacks else "yes", ", ".join(lacks))
        console.output().print(measures)
        console.output().print("all required tools are present" if not absent else f"{len(absent)} missing")
    if absent:
        raise typer.Exit(Code.TOOL)


@dataclass(frozen=True)
class Built:
    """A simulated board in the cache."""

    family: str
    config: str
    variant: str
    spec: str
    path: str
    bytes: int
    hash: str
    config_hash: str


_NAME = re.compile(
    r"board-(?P<family>[^-]+)-(?P<config>[^-]+)(?P<variant>(?:-[a-z0-9]+)*)-(?P<hash>[0-9a-f]{16})\.so"
)


def built() -> list[Built]:
    """Return the boards in the cache that programs find by name: the latest build of every variant."""
    found = []
    for link in sorted((cache_root() / "boards").glob("*.so")):
        path = link.resolve()
        match = _NAME.fullmatch(path.name)
        if match is None or not path.is_file():
            continue
        try:
            told = simulated.info(path)
        except simulated.SimulatorVersionError:
            continue  # of an older version: it cannot be opened, and is rebuilt when needed
        spec = f"sim:{match['family']}:{match['config']}" if not match["variant"] else f"sim:{link}"
        found.append(
            Built(
                match["family"],
                match["config"],
                match["variant"].removeprefix("-"),
                spec,
                str(path),
                path.stat().st_size,
                match["hash"],
                str(told["config_hash"]),
            )
        )
    return found


def boards(
    etherbone: Annotated[
        list[str] | None,
        typer.Option(metavar="HOST[:PORT]", help="Also look for a board at this address; repeatable."),
    ] = None,
    ask: Annotated[
        bool,
        typer.Option(help="Probe serial ports and memory-mapped devices for boards, by sending a few bytes."),
    ] = True,
    json: Json = False,
) -> None:
    """List boards: simulated ones, systems, and hardware boards connected to this machine."""
    with console.steps(quiet=json) as steps:
        found = attached(etherbone or [], steps, ask=ask)
    ready = built()
    names = {(board.family, board.config) for board in ready if not board.variant}
    others = [
        f"sim:{family.name}:{config}"
        for family in registry.families().values()
        for config in family.configs
        if (family.name, config) not in names
    ]
    systems = [f"{PREFIX}{name}" for name in drivers()]
    if json:
        console.print_json(
            {
                "cache": str(cache_root()),
                "built": [asdict(board) for board in ready],
                "buildable": others,
                "systems": systems,
                "attached": [asdict(one) for one in found],
            }
        )
        return
    out = console.output()
    out.print(
        attached_table(found)
        if found
        else "no serial port and no memory-mapped device: no hardware board here"
    )
    table = Table(("built", "variant", "size", "hash", "path"), right=(2,))
    for board in ready:
        size = f"{board.bytes / 1e6:.1f} MB"
        table.add(f"{board.family}:{board.config}", board.variant, size, board.hash, board.path)
    out.print(table if ready else f"no board is built yet in {cache_root()}")
    out.print(f"built when first used: {' '.join(others)}\nand any other width: sim:orup:wN")
    out.print(f"systems of active memories, for perle rsa: {' '.join(systems)}")


def build(
    spec: Annotated[
        str,
        typer.Argument(
            metavar="SPEC", help=f"sim:{CORE} or {CORE}, either with ,lanes=T.", show_default=False
        ),
    ],
    word_bits: Annotated[int, typer.Option(help="Data bus: 32 or 64 bits.", min=32, max=64)] = 64,
    trace: Annotated[
        TraceFormat | None, typer.Option(help="Build with recording of waveforms.", show_default=False)
    ] = None,
    json: Json = False,
) -> None:
    """Build a simulated board, unless it is built already, and print its path."""
    config, lanes = config_of(spec), lanes_of(spec)
    if word_bits not in (32, 64):
        raise typer.BadParameter("a data bus has 32 or 64 bits", param_hint="--word-bits")
    with console.steps() as steps:
        kind = trace.kind if trace else False
        path = build_board(config, word_bits=word_bits, lanes=lanes, trace=kind, progress=steps)
    if json:
        console.print_json(facts(path))
    else:
        typer.echo(path)


def facts(path: Path) -> dict[str, Any]:
    """Return the facts about a build."""
    return {
        "path": str(path),
        "log": str(log_path(path)),
        "bytes": path.stat().st_size,
        **simulated.info(path),
    }
