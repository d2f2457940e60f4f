// SPDX-License-Identifier: Apache-2.0
//
// Queue of the operations in flight, in the order of the requests: operation and context for the last PE, the
// tag for the response.
//
// Ranges    at most InFlight operations between open_i and done_i
// Algorithm a ring buffer with three pointers: the next request, the next product at the last PE, the next
//           result
// Cycles    outputs are registers, updated one cycle after their pointer
//
// Parameters
//   InFlight           operations
//   CtxBits, TagBits   of an entry

module perle_stream_inflight_fifo
  import perle_pkg::*;
#(
  parameter int unsigned InFlight = 9,
  parameter int unsigned CtxBits  = 1,
  parameter int unsigned TagBits  = 4
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               open_i,
  input  mul_op_e            op_i,
  input  logic [CtxBits-1:0] ctx_i,
  input  logic [TagBits-1:0] tag_i,
  input  logic               exit_i,
  output logic               reduce_o,  // of the next product at the last PE
  output logic [CtxBits-1:0] ctx_o,
  input  logic               move_i,
  output logic [TagBits-1:0] tag_o,  // of the result in the response register
  input  logic               done_i,
  output logic               full_o
);

  localparam int unsigned IdxBits = $clog2(InFlight);

  typedef logic [IdxBits-1:0] index_t;

  index_t open_q, exit_q, move_q;
  logic [IdxBits:0] count_q;
  logic [2**IdxBits-1:0] reduce_q;
  logic [2**IdxBits-1:0][CtxBits-1:0] ctx_q;
  logic [2**IdxBits-1:0][TagBits-1:0] tag_q;
  logic [TagBits-1:0] next_tag_q;
  // the request, registered: it comes from far away, as this queue is at the end of the PE chain
  logic delayed_q, delayed_reduce_q;
  logic [CtxBits-1:0] delayed_ctx_q;
  logic [TagBits-1:0] delayed_tag_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q <= '0;
      exit_q <= '0;
      move_q <= '0;
      count_q <= '0;
      full_o <= 1'b0;
      reduce_q <= '0;
      ctx_q <= '0;
      tag_q <= '0;
      reduce_o <= 1'b0;
      ctx_o <= '0;
      next_tag_q <= '0;
      tag_o <= '0;
      delayed_q <= 1'b0;
      delayed_reduce_q <= 1'b0;
      delayed_ctx_q <= '0;
      delayed_tag_q <= '0;
    end else begin
      delayed_q <= open_i;
      delayed_reduce_q <= (op_i == OpReduce);
      delayed_ctx_q <= ctx_i;
      delayed_tag_q <= tag_i;
      open_q <= open_q + index_t'(delayed_q);
      exit_q <= exit_q + index_t'(exit_i);
      move_q <= move_q + index_t'(move_i);
      count_q <= count_q + (IdxBits + 1)'(delayed_q) - (IdxBits + 1)'(done_i);
      full_o <= (count_q == (IdxBits + 1)'(InFlight));
      if (delayed_q) begin
        reduce_q[open_q] <= delayed_reduce_q;
        ctx_q[open_q] <= delayed_ctx_q;
        tag_q[open_q] <= delayed_tag_q;
      end
      reduce_o <= reduce_q[exit_q];
      ctx_o <= ctx_q[exit_q];
      next_tag_q <= tag_q[move_q];
      if (move_i) tag_o <= next_tag_q;
    end
  end

endmodule
