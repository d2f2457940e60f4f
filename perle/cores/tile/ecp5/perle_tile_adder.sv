// SPDX-License-Identifier: Apache-2.0
//
// sum ← a + b', where b' is b, −b − 1, 0 or −1, in the carry chain of an ECP5 alone. Combinational.
//
// The same module as ../perle_tile_adder.sv, bit for bit, for this device. The table of a carry cell has two
// spare inputs, which select b'. Yosys does not use them and adds a look-up table in front of each bit
// instead.
//
// Ranges    modulo 2^Bits
// Algorithm where a ^ b' is 1 the carry out is the carry in, else the table's entry for C = D = 0; that is a,
//           because b' is 0 where both spare inputs are 0. Bit 0 of the chain generates the carry in
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
  localparam logic [15:0] Carry = 16'h000a;  // with D = 1 the half sum is 0 and the carry out is A

  // verilator lint_off UNUSEDSIGNAL
  logic [2*Cells-1:0] sum;  // bit 0 belongs to the carry in; the last bit may be unused
  // verilator lint_on UNUSEDSIGNAL
  logic [2*Cells-1:0] a, b;
  // verilator lint_off UNOPTFLAT
  // verilator lint_off UNUSEDSIGNAL
  logic [Cells:0] carry;  // the carry out of the chain is unused
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
