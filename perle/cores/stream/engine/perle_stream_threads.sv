// SPDX-License-Identifier: Apache-2.0
//
// State of all threads: issues one product per turn and computes the next step of its thread.
//
//   the steps of perle_modexp_program, one per turn of the thread; a zeroization writes zeros to all slots of
//   its lane
//
// Ranges    job_valid_i when a lane is loaded
// Algorithm an idle thread takes the offered job of any lane. A step does not depend on results, so that the
//           next step is computed while the PE chain still works. The exponent is read bit by bit, one turn
//           of the thread ahead: the w squarings of a window digit read its w bits, the highest first, and
//           the product after them reads the slot with that number
// Cycles    a turn has N + 1 cycles; op_valid_o is in the fourth, in turns of a first pass; cycles_o is then
//           the number of cycles of the lane's turns, this one included
//
// Parameters
//   Threads, Lanes, Digits, Fold    S, lanes, N, passes of a product
//   WindowBits, PosBits             w; bits of an exponent position

module perle_stream_threads
  import perle_modexp_pkg::*;
  import perle_stream_engine_pkg::*;
#(
  parameter  int unsigned Threads    = 7,
  parameter  int unsigned Lanes      = 14,
  parameter  int unsigned Digits     = 58,
  parameter  int unsigned Fold       = 1,
  parameter  int unsigned WindowBits = 4,
  parameter  int unsigned PosBits    = 11,
  localparam int unsigned ThreadBits = $clog2(Threads),
  localparam int unsigned LaneBits   = $clog2(Lanes),
  localparam int unsigned SlotBits   = WindowBits + 1
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  // a lane that is loaded
  input  logic                         job_valid_i,
  input  logic        [  LaneBits-1:0] job_lane_i,
  input  state_e                       job_state_i,
  input  logic        [           1:0] job_mode_i,
  input  logic        [   PosBits-1:0] job_pos_i,
  output logic                         job_take_o,
  // a bit of a lane's exponent, ExponentCycles later
  output logic        [  LaneBits-1:0] bit_lane_o,
  output logic        [   PosBits-1:0] bit_pos_o,
  input  logic                         bit_i,
  // the product
  output logic                         op_valid_o,
  output logic        [ThreadBits-1:0] op_thread_o,
  output logic        [  LaneBits-1:0] op_lane_o,
  output from_e                        op_x_from_o,
  output logic        [  SlotBits-1:0] op_x_slot_o,
  output from_e                        op_y_from_o,
  output logic        [           1:0] op_y_slot_o,  // slot of a result; FromHost: Y 0, R2 1
  output logic        [  SlotBits-1:0] op_dest_o,
  output logic                         op_live_o,  // 0: an idle turn, without a lane
  output logic                         op_reduce_o,
  output logic                         op_final_o,
  output logic        [          31:0] cycles_o
);

  localparam int unsigned PhaseBits = $clog2(Digits + 1);
  localparam int unsigned PassBits = (Fold > 1) ? $clog2(Fold) : 1;
  localparam int unsigned Entries = 1 << WindowBits;
  localparam int unsigned SlotIdx = $clog2(Entries + 4);
  localparam int unsigned SquareBits = $clog2(WindowBits + 1);
  localparam logic [31:0] Turn = 32'(Fold * Threads * (Digits + 1));
  // perle_modexp_program's slot for a product that is no table entry
  localparam logic [SlotIdx-1:0] SlotZ = SlotIdx'(Entries + 3);

  typedef struct packed {
    logic live;
    state_e state;
    logic [1:0] mode;
    logic [PosBits-1:0] pos;
    logic [SquareBits-1:0] squares;
    logic [WindowBits-1:0] entry;
    logic [WindowBits-1:0] digit;
    logic [SlotBits-1:0] last;
    logic last_bit;
    logic [LaneBits-1:0] lane;
    logic [31:0] cycles;
  } thread_t;

  thread_t thread_q[Threads];
  thread_t raw_q, job, now_q, delayed_q, next, next_q;
  logic [Threads-1:0] bit_q;
  logic raw_bit_q, now_bit_q, in_digit;
  logic [3:0] tick_q;
  logic [3:0][ThreadBits-1:0] index_q;
  logic [ExponentCycles-1:0] fetch_q;
  logic [ExponentCycles-1:0][ThreadBits-1:0] fetch_thread_q;

  state_e program_next;
  logic windowed, ladder, zeroize, last_turn;
  logic [SlotIdx-1:0] program_slot;
  logic [SlotBits-1:0] dest;
  logic [PosBits-1:0] program_pos;
  logic [SquareBits-1:0] program_squares;
  logic [WindowBits-1:0] program_entry, digit;

  state_e step_state_q;
  logic [SquareBits-1:0] step_drop_q;  // decrement of the position, at most w
  logic [SquareBits-1:0] step_squares_q;
  logic [WindowBits-1:0] step_entry_q, step_digit_q;
  logic [SlotBits-1:0] step_last_q;
  logic step_bit_q, step_ends_q;

  // ---------------------------------------------------------------- the thread of the turn
  logic [PhaseBits-1:0] phase_q;
  logic [PassBits-1:0] pass_q;
  logic [ThreadBits-1:0] turn_thread_q;
  logic turn_q, tick;

  assign tick = turn_q && (pass_q == '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= '0;
      turn_thread_q <= '0;
      pass_q <= '0;
      turn_q <= 1'b0;
    end else begin
      turn_q <= (phase_q == PhaseBits'(Digits));
      phase_q <= (phase_q == PhaseBits'(Digits)) ? '0 : phase_q + PhaseBits'(1);
      if (turn_q) begin
        turn_thread_q <= (turn_thread_q == ThreadBits'(Threads - 1)) ? '0 : turn_thread_q + ThreadBits'(1);
        if (turn_thread_q == ThreadBits'(Threads - 1)) begin
          pass_q <= (pass_q == PassBits'(Fold - 1)) ? '0 : pass_q + PassBits'(1);
        end
      end
    end
  end

  // ---------------------------------------------------------------- the thread's next step, or a new job
  always_comb begin
    job = '0;
    job.live = job_valid_i;
    job.state = job_valid_i ? job_state_i : StIdle;
    job.mode = job_mode_i;
    job.pos = job_pos_i;
    job.lane = job_lane_i;
  end

  assign job_take_o = tick_q[0] && !raw_q.live && job_valid_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int unsigned s = 0; s < Threads; s++) thread_q[s] <= '0;
      bit_q <= '0;
      tick_q <= '0;
      index_q <= '0;
      fetch_q <= '0;
      fetch_thread_q <= '0;
      raw_q <= '0;
      now_q <= '0;
      delayed_q <= '0;
      next_q <= '0;
      raw_bit_q <= 1'b0;
      now_bit_q <= 1'b0;
    end else begin
      tick_q <= {tick_q[2:0], tick};
      index_q <= {index_q[2:0], turn_thread_q};
      raw_q <= thread_q[turn_thread_q];
      raw_bit_q <= bit_q[turn_thread_q];
      now_q <= raw_q.live ? raw_q : job;
      now_bit_q <= raw_bit_q;
      delayed_q <= now_q;
      next_q <= next;
      if (tick_q[3]) thread_q[index_q[3]] <= next_q;
      // the bit for the turn after this one
      fetch_q <= {fetch_q[ExponentCycles-2:0], tick_q[3]};
      fetch_thread_q <= {fetch_thread_q[ExponentCycles-2:0], index_q[3]};
      if (fetch_q[ExponentCycles-1]) bit_q[fetch_thread_q[ExponentCycles-1]] <= bit_i;
    end
  end

  assign bit_lane_o = next_q.lane;
  assign in_digit = (next_q.mode == perle_pkg::ModeWindow) && (next_q.squares != '0);
  assign bit_pos_o = next_q.pos + (in_digit ? PosBits'(next_q.squares) - PosBits'(1) : '0);

  // ---------------------------------------------------------------- the step
  assign windowed = (now_q.mode == perle_pkg::ModeWindow);
  assign ladder = (now_q.mode == perle_pkg::ModeLadder);
  assign zeroize = (now_q.state == StZeroize);
  assign digit = {now_q.digit[WindowBits-2:0], now_bit_q};

  perle_modexp_program #(
    .WindowBits(WindowBits),
    .PosBits   (PosBits),
    .SlotIdx   (SlotIdx)
  ) u_program (
    .state_i       (now_q.state),
    .windowed_i    (windowed),
    .ladder_i      (ladder),
    .exponent_bit_i(now_bit_q),
    .pos_i         (now_q.pos),
    .squares_i     (now_q.squares),
    .entry_i       (now_q.entry),
    .slot_o        (program_slot),
    .next_o        (program_next),
    .pos_o         (program_pos),
    .squares_o     (program_squares),
    .entry_o       (program_entry)
  );

  assign last_turn = zeroize ? (now_q.pos == '0) : (program_next == StIdle);

  always_comb begin
    dest = (program_slot == SlotZ) ? SlotBits'(Entries) : SlotBits'(program_slot);
    if (zeroize) dest = SlotBits'(now_q.pos);
  end

  // registered: the thread's next turn is late enough
  always_ff @(posedge clk_i) begin
    step_state_q <= zeroize ? StZeroize : program_next;
    step_drop_q <= zeroize ? SquareBits'(1) : SquareBits'(now_q.pos) - SquareBits'(program_pos);
    step_squares_q <= program_squares;
    step_entry_q <= program_entry;
    step_digit_q <= digit;
    step_last_q <= dest;
    step_bit_q <= now_bit_q;
    step_ends_q <= !now_q.live || last_turn;
  end

  // only the low bits of the difference are used
  logic unused_pos;
  assign unused_pos = ^program_pos;

  always_comb begin
    next = delayed_q;
    next.state = step_state_q;
    next.pos = delayed_q.pos - PosBits'(step_drop_q);
    next.squares = step_squares_q;
    next.entry = step_entry_q;
    next.digit = step_digit_q;
    next.last = step_last_q;
    if (delayed_q.state == StOne) next.last_bit = 1'b1;
    else if (delayed_q.state == StStep) next.last_bit = step_bit_q;
    next.cycles = cycles_o;
    if (step_ends_q) next = '0;
  end

  // ---------------------------------------------------------------- the product
  perle_stream_operand_select #(
    .WindowBits(WindowBits)
  ) u_operand_select (
    .clk_i,
    .rst_ni,
    .state_i   (now_q.state),
    .windowed_i(windowed),
    .ladder_i  (ladder),
    .bit_i     (now_bit_q),
    .last_bit_i(now_q.last_bit),
    .entry_i   (now_q.entry),
    .digit_i   (now_q.digit),
    .last_i    (now_q.last),
    .x_from_o  (op_x_from_o),
    .x_slot_o  (op_x_slot_o),
    .y_from_o  (op_y_from_o),
    .y_slot_o  (op_y_slot_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      op_live_o <= 1'b0;
      op_lane_o <= '0;
      op_dest_o <= '0;
      op_reduce_o <= 1'b0;
      op_final_o <= 1'b0;
      cycles_o <= '0;
    end else begin
      op_live_o <= now_q.live;
      op_lane_o <= now_q.lane;
      op_dest_o <= dest;
      op_reduce_o <= (now_q.state == StExit) && (now_q.mode != perle_pkg::ModePaper);
      op_final_o <= last_turn;
      cycles_o <= now_q.cycles + Turn;
    end
  end

  assign op_valid_o = tick_q[2];
  assign op_thread_o = index_q[2];

endmodule
