# SPDX-License-Identifier: Apache-2.0
"""`perle choose`: which configuration meets a user's requirements, from recorded measurements."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from perle.cli.arith import Json
from perle.cli.io import console
from perle.cli.io.errors import finite, usage
from perle.measure.target import UnknownTargetError, chosen
from perle.report.choose import commands, tables
from perle.report.choose.candidates import Basis
from perle.report.choose.choice import Choice, Judged, Unused
from perle.report.choose.choice import choose as answer
from perle.report.choose.question import ENERGY, LATENCY, RATE, Limit, Objective, Operation, Question
from perle.results import names

LARGEST = 1 << 16


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
    measured configuration and the command that generates it, the next best in comparison, and how reliable
    the figures are. Separately lists configurations that were not measured but predicted from other widths,
    with the command that measures them. If nothing is within the limits, shows which limits the nearest
    configurations miss, and by how much.
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
    found = answer(Question(op, bits, targets, tuple(limits), best))
    if json:
        console.print_json(_data(found))
    else:
        _print(found, rows)


def _print(found: Choice, rows: int) -> None:
    out = console.output()
    out.print(found.question.text, markup=False)
    if found.fits:
        out.print(tables.table("Measured, within the limits", found.fits[:rows], "compared with the best"))
    _say(tables.lines(found))
    if found.unmeasured:
        shown = found.unmeasured[:rows]
        title = "Not measured as a whole, predicted to be within the limits"
        out.print(tables.table(title, shown, "compared with the best"))
        _say(tables.to_measure(shown))
    if found.near and len(found.fits) < rows:
        out.print(tables.table("Nearest configurations outside the limits", found.near[:rows], "misses"))
    hidden = max(0, len(found.fits) - rows) + max(0, len(found.unmeasured) - rows)
    if hidden:
        console.note(f"{hidden} more are within the limits: --rows {rows + hidden}")


def _say(lines: Any) -> None:  # noqa: ANN401
    for line in lines:
        console.output().print(line, markup=False, soft_wrap=True)


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
        "seeds": found.seeds,
        "date": found.date or None,
        "sources": found.sources or None,
        "note": found.note or None,
        "why": one.why,
        "doubts": one.doubts,
        "generate": commands.build(found),
        "measure": found.point.command if whole else commands.measure(found),
    }


def _unused(one: Unused) -> dict[str, str]:
    point = one.point
    return {
        "core": point.core,
        "part": point.part,
        "target": point.target,
        "why": one.why,
        "measure": one.command,
    }
