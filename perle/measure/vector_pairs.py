# SPDX-License-Identifier: Apache-2.0
"""Activity of a processing element that alternates between two input vectors, as on a test chip.

In carter2012, section 4, a pair of vectors is scanned into the input registers of an element, which then
alternates between them at full speed while its supply current is measured, for ten pseudorandom pairs. Here
the netlist of the element is simulated with pairs of random inputs, each for `CYCLES` clock cycles.
"""

from __future__ import annotations

import ctypes
from pathlib import Path
from random import Random

from perle.flow.netlist import Gates, vector
from perle.flow.verilator import build_so
from perle.measure import activity

TOP = "perle_vector_pairs"
DRIVER = Path(__file__).with_name("vector_pairs_testbench.cpp")
CYCLES = 64
"""Clock cycles per pair of vectors: enough for the transition between pairs to be negligible."""
SEED = 2012


def testbench(gates: Gates, vectors: str) -> str:
    """Return a module that applies the vectors in a file, two at a time, to the element u_gates."""
    inputs = [port for port in gates.ports if port.direction == "input" and port.name != "clk_i"]
    width = sum(port.bits for port in inputs)
    applied = ", ".join(port.name for port in inputs)
    declared = "\n".join(
        f"  logic {vector(port)}{port.name};" for port in gates.ports if port.name != "clk_i"
    )
    return f"""
module {TOP} #(
  parameter int unsigned Pairs = 1
) (
  input  logic clk_i,
  input  logic rst_ni
);
{declared}
  logic [{width - 1}:0] vectors [2*Pairs];
  logic [31:0] pair_q, cycle_q;
  initial $readmemh("{vectors}", vectors);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pair_q <= '0;
      cycle_q <= '0;
    end else if (cycle_q == {CYCLES - 1}) begin
      pair_q <= pair_q + 1;
      cycle_q <= '0;
    end else begin
      cycle_q <= cycle_q + 1;
    end
    {{{applied}}} <= vectors[2 * pair_q + 32'(cycle_q[0])];
  end
  {gates.name} {activity.INSTANCE} (.*);
endmodule
"""


def recorded(gates: Gates, files: list[Path], folder: Path, pairs: int) -> activity.Activity:
    """Apply that many pairs of random vectors to an element and return the activity of its nets."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = Random(SEED)  # noqa: S311 - must be reproducible
    inputs = [port for port in gates.ports if port.direction == "input" and port.name != "clk_i"]
    width = sum(port.bits for port in inputs)
    vectors = folder / "vectors.hex"
    vectors.write_text("".join(f"{rng.getrandbits(width):x}\n" for _ in range(2 * pairs)), encoding="utf-8")
    around = folder / "pairs.sv"
    around.write_text(testbench(gates, str(vectors)), encoding="utf-8")
    defines = f'-I{activity.HEADER.parent} -DRECORD_MODEL=V{TOP} -DRECORD_HEADER=\\"V{TOP}.h\\"'
    extra = ["--trace-saif", "--x-initial", "fast", "-CFLAGS", defines]
    out = build_so(TOP, [*files, around], [DRIVER], {"Pairs": pairs}, folder / "pairs.so", extra=extra)
    record = folder / "activity.saif"
    with activity.recording(record):
        library = ctypes.CDLL(str(out))
        library.vector_pairs_run(ctypes.c_uint64(pairs * CYCLES))
    return activity.read_saif(record.read_text(encoding="utf-8"), activity.INSTANCE, pairs)
