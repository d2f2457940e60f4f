// SPDX-License-Identifier: Apache-2.0
//
// Checks a modulus and its operands while the loader passes their digits on.
//
// Ranges    operand slots one after the other, M first, each from digit 0 on
// Algorithm a copy of M is stored. X < M iff X's digit is less than M's at the highest position where they
//           differ
// Cycles    latency 2 after the last digit; the outputs are stable until start_i. The time depends only on
//           when the digits arrive
//
// Parameters
//   Width               bits of the widest modulus
//   Digits, RadixBits   of an operand slot; k

module perle_stream_check
  import perle_stream_engine_pkg::*;
#(
  parameter  int unsigned Width     = 1024,
  parameter  int unsigned RadixBits = 18,
  parameter  int unsigned Digits    = 61,
  localparam int unsigned IndexBits = $clog2(Digits)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 start_i,
  input  logic                 valid_i,
  input  logic [          2:0] slot_i,
  input  logic [IndexBits-1:0] index_i,
  input  logic [RadixBits-1:0] digit_i,
  output logic                 m_even_o,
  output logic                 m_small_o,
  output logic                 m_wide_o,
  output logic                 x_lt_o,
  output logic                 y_lt_o
);

  localparam int unsigned Top = Width / RadixBits;  // the digit with bit Width
  localparam logic [RadixBits-1:0] TopMask = ~RadixBits'((1 << (Width % RadixBits)) - 1);

  // distributed RAM for any number of digits: a block memory is too slow without its output register
  (* ram_style = "distributed" *) logic [RadixBits-1:0] m_mem[Digits];
  logic [RadixBits-1:0] m_q, digit_q;
  logic m_slot_q, x_slot_q, y_slot_q, first_q, lt, equal;
  logic [RadixBits-1:0] too_wide, rest;

  always_ff @(posedge clk_i) begin
    if (valid_i && slot_i == LoadM) m_mem[index_i] <= digit_i;
    m_q <= m_mem[index_i];
    digit_q <= digit_i;
    first_q <= (index_i == '0);
    too_wide <= (32'(index_i) > Top) ? digit_i : (32'(index_i) == Top) ? digit_i & TopMask : '0;
  end

  assign lt = (digit_q < m_q);
  assign equal = (digit_q == m_q);
  assign rest = first_q ? digit_q >> 1 : digit_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {m_slot_q, x_slot_q, y_slot_q} <= '0;
      {m_even_o, m_wide_o, x_lt_o, y_lt_o} <= '0;
      m_small_o <= 1'b1;
    end else begin
      m_slot_q <= valid_i && (slot_i == LoadM);
      x_slot_q <= valid_i && (slot_i == LoadX);
      y_slot_q <= valid_i && (slot_i == LoadY);
      if (start_i) begin
        {m_even_o, m_wide_o, x_lt_o, y_lt_o} <= '0;
        m_small_o <= 1'b1;
      end
      if (m_slot_q) begin
        if (first_q) m_even_o <= !digit_q[0];
        if (rest != '0) m_small_o <= 1'b0;
        if (too_wide != '0) m_wide_o <= 1'b1;
      end
      if (x_slot_q) x_lt_o <= lt || (equal && x_lt_o);
      if (y_slot_q) y_lt_o <= lt || (equal && y_lt_o);
    end
  end

endmodule
