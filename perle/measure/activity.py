# SPDX-License-Identifier: Apache-2.0
"""Switching activity of the nets of a netlist while it multiplies random numbers.

The netlist, with cell models from the library, is simulated in the contract's testbench with a random modulus
of full width and random operands, products back to back. Every result and latency is compared with the model,
so that this also verifies the netlist. The netlist of a single processing element gets the inputs of an
element of the multiplier's chain, and an assertion compares its outputs with those of that element in every
cycle.

A net changes at most once per cycle: glitches are not counted.
"""

from __future__ import annotations

import ctypes
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from perle.cores.registry import Config
from perle.flow.netlist import Gates, vector
from perle.flow.tools import ToolError
from perle.flow.verilator import build_so
from perle.verify import failure
from perle.verify import testbench as contract
from perle.verify.testbench import MUL, ContractBench, Op

HEADER = Path(__file__).with_name("activity_testbench.h")
INSTANCE = "u_gates"
PRODUCTS = 16
SEED = 2012


@dataclass(frozen=True)
class Activity:
    """Transitions per cycle and share of cycles at 1, by net, over `cycles` with `products` products."""

    nets: dict[str, tuple[float, float]]
    cycles: int
    products: int

    def pins(self, gates: Gates, place: str = "") -> dict[str, tuple[float, float]]:
        """Return the activity by pin of the cells, without clock pins."""
        return {
            f"{place}{cell.name}/{pin}": self._of(net)
            for cell in gates.cells
            for pin, net in cell.pins.items()
            if net != "clk_i"
        }

    def _of(self, net: str) -> tuple[float, float]:
        if net not in self.nets:
            raise ToolError("verilator", f"there is no activity of the net {net}")
        return self.nets[net]


def multiplier(config: Config, gates: Gates) -> str:
    """Return a module with the multiplier's name and parameters that contains the netlist."""
    params = [*config.params, "Contexts"]
    generics = ",\n".join(f"  parameter int unsigned {name} = 0" for name in params)
    return _around(gates, f"{config.family.top} #(\n{generics}\n)", "")


def shadow(gates: Gates, element: str, *, at: int = 0) -> str:
    """Return a module, bound to each processing element, that compares the netlist with the one at `at`."""
    ports = ",\n".join(f"  input logic {vector(port)}{port.name}" for port in gates.ports)
    outputs = [port for port in gates.ports if port.direction == "output"]
    wires = "\n".join(f"  logic {vector(port)}gate_{port.name};" for port in outputs)
    pins = ", ".join(f".{port.name}({'gate_' if port in outputs else ''}{port.name})" for port in gates.ports)
    same = " && ".join(f"gate_{port.name} == {port.name}" for port in outputs)
    # In the first cycles registers still have their power-up values.
    return f"""
module perle_shadow #(
  parameter int unsigned Pos = 0
) (
{ports}
);
{wires}
  logic [3:0] settled = '0;
  always_ff @(posedge clk_i) if (settled != '1) settled <= settled + 4'd1;
  if (Pos == {at}) begin : gen_shadow
    {gates.name} {INSTANCE} ({pins});
    AssertGatesAsDescribed : assert property (@(posedge clk_i) settled == '1 |-> {same});
  end
endmodule
bind {element} perle_shadow #(.Pos(Pos)) u_shadow (.*);
"""


def _around(gates: Gates, head: str, body: str) -> str:
    ports = ",\n".join(f"  {port.direction} logic {vector(port)}{port.name}" for port in gates.ports)
    return f"module {head} (\n{ports}\n);\n{body}  {gates.name} {INSTANCE} (.*);\nendmodule\n"


_simulating = threading.Lock()


@contextmanager
def recording(record: Path) -> Iterator[None]:
    """Name the file to which a simulation writes the activity of its nets.

    The name is in the environment of the process, where the simulation reads it at its first cycle: another
    thread has to wait until this simulation is over.
    """
    with _simulating:
        os.environ["PERLE_ACTIVITY_FILE"] = str(record)
        yield


def built(config: Config, files: list[Path], folder: Path) -> Path:
    """Return the contract's testbench of any files, built to record activity."""
    top = config.family.top
    defines = [
        f"{failure.CFLAGS} -I{HEADER.parent} -DBENCH_MODEL=Recorded -DRECORD_MODEL=V{top}",
        f'-DBENCH_HEADER=\\"{HEADER.name}\\" -DRECORD_HEADER=\\"V{top}.h\\"',
    ]
    extra = ["--assert", "--trace-saif", "-O3", "--x-assign", "fast", "--x-initial", "fast"]
    extra += ["-CFLAGS", " ".join(defines)]
    params = {**config.params, "Contexts": 1}
    return build_so(top, files, [contract.DRIVER], params, folder / "bench.so", extra=extra, opt="-O0")


class Recorder(ContractBench):
    """A testbench that records activity from reset until it is closed, to the file of `recording`."""

    def __init__(self, config: Config, library: Path) -> None:
        self.config, self.contexts = config, 1
        self.words = -(-config.operand_bits // 32)
        self._lib = ctypes.CDLL(str(library))
        self._lib.bench_open.restype = ctypes.c_void_p
        self._lib.bench_failure.restype = ctypes.c_char_p
        self._handle = ctypes.c_void_p(self._lib.bench_open())


def recorded(config: Config, files: list[Path], folder: Path) -> Activity:
    """Multiply, check every result and latency, and return the activity of the instance u_gates.

    ToolError if the netlist is not as described: by an assertion, a result or a latency.
    """
    rng, params = Random(SEED), config.params  # noqa: S311 - must be reproducible
    modulus = rng.getrandbits(config.width) | 1 | 1 << config.width - 1
    limit = config.model.operand_limit(params, modulus)
    ops = [Op(MUL, rng.randrange(limit), rng.randrange(limit)) for _ in range(PRODUCTS)]
    record = folder / "activity.saif"
    library = built(config, files, folder)
    try:
        with recording(record), Recorder(config, library) as bench:
            bench.load(modulus)
            outcomes = bench.run(ops)
    except failure.BenchError as error:
        raise ToolError("verilator", str(error)) from error
    cycles = config.model.mul_cycles(params)
    for op, out in zip(ops, outcomes, strict=True):
        if out.z != config.model.mont_value(params, modulus, op.x, op.y):
            raise ToolError("verilator", "the netlist does not multiply as the model does")
        if out.latency != cycles:
            raise ToolError("verilator", f"the netlist takes {out.latency} cycles, the model {cycles}")
    return read_saif(record.read_text(encoding="utf-8"), INSTANCE, len(ops))


NET = re.compile(r"\((\S+) \(T0 (\d+)\) \(T1 (\d+)\) \(TZ 0\) \(TX 0\) \(TB 0\) \(TC (\d+)\)\)")


def read_saif(text: str, instance: str, products: int) -> Activity:
    """Return the activity of the nets directly in the first instance of that name."""
    begin = re.search(rf"\(INSTANCE {re.escape(instance)}\b", text)
    if begin is None:
        raise ToolError("verilator", f"no instance {instance} was recorded")
    end = text.find("(INSTANCE", begin.end())
    nets, cycles = {}, 0
    for name, low, high, changes in NET.findall(text[begin.end() : None if end < 0 else end]):
        cycles = int(low) + int(high)
        if cycles == 0:
            raise ToolError("verilator", "nothing was recorded")
        nets[name.replace("\\", "")] = (int(changes) / cycles, int(high) / cycles)
    return Activity(nets, cycles, products)
