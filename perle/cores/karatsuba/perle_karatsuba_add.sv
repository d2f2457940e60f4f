// SPDX-License-Identifier: Apache-2.0
//
// carry·2^Width + sum = a + b + carry_i: pipelined multiple-precision adder, one limb per cycle.
//
// Ranges    a, b in [0, 2^Width)
// Algorithm chow2010 section III.C: the carry of a limb is registered and ripples into the next limb in the
//           next cycle, so the critical path is one limb at any width. All limbs are added in the first
//           cycle; only the carry ripples: c_i·2^w + p_i = a_i + b_i, then p_i + carry. Both cannot carry, as
//           c_i = 1 implies p_i <= 2^w − 2, so that one number is registered per stage instead of two.
//           a − b is a + ~b + 1; its carry is a >= b
// Cycles    latency ⌈Width/LimbWidth⌉, II 1
// Left out  skewed operands: all limbs enter and leave an adder in the same cycle, which costs registers
//
// Parameters
//   Width, LimbWidth   bits of an operand, longest carry chain

module perle_karatsuba_add
  import perle_karatsuba_pkg::*;
#(
  parameter int unsigned Width     = 130,
  parameter int unsigned LimbWidth = 33
) (
  input  logic             clk_i,
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  input  logic             carry_i,
  output logic [Width-1:0] sum_o,
  output logic             carry_o
);

  localparam int unsigned Limbs = limbs(Width, LimbWidth);
  localparam int unsigned Size = limb_size(Width, LimbWidth);

  logic [Limbs-1:0][Width-1:0] sum_q;  // sum_q[i]: complete up to limb i
  logic [Limbs-1:0] carry_q;           // carry_q[i]: of limb i, complete

  for (genvar i = 0; i < Limbs; i++) begin : gen_limb
    localparam int unsigned First = i * Size;
    localparam int unsigned Len = (First + Size < Width) ? Size : Width - First;

    logic [Len:0] first;  // a_i + b_i
    assign first = (Len + 1)'(a_i[First+:Len]) + (Len + 1)'(b_i[First+:Len]) +
        (Len + 1)'((i == 0) && carry_i);
    always_ff @(posedge clk_i) sum_q[0][First+:Len] <= first[Len-1:0];

    if (i == 0) begin : gen_first
      always_ff @(posedge clk_i) carry_q[0] <= first[Len];
    end else begin : gen_next
      logic first_carry;
      perle_karatsuba_delay #(
        .Width (1),
        .Cycles(i)
      ) u_wait (
        .clk_i,
        .d_i(first[Len]),
        .q_o(first_carry)
      );
      always_ff @(posedge clk_i) begin
        sum_q[i] <= sum_q[i-1];
        {carry_q[i], sum_q[i][First+:Len]} <=
            {first_carry, sum_q[i-1][First+:Len]} + (Len + 1)'(carry_q[i-1]);
      end
    end
  end

  assign sum_o = sum_q[Limbs-1];
  assign carry_o = carry_q[Limbs-1];

endmodule
