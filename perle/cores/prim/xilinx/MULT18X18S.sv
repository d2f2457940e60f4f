// SPDX-License-Identifier: Apache-2.0
//
// The registered multiplier block of a Virtex-II: a model for simulation; synthesis uses the ports only and
// treats the module as a black box.
//
// Ranges    A, B in [−2^17, 2^17), P in (−2^34, 2^34]
// Cycles    P one cycle after A and B while CE is 1; R clears P and has priority over CE
// Left out  nothing

// Names are the device maker's.
// verilog_lint: waive-start port-name-suffix
// verilog_lint: waive-start signal-name-style
module MULT18X18S (
  input  logic               C,
  input  logic               CE,
  input  logic               R,
  input  logic signed [17:0] A,
  input  logic signed [17:0] B,
  output logic signed [35:0] P
);

  always_ff @(posedge C) begin
    if (R) P <= '0;
    else if (CE) P <= 36'(A) * 36'(B);
  end

endmodule
