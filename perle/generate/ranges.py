# SPDX-License-Identifier: Apache-2.0
"""Numbers in the README of an IP directory: ranges, constants of a modulus, widths chosen at run time."""

from __future__ import annotations

import tomllib

from perle.boards import simulated as regs
from perle.cores.registry import Family, run_time_width
from perle.generate.ip import Ip
from perle.generate.operands import Draw, moduli
from perle.tables import Table


def formulas(family: Family) -> dict[str, str]:
    """Return what `[constants]` of the family's core.toml says: name → formula, `operands` → their range."""
    data = tomllib.loads((family.folder / "core.toml").read_text(encoding="utf-8"))
    return {name: str(text) for name, text in data.get("constants", {}).items()}


def operand_range(ip: Ip) -> str:
    """Return the range of a Montgomery product's operands.

    In the family's own words; else as a multiple of M where the model's is the same one for all moduli of the
    test vectors, odd numbers of every kind; else by reference.
    """
    config, stated = ip.config, formulas(ip.config.family).get("operands")
    if stated is not None:
        return stated
    limits = {
        m: config.model.operand_limit(config.params, m) for m in moduli(config.width, Draw(config.spec))
    }
    multiples = {limit // m for m, limit in limits.items()}
    if len(multiples) == 1 and all(limit % m == 0 for m, limit in limits.items()):
        times = multiples.pop()
        return "[0, M)" if times == 1 else f"[0, {times}·M)"
    return f"the range that {_page(ip)} states"


def _page(ip: Ip) -> str:
    name = f"doc/{ip.config.family.name}.md"
    return f"[{name}]({name})"


def _constants(ip: Ip) -> str:
    """Return the table of what is computed once for a modulus."""
    known = formulas(ip.config.family) | {"m": "M, the modulus itself"}
    square = f"2^{2 * ip.config.model.r_exp(ip.config.params)} mod M"
    rows: list[tuple[str, str, str]] = []
    for index, name in enumerate(ip.constants):
        place = _place(ip, 4 + index, f"`mod_i[{index}]`")
        rows.append((f"`{name}`", place, known.get(name, f"see {_page(ip)}")))
    rows.append(("R² mod M", _place(ip, 2, "an operand"), square))
    return Table(("value", "place", "formula"), rows).markdown()


def _place(ip: Ip, bank: int, bare: str) -> str:
    """Say where a host puts a value: by address, by bank, or at a port of the bare multiplier."""
    if ip.bus == "none":
        return bare
    return f"0x{regs.BANKS + bank * regs.BANK_BYTES:04x}" if ip.registers else f"bank {bank}"


def ranges(ip: Ip) -> str:
    """Return the section about operands, and about what a modulus needs beforehand."""
    if ip.bus != "none":
        where = "Operands of a Montgomery product are"
        checked = (
            "A modulus that is even, below 3 or too wide, and operands of a product or a power that are not\n"
            "below M, are refused and flagged. The other values are taken as they come."
        )
        domain = "Products and powers enter and leave the Montgomery domain by themselves."
        known = "all of these"
    else:
        where = "Operands, y of `OpReduce` too, are"
        checked = "Nothing checks that: a value out of range gives a wrong result in the usual time."
        domain = "Into the domain: `OpMul` by R² mod M. Out of it: `OpReduce`."
        known = "the constants"
    return f"""\
## Ranges, and what a modulus needs

{where} in {operand_range(ip)}; every value below M is in it.
{checked}

Computed once for a modulus:

{_constants(ip)}
{domain} `tb/vectors.hex` has {known} for a handful of moduli.
"""


def narrower(ip: Ip) -> str:
    """Say what depends on a width that is chosen at run time; nothing where it is fixed."""
    model, par, width = run_time_width(ip.config), ip.config.params, ip.config.width
    if model is None:
        return ""
    rows = [
        (
            n,
            f"2^{model.r_exp_for(par, n)}",
            f"{model.mul_cycles_for(par, n):,}",
            f"{model.reduce_cycles_for(par, n):,}",
        )
        for n in (width, width * 3 // 4, width // 2, width // 4)
    ]
    tested = f"n = {width}" if ip.bus != "none" else "several n"
    return f"""\
## Narrower moduli

The constant `bits` is the width n of its modulus: M < 2^n, n at most {width}. All else on this page is for
n = {width}. A smaller n takes less time, and **R depends on it**, so that R² mod M and Montgomery products
are other ones too:

{Table(("n", "R", "`OpMul`, cycles", "`OpReduce`, cycles"), rows).markdown()}
0, and what is above {width}, count as {width}. The testbench runs with {tested}.
"""
