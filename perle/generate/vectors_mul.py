# SPDX-License-Identifier: Apache-2.0
"""Test vectors for a bare multiplier; redundant results and cycles come from the model."""

from __future__ import annotations

from perle.boards.wrapper import TAG_BITS
from perle.cores.registry import run_time_width
from perle.generate.ip import Ip
from perle.generate.operands import Draw, moduli, pairs
from perle.generate.stream import Stream
from perle.spec import mont

MODULUS, MUL, REDUCE = 1, 2, 3

# Limit on the clock cycles of all operations, and least and most operations per modulus.
BUDGET = 200_000
LEAST, MOST = 3, 40
NARROWER = 2  # moduli of each narrower width


class Script:
    """Writes operations into a stream."""

    def __init__(self, ip: Ip, draw: Draw, count: int) -> None:
        self.ip = ip
        self.draw = draw
        self.count = count
        self.stream = Stream()

    def modulus(self, m: int, what: str) -> None:
        """Add operations of the full width with a modulus."""
        model, par = self.ip.config.model, self.ip.config.params
        self._constants(m, what, model.mul_cycles(par), model.reduce_cycles(par), model.constants(par, m))
        r = 1 << model.r_exp(par)
        for x, y in self._pairs(m):
            self.stream.check(MUL, x, y, model.mont_value(par, m, x, y))
        for y in self._leaving(m):
            self.stream.check(REDUCE, y, mont(y, 1, m, r))

    def narrower(self, m: int, what: str, n: int) -> None:
        """Add operations of n bits with a modulus, for a width selected at run time."""
        model, par = run_time_width(self.ip.config), self.ip.config.params
        assert model is not None
        cycles = model.mul_cycles_for(par, n), model.reduce_cycles_for(par, n)
        self._constants(m, f"{what}, on {n} bits", *cycles, model.constants(par, m, n))
        r = 1 << model.r_exp_for(par, n)
        for x, y in self._pairs(m):
            self.stream.check(MUL, x, y, model.mont_value(par, m, x, y, n))
        for y in self._leaving(m):
            self.stream.check(REDUCE, y, mont(y, 1, m, r))

    def _constants(self, m: int, what: str, mul: int, reduce: int, named: dict[str, int]) -> None:
        family = self.ip.config.family
        self.stream.comment(f"modulus {what}: cycles, {', '.join(self.ip.constants)}")
        self.stream.put(MODULUS, mul, reduce, m, *(named[name] for name in family.constants))

    def _limit(self, m: int) -> int:
        return self.ip.config.model.operand_limit(self.ip.config.params, m)

    def _pairs(self, m: int) -> list[tuple[int, int]]:
        return pairs(m, self._limit(m), self.draw)[: self.count]

    def _leaving(self, m: int) -> list[int]:
        limit = self._limit(m)
        found = [limit - 1, m if m < limit else 0, self.draw.below(limit), 0, 1, m - 1]
        return found[: max(1, self.count // 4)]


def vectors(ip: Ip) -> tuple[str, dict[str, int]]:
    """Return the file and the testbench's parameters."""
    config, par = ip.config, ip.config.params
    draw = Draw(config.spec)
    chosen = moduli(config.width, draw)
    share = BUDGET // (len(chosen) * config.model.mul_cycles(par))
    script = Script(ip, draw, max(LEAST, min(MOST, share)))
    for m, what in chosen.items():
        script.modulus(m, what)
    if run_time_width(config) is not None:
        for n in (config.width - 1, config.width // 2, config.width // 3):
            for m, what in list(moduli(n, draw).items())[:NARROWER]:
                script.narrower(m, what, n)
    title = f"{config.spec}: 1 modulus cycles cycles constants, 2 OpMul x y z, 3 OpReduce y z"
    text = script.stream.finished(title)
    return text, {
        "OperandBits": ip.shape.operand_bits,
        "ConstCount": ip.shape.const_count,
        "TagBits": TAG_BITS,
        "Longest": max(config.model.mul_cycles(par), config.model.reduce_cycles(par)),
        "Operations": script.stream.checks,
        "Lines": script.stream.lines,
    }
