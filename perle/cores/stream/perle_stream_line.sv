// SPDX-License-Identifier: Apache-2.0
//
// The line: elements 0 … N−1 and the last one, which also leaves the domain. Only neighbours are connected.
//
//   Z_0 = 0 ;  Z_{i+1} = ⌊Z_i/β⌋ + q_i·M̂ + a_i·B ,  q_i = Z_i mod β ;  V = Z_{N+1}, or its last step with M
//
// Ranges    as perle_stream_element and perle_stream_exit
// Algorithm slot 0 with a_0 (head_i); a_s, B_{s−1} and M̂_{s−1} in slot s
// Cycles    N·ElementCycles from slot 0 here to slot 0 at the last element
//
// Parameters
//   Digits, RadixBits   N and k

module perle_stream_line
  import perle_stream_pkg::*;
#(
  parameter  int unsigned Digits      = 58,
  parameter  int unsigned RadixBits   = 18,
  localparam int unsigned IndexBits   = $clog2(Digits)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 head_i,
  input  logic [RadixBits-1:0] a_i,
  input  logic [RadixBits-1:0] b_i,
  input  logic [RadixBits-1:0] m_i,
  // the last element asks for the digits of M
  output logic                 exit_o,     // slot 0 there
  input  logic                 reduce_i,
  input  logic [RadixBits-1:0] mprime_i,
  output logic                 active_o,
  output logic [IndexBits-1:0] index_o,
  input  logic [RadixBits-1:0] modulus_i,
  output logic                 push_o,
  output logic                 last_o,
  output logic                 above_o,
  output logic [RadixBits-1:0] value_o,
  output logic [RadixBits-1:0] less_o
);

  logic head[Digits+1];
  logic [RadixBits-1:0] z[Digits+1];
  logic [RadixBits-1:0] a[Digits+1];
  logic [RadixBits-1:0] b[Digits+1];
  logic [RadixBits-1:0] m[Digits+1];

  assign head[0] = head_i;
  assign z[0] = '0;
  assign a[0] = a_i;
  assign b[0] = b_i;
  assign m[0] = m_i;
  assign exit_o = head[Digits];

  for (genvar i = 0; i < Digits; i++) begin : gen_element
    perle_stream_element #(
      .RadixBits(RadixBits),
      .First    (i == 0)
    ) u_element (
      .clk_i,
      .rst_ni,
      .head_i(head[i]),
      .z_i   (z[i]),
      .a_i   (a[i]),
      .b_i   (b[i]),
      .m_i   (m[i]),
      .head_o(head[i+1]),
      .z_o   (z[i+1]),
      .a_o   (a[i+1]),
      .b_o   (b[i+1]),
      .m_o   (m[i+1])
    );
  end

  perle_stream_exit #(
    .Digits   (Digits),
    .RadixBits(RadixBits)
  ) u_exit (
    .clk_i,
    .rst_ni,
    .head_i(exit_o),
    .reduce_i,
    .mprime_i,
    .active_o,
    .index_o,
    .modulus_i,
    .z_i   (z[Digits]),
    .m_i   (m[Digits]),
    .push_o,
    .last_o,
    .above_o,
    .value_o,
    .less_o
  );

  // the last element has no digit of A, and nothing after it
  logic unused;
  assign unused = ^{a[Digits], b[Digits]};

endmodule
