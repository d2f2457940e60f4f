// SPDX-License-Identifier: Apache-2.0
//
// Two bits of the carry chain of an ECP5: a model for simulation; synthesis uses the ports only and treats
// the module as a black box.
//
// Algorithm per bit, a look-up table of four inputs gives a half sum. The sum is half sum ^ carry in. The
//           carry out is the carry in where the half sum is 1, else the entry for A, B and C = D = 0
// Left out  the other uses of INJECT1
//
// Parameters
//   INIT0, INIT1           the tables
//   INJECT1_0, INJECT1_1   "NO": the carry in is used

// Names are the device maker's.
// verilog_lint: waive-start parameter-name-style
// verilog_lint: waive-start port-name-suffix
// verilog_lint: waive-start signal-name-style
module CCU2C #(
  parameter logic [15:0] INIT0     = 16'h0000,
  parameter logic [15:0] INIT1     = 16'h0000,
  parameter string       INJECT1_0 = "YES",
  parameter string       INJECT1_1 = "YES"
) (
  input  logic CIN, A0, B0, C0, D0, A1, B1, C1, D1,
  output logic S0, S1, COUT
);

  logic half0, half1, between;

  assign half0 = INIT0[{D0, C0, B0, A0}];
  assign half1 = INIT1[{D1, C1, B1, A1}];
  assign S0 = half0 ^ CIN;
  assign between = half0 ? CIN : INIT0[{2'b00, B0, A0}];
  assign S1 = half1 ^ between;
  assign COUT = half1 ? between : INIT1[{2'b00, B1, A1}];

  if (INJECT1_0 != "NO" || INJECT1_1 != "NO") begin : gen_unsupported
    $error("CCU2C: only the chain that counts its carry is described");
  end

endmodule
