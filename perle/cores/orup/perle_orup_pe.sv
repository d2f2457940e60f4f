// SPDX-License-Identifier: Apache-2.0
//
// Processing element j of the row: one multiplier, one adder, one digit with its saved carry.
//
//   P ← x·y ;  s_j + 2^k·c_j ← one of the sums of perle_orup_pkg::pe_op_t, plus resolved_i
//
// Ranges    x, y, s in [0, 2^k); c in [0, 2]: a sum of digit, low half, high half and saved carry is at most
//           3·2^k − 2. resolved_i is 1 only with a saved carry of 0 or 1 and without a product
// Algorithm tang2003 slides 16–18: a·b_j in the even cycle and q·m_j in the odd cycle share the multiplier;
//           the high half of a product belongs to PE j + 1. The saved carry has the weight of PE j + 1: the
//           next sum adds it there, or here if that sum shifts down by one digit. A carry-save step reduces
//           digit, low half and high half to two vectors; the carry, as two bits of weight 1, enters as the
//           lowest bit of the second vector and as the carry-in
// Cycles    a product is added two cycles after its factors arrive: one for the multiplier's input registers,
//           one for the multiplication
// Left out  reset: clear_i is 1 from the reset until the first sum of the first operation
//
// Parameters
//   RadixBits   k, bits of a digit

module perle_orup_pe #(
  parameter int unsigned RadixBits = 17
) (
  input  logic                 clk_i,
  input  logic                 clear_i,
  input  logic                 step_i,
  input  logic                 shift_i,
  input  logic [RadixBits-1:0] x_i,
  input  logic [RadixBits-1:0] y_i,
  input  logic [RadixBits-1:0] s_i,         // digit of PE j + 1
  input  logic [RadixBits-1:0] hi_i,        // high half of PE j − 1
  input  logic [          1:0] c_i,         // saved carry of PE j − 1
  input  logic                 resolved_i,  // carry into this digit from the carry chain
  output logic [RadixBits-1:0] lo_o,
  output logic [RadixBits-1:0] hi_o,
  output logic [RadixBits-1:0] s_o,
  output logic [          1:0] c_o
);

  localparam int unsigned SumBits = RadixBits + 2;

  // kept as a net: products arrive last, and only one LUT level may lie between them and the addition
  (* keep *) logic [RadixBits-1:0] base;
  logic [RadixBits-1:0] save_sum, save_carry;
  logic [1:0] c, ones;
  // verilator lint_off UNUSEDSIGNAL
  logic [SumBits:0] sum;  // bit 0 only generates the carry-in of the others
  // verilator lint_on UNUSEDSIGNAL

  perle_mul_reg2 #(
    .Width(RadixBits)
  ) u_mul (
    .clk_i,
    .x_i,
    .y_i,
    .p_o({hi_o, lo_o})
  );

  always_comb begin
    base = shift_i ? s_i : s_o;
    save_sum = base ^ lo_o ^ hi_i;
    save_carry = (base & lo_o) | (base & hi_i) | (lo_o & hi_i);
    c = shift_i ? c_o : c_i;
    ones = {|c, c[1] | resolved_i};
    sum = (SumBits + 1)'({save_sum, 1'b1}) + (SumBits + 1)'({save_carry, ones});
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      s_o <= '0;
      c_o <= '0;
    end else if (step_i) begin
      {c_o, s_o} <= sum[SumBits:1];
    end
  end

endmodule
