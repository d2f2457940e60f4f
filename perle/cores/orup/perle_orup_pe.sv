// SPDX-License-Identifier: Apache-2.0
//
// Processing element j of the row: one multiplier, one adder, one digit with its saved carry.
//
//   P ← x·y ;  s_j + 2^k·c_j ← one of the sums of perle_orup_pkg::pe_op_e
//
// Ranges    x, y, s in [0, 2^k); c in [0, 4]: one iteration adds s + c + two low and two high halves,
//           at most 5·2^k − 3, so the carry is never above 4
// Algorithm tang2003 slides 16–18: a·b_j in the even cycle and q·m_j in the odd cycle share the
//           multiplier; the high half of a product belongs to the neighbour above, the saved carry has the
//           neighbour's weight and becomes the element's own when the sum shifts down by one digit
// Cycles    products are added the cycle after they are formed
// Left out  no reset of the product register: it is read only after it was written
//
// Parameters
//   RadixBits   k, bits of a digit

module perle_orup_pe
  import perle_orup_pkg::*;
#(
  parameter int unsigned RadixBits = 17
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  pe_op_e               op_i,
  input  logic                 mul_en_i,
  input  logic [RadixBits-1:0] x_i,
  input  logic [RadixBits-1:0] y_i,
  input  logic [RadixBits-1:0] s_above_i,
  input  logic [RadixBits-1:0] hi_below_i,
  input  logic [          2:0] c_below_i,
  output logic [RadixBits-1:0] lo_o,
  output logic [RadixBits-1:0] hi_o,
  output logic [RadixBits-1:0] s_o,
  output logic [          2:0] c_o
);

  localparam int unsigned SumBits = RadixBits + 2;

  logic [RadixBits-1:0] base;
  logic [2:0] carry_in, carry_kept;
  logic [SumBits-1:0] sum;
  logic shift, add;

  perle_mul_reg #(
    .Width(RadixBits)
  ) u_mul (
    .clk_i,
    .en_i(mul_en_i),
    .x_i,
    .y_i,
    .p_o ({hi_o, lo_o})
  );

  always_comb begin
    shift = (op_i == PeShiftAdd) || (op_i == PeShift);
    add = (op_i == PeShiftAdd) || (op_i == PeAdd);
    base = shift ? s_above_i : s_o;
    carry_in = shift ? c_o : (op_i == PeCarry) ? c_below_i : '0;
    carry_kept = (op_i == PeAdd) ? c_o : '0;
    sum = SumBits'(base) + SumBits'(carry_in) +
        (add ? SumBits'(lo_o) + SumBits'(hi_below_i) : '0);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      s_o <= '0;
      c_o <= '0;
    end else if (op_i == PeClear) begin
      s_o <= '0;
      c_o <= '0;
    end else if (op_i != PeIdle) begin
      s_o <= sum[RadixBits-1:0];
      c_o <= carry_kept + 3'(sum[SumBits-1:RadixBits]);
    end
  end

endmodule
