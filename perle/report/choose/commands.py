# SPDX-License-Identifier: Apache-2.0
"""The commands that generate and that measure a candidate."""

from __future__ import annotations

from perle.report.choose.candidates import Basis, Candidate
from perle.results.parts import PLACED, Member, members
from perle.results.view import Point


def build(one: Candidate) -> list[str]:
    """Return the commands that generate a candidate's hardware, one per IP directory."""
    part = one.point.part
    if part == "mul" and one.basis is Basis.alone:
        part = "exp"
    several = members(one.config, part, one.point.target)
    each = PLACED.get(part, part)
    if part.endswith("_pair"):
        return [f"{_gen(several[0], each)} --out ip   # two instances of it"]
    if len(several) == 1:
        return [f"{_gen(several[0], each)} --out ip"]
    return [f"{_gen(member, each)} --prefix e{i} --out ip/e{i}" for i, member in enumerate(several)]


def _gen(member: Member, part: str) -> str:
    config = member.config
    command = f"perle gen {config.spec} --bus {'none' if part == 'mul' else 'exp'}"
    own = config.family.engine
    if part != "engine" or own is None:
        return command
    return f"{command} --lanes {member.engine_lanes}"


def measure(one: Candidate) -> str:
    """Return the command that measures a candidate that was not measured completely."""
    part = "exp" if one.basis is Basis.alone else one.point.part
    return Point(one.point.core, one.point.target, part).command
