# SPDX-License-Identifier: Apache-2.0
"""An assertion that fails in a simulation is an exception with its name, and the process lives on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from perle.cores.modexp.model import Command
from perle.cores.registry import Config, family
from perle.flow.cache import cache_root
from perle.verify.failure import PACKAGE, BenchError, describe
from perle.verify.testbench import MUL, ContractBench, Op
from perle.verify.word import WordBench, X, Y

# Bound to a sound multiplier: says that no product ends in three ones, which one in eight does.
FALSE_CLAIM = """// SPDX-License-Identifier: Apache-2.0
module false_claim (  // never true
  input logic clk_i,
  input logic rst_ni,
  input logic rsp_valid_o,
  input logic [2:0] low
);
  AssertFalseClaim : assert property (@(posedge clk_i) disable iff (!rst_ni)
      rsp_valid_o |-> (low != '1));
endmodule

bind perle_iterative_mul false_claim u_false_claim (
  .*,
  .low(rsp_z_o[2:0])
);
"""


@pytest.fixture
def claimed() -> Config:
    """Return a small multiplier with a false assertion beside its own.

    Its source stays where the kept simulator looks for it, in runs to come too.
    """
    claim = cache_root() / "false_claim.sv"
    claim.write_text(FALSE_CLAIM, encoding="utf-8")
    sound = family("iterative")
    return Config(
        replace(sound, assertions=(*sound.assertions, claim)), "claimed", sound.complete({"Width": 8})
    )


def test_a_failing_assertion_is_named_and_the_process_lives_on(claimed: Config) -> None:
    with ContractBench(claimed) as bench, ContractBench(claimed) as other:
        bench.load(251)
        other.load(251)
        harmless = [Op(MUL, 0, y) for y in range(9)]
        assert not any(out.z for out in bench.run(harmless))
        with pytest.raises(BenchError, match=r"^AssertFalseClaim failed \(false_claim\.sv:8\)$"):
            bench.run([Op(MUL, x, y) for x in range(1, 99) for y in (1, 77)])
        with pytest.raises(BenchError, match="AssertFalseClaim"):
            bench.chain(3, 5)  # of no more use
        # another bench of the same shared object has nothing to do with it
        assert not any(out.z for out in other.run(harmless))


def products(config: Config, *, wait: bool) -> None:
    """Give MulMod commands through the word port, and ask for results or not."""
    with WordBench(config) as bench:
        bench.load(251)
        bench.write(X, 77)
        for y in range(251):
            bench.write(Y, y)
            bench.start(Command.MULMOD)
            if wait:
                bench.wait()
            bench.lib.word_advance(bench.handle, 100)


@pytest.mark.parametrize("wait", [True, False])
def test_a_failing_assertion_behind_the_word_port_is_named(claimed: Config, wait: bool) -> None:
    """Whoever waits is told, and who never asks is told at the end."""
    with pytest.raises(BenchError, match="AssertFalseClaim"):
        products(claimed, wait=wait)


def test_what_has_no_label_is_named_by_its_place(tmp_path: Path) -> None:
    source = tmp_path / "core.sv"
    source.write_text("module core;\n  unique case (x)\n", encoding="utf-8")
    assert describe(f"{source}:2") == "an assertion failed (core.sv:2)"
    assert describe("/not/there.sv:7") == "an assertion failed (there.sv:7)"


def test_an_assertion_of_a_bench_built_in_a_checkout_that_is_gone_is_named() -> None:
    """Benches are kept by content: the place in them is where they were built first."""
    source = next(PACKAGE.rglob("perle_tile_accumulator_sva.sv"))
    lines = source.read_text(encoding="utf-8").splitlines()
    line = next(n for n, text in enumerate(lines, 1) if "AssertBlock :" in text)
    assert describe(f"/gone/{source.name}:{line}") == f"AssertBlock failed ({source.name}:{line})"
