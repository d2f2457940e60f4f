// SPDX-License-Identifier: Apache-2.0
//
// sum + carry·2^(2·Width) = s + Σ c_i·2^(start of limb i) + g                    (sub_i = 0)
// sum + carry·2^(2·Width) = s + Σ c_i·2^(start of limb i) − g + 2^(2·Width)      (sub_i = 1)
//
// Ranges    s, g in [0, 2^(2·Width)), c_i in {0, 1}; carry in 0 … 2
// Algorithm chow2010 figure 4, a limb a cycle. −g is ~g + 1 in every limb, so that a limb's carry, which is
//           −1 … 1 for a difference, is kept one too large, as 0 … 2; so is the carry for a sum:
//             s_i + (2^w − 1) + c_i + 2 <= 2·2^w + 1
//           Who takes carry_o subtracts sub_i from it: that is the paper's carry with a sign
// Cycles    2·⌈Width/LimbWidth⌉; lower_o, the lower half of sum, is there after half of them
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
  input  logic               en_i,
  input  logic [2*Width-1:0] s_i,
  input  logic [  Limbs-1:0] c_i,
  input  logic [2*Width-1:0] g_i,
  input  logic               sub_i,
  output logic [  Width-1:0] lower_o,
  output logic [2*Width-1:0] sum_o,
  output logic [        1:0] carry_o
);

  localparam int unsigned Size = limb_size(Width, LimbWidth);
  localparam int unsigned HalfLimbs = Limbs / 2;

  for (genvar i = 0; i < Limbs; i++) begin : gen_limb
    localparam int unsigned Low = (i % HalfLimbs) * Size;
    localparam int unsigned First = (i / HalfLimbs) * Width + Low;
    localparam int unsigned Len = (Low + Size < Width) ? Size : Width - Low;
    localparam int unsigned Last = First + Len;

    logic [2*Width-1:0] s, s_q;  // sums below First, s above
    logic [2*Width-First-1:0] g;
    logic [Limbs-i-1:0] c;
    logic [1:0] carry, carry_q, carry_out;
    logic [Len-1:0] sum;

    if (i == 0) begin : gen_first
      assign s = s_i;
      assign g = g_i ^ {2 * Width{sub_i}};
      assign c = c_i;
      assign carry = {1'b0, sub_i};
    end else begin : gen_next
      assign s = gen_limb[i-1].s_q;
      assign g = gen_limb[i-1].gen_rest.g_q;
      assign c = gen_limb[i-1].gen_rest.c_q;
      assign carry = gen_limb[i-1].carry_q;
    end

    assign {carry_out, sum} = (Len + 2)'(s[First+:Len]) + (Len + 2)'(g[Len-1:0]) + (Len + 2)'(c[0]) +
        (Len + 2)'(carry);

    always_ff @(posedge clk_i) begin
      if (en_i) begin
        s_q <= s;
        s_q[First+:Len] <= sum;
        carry_q <= carry_out;
      end
    end

    if (i + 1 < Limbs) begin : gen_rest
      logic [2*Width-Last-1:0] g_q;
      logic [Limbs-i-2:0] c_q;
      always_ff @(posedge clk_i) begin
        if (en_i) begin
          g_q <= g[2*Width-First-1:Len];
          c_q <= c[Limbs-i-1:1];
        end
      end
    end
  end

  assign lower_o = gen_limb[HalfLimbs-1].s_q[Width-1:0];
  assign sum_o = gen_limb[Limbs-1].s_q;
  assign carry_o = gen_limb[Limbs-1].carry_q;

endmodule
