// SPDX-License-Identifier: Apache-2.0
//
// Assertions on the engine's schedule, bound in every simulation: a result is read only after it has been
// written, and no digit in the cycle of its write; a lane is unloaded once; the highest window digit is found
// when the job is valid.

module perle_stream_engine_sva
  import perle_stream_pkg::*;
  import perle_stream_engine_pkg::*;
#(
  parameter int unsigned Threads    = 7,
  parameter int unsigned Digits     = 58,
  parameter int unsigned Fold       = 1,
  parameter int unsigned Lanes      = 14,
  parameter int unsigned WindowBits = 4,
  parameter int unsigned LaneBits   = 4
) (
  // the engine's own signals, all as inputs
  // verilog_lint: waive-start port-name-suffix
  input logic                clk_i,
  input logic                rst_ni,
  input logic                result_we,
  input logic [        31:0] result_x_addr,
  input logic [        31:0] result_y_addr,
  input logic                x_reads,
  input logic [        31:0] x_addr,
  input logic                y_begins,
  input logic                y_from_slot,
  input logic                y_reads,
  input logic [        31:0] y_addr,
  input logic                job_valid,
  input logic                job_windowed,
  input logic [        12:0] job_pos,
  input logic [        12:0] job_elen,
  input logic                final_done,
  input logic [LaneBits-1:0] final_lane,
  input logic [   Lanes-1:0] unload_wait,
  input logic [   Lanes-1:0] busy_o,
  input logic [   Lanes-1:0] done_o
  // verilog_lint: waive-stop port-name-suffix
);

  initial begin
    AssertTurns : assert (line_cycles(Digits, Fold) + TurnCycles <= Fold * Threads * (Digits + 1));
    AssertFewest : assert (line_cycles(Digits, Fold) + TurnCycles > (Fold * Threads - 1) * (Digits + 1));
    AssertWindow : assert (WindowBits >= 3);
  end

  // The source of the next product's y is known in the cycle of the last digit of y.
  logic y_from_slot_q;
  always_ff @(posedge clk_i) if (y_begins) y_from_slot_q <= y_from_slot;

  AssertNotAtOnceX : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (result_we && x_reads) |-> (result_x_addr != x_addr));
  AssertNotAtOnceY : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (result_we && y_reads && y_from_slot_q) |-> (result_y_addr != y_addr));
  AssertTop : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (job_valid && job_windowed) |->
          ((job_pos < job_elen) && (14'(job_pos) + 14'(WindowBits) >= 14'(job_elen))));
  AssertOnce : assert property (@(posedge clk_i) disable iff (!rst_ni)
      final_done |-> (!unload_wait[final_lane] && busy_o[final_lane]));
  AssertDone : assert property (@(posedge clk_i) disable iff (!rst_ni) (done_o & busy_o) == '0);

endmodule

bind perle_stream_engine perle_stream_engine_sva #(
  .Threads   (Threads),
  .Digits    (Digits),
  .Fold      (Fold),
  .Lanes     (Lanes),
  .WindowBits(WindowBits),
  .LaneBits  (LaneBits)
) u_sva (
  .clk_i,
  .rst_ni,
  .result_we    (u_turns.result_we),
  .result_x_addr(32'(u_turns.result_x_addr)),
  .result_y_addr(32'(u_turns.result_y_addr)),
  .x_reads      ((u_turns.u_operands.x_left_q != '0) && (u_turns.u_operands.x_from_q[1] == FromSlot)),
  .x_addr       (32'(u_turns.u_operands.x_addr_q)),
  .y_begins     (u_turns.u_operands.at_q[2]),
  .y_from_slot  (u_turns.u_operands.y_from_q[1] == FromSlot),
  .y_reads      (u_turns.u_operands.y_left_q != '0),
  .y_addr       (32'(u_turns.u_operands.y_addr_q)),
  .job_valid,
  .job_windowed (job_mode == perle_pkg::ModeWindow && job_state == StBase),
  .job_pos      (13'(job_pos)),
  .job_elen     (load_elen),
  .final_done   (u_turns.final_done),
  .final_lane   (u_turns.final_lane),
  .unload_wait  (u_turns.u_unload.wait_q),
  .busy_o,
  .done_o
);
