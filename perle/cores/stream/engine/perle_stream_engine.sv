// SPDX-License-Identifier: Apache-2.0
//
// Many exponentiations at the same time on one PE chain, one product in every turn of N + 1 cycles.
//
//   z = x^e mod M and the other commands and modes of perle_modexp, on every lane
//
// Ranges    as perle_modexp; each lane has its own M, operands and exponent
// Algorithm S threads issue one product each, in turn: the result of a product can be an operand S turns
//           later. Operands, constants and results are digits in memories, read and written one per cycle; no
//           register or bus is as wide as an operand. The loader moves the words of one lane after the other
//           to a free thread, and the unloader stores its result, while the other threads run. There may be
//           more lanes than threads: the host writes and reads those without a thread meanwhile
// Cycles    Fold·S·(N + 1) per product of a lane, S = turns(N, Fold); Fold·(N + 1) on average per product of
//           all lanes. With several passes, S successive turns start products, then none until the last pass
//           has started. Formulas in model.py. A command or an access takes effect one cycle after it
//           arrives; for a busy lane it has no effect
// Zeroizing reset and zeroize_i overwrite the words, digits and results of a lane with zeros; other lanes
//           continue. Every turn without a product sends zeros through the chain
// Left out  masked reads of the window table: the number of cycles is constant; addresses, power and emission
//           are not
//
// Parameters
//   Width, RadixBits, Fold as perle_stream_mul       Lanes        at least 2; more than S to lose no turn
//   WordBits               32 or 64                  WindowBits   w >= 3

module perle_stream_engine
  import perle_pkg::*;
  import perle_modexp_pkg::*;
  import perle_stream_pkg::*;
  import perle_stream_engine_pkg::*;
#(
  parameter  int unsigned Width      = 1024,
  parameter  int unsigned RadixBits  = 18,
  parameter  int unsigned Fold       = 1,
  parameter  int unsigned Lanes      = 14,
  parameter  int unsigned WordBits   = 64,
  parameter  int unsigned WindowBits = 4,
  localparam int unsigned LaneBits   = $clog2(Lanes)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // words of operands and results
  input  logic                        wr_valid_i,
  input  logic    [     LaneBits-1:0] wr_lane_i,
  input  logic    [              3:0] wr_bank_i,
  input  logic    [              8:0] wr_word_i,
  input  logic    [     WordBits-1:0] wr_data_i,
  input  logic                        rd_valid_i,
  input  logic    [     LaneBits-1:0] rd_lane_i,
  input  logic    [              8:0] rd_word_i,
  output logic                        rd_ack_o,
  output logic    [     WordBits-1:0] rd_data_o,
  // commands
  input  logic                        start_i,
  input  logic                        zeroize_i,
  input  logic    [     LaneBits-1:0] cmd_lane_i,
  input  logic    [              1:0] cmd_op_i,
  input  logic    [              1:0] cmd_mode_i,
  input  logic    [             12:0] cmd_elen_i,
  // status of the lanes
  output logic    [        Lanes-1:0] busy_o,
  output logic    [        Lanes-1:0] done_o,
  output err_t    [        Lanes-1:0] err_o,
  output logic    [  Lanes-1:0][31:0] cycles_o
);

  localparam int unsigned Digits = digits(Width, RadixBits, Fold);
  localparam int unsigned Threads = turns(Digits, Fold);
  localparam int unsigned Words = (Digits * RadixBits + WordBits - 1) / WordBits;
  // the highest window digit may reach beyond the operand slot; a zeroize counts down from 2^WindowBits,
  // which may be a higher position still
  localparam int unsigned ExpBits = $clog2(Words * WordBits + WindowBits - 1);
  localparam int unsigned PosBits = (ExpBits > WindowBits) ? ExpBits : WindowBits + 1;
  localparam int unsigned ThreadBits = $clog2(Threads);
  localparam int unsigned SlotBits = WindowBits + 1;
  localparam int unsigned HostBits = $clog2(Lanes * 2 * Digits);
  localparam int unsigned BaseBits = $clog2(Lanes * Digits);
  localparam int unsigned WordAddr = $clog2(Lanes * LoadSlots * Words);
  localparam int unsigned SlotAddr = $clog2(Lanes * Words);

  // ---------------------------------------------------------------- host signals, one cycle later
  logic wr_q, rd_q;
  logic [Lanes-1:0] start_q, zeroize_q;
  logic [LaneBits-1:0] wr_lane_q, rd_lane_q, cmd_lane_q;
  logic [3:0] wr_bank_q;
  logic [8:0] wr_word_q, rd_word_q;
  logic [WordBits-1:0] wr_data_q;
  logic [1:0] cmd_op_q, cmd_mode_q;
  logic [12:0] cmd_elen_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {wr_q, rd_q, start_q, zeroize_q} <= '0;
    end else begin
      {wr_q, rd_q} <= {wr_valid_i, rd_valid_i};
      for (int unsigned i = 0; i < Lanes; i++) begin
        start_q[i] <= start_i && (cmd_lane_i == LaneBits'(i));
        zeroize_q[i] <= zeroize_i && (cmd_lane_i == LaneBits'(i));
      end
    end
  end

  always_ff @(posedge clk_i) begin
    {wr_lane_q, wr_bank_q, wr_word_q} <= {wr_lane_i, wr_bank_i, wr_word_i};
    wr_data_q <= wr_valid_i ? wr_data_i : '0;
    {rd_lane_q, rd_word_q} <= {rd_lane_i, rd_word_i};
    {cmd_lane_q, cmd_op_q, cmd_mode_q, cmd_elen_q} <= {cmd_lane_i, cmd_op_i, cmd_mode_i, cmd_elen_i};
  end

  // ---------------------------------------------------------------- lanes and their words
  logic taken, load_zeroize, fault, job_valid, job_take, unload_end;
  logic word_clear, exponent_clear, word_busy;
  logic [Lanes-1:0] want, result_valid;
  logic [LaneBits-1:0] load_lane, unload_lane;
  logic [1:0] load_op, load_mode, job_mode;
  logic [12:0] load_elen;
  err_t fault_err;
  state_e job_state;
  logic [PosBits-1:0] job_pos, bit_pos;
  logic [WordAddr-1:0] load_addr;
  logic [SlotAddr-1:0] exponent_addr, unload_addr;
  logic [WordBits-1:0] load_word, unload_word;
  logic exponent_we, unload_we, exponent_bit;
  logic [SlotAddr-1:0] exponent_waddr;
  logic [WordBits-1:0] exponent_word;
  logic [LaneBits-1:0] bit_lane;

  // the product of the turn
  logic op_valid, op_live, op_reduce, op_final;
  logic [ThreadBits-1:0] op_thread;
  logic [LaneBits-1:0] op_lane;
  from_e op_x_from, op_y_from;
  logic [SlotBits-1:0] op_x_slot, op_dest;
  logic [1:0] op_y_slot;
  logic [31:0] op_cycles;

  perle_stream_lanes #(
    .Lanes(Lanes)
  ) u_lanes (
    .clk_i,
    .rst_ni,
    .start_i       (start_q),
    .zeroize_i     (zeroize_q),
    .cmd_lane_i    (cmd_lane_q),
    .cmd_op_i      (cmd_op_q),
    .cmd_mode_i    (cmd_mode_q),
    .cmd_elen_i    (cmd_elen_q),
    .busy_o,
    .done_o,
    .err_o,
    .cycles_o,
    .result_valid_o(result_valid),
    .want_o        (want),
    .taken_i       (taken),
    .load_lane_i   (load_lane),
    .load_zeroize_o(load_zeroize),
    .load_op_o     (load_op),
    .load_mode_o   (load_mode),
    .load_elen_o   (load_elen),
    .fault_i       (fault),
    .fault_err_i   (fault_err),
    .cycles_we_i   (op_valid && op_live && op_final),
    .cycles_lane_i (op_lane),
    .cycles_i      (op_cycles),
    .end_i         (unload_end),
    .end_lane_i    (unload_lane)
  );

  perle_stream_words #(
    .Lanes   (Lanes),
    .Words   (Words),
    .WordBits(WordBits)
  ) u_words (
    .clk_i,
    .rst_ni,
    .wr_valid_i      (wr_q),
    .wr_busy_i       (busy_o[wr_lane_q]),
    .wr_lane_i       (wr_lane_q),
    .wr_bank_i       (wr_bank_q),
    .wr_word_i       (wr_word_q),
    .wr_data_i       (wr_data_q),
    .rd_valid_i      (rd_q),
    .rd_shown_i      (result_valid[rd_lane_q] && !busy_o[rd_lane_q]),
    .rd_lane_i       (rd_lane_q),
    .rd_word_i       (rd_word_q),
    .rd_ack_o,
    .rd_data_o,
    .load_addr_i     (load_addr),
    .load_word_o     (load_word),
    .clear_i         (word_clear),
    .clear_exponent_i(exponent_clear),
    .exponent_addr_i (exponent_addr),
    .stall_o         (word_busy),
    .exponent_we_o   (exponent_we),
    .exponent_addr_o (exponent_waddr),
    .exponent_word_o (exponent_word),
    .result_we_i     (unload_we),
    .result_addr_i   (unload_addr),
    .result_word_i   (unload_word)
  );

  // ---------------------------------------------------------------- from words to a job
  logic m_we, x_we, y_we, mhat_we, mprime_we;
  logic [BaseBits-1:0] digit_addr;
  logic [HostBits-1:0] digit_y_addr;
  logic [RadixBits-1:0] digit;

  perle_stream_load #(
    .Width     (Width),
    .RadixBits (RadixBits),
    .Lanes     (Lanes),
    .Digits    (Digits),
    .Words     (Words),
    .WordBits  (WordBits),
    .WindowBits(WindowBits),
    .PosBits   (PosBits)
  ) u_load (
    .clk_i,
    .rst_ni,
    .want_i          (want),
    .taken_o         (taken),
    .lane_o          (load_lane),
    .cmd_zeroize_i   (load_zeroize),
    .cmd_op_i        (load_op),
    .cmd_mode_i      (load_mode),
    .cmd_elen_i      (load_elen),
    .word_addr_o     (load_addr),
    .word_i          (load_word),
    .stall_i         (word_busy),
    .clear_o         (word_clear),
    .clear_exponent_o(exponent_clear),
    .exponent_addr_o (exponent_addr),
    .m_we_o          (m_we),
    .x_we_o          (x_we),
    .y_we_o          (y_we),
    .mhat_we_o       (mhat_we),
    .mprime_we_o     (mprime_we),
    .addr_o          (digit_addr),
    .y_addr_o        (digit_y_addr),
    .digit_o         (digit),
    .job_valid_o     (job_valid),
    .job_state_o     (job_state),
    .job_mode_o      (job_mode),
    .job_pos_o       (job_pos),
    .job_take_i      (job_take),
    .fault_o         (fault),
    .err_o           (fault_err)
  );

  // ---------------------------------------------------------------- one product per turn
  perle_stream_threads #(
    .Threads   (Threads),
    .Lanes     (Lanes),
    .Digits    (Digits),
    .Fold      (Fold),
    .WindowBits(WindowBits),
    .PosBits   (PosBits)
  ) u_threads (
    .clk_i,
    .rst_ni,
    .job_valid_i(job_valid),
    .job_lane_i (load_lane),
    .job_state_i(job_state),
    .job_mode_i (job_mode),
    .job_pos_i  (job_pos),
    .job_take_o (job_take),
    .bit_lane_o (bit_lane),
    .bit_pos_o  (bit_pos),
    .bit_i      (exponent_bit),
    .op_valid_o (op_valid),
    .op_thread_o(op_thread),
    .op_lane_o  (op_lane),
    .op_x_from_o(op_x_from),
    .op_x_slot_o(op_x_slot),
    .op_y_from_o(op_y_from),
    .op_y_slot_o(op_y_slot),
    .op_dest_o  (op_dest),
    .op_live_o  (op_live),
    .op_reduce_o(op_reduce),
    .op_final_o (op_final),
    .cycles_o   (op_cycles)
  );

  perle_stream_exponent #(
    .Lanes   (Lanes),
    .Words   (Words),
    .WordBits(WordBits),
    .PosBits (PosBits)
  ) u_exponent (
    .clk_i,
    .we_i   (exponent_we),
    .waddr_i(exponent_waddr),
    .wdata_i(exponent_word),
    .lane_i (bit_lane),
    .pos_i  (bit_pos),
    .bit_o  (exponent_bit)
  );

  perle_stream_datapath #(
    .Lanes     (Lanes),
    .Threads   (Threads),
    .Digits    (Digits),
    .RadixBits (RadixBits),
    .Fold      (Fold),
    .WindowBits(WindowBits),
    .Words     (Words),
    .WordBits  (WordBits)
  ) u_turns (
    .clk_i,
    .rst_ni,
    .op_valid_i   (op_valid),
    .op_thread_i  (op_thread),
    .op_lane_i    (op_lane),
    .op_live_i    (op_live),
    .op_reduce_i  (op_reduce),
    .op_final_i   (op_final),
    .op_x_from_i  (op_x_from),
    .op_x_slot_i  (op_x_slot),
    .op_y_from_i  (op_y_from),
    .op_y_slot_i  (op_y_slot),
    .op_dest_i    (op_dest),
    .m_we_i       (m_we),
    .x_we_i       (x_we),
    .y_we_i       (y_we),
    .mhat_we_i    (mhat_we),
    .mprime_we_i  (mprime_we),
    .load_lane_i  (load_lane),
    .load_addr_i  (digit_addr),
    .load_y_addr_i(digit_y_addr),
    .load_digit_i (digit),
    .we_o         (unload_we),
    .addr_o       (unload_addr),
    .word_o       (unload_word),
    .done_o       (unload_end),
    .lane_o       (unload_lane)
  );

endmodule
