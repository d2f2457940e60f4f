// SPDX-License-Identifier: Apache-2.0
//
// Element i of the line: one iteration of the recurrence, for one product after the other.
//
//   q = z_0 ;  Z' = ⌊Z/β⌋ + q·M̂ + a·B        β = 2^k
//
// Ranges    all digits in [0, β); Z, Z' < β^(N+1) (see README): Z' ends with its digit N, no carry is left over
// Algorithm a product takes N + 1 slots, one a cycle. In slot 0 comes z_0, which is q, and the element's digit a; in
//           slot s = 1 … N come z_s, M̂_{s−1} and B_{s−1}. Digit N of Z' is made in slot 0 of the next product, where
//           M̂ and B have nothing and z_0 is not added
// Cycles    ElementCycles from slot 0 here to slot 0 at the next element; a runs by one cycle faster, so that
//           digit i, which enters the line i cycles after digit 0, meets slot 0 at element i
// Left out  resets: what is not part of a product is multiplied by zeros, or is taken for none by its head
//
// Parameters
//   RadixBits   k
//   First       element 0, where Z and q are zero: no product by q

module perle_stream_element
  import perle_stream_pkg::*;
#(
  parameter int unsigned RadixBits = 18,
  parameter bit          First     = 1'b0
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 head_i,  // slot 0
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
    // z waits for the products of its slot
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
