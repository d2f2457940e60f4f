# SPDX-License-Identifier: Apache-2.0
"""`perle apps`: applications of long multiplication, on a board below a bignum library or in software."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from typing import Annotated, Any

import typer

from perle.apps import convolution, decimal, factoring, primes, reals, rsa
from perle.apps.arithmetic import Arithmetic, Result
from perle.boards.memory import build_memory
from perle.cli.arith import Json
from perle.cli.boards import closing, in_background
from perle.cli.io import console
from perle.cli.io.errors import Code, Fault, usage
from perle.cores.registry import resolve_memory
from perle.host._lib import library
from perle.host.pam.bignum import Bignum, Cost
from perle.host.pam.system import System, Timing
from perle.papers import load
from perle.report.papers.shand1990 import Gain
from perle.report.quantities import quantity, seconds
from perle.tables import Table

PAPER = "shand1990"
NONE = "none"
DEFAULT_BOARD = "bus_mul:fixed512"
CLOCKS_NS = {"bus_mul": 66.0, "reg_mul": 40.0}
"""Clock period in ns of the fastest board of each family in the paper's table 1."""
PS_PER_S = 10**12
LEAST_DIGITS, MOST_DIGITS = 10, 100_000
MOST_SAMPLES = 100_000
SHOWN = 20
"""Characters of a number in an error message."""

Work = Callable[[Arithmetic], Result]


@dataclass(frozen=True)
class Options:
    """Sizes given on the command line; None selects the application's default."""

    digits: int | None
    exponent: int | None
    bases: int
    samples: int | None = None
    number: int | None = None


@dataclass(frozen=True)
class App:
    """An application: description, accepted options, and its calculations, each with the paper's speed-up."""

    text: str
    takes: frozenset[str]
    work: Callable[[Options], list[tuple[Work, str | None]]]


def _rsa(_: Options) -> list[tuple[Work, str | None]]:
    return [(lambda math, bits=bits: rsa.run(math, bits), None) for bits in rsa.BITS]  # type: ignore[misc]


def _primes(options: Options) -> list[tuple[Work, str | None]]:
    exponent = options.exponent or primes.EXPONENT
    bases = primes.BASES[: options.bases]
    return [(lambda math: primes.run(math, exponent, bases), "certify_speedup")]


def _pi(options: Options) -> list[tuple[Work, str | None]]:
    digits = options.digits or reals.PI_DIGITS
    return [(lambda math: reals.run_pi(math, digits), "pi_speedup")]


def _sin(options: Options) -> list[tuple[Work, str | None]]:
    digits = options.digits or reals.SIN_DIGITS
    return [(lambda math: reals.run_sin(math, digits), "sin_speedup")]


def _decimal(options: Options) -> list[tuple[Work, str | None]]:
    digits = options.digits or decimal.DIGITS
    return [
        (lambda math: decimal.run(math, digits, fast=False), "print_speedup"),
        (lambda math: decimal.run(math, digits, fast=True), "print_fast_speedup"),
    ]


def _convolution(options: Options) -> list[tuple[Work, str | None]]:
    samples = options.samples or convolution.SAMPLES
    return [(lambda math: convolution.run(math, samples), None)]


def _factoring(options: Options) -> list[tuple[Work, str | None]]:
    number = options.number or factoring.FERMAT
    return [(lambda math: factoring.run(math, number), None)]


DIGITS, EXPONENT, SAMPLES = frozenset({"digits"}), frozenset({"exponent"}), frozenset({"samples"})
APPS = {
    "rsa": App("private operations with the Chinese remainder theorem, 512 and 1024 bits", frozenset(), _rsa),
    "primes": App("strong probable-prime test of (2^3539 + 1)/3 and of a composite", EXPONENT, _primes),
    "pi": App("5000 decimals of π", DIGITS, _pi),
    "sin": App("1000 decimals of sin(10)", DIGITS, _sin),
    "decimal": App("5000 digits from binary to decimal, in two ways", DIGITS, _decimal),
    "convolution": App(
        "1024 samples through a filter of 64 taps, by one long product", SAMPLES, _convolution
    ),
    "factoring": App(
        "the factor of 16 digits of 2^256 + 1, by elliptic curves", frozenset({"number"}), _factoring
    ),
}


@dataclass(frozen=True)
class Done:
    """A result, its cost, and the speed-up printed in the paper."""

    result: Result
    cost: Cost
    printed: float | None


def apps(
    name: Annotated[
        str | None, typer.Argument(metavar="APP", help=f"One of: {', '.join(APPS)}.", show_default=False)
    ] = None,
    board: Annotated[
        str, typer.Option(help="bus_mul or reg_mul with a configuration (reg_mul:w512); none: software.")
    ] = DEFAULT_BOARD,
    timing: Annotated[str, typer.Option(help="Timing model of host and bus: vme68020 or axi.")] = "vme68020",
    clock: Annotated[
        float | None,
        typer.Option(metavar="NS", help="Clock period of the board. Default: 66 (bus_mul), 40 (reg_mul)."),
    ] = None,
    digits: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Number of decimal digits, for pi, sin and decimal.", show_default=False
        ),
    ] = None,
    exponent: Annotated[
        int | None, typer.Option(metavar="P", help="With primes: test (2^P + 1)/3.", show_default=False)
    ] = None,
    bases: Annotated[
        int, typer.Option(min=1, max=len(primes.BASES), help="With primes: number of bases of the test.")
    ] = len(primes.BASES),
    samples: Annotated[
        int | None, typer.Option(metavar="N", help="With convolution: number of samples.", show_default=False)
    ] = None,
    number: Annotated[
        str | None,
        typer.Option(metavar="N", help="With factoring: the number to factor, decimal.", show_default=False),
    ] = None,
    json: Json = False,
) -> None:
    """Run an application on a bignum library that multiplies on a simulated board.

    Every result is compared with another library, and every long product is checked. Times are modelled: bus
    accesses and instructions of the host, and for comparison schoolbook multiplication on the same host.
    Without an argument, lists the applications.
    """
    if name is None:
        _list(json)
        return
    if name not in APPS:
        raise usage(f"no such application: {name}; there are: {', '.join(APPS)}")
    app = APPS[name]
    _refuse(name, app, digits, exponent, samples, number)
    to_factor = _to_factor(number)
    with console.steps() as steps, _calculator(board, timing, clock, steps) as math:
        done = [
            _run(math, work, printed, steps, name)
            for work, printed in app.work(Options(digits, exponent, bases, samples, to_factor))
        ]
    _print(done, board, timing, json)
    wrong = [one.result.name for one in done if not one.result.right]
    if wrong:
        console.note(f"perle: {', '.join(wrong)}: the other library has another result")
        raise typer.Exit(Code.WRONG)


SIZES = {"pi": Options(None, None, 1), "sin": Options(None, None, 1), "decimal": Options(None, None, 1)}
SIZES["primes"] = Options(None, 1709, 1)
"""Problem sizes: those of the paper, except for a smaller prime, (2^1709 + 1)/3, tested with one base."""


def gains(sizes: dict[str, Options] | None = None) -> dict[str, Gain]:
    """Run the paper's applications on its first board; return the speed-ups, by name of the paper's claim."""
    found = {}
    with console.steps() as steps, _calculator(DEFAULT_BOARD, "vme68020", None, steps) as math:
        for name, options in (sizes or SIZES).items():
            for work, claim in APPS[name].work(options):
                done = _run(math, work, claim, steps, name)
                if not done.result.right:
                    raise Fault(Code.WRONG, f"{name}: {done.result.checked_against} has another result")
                rest = done.cost.host_ps / done.cost.software_ps
                found[str(claim)] = Gain(done.cost.speedup, done.result.computed.partition(":")[0], rest)
    return found


def _refuse(
    name: str, app: App, digits: int | None, exponent: int | None, samples: int | None, number: str | None
) -> None:
    given = (("digits", digits), ("exponent", exponent), ("samples", samples), ("number", number))
    for option, value in given:
        if value is not None and option not in app.takes:
            raise usage(f"--{option} is not for {name}")
    if digits is not None and not LEAST_DIGITS <= digits <= MOST_DIGITS:
        raise usage(f"--digits: {LEAST_DIGITS} to {MOST_DIGITS}, not {digits}")
    if samples is not None and not 1 <= samples <= MOST_SAMPLES:
        raise usage(f"--samples: 1 to {MOST_SAMPLES}, not {samples}")
    if exponent is not None:
        try:
            primes.wagstaff(exponent)
        except ValueError as error:
            raise usage(f"--exponent: {error}") from None


def _to_factor(number: str | None) -> int | None:
    if number is None:
        return None
    try:
        value = int(number)
    except ValueError:
        shown = number if len(number) <= SHOWN else f"{number[:SHOWN]}…"
        raise usage(
            f"--number: a decimal number of at most {factoring.MOST_BITS} bits, not {shown!r}"
        ) from None
    try:
        factoring.check_number(value)
    except ValueError as error:
        raise usage(f"--number: {error}") from None
    return value


@contextmanager
def _calculator(board: str, timing: str, clock: float | None, steps: console.Steps) -> Iterator[Bignum]:
    library()
    chosen = Timing.preset(timing)
    with ExitStack() as stack:
        system = None
        if board != NONE:
            config = resolve_memory(board)
            if config.family.name not in CLOCKS_NS:
                raise usage(f"{board} multiplies no long integers; --board takes {' and '.join(CLOCKS_NS)}")
            period = CLOCKS_NS[config.family.name] if clock is None else clock
            if not period > 0 or period > PS_PER_S:
                raise usage(f"--clock: a period in ns above 0, not {period}")
            path = build_memory(config, progress=steps)
            system = stack.enter_context(closing(System([(path, period)], chosen)))
        elif clock is not None:
            raise usage("--clock needs a board, and --board is none")
        yield stack.enter_context(closing(Bignum(system, chosen)))


def _run(math: Bignum, work: Work, printed: str | None, steps: console.Steps, name: str) -> Done:
    steps(f"{name}: calculating")
    math.reset_cost()
    result = in_background(lambda: work(math))
    value = None if printed is None else float(load(PAPER)[printed].value)
    return Done(result, math.cost, value)


def _facts(one: Done) -> dict[str, Any]:
    cost = one.cost
    return {
        **asdict(one.result),
        **asdict(cost),
        "board_share": cost.board_share,
        "bus_share": cost.bus_ps / max(1, cost.now_ps),
        "host_share": cost.host_ps / max(1, cost.now_ps),
        "speedup": cost.speedup,
        "printed_speedup": one.printed,
    }


def _list(json: bool) -> None:
    if json:
        console.print_json({name: app.text for name, app in APPS.items()})
        return
    for name, app in APPS.items():
        typer.echo(f"{name:<11} {app.text}")


def _print(done: list[Done], board: str, timing: str, json: bool) -> None:
    if json:
        console.print_json({"board": board, "timing": timing, "results": [_facts(one) for one in done]})
        return
    out = console.output()
    for one in done:
        facts, result = _facts(one), one.result
        table = Table((result.name, ""))
        verdict = "the same" if result.right else "NOT the same"
        table.add("computed", result.computed)
        table.add("checked against", f"{result.checked_against}: {verdict}")
        table.add("board", f"{board}, {timing}")
        table.add("products on the board", f"{one.cost.products:,}")
        table.add("board's share of word products", f"{facts['board_share']:.1%}")
        table.add("modelled time", seconds(one.cost.now_ps / PS_PER_S))
        table.add("  of this, bus and board", f"{facts['bus_share']:.1%}")
        table.add("  of this, host", f"{facts['host_share']:.1%}")
        table.add("modelled time in software", seconds(one.cost.software_ps / PS_PER_S))
        table.add("modelled speed-up", quantity(one.cost.speedup))
        table.add("speed-up in the paper", "-" if one.printed is None else quantity(one.printed))
        out.print(table)
