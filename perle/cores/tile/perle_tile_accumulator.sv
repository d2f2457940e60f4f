// SPDX-License-Identifier: Apache-2.0
//
// Accumulates the columns of pairs and of diagonals of all contexts: terms in, blocks out.
//
//   pairs      S_c = carry + W_c + Σ ± u·v     block_o = S_c mod β, carry = ⌊S_c/β⌋
//   diagonals  the same without W: block_o is δ_c
//
// Ranges    the term (low, high) as in perle_tile_block_product; window_i in [0, N·β). Sums have guard_bits
//           (perle_tile_pkg) more bits than their terms, the lower half two more, for carry and window
// Algorithm both halves are accumulated separately. To subtract a term it is added to the inverted sum: −1 −
//           s is s with each bit inverted, so that s − t = −1 − ((−1 − s) + t). Small memories hold the
//           halves; the lower one gets the carry at the end of a column
// Cycles    block_o two cycles after a term; one term per cycle, of a context every fourth cycle. At stages
//           11, 12, 13
// Left out  reset: the first operation of a modular product ignores the memories
//
// Parameters
//   RadixBits   k, a block has 3·k bits
//   MaxBlocks   most blocks of a modulus

module perle_tile_accumulator
  import perle_tile_pkg::*;
#(
  parameter int unsigned RadixBits = 18,
  parameter int unsigned MaxBlocks = 39,
  localparam int unsigned BlockBits = 3 * RadixBits,
  localparam int unsigned Guard = guard_bits(MaxBlocks),
  localparam int unsigned WindowBits = BlockBits + Guard
) (
  input  logic                        clk_i,
  // verilator lint_off UNUSEDSIGNAL
  input  op_t                         op_i,  // stage 10, as all inputs unless noted
  // verilator lint_on UNUSEDSIGNAL
  input  logic                        subtract_i,
  input  logic                        next_open_i,  // of stage 9
  input  logic                        next_diag_i,
  input  logic [         CtxBits-1:0] next_ctx_i,
  input  logic                        next_subtract_i,
  input  logic signed [BlockBits+2:0] low_i,
  input  logic signed [BlockBits+1:0] high_i,
  input  logic [      WindowBits-1:0] window_i,  // stage 11, zero except at the end of a column
  output logic [       BlockBits-1:0] block_o  // stage 12
);

  localparam int unsigned LowBits = BlockBits + Guard + 3;
  localparam int unsigned HighBits = BlockBits + Guard + 1;

  // An upper half may be stored inverted (flipped_q); a lower half is restored before it is stored.
  logic [LowBits-1:0] low_mem[2*Contexts];
  logic [HighBits-1:0] high_mem[2*Contexts];
  logic [2*Contexts-1:0] flipped_q;

  logic [CtxBits:0] next_at, at_q[4];
  logic written;
  logic valid_q[3];
  logic close_q[2];
  logic flip_high_q;
  logic [LowBits-1:0] low_old_q, low, low_q, total, total_q, back, back_q;
  logic [HighBits-1:0] high_old_q, high, high_q, high_late_q, carry;
  logic subtract_q, subtract_late_q;

  assign next_at = {next_ctx_i, next_diag_i};
  // the context's last operation was of the same kind: its sum is still being written and is forwarded
  assign written = valid_q[2] && (at_q[3][0] == next_diag_i);
  assign block_o = total_q[BlockBits-1:0];
  assign back = close_q[1] ? LowBits'($signed(carry)) : total_q;

  // stage 11: the term
  perle_tile_adder #(
    .Bits(LowBits)
  ) u_low (
    .a_i    (LowBits'($signed(low_i))),
    .b_i    (low_old_q),
    .use_i  (!op_i.first),
    .flip_i (subtract_i),
    .carry_i(1'b0),
    .sum_o  (low)
  );

  perle_tile_adder #(
    .Bits(HighBits)
  ) u_high (
    .a_i    (HighBits'($signed(high_i))),
    .b_i    (high_old_q),
    .use_i  (!op_i.open),
    .flip_i (flip_high_q),
    .carry_i(1'b0),
    .sum_o  (high)
  );

  // stage 12: the window
  perle_tile_adder #(
    .Bits(LowBits)
  ) u_total (
    .a_i    (LowBits'(window_i)),
    .b_i    (low_q),
    .use_i  (1'b1),
    .flip_i (subtract_q),
    .carry_i(1'b0),
    .sum_o  (total)
  );

  // stage 13: the carry
  perle_tile_adder #(
    .Bits(HighBits)
  ) u_carry (
    .a_i    (HighBits'($signed(total_q[LowBits-1:BlockBits]))),
    .b_i    (high_late_q),
    .use_i  (1'b1),
    .flip_i (subtract_late_q),
    .carry_i(1'b0),
    .sum_o  (carry)
  );

  always_ff @(posedge clk_i) begin
    at_q <= '{next_at, at_q[0], at_q[1], at_q[2]};
    low_old_q <= written ? back_q : low_mem[next_at];
    high_old_q <= high_mem[next_at];
    valid_q <= '{op_i.valid, valid_q[0], valid_q[1]};
    close_q <= '{op_i.close, close_q[0]};
    subtract_q <= subtract_i;
    subtract_late_q <= subtract_q;
    low_q <= low;
    high_q <= high;
    high_late_q <= high_q;
    total_q <= total;
    back_q <= back;
    flip_high_q <= next_subtract_i ^ (flipped_q[next_at] && !next_open_i);
    if (valid_q[0]) begin
      high_mem[at_q[1]] <= high_q;
      flipped_q[at_q[1]] <= subtract_q;
    end
    if (valid_q[2]) low_mem[at_q[3]] <= back_q;
  end

endmodule
