# SPDX-License-Identifier: Apache-2.0
"""The README's sections about ranges, constants of a modulus, and widths selected at run time."""

from __future__ import annotations

import tomllib

from perle.boards import simulated as regs
from perle.cores.registry import Family, run_time_width
from perle.generate.ip import Ip
from perle.generate.operands import Draw, moduli
from perle.tables import Table


def formulas(family: Family) -> dict[str, str]:
    """Return `[constants]` of the family's core.toml: name → formula, `operands` → their range."""
    data = tomllib.loads((family.folder / "core.toml").read_text(encoding="utf-8"))
    return {name: str(text) for name, text in data.get("constants", {}).items()}


def operand_range(ip: Ip) -> str:
    """Return the range of a Montgomery product's operands.

    From the family's core.toml; else as a multiple of M, if the model's range is the same multiple for all
    moduli of the test vectors; else a reference to the family's page.
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
    return f"the range stated in {_page(ip)}"


def _page(ip: Ip) -> str:
    name = f"doc/{ip.config.family.name}.md"
    return f"[{name}]({name})"


def _constants(ip: Ip) -> str:
    """Return the table of values computed once per modulus."""
    known = formulas(ip.config.family) | {"m": "M, the modulus itself"}
    square = f"2^{2 * ip.config.model.r_exp(ip.config.params)} mod M"
    rows: list[tuple[str, str, str]] = []
    for index, name in enumerate(ip.constants):
        place = _place(ip, 4 + index, f"`mod_i[{index}]`")
        rows.append((f"`{name}`", place, known.get(name, f"see {_page(ip)}")))
    rows.append(("R² mod M", _place(ip, 2, "an operand"), square))
    return Table(("value", "place", "formula"), rows).markdown()


def _place(ip: Ip, bank: int, bare: str) -> str:
    """Return where a value is written: an address, a bank, or a port of the bare multiplier."""
    if ip.bus == "none":
        return bare
    return f"0x{regs.BANKS + bank * regs.BANK_BYTES:04x}" if ip.registers else f"bank {bank}"


def ranges(ip: Ip) -> str:
    """Return the section about operand ranges, and about values needed for a modulus."""
    if ip.bus != "none":
        where = "Operands of a Montgomery product are"
        checked = (
            "A modulus that is even, below 3 or too wide, and operands of a product or an exponentiation\n"
            "that are not below M, are rejected with a fault. The other values are not checked."
        )
        domain = "Products and exponentiations convert to and from the Montgomery domain themselves."
        known = "all of these"
    else:
        where = "Operands, including y of `OpReduce`, are"
        checked = "This is not checked: a value out of range gives a wrong result after the usual latency."
        domain = "To convert to the Montgomery domain, use `OpMul` by R² mod M; to convert back, `OpReduce`."
        known = "the constants"
    return f"""\
## Operand ranges and constants of a modulus

{where} in {operand_range(ip)}; every value below M is in it.
{checked}

To be computed once per modulus:

{_constants(ip)}
{domain} `tb/vectors.hex` contains {known} for several moduli.
"""


def narrower(ip: Ip) -> str:
    """Return the section about a width selected at run time; empty if it is fixed."""
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

The constant `bits` is the width n of the modulus: M < 2^n, n at most {width}. Everything else on this page is
for n = {width}. A smaller n takes fewer cycles, and **R depends on n**, so that R² mod M and Montgomery
products are different too:

{Table(("n", "R", "`OpMul`, cycles", "`OpReduce`, cycles"), rows).markdown()}
R for every other n is in {_page(ip)}. The values 0 and above {width} are
treated as {width}. The testbench runs with {tested}.
"""
