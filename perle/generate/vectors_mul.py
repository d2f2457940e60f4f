# SPDX-License-Identifier: Apache-2.0
"""Test vectors of a multiplier behind its contract; redundant results and cycles are the model's."""

from __future__ import annotations

from perle.boards.wrapper import TAG_BITS
from perle.generate.ip import Ip
from perle.generate.operands import Draw, moduli, pairs
from perle.generate.stream import Stream
from perle.spec import mont

MODULUS, MUL, REDUCE = 1, 2, 3

# Clock cycles that the operations may take one by one, and operations a modulus at least and at most.
BUDGET = 200_000
LEAST, MOST = 3, 40


def vectors(ip: Ip) -> tuple[str, dict[str, int]]:
    """Return the file and the test bench's parameters."""
    config, model, par = ip.config, ip.config.model, ip.config.params
    draw, stream = Draw(config.spec), Stream()
    chosen = moduli(config.width, draw)
    share = BUDGET // (len(chosen) * model.mul_cycles(par))
    count = max(LEAST, min(MOST, share))
    for m, what in chosen.items():
        named = model.constants(par, m)
        limit = model.operand_limit(par, m)
        stream.comment(f"modulus {what}: {', '.join(ip.constants)}")
        stream.put(MODULUS, m, *(named[name] for name in config.family.constants))
        for x, y in pairs(m, limit, draw)[:count]:
            stream.check(MUL, x, y, model.mont_value(par, m, x, y))
        leaving = [limit - 1, m if m < limit else 0, draw.below(limit), 0, 1, m - 1]
        for y in leaving[: max(1, count // 4)]:
            stream.check(REDUCE, y, mont(y, 1, m, 1 << model.r_exp(par)))
    text = stream.finished(f"{config.spec}: 1 modulus, 2 OpMul x y z, 3 OpReduce y z")
    return text, {
        "OperandBits": ip.shape.operand_bits,
        "ConstCount": ip.shape.const_count,
        "TagBits": TAG_BITS,
        "MulCycles": model.mul_cycles(par),
        "ReduceCycles": model.reduce_cycles(par),
        "Operations": stream.checks,
        "Lines": stream.lines,
    }
