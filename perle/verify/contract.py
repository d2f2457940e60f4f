# SPDX-License-Identifier: Apache-2.0
"""One test suite for the multiplier contract (perle/cores/contract.md), the same for every family.

A family's `test_rtl.py` subclasses `ContractSuite` as `TestContract` and defines its specifics: its name, how
operations overlap, which configurations are too slow for every run. For each operation the suite compares
value, latency and, without stalls, the cycles to the next acceptance with the model; testbench and assertions
check tags, order, and that a response is held. `exponents.py` has the suite for a multiplier with its
exponentiator.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from random import Random
from typing import ClassVar, cast

import pytest
from _pytest.mark import ParameterSet

from perle.cores.protocols import WidthAtRunTime
from perle.cores.registry import Config, families, resolve
from perle.spec import mont
from perle.verify.cases import edge_moduli, edge_operands, operand_limit, random_modulus
from perle.verify.testbench import MUL, REDUCE, ContractBench, Op, Outcome

PRODUCTS = 10_000
"""Number of random products for every configuration."""
SQUARES = 1_000
WIDE_BITS = 1024
"""Above this width in bits, and only for configurations in `few`, at least one of two edge operands is 0, M
or the largest value."""


class ContractSuite:
    """The tests; attributes and hooks define the differences between families."""

    family_name: ClassVar[str]
    few: ClassVar[Mapping[str, int]] = {}
    """Number of random products in a usual run for configurations that are slow to simulate; `make wide` runs
    the rest of PRODUCTS."""
    wide: ClassVar[Collection[str]] = ()
    """Configurations that only `make wide` tests."""
    slow_chains: ClassVar[Collection[str]] = ()
    """Configurations whose chains of squarings only `make wide` runs."""
    mixed: ClassVar[Sequence[Config]] = ()
    """Configurations that are tested with three contexts; by default the narrowest one."""
    slow_mixed: ClassVar[Collection[str]] = ()
    """Configurations in `mixed` that only `make wide` tests."""

    def gaps(self, config: Config, count: int) -> list[int] | None:  # noqa: ARG002
        """Return the cycles between acceptances of `count` operations; None: one is in flight at a time."""
        return None

    def reduced(self, config: Config, m: int) -> Iterable[int]:
        """Return operands of OpReduce, at the edges of its range."""
        return edge_operands(m, operand_limit(config, m))

    def chained(self, config: Config) -> list[int]:
        """Return the moduli of the chains of squarings."""
        return edge_moduli(config.width)[-6:]

    def bits(self, config: Config, m: int, rng: Random) -> int | None:  # noqa: ARG002
        """Return the operand width of operations on m, if it is an input of the core; None: Width."""
        return None

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Give each test its configurations."""
        configs = {
            name: resolve(f"{self.family_name}:{name}") for name in families()[self.family_name].configs
        }
        narrowest = [min(configs.values(), key=lambda config: config.width)]

        def one(config: Config, slow: Collection[str] = (), *more: str) -> ParameterSet:
            wide = config.name in self.wide or config.name in slow
            own = config.name in configs
            name = config.name if own else "-".join(map(str, config.params.values()))
            marks = pytest.mark.wide if wide else ()
            return pytest.param(config, *more, id="-".join([name, *more]), marks=marks)

        every = list(configs.values())
        for argument, chosen in {
            "chain_config": [one(config, self.slow_chains) for config in every],
            "mixed_config": [one(config, self.slow_mixed) for config in self.mixed or narrowest],
        }.items():
            if argument in metafunc.fixturenames:
                metafunc.parametrize(argument, chosen)
        if "part" in metafunc.fixturenames:
            first = [one(config, (), "first") for config in every]
            rest = [one(configs[name], self.few, "rest") for name in self.few]
            metafunc.parametrize(("config", "part"), [*first, *rest])
        elif "config" in metafunc.fixturenames:
            metafunc.parametrize("config", [one(config) for config in every])

    def check(
        self,
        bench: ContractBench,
        moduli: Sequence[int],
        ops: list[Op],
        seed: int = 0,
        bits: int | None = None,
    ) -> list[Outcome]:
        """Run operations, with random stalls if there is a seed; compare each with the model."""
        config, par = bench.config, bench.config.params
        bench.load(*moduli, bits=bits)
        outcomes = bench.run(ops, seed)
        for op, out in zip(ops, outcomes, strict=True):
            assert out.z == expected(config, moduli[op.ctx], op, bits), (hex(moduli[op.ctx]), op, bits)
        latency = latencies(config, bits)
        gaps = self.gaps(config, len(ops))
        if gaps is None:
            assert [out.latency for out in outcomes] == [latency[op.kind] for op in ops]
            gaps = [latency[op.kind] for op in ops[:-1]]
        elif seed == 0:
            assert {out.latency for out in outcomes} == {latency[MUL]} == {latency[REDUCE]}
        else:  # a response may wait for earlier ones
            assert min(out.latency for out in outcomes) == latency[MUL], par
        assert seed or [out.gap for out in outcomes[:-1]] == gaps
        return outcomes

    def edges(self, bench: ContractBench) -> None:
        """Edge operands of edge moduli."""
        config, rng = bench.config, Random(0)
        for m in edge_moduli(config.width):
            values = edge_operands(m, operand_limit(config, m))
            ops = [Op(MUL, x, y) for x in values for y in values]
            if config.width > WIDE_BITS and config.name in self.few:
                ops = [op for op in ops if {op.x, op.y} & {values[0], values[-1], m}]
            ops += [Op(REDUCE, values[-1], y) for y in self.reduced(config, m)]
            self.check(bench, [m], ops)
            if self.bits(config, m, rng) is not None:
                self.check(bench, [m], ops[:: len(ops) // 12], bits=m.bit_length())

    def products(self, bench: ContractBench, rng: Random, wanted: int) -> None:
        """Random products (and a tenth as many reductions) on random moduli, some with stalls."""
        config, done = bench.config, 0
        count = min(250, wanted // 20)
        while done < wanted:
            m = random_modulus(rng, config.width)
            limit = operand_limit(config, m)
            kinds = rng.choices([MUL, REDUCE], [12, 1], k=count + count // 10)
            ops = [Op(kind, rng.randrange(limit), rng.randrange(limit)) for kind in kinds]
            seed = rng.choice([0, 0, 0, rng.randrange(1, 1 << 30)])
            self.check(bench, [m], ops, seed, self.bits(config, m, rng))
            done += kinds.count(MUL)

    def test_edges(self, config: Config) -> None:
        with ContractBench(config) as bench:
            self.edges(bench)

    def test_random(self, config: Config, part: str) -> None:
        """All configurations, the slow ones with fewer products: `make wide` runs the others."""
        first = self.few.get(config.name, PRODUCTS)
        wanted = first if part == "first" else PRODUCTS - first
        with ContractBench(config) as bench:
            self.products(bench, Random(f"{part} of {config.spec}"), wanted)

    def test_squaring_chain_of_a_thousand(self, chain_config: Config) -> None:
        """Every result is the next operand, without reduction."""
        with ContractBench(chain_config) as bench:
            for m in self.chained(chain_config):
                bench.load(m)
                start = operand_limit(chain_config, m) - 1
                z, value = bench.chain(start, SQUARES), start % m
                for _ in range(SQUARES):
                    value = mont(value, value, m, 1 << chain_config.model.r_exp(chain_config.params))
                assert z % m == value
                assert z <= start

    def test_contexts_do_not_mix(self, mixed_config: Config) -> None:
        """Three contexts, selected per operation; requests and responses at random times."""
        rng = Random(mixed_config.width)
        with ContractBench(mixed_config, contexts=3) as bench:
            for seed in range(12):
                moduli = [random_modulus(rng, mixed_config.width) for _ in range(3)]
                ops = []
                for ctx in rng.choices(range(3), k=400):
                    limit = operand_limit(mixed_config, moduli[ctx])
                    y = rng.choice([rng.randrange(limit), rng.randrange(limit), limit - 1, moduli[ctx]])
                    ops.append(Op(rng.choice([MUL, MUL, REDUCE]), rng.randrange(limit), y, ctx))
                self.check(bench, moduli, ops, seed)


def expected(config: Config, m: int, op: Op, bits: int | None = None) -> int:
    """Return the value of an operation: of OpMul the core's representative, of OpReduce the reduced one."""
    par, model = config.params, config.model
    if bits is None:
        if op.kind == MUL:
            return model.mont_value(par, m, op.x, op.y)
        return mont(op.y, 1, m, 1 << model.r_exp(par))
    sized = cast(WidthAtRunTime, model)
    if op.kind == MUL:
        return sized.mont_value(par, m, op.x, op.y, bits)
    return mont(op.y, 1, m, 1 << sized.r_exp_for(par, bits))


def latencies(config: Config, bits: int | None = None) -> dict[int, int]:
    """Return the latency of each operation, for operands of `bits` bits if that is an input of the core."""
    par, model = config.params, config.model
    if bits is None:
        return {MUL: model.mul_cycles(par), REDUCE: model.reduce_cycles(par)}
    sized = cast(WidthAtRunTime, model)
    return {MUL: sized.mul_cycles_for(par, bits), REDUCE: sized.reduce_cycles_for(par, bits)}
