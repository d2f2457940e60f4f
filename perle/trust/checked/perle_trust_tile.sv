// SPDX-License-Identifier: Apache-2.0
//
// Lemmas about perle_tile_mul, bound into the testbench: from rest to rest. Here the first cycle is not that
// of the first reset but any cycle of a run, of one of three kinds:
//
//   reset     the state is arbitrary
//   at rest   no request waits for its response, and of earlier ones nothing is left in the state machine, in
//             the tile (requests, sequencer, pipeline, queue of results) or in the last step. Whose turn it
//             is, where the queue begins, what idle contexts keep in their states, all addresses and all data
//             are arbitrary
//   answered  the same, but a response waits, that of the marked request if there is one
//
//   LemmaRests   after a reset, or if no request is accepted in the first cycle, the next one is at rest or
//                answered
//   LemmaServed  if one is accepted, the cycle of its response is answered
//
// Every cycle of a run from a reset is thus of one of these kinds, or a request that was accepted in one of
// them has no response yet. The checker follows each of these pieces to its end, and in all cycles but the
// first of a piece the properties of the testbench are asserted: together the pieces are the run, whenever it
// is reset. They end after Latest + 1 cycles at the latest, as AssertNotLost fails one cycle later, which is
// checked too.

module perle_trust_tile
  import perle_tile_pkg::*;
#(
  parameter  int unsigned Blocks    = 3,                         // N
  localparam int unsigned IndexBits = index_bits(Blocks),
  localparam int unsigned PlaceBits = $clog2(WaitingBlocks),
  localparam int unsigned Stages    = 13,                        // of the pipeline
  localparam logic [7:0]  Latest    = 8'(reduce_cycles(Blocks)),
  localparam logic [3:0]  Idle      = 4'd0,                      // states as in perle_tile_mul
  localparam logic [3:0]  Hold      = 4'd10,
  localparam logic [1:0]  LeaveIdle = 2'd0                       // and in perle_tile_leave
) (
  // signals of the testbench and of the multiplier
  // verilog_lint: waive-start port-name-suffix
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 first_q,
  input logic                 accept,
  input logic                 rsp_valid,
  input logic [          1:0] rsp_tag,
  input logic [          5:0] open_q,
  input logic [          5:0] before_q,
  input logic                 marked_q,
  input logic [          1:0] marked_tag_q,
  input logic [          7:0] age_q,
  input logic [          7:0] wait_q,
  input logic [          3:0] state,
  input logic                 counts,         // a counter of blocks or digits is not zero
  input logic [ Contexts-1:0] waiting,        // contexts: with a request that has not started
  input logic [ Contexts-1:0] running,        // with a product
  input logic [ Contexts-1:0] in_ring,        // the same, in the order of their turns
  input logic [ Contexts-1:0] complete,       // with all of their results in memory
  input logic [IndexBits-1:0] top,            // N − 1
  input logic                 pauses,         // in this turn: no operation is issued
  input logic                 renews,         // the result of another product begins
  input logic                 reserves,       // a place in the queue is taken
  input logic                 port_free,
  input logic                 next_pauses,    // in the next one
  input logic                 next_renews,
  input op_t                  issued,         // operations
  input op_t                  op[Stages],
  input logic                 renew,
  input logic [          3:0] accesses,       // those to the memories, for operands and result
  input logic [  PlaceBits:0] queued,         // blocks of results in the queue, and with those to come
  input logic [  PlaceBits:0] reserved,
  input logic [PlaceBits-1:0] queue_in,       // its pointers
  input logic [PlaceBits-1:0] queue_out,
  input logic                 empty,
  input logic                 full,
  input logic [          3:0] writes,         // steps of a block to the memories, and of an address
  input logic [          1:0] leave_state,    // the last step
  input logic                 left
  // verilog_lint: waive-stop port-name-suffix
);

  logic [Stages-1:0] valid;
  logic no_request, no_turn, no_operation, no_result, no_last_step, still;
  logic at_rest, answered;

  always_comb begin
    for (int unsigned s = 0; s < Stages; s++) valid[s] = op[s].valid;
  end

  assign no_request = {waiting, running, in_ring, ~complete} == '0 && top == IndexBits'(Blocks - 1);
  assign no_turn = pauses && next_pauses && port_free && {renews, next_renews, reserves} == '0;
  assign no_operation = {issued.valid, valid, renew, accesses} == '0;
  assign no_result = {queued, reserved, full, writes} == '0 && empty && queue_in == queue_out;
  assign no_last_step = leave_state == LeaveIdle && !left;
  assign still = !counts && no_request && no_turn && no_operation && no_result && no_last_step &&
      age_q <= Latest && wait_q <= Latest;

  assign at_rest = still && state == Idle && !rsp_valid && open_q == '0 && wait_q == '0 && !marked_q;
  assign answered = still && state == Hold && rsp_valid && open_q == 6'd1 &&
      (!marked_q || (before_q == '0 && rsp_tag == marked_tag_q));

  logic second_q, unanswered_q;  // the cycle after the first; a request of the first had no response before

  always_ff @(posedge clk_i) begin
    second_q <= first_q;
    unanswered_q <= first_q ? rst_ni && accept : unanswered_q && !rsp_valid;
  end

  always_comb begin
    if (first_q) begin
      assume (!rst_ni || at_rest || answered);
    end else begin
      assume (second_q || unanswered_q);
      LemmaRests : assert (unanswered_q || at_rest || answered);
      LemmaServed : assert (!unanswered_q || !rsp_valid || answered);
    end
  end

endmodule

bind perle_trust_mul perle_trust_tile #(
  .Blocks(perle_tile_pkg::blocks_for(Width, 9))
) u_lemmas (
  .*,
  .state      (u_mul.state_q),
  .counts     ({u_mul.count_q, u_mul.read_q} != '0),
  .waiting    (u_mul.u_tile.waiting_q),
  .running    (u_mul.u_tile.running),
  .in_ring    ({u_mul.u_tile.u_sequencer.state_q[3].run, u_mul.u_tile.u_sequencer.state_q[2].run,
                u_mul.u_tile.u_sequencer.state_q[1].run, u_mul.u_tile.u_sequencer.state_q[0].run}),
  .complete   (u_mul.u_tile.complete),
  .top        (u_mul.u_tile.top_q),
  .pauses     (u_mul.u_tile.u_sequencer.found_q.waits),
  .renews     (u_mul.u_tile.u_sequencer.found_q.is.renews),
  .reserves   (u_mul.u_tile.u_sequencer.found_q.reserve),
  .port_free  (u_mul.u_tile.u_sequencer.found_q.free),
  .next_pauses(u_mul.u_tile.u_sequencer.compared_q.waits),
  .next_renews(u_mul.u_tile.u_sequencer.compared_q.renews),
  .issued     (u_mul.u_tile.issued),
  .op         (u_mul.u_tile.u_datapath.op),
  .renew      (u_mul.u_tile.renew),
  .accesses   ({u_mul.u_tile.host_q, u_mul.u_tile.read_q}),
  .queued     (u_mul.u_tile.u_results.queued_q),
  .reserved   (u_mul.u_tile.u_results.reserved_q),
  .queue_in   (u_mul.u_tile.u_results.in_q),
  .queue_out  (u_mul.u_tile.u_results.out_q),
  .empty      (u_mul.u_tile.u_results.empty_o),
  .full       (u_mul.u_tile.u_results.full_o),
  .writes     ({u_mul.u_tile.u_results.put_o, u_mul.u_tile.u_results.last_q,
                u_mul.u_tile.u_results.counts_q, u_mul.u_tile.u_results.renew_q}),
  .leave_state(u_mul.u_leave.state_q),
  .left       (u_mul.u_leave.done_o)
);
