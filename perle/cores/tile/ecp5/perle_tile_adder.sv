// SPDX-License-Identifier: Apache-2.0
//
// sum ← a + b', where b' is b, −b − 1, 0 or −1, in the carry chain of an ECP5 alone.
//
// The same module as ../perle_tile_adder.sv, bit for bit, for this device. Its carry cells have two inputs to spare,
// which synthesis by Yosys leaves alone: it puts a table in front of each bit.
//
// Ranges    modulo 2^Bits
// Algorithm the carry out of a bit is a where a + b' is even, else the carry in; so b' may depend on both spare inputs,
//           as long as it is 0 where these are. The first bit makes the carry
// Cycles    none: no register
//
// Parameters
//   Bits   of the operands and of the sum

module perle_tile_adder #(
  parameter int unsigned Bits = 54
) (
  input  logic [Bits-1:0] a_i,
  input  logic [Bits-1:0] b_i,
  input  logic            use_i,
  input  logic            flip_i,
  input  logic            carry_i,
  output logic [Bits-1:0] sum_o
);

  localparam int unsigned Cells = (Bits + 2) / 2;
  localparam logic [15:0] Sum = 16'h965a;  // A ^ (D & B ^ C)
  localparam logic [15:0] Carry = 16'h000a;  // with D: out comes A

  // verilator lint_off UNUSEDSIGNAL
  logic [2*Cells-1:0] sum;  // the first bit is the carry's, the last may be one to spare
  // verilator lint_on UNUSEDSIGNAL
  logic [2*Cells-1:0] a, b;
  // verilator lint_off UNOPTFLAT
  // verilator lint_off UNUSEDSIGNAL
  logic [Cells:0] carry;  // a chain, at whose end nothing takes the carry
  // verilator lint_on UNUSEDSIGNAL
  // verilator lint_on UNOPTFLAT

  assign a = (2 * Cells)'({a_i, carry_i});
  assign b = (2 * Cells)'({b_i, 1'b0});
  assign carry[0] = 1'b0;
  assign sum_o = sum[Bits:1];

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    CCU2C #(
      .INIT0    ((i == 0) ? Carry : Sum),
      .INIT1    (Sum),
      .INJECT1_0("NO"),
      .INJECT1_1("NO")
    ) u_cell (
      .CIN (carry[i]),
      .A0  (a[2*i]),
      .B0  (b[2*i]),
      .C0  ((i == 0) ? 1'b0 : flip_i),
      .D0  ((i == 0) ? 1'b1 : use_i),
      .A1  (a[2*i+1]),
      .B1  (b[2*i+1]),
      .C1  (flip_i),
      .D1  (use_i),
      .S0  (sum[2*i]),
      .S1  (sum[2*i+1]),
      .COUT(carry[i+1])
    );
  end

endmodule
