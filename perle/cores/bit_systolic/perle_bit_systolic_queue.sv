// SPDX-License-Identifier: Apache-2.0
//
// Results that wait for their response, in the order of the requests, each with its tag.
//
// Ranges    at most Depth operations between open_i and their response: full_o holds further ones off, so that
//           the row, which cannot stop, always finds room for its results
// Algorithm three pointers go round: open (a tag comes in), push (its result), pop (both leave). What has left
//           becomes zero
// Cycles    a result pushed in cycle t is the response from t + 1 on, if none before it waits
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
  output logic               full_o,
  input  logic               push_i,
  input  logic [   Bits-1:0] z_i,
  output logic               valid_o,
  input  logic               ready_i,
  output logic [TagBits-1:0] tag_o,
  output logic [   Bits-1:0] z_o
);

  localparam int unsigned IdxBits = $clog2(Depth);

  // one bit more than an index: full and empty differ in it
  typedef logic [IdxBits:0] pointer_t;

  pointer_t open_q, push_q, pop_q;
  logic [Depth-1:0][TagBits-1:0] tags_q;
  logic [Bits-1:0] lines_q[Depth];
  logic pop;

  assign full_o = (open_q == (pop_q ^ pointer_t'(Depth)));
  assign valid_o = (push_q != pop_q);
  assign tag_o = tags_q[pop_q[IdxBits-1:0]];
  assign z_o = lines_q[pop_q[IdxBits-1:0]];
  assign pop = valid_o && ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q <= '0;
      push_q <= '0;
      pop_q <= '0;
      tags_q <= '0;
      for (int unsigned i = 0; i < Depth; i++) lines_q[i] <= '0;
    end else begin
      if (open_i) begin
        tags_q[open_q[IdxBits-1:0]] <= tag_i;
        open_q <= open_q + pointer_t'(1);
      end
      if (pop) begin
        lines_q[pop_q[IdxBits-1:0]] <= '0;
        pop_q <= pop_q + pointer_t'(1);
      end
      if (push_i) begin
        lines_q[push_q[IdxBits-1:0]] <= z_i;
        push_q <= push_q + pointer_t'(1);
      end
    end
  end

endmodule
