// SPDX-License-Identifier: Apache-2.0
//
// A gate of IHP SG13G2: a model for simulation; synthesis uses the ports only.

// Names are the library's.
// verilog_lint: waive-start port-name-suffix
// verilog_lint: waive-start signal-name-style
module sg13g2_nor2_1 (
  input  logic A, B,
  output logic Y
);

  assign Y = !(A || B);

endmodule
