# SPDX-License-Identifier: Apache-2.0
"""`perle choose`: which configuration meets a user's requirements, from recorded measurements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from textwrap import wrap
from typing import Annotated, Any

import typer

from perle.cli.arith import Json
from perle.cli.choose_soc import designs
from perle.cli.io import console
from perle.cli.io.errors import Code, finite, usage
from perle.measure.target import UnknownTargetError, chosen
from perle.report.choose import commands, tables
from perle.report.choose.candidates import Basis
from perle.report.choose.choice import Choice, Judged
from perle.report.choose.choice import choose as answer
from perle.report.choose.known import UnknownFigureError
from perle.report.choose.question import ENERGY, LATENCY, RATE, Limit, Objective, Operation, Question
from perle.report.choose.unused import Unused
from perle.results import names
from perle.tables import within

LARGEST = 1 << 16
WIDTH = 100
"""Width in characters of an answer that is written to a file or a pipe."""
BESIDE = "compared with the best"
INDENT = 3
"""Indent of the further lines of a long line."""
TIED = re.compile(r"(?<=\d) (?=(?:%|MHz|ms|µs|ns|s|nJ|µm²)(?!\w))|(?<=×) | (?=×)")
"""The spaces between a number and its unit, and around what stands between a factor and its word."""
TIE = "\0"
"""What keeps them on one line."""
WORDS: dict[str, Any] = {"break_long_words": False, "break_on_hyphens": False}


def _most(text: str, metavar: str = "N") -> Any:  # noqa: ANN401 - Typer's own kind of option
    return typer.Option(metavar=metavar, help=text, min=0, show_default=False, callback=finite)


def choose(
    bits: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="Size of the modulus; for RSA, of the key.",
            min=2,
            max=LARGEST,
            show_default=False,
        ),
    ],
    op: Annotated[
        Operation,
        typer.Option(help="A modular product, a power, or an RSA private operation with or without CRT."),
    ] = Operation.modexp,
    target: Annotated[
        str,
        typer.Option(
            metavar="T", help="Device or process: see perle measure. ecp5 and ecp5_25 mean both speed grades."
        ),
    ] = "ecp5",
    best: Annotated[
        Objective | None,
        typer.Option(
            help="What to optimize. Default: area if a speed is a limit, otherwise rate.", show_default=False
        ),
    ] = None,
    min_rate: Annotated[float | None, _most("Minimum operations per second.", "R")] = None,
    max_latency: Annotated[float | None, _most("Maximum latency of an operation, in ms.", "MS")] = None,
    max_energy: Annotated[float | None, _most("Maximum energy of an operation, in nJ.", "NJ")] = None,
    max_lut: Annotated[
        int | None, _most("Maximum LUTs, including those of carry chains and LUT memories.")
    ] = None,
    max_ff: Annotated[int | None, _most("Maximum flip-flops.")] = None,
    max_dsp: Annotated[int | None, _most("Maximum device multipliers (DSP).")] = None,
    max_bram: Annotated[int | None, _most("Maximum block RAMs.")] = None,
    max_area: Annotated[float | None, _most("Maximum area in µm², for a process.", "UM2")] = None,
    rows: Annotated[int, typer.Option(metavar="N", help="Maximum rows of a table.", min=1)] = 5,
    json: Json = False,
) -> None:
    """Choose a configuration for an operation, within limits of area, time and energy.

    Reads the recorded measurements that are valid for the current sources, and runs no tool. Shows the best
    measured configuration, the commands that generate it and a design for a board with that device, the next
    best in comparison, and how reliable the figures are. Separately lists configurations that were not
    measured but predicted from other widths, with the command that measures them. If nothing is within the
    limits, shows which limits the nearest configurations miss, and by how much. Exit code 1 if no measured
    configuration is within the limits.
    """
    if op is Operation.rsa_crt and bits % 2:
        raise usage("--bits: an RSA-CRT key has an even number of bits")
    try:
        targets = tuple(one.name for one in chosen(target))
    except UnknownTargetError as error:
        raise usage(str(error)) from None
    bounds = {
        LATENCY: max_latency,
        ENERGY: max_energy,
        names.LUTS: max_lut,
        names.FF: max_ff,
        names.DSP: max_dsp,
        names.BRAM: max_bram,
        names.AREA: max_area,
    }
    limits = [Limit(name, bound) for name, bound in bounds.items() if bound is not None]
    if min_rate is not None:
        limits.append(Limit(RATE, min_rate, at_least=True))
    try:
        found = answer(Question(op, bits, targets, tuple(limits), best))
    except UnknownFigureError as error:
        raise usage(str(error)) from None
    if json:
        console.print_json(_data(found))
    else:
        _print(found, rows)
    if found.best is None:
        raise typer.Exit(Code.WRONG)


def _print(found: Choice, rows: int) -> None:
    out = console.output(WIDTH)
    _say([found.text])
    if found.fits:
        _show("Measured, within the limits", found.fits[:rows], BESIDE)
    out.print()
    _say(tables.lines(found, [] if found.best is None else designs(found.best.candidate)))
    if found.unmeasured:
        _show("Not measured as a whole, predicted to be within the limits", found.unmeasured[:rows], BESIDE)
    if found.near and len(found.fits) < rows:
        _show("Nearest configurations outside the limits", found.near[:rows], "misses")
    hidden = max(0, len(found.fits) - rows) + max(0, len(found.unmeasured) - rows)
    if hidden:
        console.note(f"{hidden} more are within the limits: --rows {rows + hidden}")


def _show(title: str, rows: Sequence[Judged], what: str) -> None:
    out = console.output(WIDTH)
    out.print()
    for part in within(tables.table(title, rows), out.width):
        out.print(part)
    _say(tables.reasons(rows, what))


def _say(lines: Iterable[str]) -> None:
    """Print lines, broken between words and indented like their beginning; a command is never broken."""
    out = console.output(WIDTH)
    for line in lines:
        text = line.lstrip()
        command = line != text and text.startswith("perle ")
        indent = " " * (len(line) - len(text) or INDENT)
        words = TIED.sub(TIE, line)
        shown = [line] if command else wrap(words, out.width, subsequent_indent=indent, **WORDS)
        out.print("\n".join(shown).replace(TIE, " "), markup=False, soft_wrap=True)


def _data(found: Choice) -> dict[str, Any]:
    asked = found.question
    return {
        "question": {
            "op": asked.operation,
            "bits": asked.bits,
            "modulus_bits": asked.width,
            "targets": asked.targets,
            "best": asked.objective,
            "ranked_by": Objective.area if found.missing else asked.objective,
            "limits": [
                {"figure": one.figure, "least" if one.at_least else "most": one.bound} for one in asked.limits
            ],
        },
        "best": _judged(found.best) if found.best else None,
        "runners_up": [_judged(one) for one in found.fits[1:]],
        "not_measured": [_judged(one) for one in found.unmeasured],
        "misses": [_judged(one) for one in found.near],
        "widest": None if found.widest is None else asdict(found.widest),
        "seed_spread": _spread(found),
        "stale": [_unused(one) for one in found.stale],
        "failed": [_unused(one) for one in found.failed],
    }


def _spread(found: Choice) -> dict[str, float] | None:
    """Return how far the clocks of points with several seeds are from their medians, if there are such."""
    if found.seed_spread is None:
        return None
    points, largest = found.seed_spread
    return {"points": points, "largest_relative": largest}


def _judged(one: Judged) -> dict[str, Any]:
    found = one.candidate
    whole = found.basis is Basis.measured
    return {
        "core": found.point.core,
        "part": found.point.part,
        "target": found.point.target,
        "basis": found.basis,
        "figures": found.figures,
        "errors": found.errors,
        "clock_mhz": found.clock_mhz,
        "clock_used_mhz": found.clock_used_mhz,
        "seeds": found.seeds,
        "seed_numbers": found.seed_numbers,
        "date": found.date or None,
        "sources": found.sources or None,
        "note": found.note or None,
        "why": one.why,
        "doubts": one.doubts,
        "generate": commands.build(found),
        "soc": designs(found),
        "measure": found.point.command if whole else commands.measure(found),
    }


def _unused(one: Unused) -> dict[str, str | None]:
    point = one.point
    return {
        "core": point.core,
        "part": point.part,
        "target": point.target,
        "why": one.why,
        "measure": one.command or None,
    }
