// SPDX-License-Identifier: Apache-2.0
//
// The engine's PE chain and its memories: operands to the chain, results back, the words of final results to
// the host.
//
// Ranges    op_valid_i once in N + 1 cycles, threads in turn
// Algorithm perle_stream_operands, the PE chain, perle_stream_writeback; perle_stream_unload reads the final
//           results
// Cycles    a result can be an operand Fold·S turns after its product started, as
//           line_cycles + TurnCycles <= Fold·S·(N + 1)
//
// Parameters
//   as perle_stream_engine

module perle_stream_datapath
  import perle_stream_pkg::*;
  import perle_stream_engine_pkg::*;
#(
  parameter  int unsigned Lanes      = 14,
  parameter  int unsigned Threads    = 7,
  parameter  int unsigned Digits     = 58,
  parameter  int unsigned RadixBits  = 18,
  parameter  int unsigned Fold       = 1,
  parameter  int unsigned WindowBits = 4,
  parameter  int unsigned Words      = 17,
  parameter  int unsigned WordBits   = 64,
  localparam int unsigned ThreadBits = $clog2(Threads),
  localparam int unsigned LaneBits   = $clog2(Lanes),
  localparam int unsigned SlotBits   = WindowBits + 1,
  localparam int unsigned Slots      = (1 << WindowBits) + 1,
  localparam int unsigned XBits      = $clog2(Lanes * Slots * Digits),
  localparam int unsigned YBits      = $clog2(Lanes * 4 * Digits),
  localparam int unsigned HostBits   = $clog2(Lanes * 2 * Digits),
  localparam int unsigned BaseBits   = $clog2(Lanes * Digits),
  localparam int unsigned IndexBits  = $clog2(Digits),
  localparam int unsigned SlotAddr   = $clog2(Lanes * Words)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  op_valid_i,
  input  logic [ThreadBits-1:0] op_thread_i,
  input  logic [  LaneBits-1:0] op_lane_i,
  input  logic                  op_live_i,
  input  logic                  op_reduce_i,
  input  logic                  op_final_i,
  input  from_e                 op_x_from_i,
  input  logic [  SlotBits-1:0] op_x_slot_i,
  input  from_e                 op_y_from_i,
  input  logic [           1:0] op_y_slot_i,
  input  logic [  SlotBits-1:0] op_dest_i,
  // digits from the loader
  input  logic                  m_we_i,
  input  logic                  x_we_i,
  input  logic                  y_we_i,
  input  logic                  mhat_we_i,
  input  logic                  mprime_we_i,
  input  logic [  LaneBits-1:0] load_lane_i,
  input  logic [  BaseBits-1:0] load_addr_i,
  input  logic [  HostBits-1:0] load_y_addr_i,
  input  logic [ RadixBits-1:0] load_digit_i,
  // words of results
  output logic                  we_o,
  output logic [  SlotAddr-1:0] addr_o,
  output logic [  WordBits-1:0] word_o,
  output logic                  done_o,
  output logic [  LaneBits-1:0] lane_o
);

  logic head, exit, active, reduce, push, last, ge;
  logic [RadixBits-1:0] a, b, m, mprime, modulus, value, diff, result;
  logic [XBits-1:0] dest_x, result_x_addr;
  logic [YBits-1:0] dest_y, result_y_addr;
  logic [BaseBits-1:0] base, final_addr;
  logic [2*RadixBits-1:0] final_digits;
  logic result_we, final_we, final_done, final_ge;
  logic [LaneBits-1:0] final_lane;

  // a product, delayed until its addresses are computed
  typedef struct packed {
    logic valid;
    logic [ThreadBits-1:0] thread;
    logic [LaneBits-1:0] lane;
    logic live;
    logic reduce;
    logic is_final;
  } op_t;
  op_t [1:0] op_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) op_q <= '0;
    else op_q <= {op_q[0], op_valid_i, op_thread_i, op_lane_i, op_live_i, op_reduce_i, op_final_i};
  end

  perle_stream_operands #(
    .Lanes     (Lanes),
    .Digits    (Digits),
    .RadixBits (RadixBits),
    .WindowBits(WindowBits)
  ) u_operands (
    .clk_i,
    .rst_ni,
    .op_valid_i,
    .op_lane_i,
    .op_live_i,
    .op_x_from_i,
    .op_x_slot_i,
    .op_y_from_i,
    .op_y_slot_i,
    .op_dest_i,
    .dest_x_o       (dest_x),
    .dest_y_o       (dest_y),
    .base_o         (base),
    .head_o         (head),
    .a_o            (a),
    .b_o            (b),
    .m_o            (m),
    .x_we_i,
    .y_we_i,
    .mhat_we_i,
    .load_addr_i,
    .load_y_addr_i,
    .load_digit_i,
    .result_we_i    (result_we),
    .result_x_addr_i(result_x_addr),
    .result_y_addr_i(result_y_addr),
    .result_i       (result)
  );

  logic [IndexBits-1:0] unused_index;
  perle_stream_pe_chain #(
    .Digits   (Digits),
    .RadixBits(RadixBits),
    .Fold     (Fold)
  ) u_pe_chain (
    .clk_i,
    .rst_ni,
    .head_i   (head),
    .a_i      (a),
    .b_i      (b),
    .m_i      (m),
    .exit_o   (exit),
    .reduce_i (reduce),
    .mprime_i (mprime),
    .active_o (active),
    .index_o  (unused_index),
    .modulus_i(modulus),
    .push_o   (push),
    .last_o   (last),
    .ge_o     (ge),
    .value_o  (value),
    .diff_o   (diff)
  );

  perle_stream_writeback #(
    .Threads  (Threads),
    .Lanes    (Lanes),
    .Digits   (Digits),
    .RadixBits(RadixBits),
    .XBits    (XBits),
    .YBits    (YBits)
  ) u_writeback (
    .clk_i,
    .rst_ni,
    .op_valid_i     (op_q[1].valid),
    .op_thread_i    (op_q[1].thread),
    .op_lane_i      (op_q[1].lane),
    .op_live_i      (op_q[1].live),
    .op_reduce_i    (op_q[1].reduce),
    .op_final_i     (op_q[1].is_final),
    .op_dest_x_i    (dest_x),
    .op_dest_y_i    (dest_y),
    .op_base_i      (base),
    .exit_i         (exit),
    .reduce_o       (reduce),
    .mprime_o       (mprime),
    .active_i       (active),
    .modulus_o      (modulus),
    .push_i         (push),
    .last_i         (last),
    .ge_i           (ge),
    .value_i        (value),
    .diff_i         (diff),
    .m_we_i,
    .mprime_we_i,
    .load_addr_i,
    .load_lane_i,
    .load_digit_i,
    .result_we_o    (result_we),
    .result_x_addr_o(result_x_addr),
    .result_y_addr_o(result_y_addr),
    .result_o       (result),
    .final_we_o     (final_we),
    .final_addr_o   (final_addr),
    .final_digits_o (final_digits),
    .final_done_o   (final_done),
    .final_lane_o   (final_lane),
    .final_ge_o     (final_ge)
  );

  perle_stream_unload #(
    .Lanes    (Lanes),
    .Digits   (Digits),
    .RadixBits(RadixBits),
    .Words    (Words),
    .WordBits (WordBits)
  ) u_unload (
    .clk_i,
    .rst_ni,
    .we_i    (final_we),
    .addr_i  (final_addr),
    .digits_i(final_digits),
    .done_i  (final_done),
    .lane_i  (final_lane),
    .ge_i    (final_ge),
    .we_o,
    .addr_o,
    .word_o,
    .done_o,
    .lane_o
  );

endmodule
