# SPDX-License-Identifier: Apache-2.0
"""`perle cores` and `perle show`: the available cores, from the registry and the models; runs no tool."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from perle.cli.arith import Json
from perle.cli.io import console
from perle.cli.pam import instructions
from perle.cores import registry
from perle.cores.modexp import model as exponentiator
from perle.cores.modexp.lanes import between
from perle.cores.modexp.model import Command, Mode
from perle.results.status import status
from perle.tables import Table

PUBLIC_EXPONENT = 65537


def cores(json: Json = False) -> None:
    """List the core families and their configurations."""
    found = [
        {
            "family": family.name,
            "kind": family.kind,
            "configs": list(family.configs),
            "status": status(family),
            "paper": family.paper,
        }
        for family in registry.every().values()
    ]
    if json:
        console.print_json(found)
        return
    table = Table(("family", "configurations", "status", "paper", "title"))
    for entry, family in zip(found, registry.every().values(), strict=True):
        table.add(family.name, " ".join(family.configs), entry["status"], family.paper, family.title)
    console.output().print(table)


def show(
    core: Annotated[
        str, typer.Argument(metavar="FAMILY[:CONFIG]", help="E.g. orup or orup:w1024.", show_default=False)
    ],
    json: Json = False,
) -> None:
    """Show a core: parameters, sizes, files, and the clock cycles of its operations."""
    name, colon, config = core.partition(":")
    family = registry.any_family(name)
    chosen = family.config(config) if colon else registry.Config(family, "", family.complete({}))
    if family.kind == "active_memory":
        instructions.show(chosen, json=json)
        return
    facts = describe(chosen)
    if json:
        console.print_json(facts)
        return
    _print(family, facts)


def describe(config: registry.Config) -> dict[str, Any]:
    """Return the facts about a configuration; one without a name stands for its family."""
    family, model, params = config.family, config.model, config.params
    return {
        "family": family.name,
        "config": config.name or None,
        "title": family.title,
        "paper": family.paper,
        "status": status(family, config=config.name) if config.listed else None,
        "family_status": status(family),
        "params": params,
        "ranges": {name: [par.lo, par.hi] for name, par in family.params.items()},
        "configs": list(family.configs),
        "constants": ["m", *family.constants],
        "operand_bits": model.operand_bits(params),
        "r_exp": model.r_exp(params),
        "multipliers": model.multipliers(params),
        "top": family.top,
        "files": [str(path) for path in family.files],
        "cycles": cycles(config),
    }


def cycles(config: registry.Config) -> dict[str, Any]:
    """Return the cycles of products, powers and RSA operations.

    Exponents are as long as the modulus; where the cycles depend on the exponent, half of its bits are ones.
    """

    def power(mode: Mode, bits: int, exponent: int = 0) -> int:
        return exponentiator.cycles(config, Command.EXP, mode, bits, exponent)

    width = config.width
    half = (1 << width // 2) - 1
    into, out = exponentiator.io_cycles(config)
    private = power(Mode.WINDOW, width)
    return {
        "mul": config.model.mul_cycles(config.params),
        "between": between(config),
        "reduce": config.model.reduce_cycles(config.params),
        "mulmod": exponentiator.cycles(config, Command.MULMOD),
        "load": into,
        "unload": out,
        "modexp": {
            "bits": width,
            "window": private,
            "binary_half_ones": power(Mode.BINARY, width, half),
            "paper_half_ones": power(Mode.PAPER, width, half),
            "ladder": power(Mode.LADDER, width),
        },
        "rsa": {
            "private_crt": {"key_bits": 2 * width, "two_boards": private, "one_board": 2 * private},
            "private": {"key_bits": width, "one_board": private},
            "public": {
                "key_bits": width,
                "exponent": PUBLIC_EXPONENT,
                "one_board": power(Mode.BINARY, PUBLIC_EXPONENT.bit_length(), PUBLIC_EXPONENT),
            },
        },
    }


def _print(family: registry.Family, facts: dict[str, Any]) -> None:
    out, count = console.output(), facts["cycles"]
    name = f"{family.name}:{facts['config']}" if facts["config"] else f"{family.name} (default parameters)"
    out.print(
        f"[bold]{name}[/bold]  {family.title}\npaper {family.paper} · {instructions.said_status(facts)}"
    )
    table = Table(("parameter", "value", "range", "what it is"))
    for key, par in family.params.items():
        table.add(key, facts["params"][key], f"{par.lo}…{par.hi}", par.doc)
    out.print(table)
    out.print(
        f"operands {facts['operand_bits']} bits, {facts['multipliers']} device multipliers, "
        f"R = 2^{facts['r_exp']}; constants of a modulus: {', '.join(facts['constants'])}"
    )
    table = Table(("operation", "cycles"), right=(1,))
    for what, value in _rows(count):
        table.add(what, f"{value:,}")
    out.print(table)
    if not facts["config"]:
        out.print(f"configurations: {' '.join(facts['configs'])}")
    out.print(f"top {facts['top']}, files:\n  " + "\n  ".join(facts["files"]))


def _rows(count: dict[str, Any]) -> list[tuple[str, int]]:
    power, rsa = count["modexp"], count["rsa"]
    bits = power["bits"]
    return [
        ("product x·y/R", count["mul"]),
        ("from product to product, saturated", count["between"]),
        ("reduction x/R, canonical", count["reduce"]),
        ("product x·y mod M", count["mulmod"]),
        (f"power, {bits} bits, constant time", power["window"]),
        (f"power, {bits} bits, ladder", power["ladder"]),
        (f"power, {bits} bits, binary, half of them ones", power["binary_half_ones"]),
        (f"power, {bits} bits, as in the paper, half of them ones", power["paper_half_ones"]),
        (f"RSA-{rsa['private_crt']['key_bits']} private, two boards", rsa["private_crt"]["two_boards"]),
        (f"RSA-{rsa['private_crt']['key_bits']} private, one board", rsa["private_crt"]["one_board"]),
        (
            f"RSA-{rsa['public']['key_bits']} public, e = {rsa['public']['exponent']}",
            rsa["public"]["one_board"],
        ),
        ("operands in, 64-bit words", count["load"]),
        ("result out, 64-bit words", count["unload"]),
    ]
