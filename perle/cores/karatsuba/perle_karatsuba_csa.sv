// SPDX-License-Identifier: Apache-2.0
//
// Coarse-grained carry-save adder for the middle of a product, one carry per limb:
//
//   sum + Σ carry_i·2^(end of limb i) + msb·2^(2·Width)
//       = (L(z2)·2^Width + U(z0)) + (U(z0)·2^Width + L(z2)) + (U(z2)·2^Width + L(z0))
//
// Ranges    z0, z2 in [0, 2^(2·Width)); every carry and msb is 0 or 1
// Algorithm chow2010 figures 1 and 3: L(z2) + U(z0) is computed once, limb by limb, and used in both halves;
//           the second cycle adds the third operand, with the first carry of the next lower limb as carry in.
//           The first carry out of the top limb belongs to both halves: for the lower one it is a carry into
//           the upper half, for the upper one it is msb
// Cycles    latency 2, II 1
//
// Parameters
//   Width, LimbWidth   bits of a half of z0 and z2, longest carry chain

module perle_karatsuba_csa
  import perle_karatsuba_pkg::*;
#(
  parameter  int unsigned Width     = 65,
  parameter  int unsigned LimbWidth = 33,
  localparam int unsigned Limbs     = limbs(Width, LimbWidth)
) (
  input  logic               clk_i,
  input  logic [2*Width-1:0] z0_i,
  input  logic [2*Width-1:0] z2_i,
  output logic [2*Width-1:0] sum_o,
  output logic [2*Limbs-1:0] carry_o,
  output logic               msb_o
);

  localparam int unsigned Size = limb_size(Width, LimbWidth);

  logic [Width-1:0] shared_q;
  logic [Limbs-1:0] shared_carry_q;
  logic [2*Width-1:0] third_q;

  for (genvar j = 0; j < Limbs; j++) begin : gen_shared
    localparam int unsigned First = j * Size;
    localparam int unsigned Len = (First + Size < Width) ? Size : Width - First;

    always_ff @(posedge clk_i) begin
      {shared_carry_q[j], shared_q[First+:Len]} <=
          (Len + 1)'(z2_i[First+:Len]) + (Len + 1)'(z0_i[Width+First+:Len]);
    end
  end

  always_ff @(posedge clk_i) begin
    third_q <= {z2_i[2*Width-1:Width], z0_i[Width-1:0]};
    msb_o <= shared_carry_q[Limbs-1];
  end

  for (genvar i = 0; i < 2 * Limbs; i++) begin : gen_third
    localparam int unsigned Group = i / Limbs;
    localparam int unsigned Low = (i % Limbs) * Size;
    localparam int unsigned Len = (Low + Size < Width) ? Size : Width - Low;
    localparam int unsigned First = Group * Width + Low;

    logic carry;
    assign carry = (i == 0) ? 1'b0 : shared_carry_q[(i+Limbs-1)%Limbs];

    always_ff @(posedge clk_i) begin
      {carry_o[i], sum_o[First+:Len]} <=
          (Len + 1)'(shared_q[Low+:Len]) + (Len + 1)'(third_q[First+:Len]) + (Len + 1)'(carry);
    end
  end

endmodule
