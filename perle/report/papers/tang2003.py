# SPDX-License-Identifier: Apache-2.0
"""Slides 25 to 27 of tang2003: cycles, device resources, and RSA-1024 times of other implementations."""

from __future__ import annotations

from collections.abc import Mapping

from perle.cores.modexp.model import Command, Mode, cycles, io_cycles, words
from perle.cores.registry import Config, resolve
from perle.papers import load
from perle.report.papers.table import (
    Conclusion,
    Figure,
    Measured,
    Page,
    Row,
    combined,
    computed,
    exact,
    missing,
    row,
)
from perle.results import metrics, names
from perle.results.metrics import Halves

PAPER = load("tang2003")
SMALL, LARGE = "orup:w512", "orup:w1024"
CLOCK = names.ECP5_FAST
AREA_ON = str(PAPER["device_small"].value)
"""Device of the area figures: 14,336 slices and 96 multipliers on slides 23 and 26 are those of an
XC2V3000."""
RSA_ON = str(PAPER["device_large"].value)
"""Device of the RSA-1024 rate, one XC2V4000-6 (slides 27 and 28); the paper does not mention a second one."""
NS_PER_MS = 1e6
PRODUCTS_AROUND = 3


def paper_cycles(config: Config) -> dict[str, int]:
    """Return the cycles of slide 25 for a modulus as wide as the core, with half of the exponent bits set."""
    half = (1 << config.width // 2) - 1
    product = config.model.mul_cycles(config.params)
    around = PRODUCTS_AROUND * product
    exponentiation = cycles(config, Command.EXP, Mode.PAPER, config.width, half) - around
    read, written = io_cycles(config)
    parts = {"mul": product, "prepost": around, "exp": exponentiation, "input": read, "output": written}
    return parts | {"total": around + exponentiation + read + written}


def table_cycles(_: Measured) -> Page:
    """Return the table of slide 25: clock cycles."""
    rows, conclusions = [], []
    for core in (SMALL, LARGE):
        config = resolve(core)
        found = paper_cycles(config)
        conclusions.append(_same_cycles(config, found))
        for name, count in found.items():
            claim = PAPER[f"{name}_{config.width}"]
            off = count != claim.number and _adds_up(config, count)
            why = f"the rows printed above it add up to {count:,} too" if off else ""
            if name == "input":
                why = f"of R², M̂, A and E; M and mprime take {2 * words(config)} more, once for a modulus"
            rows.append(row(claim, exact(count), printed_on="measured there", note=why))
    rows += [_window(resolve(core)) for core in (SMALL, LARGE)]
    return Page("tang2003.cycles", "Clock cycles", tuple(rows), tuple(conclusions))


def _same_cycles(config: Config, found: Mapping[str, int]) -> Conclusion:
    """Compare all cycles of a core with the printed ones, the total with the sum of the printed parts."""
    printed = {name: PAPER[f"{name}_{config.width}"].number for name in found}
    off = [name for name, count in found.items() if count != printed[name]]
    same = off == [] or (off == ["total"] and _adds_up(config, found["total"]))
    said, ours = (", ".join(f"{float(count):,.0f}" for count in each.values()) for each in (printed, found))
    reason = "" if same else f"other cycles than printed for: {', '.join(off)}"
    return Conclusion(f"clock cycles, {config.width} bits", said, ours, same, reason)


def _adds_up(config: Config, count: int) -> bool:
    printed = [PAPER[f"{name}_{config.width}"].number for name in ("prepost", "exp", "input", "output")]
    return sum(printed) == count


def _window(config: Config) -> Row:
    taken = metrics.exponentiation_cycles(config, config.width)
    parts = "prepost", "exp"
    printed = float(sum(PAPER[f"{name}_{config.width}"].number for name in parts))
    label = f"pre- and post-processing and exponentiation, {config.width} bits, in constant time"
    note = "windows of 4 bits for every exponent, against binary with half the bits set"
    return computed(label, printed, exact(taken), "cycles", printed_on="sum of two rows", note=note)


def rsa_time(measured: Measured) -> dict[str, Figure]:
    """Return times in ms of RSA-1024 with CRT, on 512-bit cores at their measured clock.

    The clock of two cores is that of both on one device, if it was measured; else that of one on its own.
    """
    config, one = resolve(SMALL), measured.period(SMALL, CLOCK, "exp")
    pair = measured.period(SMALL, CLOCK, "exp_pair")
    both, two = (one, "two cores on two devices") if pair.value is None else (pair, "two cores")

    def ms(count: int, period: Figure) -> Figure:
        return combined(lambda each: metrics.latency(count, each) / NS_PER_MS, period)

    return {
        f"the paper's method, {two}": ms(paper_cycles(config)["total"], both),
        f"constant time, {two}": ms(metrics.rsa_cycles(config, 1024, Halves.TWO), both),
        "constant time, one core": ms(metrics.rsa_cycles(config, 1024, Halves.ONE), one),
    }


def _transfers() -> str:
    """Return a remark on the cycles that one of the two methods includes, and the other does not."""
    config = resolve(SMALL)
    taken, total = sum(io_cycles(config)), paper_cycles(config)["total"]
    return (
        f"The paper's method includes {taken} cycles of input and output, of {total:,}; constant time none."
    )


def table_resources(measured: Measured) -> Page:
    """Return slide 26: clock, slices and multipliers of the 1024-bit design, time and rate of RSA-1024."""
    period = measured.period(LARGE, CLOCK, "exp")
    bits = float(PAPER["rsa_bits"].number)
    blocks = row(PAPER["dsp_used"], measured(LARGE, names.VIRTEX_2, names.DSP, "exp"), printed_on=AREA_ON)
    rows = [
        row(
            PAPER["clock"],
            combined(metrics.fmax, period),
            printed_on=AREA_ON,
            note="no place and route for Virtex-II here: another device's clock",
        ),
        row(
            PAPER["slices_used"],
            measured(LARGE, names.VIRTEX_2, names.SLICES, "exp"),
            printed_on=AREA_ON,
            note="the least slices that hold what was counted, were each of them full",
        ),
        blocks,
    ]
    for how, time in rsa_time(measured).items():
        said, rate = PAPER["rsa_time"], PAPER["rsa_rate"]
        rows += [
            row(said, time, label=f"{said.what}: {how}", printed_on=RSA_ON),
            row(
                rate,
                combined(lambda ms: bits / (ms * 1000), time),
                label=f"throughput of RSA-1024: {how}",
                printed_on=RSA_ON,
            ),
        ]
    rows.append(_without_crt(period))
    conclusions = (_same_multipliers(blocks),)
    return Page("tang2003.resources", "Device, clock, RSA-1024", tuple(rows), conclusions, (_transfers(),))


def _same_multipliers(blocks: Row) -> Conclusion:
    """Compare the multiplier blocks of the 1024-bit design, which do not depend on placement."""
    ours = None if blocks.measured is None else f"{blocks.measured:.0f}"
    same = None if ours is None else blocks.measured == blocks.printed
    reason = blocks.note if ours is None else "" if same else "other multiplier blocks than printed"
    return Conclusion("multiplier blocks, 1024 bits", f"{blocks.printed:.0f}", ours, same, reason)


def _without_crt(period: Figure) -> Row:
    """Return RSA-1024 on the 1024-bit design, with an exponent as wide as the modulus (slide 23)."""
    taken = paper_cycles(resolve(LARGE))["total"]
    return computed(
        "RSA-1024 private operation without CRT: the paper's method, one 1024-bit core",
        float(PAPER["total_1024"].number / (1000 * PAPER["clock"].number)),
        combined(lambda each: metrics.latency(taken, each) / NS_PER_MS, period),
        "ms",
        printed_on=AREA_ON,
        note="printed: the total of slide 25 at the clock of slide 26",
    )


CITED = ("orup", "shand", "itoh", "blum")


def table_comparison(measured: Measured, software: Mapping[str, Figure] | None = None) -> Page:
    """Return slide 27: times of an RSA-1024 decryption; `software["openssl"]` in ms on this machine."""
    rows = [
        row(PAPER[f"{name}_time"], missing("cited there from elsewhere; nothing of it is rebuilt here"))
        for name in CITED
    ]
    openssl = (software or {}).get("openssl", missing("measured only when it is asked for"))
    rows.append(row(PAPER["openssl_time"], openssl, printed_on="Pentium 4, 1.7 GHz"))
    for how, time in rsa_time(measured).items():
        said = PAPER["this_time"]
        rows.append(row(said, time, label=f"{said.what}: {how}", printed_on=RSA_ON))
    remarks = (_transfers(),)
    return Page("tang2003.comparison", "Time of an RSA-1024 decryption", tuple(rows), remarks=remarks)
