// SPDX-License-Identifier: Apache-2.0
//
// PE i of the chain: computes iteration i of one product after the other.
//
//   q = z_0 ;  Z' = ⌊Z/β⌋ + q·M̂ + a·B        β = 2^k
//
// Ranges    all digits in [0, β); Z, Z' < β^(N+1) (see README): Z' ends with its digit N, no carry remains
// Algorithm a product takes N + 1 beats, one per cycle. Beat 0 brings z_0, which is q, and the PE's digit a;
//           beat s = 1 … N brings z_s, M̂_{s−1} and B_{s−1}. Digit N of Z' is computed in beat 0 of the next
//           product, in which M̂ and B are idle and z_0 is not added
// Cycles    ElementCycles from beat 0 here to beat 0 at the next PE; a takes one cycle less, so that digit i,
//           which enters the chain i cycles after digit 0, meets beat 0 at PE i
// Left out  reset of the data registers: between products the factors are zero and head_i is 0
//
// Parameters
//   RadixBits   k
//   First       PE 0, where Z and q are zero: no product by q

module perle_stream_element
  import perle_stream_pkg::*;
#(
  parameter int unsigned RadixBits = 18,
  parameter bit          First     = 1'b0
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 head_i,  // beat 0
  input  logic [RadixBits-1:0] z_i,
  input  logic [RadixBits-1:0] a_i,
  input  logic [RadixBits-1:0] b_i,
  input  logic [RadixBits-1:0] m_i,
  output logic                 head_o,
  output logic [RadixBits-1:0] z_o,
  output logic [RadixBits-1:0] a_o,
  output logic [RadixBits-1:0] b_o,
  output logic [RadixBits-1:0] m_o
);

  logic [ElementCycles-1:0] head_q;
  logic [ElementCycles-2:0][RadixBits-1:0] a_q;
  logic [ElementCycles-1:0][RadixBits-1:0] b_q, m_q;
  logic [RadixBits-1:0] digit_q, z;
  logic [2*RadixBits-1:0] a_product;
  logic [2*RadixBits:0] products_q;

  assign head_o = head_q[ElementCycles-1];
  assign a_o = a_q[ElementCycles-2];
  assign b_o = b_q[ElementCycles-1];
  assign m_o = m_q[ElementCycles-1];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) head_q <= '0;
    else head_q <= {head_q[ElementCycles-2:0], head_i};
  end

  always_ff @(posedge clk_i) begin
    a_q <= {a_q[ElementCycles-3:0], a_i};
    b_q <= {b_q[ElementCycles-2:0], b_i};
    m_q <= {m_q[ElementCycles-2:0], m_i};
    if (head_i) digit_q <= a_i;
  end

  perle_mul_reg2 #(
    .Width(RadixBits)
  ) u_mul_a (
    .clk_i,
    .x_i(digit_q),
    .y_i(b_i),
    .p_o(a_product)
  );

  if (First) begin : gen_first
    assign z = '0;
    always_ff @(posedge clk_i) products_q <= {1'b0, a_product};

    logic unused;
    assign unused = ^z_i;
  end else begin : gen_other
    // delays z until the products of its beat are ready
    logic [2:0][RadixBits-1:0] z_q;
    logic [RadixBits-1:0] quotient_q;
    logic [2*RadixBits-1:0] q_product;

    assign z = z_q[2];

    always_ff @(posedge clk_i) begin
      z_q <= {z_q[1:0], head_i ? '0 : z_i};
      if (head_i) quotient_q <= z_i;
      products_q <= (2 * RadixBits + 1)'(a_product) + (2 * RadixBits + 1)'(q_product);
    end

    perle_mul_reg2 #(
      .Width(RadixBits)
    ) u_mul_q (
      .clk_i,
      .x_i(quotient_q),
      .y_i(m_i),
      .p_o(q_product)
    );
  end

  perle_stream_sum #(
    .RadixBits(RadixBits)
  ) u_sum (
    .clk_i,
    .u_i(products_q),
    .z_i(z),
    .z_o
  );

endmodule
