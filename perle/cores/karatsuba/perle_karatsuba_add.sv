// SPDX-License-Identifier: Apache-2.0
//
// carry·2^Width + sum = a + b + carry_i: pipelined multiple-precision adder, a limb a cycle.
//
// Ranges    a, b in [0, 2^Width)
// Algorithm chow2010 section III.C: a limb's carry is registered and rippled into the next limb in the next
//           cycle, so that the critical path is a limb, whatever the width. Limbs still to be added travel in
//           the place of their sums. a − b is a + ~b + 1; its carry says a >= b
// Cycles    ⌈Width/LimbWidth⌉, one addition a cycle
// Left out  skewed operands: every adder takes and gives all limbs at once, and pays for it with registers
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
  input  logic             en_i,
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  input  logic             carry_i,
  output logic [Width-1:0] sum_o,
  output logic             carry_o
);

  localparam int unsigned Limbs = limbs(Width, LimbWidth);
  localparam int unsigned Size = limb_size(Width, LimbWidth);

  for (genvar i = 0; i < Limbs; i++) begin : gen_limb
    localparam int unsigned First = i * Size;
    localparam int unsigned Last = (First + Size < Width) ? First + Size : Width;
    localparam int unsigned Len = Last - First;

    logic [Width-1:0] a, a_q;  // sums below First, operand above
    logic [Width-First-1:0] b;
    logic carry, carry_q, carry_out;
    logic [Len-1:0] sum;

    if (i == 0) begin : gen_first
      assign a = a_i;
      assign b = b_i;
      assign carry = carry_i;
    end else begin : gen_next
      assign a = gen_limb[i-1].a_q;
      assign b = gen_limb[i-1].gen_rest.b_q;
      assign carry = gen_limb[i-1].carry_q;
    end

    assign {carry_out, sum} = (Len + 1)'(a[First+:Len]) + (Len + 1)'(b[Len-1:0]) + (Len + 1)'(carry);

    always_ff @(posedge clk_i) begin
      if (en_i) begin
        a_q <= a;
        a_q[First+:Len] <= sum;
        carry_q <= carry_out;
      end
    end

    if (Last < Width) begin : gen_rest
      logic [Width-Last-1:0] b_q;
      always_ff @(posedge clk_i) begin
        if (en_i) b_q <= b[Width-First-1:Len];
      end
    end
  end

  assign sum_o = gen_limb[Limbs-1].a_q;
  assign carry_o = gen_limb[Limbs-1].carry_q;

endmodule
