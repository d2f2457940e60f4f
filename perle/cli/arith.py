# SPDX-License-Identifier: Apache-2.0
"""`perle mul` and `perle exp`: one modular product or power, or a stream of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import typer

from perle.cli import json_lines
from perle.cli.boards import SPEC_HELP, default_spec, in_background, opened
from perle.cli.io import console
from perle.cli.io.errors import file_name, usage
from perle.cli.io.numbers import from_hex, to_hex
from perle.host import Boards, Mode, Result
from perle.spec import check_modulus, check_operand


class ModeName(StrEnum):
    """Modes of exponentiation by name."""

    window = "window"
    binary = "binary"
    paper = "paper"
    ladder = "ladder"

    @property
    def mode(self) -> Mode:
        """The mode as the host library names it."""
        return Mode[self.name.upper()]


@dataclass(frozen=True)
class Operation:
    """An operation on three numbers: their names on the command line and in JSON lines, and how to run it."""

    names: tuple[str, str, str]
    keys: tuple[str, str, str]
    check: Callable[[int, int, int], None]
    bits: Callable[[int, int, int], int]
    run: Callable[[Boards, int, int, int], Result]

    def numbers(self, texts: Mapping[str, object]) -> tuple[int, int, int]:
        """Return the numbers of {key: hex}, checked to be legal."""
        first, second, modulus = (
            from_hex(name, texts[key]) for name, key in zip(self.names, self.keys, strict=True)
        )
        check_modulus(modulus)
        self.check(first, second, modulus)
        return first, second, modulus

    def spec(self, numbers: tuple[int, int, int], boards: int = 1) -> str:
        """Return the specification of a board wide enough for these numbers."""
        bits, modulus = self.bits(*numbers), numbers[-1].bit_length()
        return default_spec(bits, boards, "the exponent" if bits > modulus else "the modulus")


def _check_product(x: int, y: int, m: int) -> None:
    check_operand("X", x, m)
    check_operand("Y", y, m)


PRODUCT = Operation(
    ("X", "Y", "M"), ("x", "y", "m"), _check_product, lambda _x, _y, m: m.bit_length(), Boards.mulmod
)


def power(mode: Mode) -> Operation:
    """Return exponentiation in one of the modes; the board must be as wide as a long exponent."""
    return Operation(
        ("BASE", "EXP", "MOD"),
        ("b", "e", "m"),
        lambda b, _e, m: check_operand("BASE", b, m),
        lambda _b, e, m: max(e.bit_length(), m.bit_length()),
        lambda boards, b, e, m: boards.modexp(b, e, m, mode=mode),
    )


Spec = Annotated[
    str | None,
    typer.Option("--board", metavar="SPEC", help=SPEC_HELP + " Default: orup of the modulus' width."),
]
Batch = Annotated[
    str | None,
    typer.Option(
        "--batch",
        metavar="F.jsonl",
        parser=file_name,
        help="Read operations from a file (- is standard input), one JSON object per line.",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Number = Annotated[str | None, typer.Argument(help="Hexadecimal, with or without 0x.", show_default=False)]


def mul(
    x: Number = None,
    y: Number = None,
    m: Number = None,
    board: Spec = None,
    batch: Batch = None,
    json: Json = False,
) -> None:
    """Compute X·Y mod M on a board, for X, Y < M and M odd.

    --batch reads lines {"x":…,"y":…,"m":…} and answers each, in order, with {"r":…,"cycles":…}, or with
    {"error":…,"line":…} and continues. All numbers are hexadecimal strings.
    """
    _command(PRODUCT, (x, y, m), board, batch, json)


def exp(
    base: Number = None,
    exponent: Annotated[
        str | None, typer.Argument(metavar="EXP", help="The exponent.", show_default=False)
    ] = None,
    modulus: Annotated[
        str | None, typer.Argument(metavar="MOD", help="The modulus, odd.", show_default=False)
    ] = None,
    board: Spec = None,
    batch: Batch = None,
    mode: Annotated[
        ModeName,
        typer.Option(
            help="window and ladder: constant time, as for an exponent as wide as the modulus. binary: fast "
            "for short public exponents; its time reveals the number of ones. paper: as in tang2003."
        ),
    ] = ModeName.window,
    json: Json = False,
) -> None:
    """Compute BASE^EXP mod MOD on a board, for BASE < MOD and MOD odd.

    --batch reads lines {"b":…,"e":…,"m":…} and answers each, in order, with {"r":…,"cycles":…}, or with
    {"error":…,"line":…} and continues. All numbers are hexadecimal strings.
    """
    _command(power(mode.mode), (base, exponent, modulus), board, batch, json)


def _command(
    operation: Operation, texts: tuple[str | None, ...], board: str | None, source: str | None, json: bool
) -> None:
    if source is not None:
        if any(text is not None for text in texts):
            raise usage(f"either --batch or {' '.join(operation.names)}")
        json_lines.run(operation, source, board)
        return
    absent = [name for name, text in zip(operation.names, texts, strict=True) if text is None]
    if absent:
        raise usage(f"{absent[0]} is missing: give {' '.join(operation.names)}, or --batch")
    numbers = operation.numbers(dict(zip(operation.keys, texts, strict=True)))
    spec = operation.spec(numbers) if board is None else board
    with console.steps() as steps, opened(spec, steps) as boards:
        result = in_background(lambda: operation.run(boards, *numbers))
    show(result, spec, json)


def show(result: Result, spec: str, json: bool) -> None:
    """Print a result."""
    if json:
        console.print_json({"r": to_hex(result.value), "cycles": result.cycles, "board": spec})
        return
    typer.echo(f"r       {to_hex(result.value)}\ncycles  {result.cycles}\nboard   {spec}")
