// SPDX-License-Identifier: Apache-2.0
//
// sum + carry·2^(2·Width) = s + Σ c_i·2^(start of limb i) + g                    (sub_i = 0)
// sum + carry·2^(2·Width) = s + Σ c_i·2^(start of limb i) − g + 2^(2·Width)      (sub_i = 1)
//
// Ranges    s, g in [0, 2^(2·Width)), c_i in {0, 1}, c_0 = 0; carry in 0 … 2
// Algorithm chow2010 figure 4, one limb per cycle. −g is ~g + 1 in every limb; the carry of a limb is −1 … 1
//           for a difference, and is stored plus one, as 0 … 2; a sum has carries 0 … 2 as well:
//             s_i + (2^w − 1) + c_i + 2 <= 2·2^w + 1
//           The user of carry_o subtracts sub_i: that is the signed carry of the paper.
//           s_i ± g_i + c_i of all limbs are computed in the first cycle; then the carry ripples, one limb
//           per cycle
// Cycles    latency 2·⌈Width/LimbWidth⌉, II 1; lower_o, the lower half of sum, is valid after half of them
//
// Parameters
//   Width, LimbWidth   bits of a half of s and g, longest carry chain

module perle_karatsuba_addsub
  import perle_karatsuba_pkg::*;
#(
  parameter  int unsigned Width     = 65,
  parameter  int unsigned LimbWidth = 33,
  localparam int unsigned Limbs     = 2 * limbs(Width, LimbWidth)
) (
  input  logic               clk_i,
  input  logic [2*Width-1:0] s_i,
  input  logic [  Limbs-1:1] c_i,
  input  logic [2*Width-1:0] g_i,
  input  logic [  Limbs-1:0] sub_i,  // the same for every limb
  output logic [  Width-1:0] lower_o,
  output logic [2*Width-1:0] sum_o,
  output logic [        1:0] carry_o
);

  localparam int unsigned Size = limb_size(Width, LimbWidth);
  localparam int unsigned HalfLimbs = Limbs / 2;

  logic [Limbs-1:0][2*Width-1:0] sum_q;  // sum_q[i]: complete up to limb i
  logic [Limbs-1:0][1:0] carry_q;        // carry_q[i]: of limb i, complete

  for (genvar i = 0; i < Limbs; i++) begin : gen_limb
    localparam int unsigned Low = (i % HalfLimbs) * Size;
    localparam int unsigned First = (i / HalfLimbs) * Width + Low;
    localparam int unsigned Len = (Low + Size < Width) ? Size : Width - Low;

    logic [Len:0] first;  // s_i ± g_i + c_i
    logic carry, first_carry;

    assign first = (Len + 1)'(s_i[First+:Len]) + (Len + 1)'(g_i[First+:Len] ^ {Len{sub_i[i]}}) +
        (Len + 1)'(carry);

    if (i == 0) begin : gen_first
      assign carry = sub_i[0];
      assign first_carry = first[Len];
      always_ff @(posedge clk_i) begin
        sum_q[0][First+:Len] <= first[Len-1:0];
        carry_q[0] <= {1'b0, first_carry};
      end
    end else begin : gen_next
      assign carry = c_i[i];
      perle_karatsuba_delay #(
        .Width (1),
        .Cycles(i)
      ) u_wait (
        .clk_i,
        .d_i(first[Len]),
        .q_o(first_carry)
      );
      always_ff @(posedge clk_i) begin
        sum_q[0][First+:Len] <= first[Len-1:0];
        sum_q[i] <= sum_q[i-1];
        {carry_q[i], sum_q[i][First+:Len]} <=
            (Len + 2)'({first_carry, sum_q[i-1][First+:Len]}) + (Len + 2)'(carry_q[i-1]);
      end
    end
  end

  assign lower_o = sum_q[HalfLimbs-1][Width-1:0];
  assign sum_o = sum_q[Limbs-1];
  assign carry_o = carry_q[Limbs-1];

endmodule
