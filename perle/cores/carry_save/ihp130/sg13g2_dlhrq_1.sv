// SPDX-License-Identifier: Apache-2.0
//
// A latch of IHP SG13G2, transparent while GATE is 1, with a reset: a model for simulation; synthesis uses
// the ports only.

// Names are the library's.
// verilog_lint: waive-start port-name-suffix
// verilog_lint: waive-start signal-name-style
module sg13g2_dlhrq_1 (
  input  logic D, GATE, RESET_B,
  output logic Q
);

  // The latch is not recognized by Verilator where Q is connected to a bit of a vector.
  // verilator lint_off NOLATCH
  always_latch begin
    if (!RESET_B) Q = 1'b0;
    else if (GATE) Q = D;
  end
  // verilator lint_on NOLATCH

endmodule
