// SPDX-License-Identifier: Apache-2.0
//
// Processing element j of the row: one multiplier, one adder, one digit with its saved carry.
//
//   P ← x·y ;  s_j + 2^k·c_j ← one of the sums of perle_orup_pkg::pe_op_t, plus resolved_i
//
// Ranges    x, y, s in [0, 2^k); c in [0, 2]: a sum of digit, low half, high half and saved carry is at most
//           3·2^k − 2. resolved_i only comes with a saved carry of 0 or 1 and no product
// Algorithm tang2003 slides 16–18: a·b_j in the even cycle and q·m_j in the odd cycle share the
//           multiplier; the high half of a product belongs to the neighbour above. The saved carry has the
//           neighbour's weight: the next sum takes it there, or here if it shifts down by one digit. A
//           carry-save step makes two numbers of digit and halves; a carry, as two bits of weight 1, is the
//           lowest bit of the second one and the carry into their addition
// Cycles    a product can be added two cycles after its factors came: one for the multiplier's input
//           registers, one for the multiplication
// Left out  no reset: clear_i holds from reset to the first operation's first sum
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
  input  logic [RadixBits-1:0] s_upper_i,
  input  logic [RadixBits-1:0] hi_lower_i,
  input  logic [          1:0] c_lower_i,
  input  logic                 resolved_i,
  output logic [RadixBits-1:0] lo_o,
  output logic [RadixBits-1:0] hi_o,
  output logic [RadixBits-1:0] s_o,
  output logic [          1:0] c_o
);

  localparam int unsigned SumBits = RadixBits + 2;

  // kept apart: products come late, and are to pass one look-up table before the addition
  (* keep *) logic [RadixBits-1:0] base;
  logic [RadixBits-1:0] save_sum, save_carry;
  logic [1:0] c, ones;
  // verilator lint_off UNUSEDSIGNAL
  logic [SumBits:0] sum;  // its last bit only makes the carry into the others
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
    base = shift_i ? s_upper_i : s_o;
    save_sum = base ^ lo_o ^ hi_lower_i;
    save_carry = (base & lo_o) | (base & hi_lower_i) | (lo_o & hi_lower_i);
    c = shift_i ? c_o : c_lower_i;
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
