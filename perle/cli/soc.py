# SPDX-License-Identifier: Apache-2.0
"""`perle soc`: complete designs for FPGA boards."""

from __future__ import annotations

import ipaddress
import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from perle.cli.arith import Json
from perle.cli.boards import config_of, lanes_of
from perle.cli.io import console
from perle.cli.io.errors import finite, folder, usage
from perle.flow import ecppack
from perle.flow.ecppack import Bitstream
from perle.flow.places import INSTALLED
from perle.generate.ip import IllegalIpError
from perle.soc import build as building
from perle.soc import directory, pll, records, simulation
from perle.soc.boards import Board, UnknownBoardError, board, boards
from perle.soc.build import Built, Timing
from perle.soc.core import Core, IllegalSocError
from perle.soc.design import BAUD, NAME, RATES
from perle.soc.pll import Clocks

ADDRESS = "127.0.0.2:1234"
HOSTS = {"uart": "uart:", "ethernet": "etherbone:"}


def soc(
    name: Annotated[
        str, typer.Argument(metavar="BOARD", help=f"One of {', '.join(boards())}.", show_default=False)
    ],
    core: Annotated[
        str,
        typer.Option(
            metavar="FAMILY:CONFIG",
            help="Core, with optional ,lanes=T. Default: depends on the board.",
            show_default=False,
        ),
    ] = "",
    clock: Annotated[
        float | None,
        typer.Option(
            metavar="MHZ",
            help="Highest clock of the core. Default: depends on the board.",
            show_default=False,
            min=1.0,
            max=pll.OUTPUT[1] / 1e6,
            callback=finite,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="DIR", parser=folder, help="Output directory.", show_default=False
        ),
    ] = None,
    build: Annotated[
        bool, typer.Option("--build", help="Also make the bitstream; takes many minutes for wide cores.")
    ] = False,
    load: Annotated[
        bool,
        typer.Option(
            "--load", help="Also make the bitstream and load it into the connected board, until power-off."
        ),
    ] = False,
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Run the design in a simulation until Ctrl-C.")
    ] = False,
    routed: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            parser=folder,
            help="With --simulate: use the routed netlist in this directory, which --build made.",
            show_default=False,
        ),
    ] = None,
    baud: Annotated[
        int,
        typer.Option(help="Baud rate of the serial port, if the board has one; the host must use the same."),
    ] = BAUD,
    address: Annotated[
        str, typer.Option(metavar="HOST:PORT", help="With --simulate: UDP address of the board's Ethernet.")
    ] = ADDRESS,
    seed: Annotated[int, typer.Option(help="Seed of placement.", min=1)] = 1,
    record: Annotated[
        bool,
        typer.Option("--record", help="With --build, in a checkout: record the result in results/soc."),
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace files that were generated in DIR before.")
    ] = False,
    json: Json = False,
) -> None:
    """Write a complete design for an FPGA board: sources, pins, instructions; with --build the bitstream."""
    _check(out, simulate=simulate, routed=routed, build=build, record=record)
    if simulate:
        given = {"--build": build, "--load": load, "--force": force, "--json": json, "--seed": seed != 1}
        _check_unused(
            given | ({} if routed is None else {"--core": bool(core), "--clock": clock is not None})
        )
    _check_address(address)
    try:
        target = board(name)
        _check_baud(baud, target)
        if routed is not None:
            _simulate_routed(target, routed)
            return
        chosen = core or target.core
        clocks = pll.clocks(target, 1e6 * (target.core_mhz if clock is None else clock))
        wanted = Core(config_of(chosen), lanes_of(chosen), round(clocks.core), target.link)
        wanted.check_fits(target)
        if out is None:
            _simulate(target, wanted, clocks, address)
            return
        started = time.monotonic()

        def kept(timing: Timing) -> None:
            if record:
                records.keep(target, wanted, clocks, timing, time.monotonic() - started)

        with console.steps() as steps:
            steps.work(f"generating {NAME}")
            made = directory.generate(target, wanted, clocks, out, baud=baud, force=force)
            built = None
            if build or load:
                steps("synthesis, place and route: takes many minutes for wide cores")
                built = building.build(out, made.sources, target, seed=seed, seen=kept)
    except (UnknownBoardError, IllegalIpError, IllegalSocError) as error:
        raise usage(str(error)) from error
    _tell(made, built, json=json)
    if load and built:
        _load(built.bitstream, target)


def _check(out: Path | None, *, simulate: bool, routed: Path | None, build: bool, record: bool) -> None:
    if simulate == (out is not None):
        raise usage("give either -o DIR, to write the design, or --simulate")
    if routed is not None and not simulate:
        raise usage("--routed needs --simulate")
    if record and (INSTALLED or not build):
        raise usage("--record needs --build and a checkout")


def _check_baud(baud: int, target: Board) -> None:
    if baud != BAUD and target.link != "uart":
        raise usage(f"--baud {baud}: {target.name} has no serial port")
    if baud not in RATES:
        raise usage(f"--baud {baud}: possible rates are {', '.join(map(str, RATES))}")


def _check_unused(given: dict[str, bool]) -> None:
    if unused := [name for name, is_given in given.items() if is_given]:
        raise usage(f"not usable with a simulation: {', '.join(unused)}")


def _check_address(text: str) -> None:
    host, _, port = text.rpartition(":")
    try:
        ipaddress.IPv4Address(host)
        known = port.isdecimal() and 0 < int(port) < 1 << 16
    except ValueError:
        known = False
    if not known:
        raise usage(f"--address {text}: must be an IPv4 address and a port, such as {ADDRESS}")


def _simulate(target: Board, core: Core, clocks: Clocks, address: str) -> None:
    with console.steps() as steps:
        path = simulation.build(core, steps)
    given = Clocks(pll.SYS_HZ[target.link], clocks.core)
    with simulation.SimulatedSoc(path, given, address) as running:
        _run(running, f"{HOSTS[target.link]}{running.place}")


def _simulate_routed(target: Board, folder: Path) -> None:
    design = directory.read(folder, target)
    netlist = folder / building.WORK / building.ROUTED
    if not netlist.is_file():
        raise usage(f"{netlist}: no such file; build the design first (--build -o {folder})")
    with console.steps() as steps:
        path = simulation.build_routed(netlist, target, steps)
    with simulation.SimulatedSoc(path, design.clocks, cycles_per_bit=design.cycles_per_bit) as running:
        _run(running, f"uart:{running.place},baud={simulation.NETLIST_BAUD}")


def _run(running: simulation.SimulatedSoc, place: str) -> None:
    typer.echo(place)
    console.note("simulation running; Ctrl-C ends it")
    running.wait()


def _load(bitstream: Bitstream, target: Board) -> None:
    console.note(ecppack.load(bitstream, target.loader).rstrip())


def _tell(made: directory.Directory, built: Built | None, *, json: bool) -> None:
    if json:
        facts: dict[str, object] = {
            "path": str(made.folder.resolve()),
            "core": made.core.named,
            "core_mhz": made.clocks.core / 1e6,
            "bus_mhz": made.clocks.sys / 1e6,
        }
        if built:
            facts |= {"bit": str(built.bitstream.bit.resolve()), "timing": asdict(built.timing)}
        console.print_json(facts)
        return
    typer.echo(built.bitstream.bit if built else made.folder)
    console.note(f"{made.core.named} at {made.clocks.core / 1e6:.3f} MHz: see {made.folder / 'README.md'}")
