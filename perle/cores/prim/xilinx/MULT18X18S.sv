// SPDX-License-Identifier: Apache-2.0
//
// The registered multiplier block of a Virtex-II: what simulation takes for it, and what tells synthesis its ports
// (synthesis leaves the inside to the device).
//
// Ranges    A, B in [−2^17, 2^17), P in (−2^34, 2^34]
// Cycles    P one cycle after CE; R, which clears P, goes before CE
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
