// SPDX-License-Identifier: Apache-2.0
//
// End of the third pass: u = (t1 + Q·M)/R and the final correction.
//
// Ranges    t1 + Q·M is divisible by R = 2^Bits. With step 4: u < 2M, z < M. Without: u < 2M is the result of
//           OpMul; for OpReduce u <= M, and z = u except for u = M, which becomes 0
// Algorithm chow2010 algorithm 1, steps 3 and 4. The low half of t1 + Q·M is always 0 and has a carry out iff
//           Q ≠ 0, as L(t1) + L(Q·M) is 0 or R and M is invertible modulo R. With HalfProducts that carry is
//           added to the upper halves; otherwise both halves are added as in the paper.
//           Step 4 subtracts M and selects the difference if there is no borrow
// Cycles    sum_cycles, then ⌈(Bits + 1)/LimbWidth⌉ + 1 with step 4, or 2 without
//
// Parameters
//   Bits           bits of an operand, RExp
//   LimbWidth, WithStep4, HalfProducts   as perle_karatsuba_mul

module perle_karatsuba_exit
  import perle_karatsuba_pkg::*;
#(
  parameter  int unsigned Bits         = 130,
  parameter  int unsigned LimbWidth    = 33,
  parameter  int unsigned WithStep4    = 0,
  parameter  int unsigned HalfProducts = 0,
  localparam int unsigned TermBits     = (HalfProducts != 0) ? Bits : 2 * Bits
) (
  input  logic                clk_i,
  input  logic [TermBits-1:0] t1_i,       // all of t1, or its upper half
  input  logic [TermBits-1:0] qm_i,       // the same of Q·M
  input  logic                carry_i,    // out of the lower halves, if these are not added
  input  logic [    Bits-1:0] modulus_i,  // M of the operation whose sum is complete
  input  logic                deliver_i,  // an operation ends; its z_o is valid in the next cycle
  input  logic                canon_i,    // with deliver_i: the operation is OpReduce
  output logic [    Bits-1:0] z_o         // zero if no operation ends
);

  logic [TermBits-1:0] sum;
  logic [Bits:0] u;

  perle_karatsuba_add #(
    .Width    (TermBits),
    .LimbWidth(LimbWidth)
  ) u_sum (
    .clk_i,
    .a_i    (t1_i),
    .b_i    (qm_i),
    .carry_i(carry_i),
    .sum_o  (sum),
    .carry_o(u[Bits])
  );
  assign u[Bits-1:0] = sum[TermBits-1-:Bits];

  if (HalfProducts == 0) begin : gen_zeros
    logic unused_zeros;
    assign unused_zeros = ^sum[Bits-1:0];
  end

  if (WithStep4 != 0) begin : gen_subtract
    logic [Bits:0] difference, difference_q, u_q;
    logic u_ge_m, unused;

    perle_karatsuba_add #(
      .Width    (Bits + 1),
      .LimbWidth(LimbWidth)
    ) u_subtract (
      .clk_i,
      .a_i    (u),
      .b_i    (~{1'b0, modulus_i}),
      .carry_i(1'b1),
      .sum_o  (difference),
      .carry_o(u_ge_m)
    );

    perle_karatsuba_delay #(
      .Width (Bits + 1),
      .Cycles(limbs(Bits + 1, LimbWidth) + 1)
    ) u_wait (
      .clk_i,
      .d_i(u),
      .q_o(u_q)
    );

    always_ff @(posedge clk_i) difference_q <= difference;

    for (genvar i = 0; i < Bits; i += FanOut) begin : gen_part
      localparam int unsigned Len = (i + FanOut < Bits) ? FanOut : Bits - i;
      logic select_difference_q, select_u_q;
      (* keep *) always_ff @(posedge clk_i) select_difference_q <= deliver_i && u_ge_m;
      (* keep *) always_ff @(posedge clk_i) select_u_q <= deliver_i && !u_ge_m;
      assign z_o[i+:Len] = (difference_q[i+:Len] & {Len{select_difference_q}}) |
          (u_q[i+:Len] & {Len{select_u_q}});
    end
    assign unused = canon_i ^ u_q[Bits] ^ difference_q[Bits];
  end else begin : gen_compare
    localparam int unsigned Size = 16;  // bits per comparison
    localparam int unsigned Parts = (Bits + Size - 1) / Size;

    logic [Parts-1:0] differs_q;
    logic [1:0][Bits-1:0] u_q;
    logic zero, unused;

    for (genvar i = 0; i < Parts; i++) begin : gen_differs
      localparam int unsigned First = i * Size;
      localparam int unsigned Len = (First + Size < Bits) ? Size : Bits - First;
      always_ff @(posedge clk_i) differs_q[i] <= (u[First+:Len] != modulus_i[First+:Len]);
    end

    always_ff @(posedge clk_i) u_q <= {u_q[0], u[Bits-1:0]};

    assign zero = canon_i && (differs_q == '0);
    for (genvar i = 0; i < Bits; i += FanOut) begin : gen_part
      localparam int unsigned Len = (i + FanOut < Bits) ? FanOut : Bits - i;
      logic select_q;
      (* keep *) always_ff @(posedge clk_i) select_q <= deliver_i && !zero;
      assign z_o[i+:Len] = u_q[1][i+:Len] & {Len{select_q}};
    end
    assign unused = u[Bits];
  end

endmodule
