# SPDX-License-Identifier: Apache-2.0
"""How much a campaign has to do for its record to count: a run with a time limit may end early.

A record with less is incomplete. It is named by the summary and on the page, run again by the next `perle
trust`, and never replaces a longer one of the same sources.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from perle.cores.registry import families
from perle.trust.records import LIBPERLE, Count, Record

Amounts = Mapping[str, Count]
"""Amounts by name, as in the counts of a record."""

FLIPS = {("mulmod", 1): 7900, ("modexp", 1): 1000, ("rsa", 1): 1000, ("batch", 1): 100}
FLIPS |= {("mulmod", 2): 1490, ("modexp", 2): 250, ("rsa", 2): 240, ("batch", 2): 20}
"""Trials of each operation with one and with two flipped bits: in sum 10,000 and 2,000 of a family."""
TIMED = ("window", "ladder", "rsa", "binary")
OPERATIONS = 1000
"""Timed operations of each kind, and traces of activity."""
ACCESSES = 10_000_000
BOARDS = 5
"""Boards of a family with parameters that are drawn."""
INPUTS = {
    "key files": 10_000,
    "specifications of boards": 1_000_000,
    "settings of the provider": 500_000,
    "calls on boards that fail": 10_000,
    "batches on boards that fail": 5_000,
    "operations of the provider": 1_000,
}
"""Changed inputs of each fuzzing target."""
FAULTS, FEWER_FAULTS = 200, 100
"""Mutants of a family of cores and of the host library, and of anything else."""
STATES = 3
"""Random initial states of a netlist."""


def _faults(one: Record) -> Amounts:
    return {"trials": FLIPS.get((one.settings.get("work", ""), one.settings.get("flips", 0)), 1)}


def _leakage(_: Record) -> Amounts:
    return {**{f"{name}: trials": OPERATIONS for name in TIMED}, "toggles: traces": OPERATIONS}


def _fuzz(one: Record) -> Amounts:
    return {"changed": INPUTS.get(one.case, 1)}


def _mutation(one: Record) -> Amounts:
    least = FAULTS if one.case in (LIBPERLE, *families()) else FEWER_FAULTS
    return {"tried": min(least, one.counts.get("places", least))}


LEAST: dict[str, Callable[[Record], Amounts]] = {
    "faults": _faults,
    "leakage": _leakage,
    "bus": lambda _: {"accesses": ACCESSES},
    "fuzz": _fuzz,
    "mutation": _mutation,
    "parameters": lambda _: {"boards": BOARDS, "operations": 1},
    "gates": lambda _: {"states": STATES, "operations": 1},
    "routed": lambda _: {"operations": 1, "cells": 1},
    "exhaustive": lambda one: {"operations": max(1, one.counts.get("planned", 1)), "twin refuted": 1},
    "formal": lambda _: {"proved": 1, "twin refuted": 1},
    "vectors": lambda one: {"checked": max(1, one.counts.get("planned", 1))},
    "threads": lambda _: {"tests": 1, "control: reports": 1},
    "compat": lambda _: {"passed": 1},
    "secrets": lambda _: {"control: reports": 1, "places": 1},
}


def _done(one: Record, name: str) -> Count:
    if name == "accesses":
        return one.counts.get("reads", 0) + one.counts.get("writes", 0)
    return one.counts.get(name, 0)


def wanted(one: Record) -> Amounts:
    """Return the least amounts of a record; of a part without any of its own, one of something."""
    least = LEAST.get(one.part)
    return least(one) if least else {}


def lacking(one: Record) -> list[str]:
    """Return what an incomplete record lacks, such as `87 of 1,000 trials`; empty if it is complete.

    A record with failures is complete: it shows what it had to show.
    """
    if one.failures:
        return []
    least = wanted(one)
    if not least:
        return [] if any(one.counts.values()) else ["nothing was done"]
    found = ((name, _done(one, name), number) for name, number in least.items())
    return [f"{done:,} of {number:,} {name}" for name, done, number in found if done < number]


def longer(one: Record, other: Record) -> bool:
    """Whether a record has done more of what counts than another one of the same case."""
    least = wanted(one) or one.counts
    shares = [
        sum(min(1.0, _done(each, name) / number) for name, number in least.items() if number)
        for each in (one, other)
    ]
    return shares[0] > shares[1]
