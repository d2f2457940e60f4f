# SPDX-License-Identifier: Apache-2.0
"""Perle's 256-bit multipliers compared with other open cores, on the same device and speed grade."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from perle.cores.registry import Config, families
from perle.papers.peers import Peer, load_peers
from perle.report.costs import AREA_TIME_SAID
from perle.report.papers.table import Figure, Measured, combined
from perle.results import metrics, names

NS_PER_US = 1000


@dataclass(frozen=True)
class Core:
    """A multiplier: area, clock, latency and initiation interval in µs, and LUTs times that interval."""

    label: str
    luts: float | None
    dsp: float | None
    fmax_mhz: float | None
    us: float | None
    us_between: float | None
    lut_us: float | None
    origin: str
    note: str = ""


def _theirs(peer: Peer, how: str) -> Core:
    return Core(
        label=peer.title,
        luts=peer.lut,
        dsp=peer.dsp,
        fmax_mhz=peer.fmax_mhz,
        us=peer.us,
        us_between=peer.us,
        lut_us=metrics.area_delay(peer.lut, peer.us),
        origin=f"{how}: {peer.url}",
    )


def _ours(measured: Measured, config: Config, target: str) -> Core:
    luts = measured(config.spec, target, names.LUTS)
    dsp = measured(config.spec, target, names.DSP)
    period = measured.period(config.spec, target)

    def time(cycles: float) -> Figure:
        return combined(lambda each: metrics.latency(cycles, each) / NS_PER_US, period)

    product, between = time(metrics.product_cycles(config)), time(metrics.product_interval(config))
    lut_us = combined(metrics.area_delay, luts, between)
    return Core(
        label=config.spec,
        luts=luts.value,
        dsp=dsp.value,
        fmax_mhz=combined(metrics.fmax, period).value,
        us=product.value,
        us_between=between.value,
        lut_us=lut_us.value,
        origin="" if lut_us.value is None else f"measured here: {luts.device}",
        note="; ".join(lut_us.missing[:1]),
    )


def _configs(bits: int) -> Iterator[Config]:
    for family in families().values():
        for name in family.configs:
            config = family.config(name)
            if config.width == bits:
                yield config


def cores(measured: Measured) -> list[Core]:
    """Return the other cores, then every named configuration of Perle with exactly their width."""
    peers = load_peers()
    found = [_theirs(peer, peers.how) for peer in peers.cores]
    return found + [_ours(measured, config, peers.target) for config in _configs(peers.bits)]


def remarks() -> tuple[str, ...]:
    """Return the remarks below the table."""
    peers = load_peers()
    what = f"A product of {peers.bits} bits on {peers.target}. Theirs: {peers.how}, seeds: {peers.seeds}."
    return (
        f"{what} Ours: the median over the seeds; the harness is not counted.",
        f"{AREA_TIME_SAID} Theirs do not overlap.",
    )
