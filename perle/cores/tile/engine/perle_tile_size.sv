// SPDX-License-Identifier: Apache-2.0
//
// How many blocks a job needs: those of its modulus for an exponentiation, otherwise those of the widest one.
//
//   N = max(3, ⌈(n + 56)/54⌉), n bits of M: M < β^(N − 1)/4
//
// Ranges    3·Blocks digits of M, the lowest one first, then those of other operands; M < 2^Width
// Cycles    blocks_o and last_turn_o one and two cycles after the first digit of X. They depend on n only
// Left out  products of two operands: the results of OpMul depend on R, which is that of the widest modulus
//
// Parameters
//   Blocks      N of the widest modulus
//   RadixBits   k, bits of a digit
//   TurnBits    bits of a turn of a product

module perle_tile_size
  import perle_tile_pkg::*;
  import perle_modexp_pkg::*;
#(
  parameter  int unsigned Blocks    = 39,
  parameter  int unsigned RadixBits = 18,
  parameter  int unsigned TurnBits  = 11,
  localparam int unsigned IndexBits = index_bits(Blocks)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 m_we_i,
  input  logic                 we_i,
  input  logic [RadixBits-1:0] digit_i,
  input  state_e               job_state_i,
  output logic [IndexBits-1:0] blocks_o,
  output logic [TurnBits-1:0]  last_turn_o  // of a product
);

  // N if the block of the next digit were the highest; N as far as M is known; N
  logic [IndexBits-1:0] low_q, found_q, size_q;
  logic [1:0] third_q;

  assign blocks_o = (job_state_i == StBase) ? size_q : IndexBits'(Blocks);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      low_q <= IndexBits'(2);
      third_q <= '0;
      found_q <= IndexBits'(3);
      size_q <= IndexBits'(3);
    end else if (m_we_i) begin
      third_q <= (third_q == 2'd2) ? '0 : third_q + 2'd1;
      if (third_q == 2'd2) low_q <= low_q + IndexBits'(1);
      if (low_q == IndexBits'(2)) found_q <= IndexBits'(3);
      else if (digit_i != '0) found_q <= low_q + IndexBits'(third_q == 2'd2 && digit_i[RadixBits-1-:2] != '0);
    end else if (we_i) begin
      low_q <= IndexBits'(2);
      size_q <= found_q;
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned n = 3; n <= Blocks; n++) begin
      if (size_q == IndexBits'(n)) last_turn_o <= TurnBits'(product_turns(n) - 1);
    end
  end

endmodule
