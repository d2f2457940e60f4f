// SPDX-License-Identifier: Apache-2.0
//
// Results that wait for their response, in the order of the requests, each with its tag.
//
// Ranges    at most Depth operations between open_i and their response: full_o holds further ones off, so that
//           the row, which cannot stop, always finds room for its results
// Algorithm three pointers go round: open (a tag comes in), push (its result), move (both go to the response's
//           register). What has left becomes zero, and a result that is to be zero is not written
// Cycles    push_i in cycle t, z_i in t + 1: the response from t + 3 on, if none before it waits. One a cycle.
//           Lines are written and cleared by registers of their own: nothing is decoded on the way to them.
//           A reset clears them in the cycle after it, by these same registers
// Left out  a way past the lines for a result that could leave at once
//
// Parameters
//   Bits, TagBits   what is kept
//   Depth           operations in flight, a power of 2

module perle_bit_systolic_queue #(
  parameter int unsigned Bits    = 1025,
  parameter int unsigned TagBits = 4,
  parameter int unsigned Depth   = 4
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               open_i,
  input  logic [TagBits-1:0] tag_i,
  output logic               full_o,   // in the next cycle
  input  logic               push_i,
  input  logic               zero_i,   // with push_i: the result is zero
  input  logic [   Bits-1:0] z_i,
  output logic               valid_o,
  input  logic               ready_i,
  output logic [TagBits-1:0] tag_o,
  output logic [   Bits-1:0] z_o
);

  localparam int unsigned IdxBits = $clog2(Depth);

  // one bit more than an index: full and empty differ in it
  typedef logic [IdxBits:0] pointer_t;

  pointer_t open_q, push_q, filled_q, move_q, open, answer_q, answer;
  logic [Depth-1:0][TagBits-1:0] tags_q;
  logic [Bits-1:0] lines_q[Depth];
  logic [Depth-1:0] write_q, clear_q;
  logic pushed_q, free, move;

  assign open = open_q + pointer_t'(open_i);
  assign answer = answer_q + pointer_t'(valid_o && ready_i);
  assign full_o = (open == (answer ^ pointer_t'(Depth)));
  assign free = !valid_o || ready_i;
  assign move = free && (filled_q != move_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q <= '0;
      push_q <= '0;
      filled_q <= '0;
      move_q <= '0;
      answer_q <= '0;
      pushed_q <= 1'b0;
      write_q <= '0;
      clear_q <= '1;
      tags_q <= '0;
      valid_o <= 1'b0;
      tag_o <= '0;
    end else begin
      open_q <= open;
      answer_q <= answer;
      if (open_i) tags_q[open_q[IdxBits-1:0]] <= tag_i;
      push_q <= push_q + pointer_t'(push_i);
      pushed_q <= push_i;
      write_q <= Depth'(push_i && !zero_i) << push_q[IdxBits-1:0];
      filled_q <= filled_q + pointer_t'(pushed_q);
      move_q <= move_q + pointer_t'(move);
      clear_q <= Depth'(move) << move_q[IdxBits-1:0];
      if (free) begin
        valid_o <= move;
        tag_o <= tags_q[move_q[IdxBits-1:0]];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Depth; i++) begin
      if (clear_q[i]) lines_q[i] <= '0;
      else if (write_q[i]) lines_q[i] <= z_i;
    end
    // zero, where nothing waits
    if (free) z_o <= lines_q[move_q[IdxBits-1:0]];
  end

endmodule
