// SPDX-License-Identifier: Apache-2.0
//
// Quotient digit of OpReduce, and the carry out of the digit below position 0 that it makes zero.
//
//   q ← s_0·mprime mod β ;  hi ← ⌊q·m_0/β⌋ ;  unit ← (s_0 /= 0)
//
// Ranges    (s_0 + q·m_0)/β = hi + unit, exactly: the low half of q·m_0 is β − s_0, or 0 if s_0 is 0
// Cycles    q product_cycles after s_0, hi product_cycles after x_i, unit one cycle after s_0
//
// Parameters
//   RadixBits   k

module perle_lowlat_reduce_digit #(
  parameter int unsigned RadixBits = 18
) (
  input  logic                 clk_i,
  input  logic                 on_i,      // a quotient digit of OpReduce is being computed
  input  logic [RadixBits-1:0] s_i,
  input  logic [RadixBits-1:0] mprime_i,
  input  logic [RadixBits-1:0] x_i,       // q, as broadcast to the multipliers
  input  logic [RadixBits-1:0] m_i,
  output logic [RadixBits-1:0] q_o,
  output logic [RadixBits-1:0] hi_o,
  output logic                 unit_o
);

  // only the low half of one product and the high half of the other are used
  // verilator lint_off UNUSEDSIGNAL
  logic [2*RadixBits-1:0] quotient, product;
  // verilator lint_on UNUSEDSIGNAL

  perle_lowlat_product #(
    .RadixBits(RadixBits)
  ) u_quotient (
    .clk_i,
    .x_i(s_i),
    .y_i(mprime_i),
    .p_o(quotient)
  );

  perle_lowlat_product #(
    .RadixBits(RadixBits)
  ) u_product (
    .clk_i,
    .x_i,
    .y_i(m_i),
    .p_o(product)
  );

  assign q_o = quotient[RadixBits-1:0];
  assign hi_o = product[2*RadixBits-1:RadixBits];

  always_ff @(posedge clk_i) unit_o <= on_i && (s_i != '0);

endmodule
