// SPDX-License-Identifier: Apache-2.0
//
// Loader: splits the words of a lane into digits for the memories of the PE chain, checks them, and offers
// the lane as a job to the threads.
//
//   errors as of perle_modexp: M even, wide (M >= 2^Width) or small (M = 1); X >= M or Y >= M; command
//
// Ranges    one lane at a time, until a thread takes the job
// Algorithm lanes are polled in turn, one per cycle. The operand slots of a lane, M first, are read as one
//           sequence of words. perle_stream_check compares X and Y with M digit by digit. Meanwhile the
//           position of the highest window digit is counted up. A zeroization does the same with zeros, and
//           writes zeros to the words
// Cycles    LOAD_CYCLES (model.py) + slots·(2·Words + digits) from the cycle in which the lane is polled to
//           its job or fault
//
// Parameters
//   Width, RadixBits     of the widest modulus; k     Lanes, Digits   lanes; N
//   Words, WordBits      of an operand slot           WindowBits      w >= 3
//   PosBits              bits of a position in an exponent
//   LaneWords            from the words of a lane to those of the next one

module perle_stream_load
  import perle_pkg::*;
  import perle_modexp_pkg::*;
  import perle_stream_engine_pkg::*;
#(
  parameter  int unsigned Width      = 1024,
  parameter  int unsigned RadixBits  = 18,
  parameter  int unsigned Lanes      = 14,
  parameter  int unsigned Digits     = 58,
  parameter  int unsigned Words      = 17,
  parameter  int unsigned WordBits   = 64,
  parameter  int unsigned WindowBits = 4,
  parameter  int unsigned PosBits    = 11,
  parameter  int unsigned LaneWords  = LoadSlots * Words,
  localparam int unsigned LaneBits   = $clog2(Lanes),
  localparam int unsigned BaseBits   = $clog2(Lanes * Digits),
  localparam int unsigned HostBits   = $clog2(Lanes * 2 * Digits),
  localparam int unsigned WordAddr   = $clog2(Lanes * LaneWords),
  localparam int unsigned ExpAddr    = $clog2(Lanes * Words)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // lanes that have been started, and the command of lane lane_o
  input  logic    [    Lanes-1:0] want_i,
  output logic                    taken_o,
  output logic    [ LaneBits-1:0] lane_o,
  input  logic                    cmd_zeroize_i,
  input  logic    [          1:0] cmd_op_i,
  input  logic    [          1:0] cmd_mode_i,
  input  logic    [         12:0] cmd_elen_i,
  // its words, two cycles after their address (at most four for words of 64 bits); a zeroization clears them
  // unless stall_i
  output logic    [ WordAddr-1:0] word_addr_o,
  input  logic    [ WordBits-1:0] word_i,
  input  logic                    stall_i,
  output logic                    clear_o,
  output logic                    clear_exponent_o,
  output logic    [  ExpAddr-1:0] exponent_addr_o,
  // its digits
  output logic                    m_we_o,
  output logic                    x_we_o,
  output logic                    y_we_o,
  output logic                    mhat_we_o,
  output logic                    mprime_we_o,
  output logic    [ BaseBits-1:0] addr_o,
  output logic    [ HostBits-1:0] y_addr_o,
  output logic    [RadixBits-1:0] digit_o,
  // its job, or its fault
  output logic                    job_valid_o,
  output state_e                  job_state_o,
  output logic    [          1:0] job_mode_o,
  output logic    [  PosBits-1:0] job_pos_o,
  input  logic                    job_take_i,
  output logic                    fault_o,
  output err_t                    err_o
);

  localparam int unsigned SlotBits = Words * WordBits;
  localparam int unsigned AllDigits = line_digits(Words, WordBits, RadixBits);
  localparam int unsigned IndexBits = $clog2(AllDigits);

  typedef enum logic [2:0] {
    LdIdle,
    LdBase,
    LdFirst,
    LdSlots,
    LdCheck,
    LdJob
  } load_e;

  load_e state_q;
  logic [1:0] wait_q;
  logic [WordAddr-1:0] base;
  logic [BaseBits-1:0] base_digit, base_digit_q;
  logic [ExpAddr-1:0] base_exponent;
  logic word_next, digit_valid, digits_done;
  logic [2:0] slot, word_slot;
  logic [IndexBits-1:0] index;
  logic [RadixBits-1:0] digit;
  logic [12:0] pos_q;
  logic signed [13:0] remaining_q;  // bits of the exponent above the digit at pos_q, less one
  logic command_bad, command_bad_q, windowed, counts, ends;
  logic [2:0] checked_q;
  err_t err, first_err, err_q;
  logic m_even, m_small, m_wide, x_lt, y_lt;

  // ---------------------------------------------------------------- which lane
  assign taken_o = (state_q == LdIdle) && want_i[lane_o];
  assign ends = (state_q == LdCheck && checked_q[2] && fault_o) || (state_q == LdJob && job_take_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= LdIdle;
      wait_q <= '0;
      checked_q <= '0;
      lane_o <= '0;
    end else begin
      wait_q <= (state_q == LdBase) ? wait_q + 2'd1 : '0;
      checked_q <= (state_q == LdCheck) ? {checked_q[1:0], 1'b1} : '0;
      unique case (state_q)
        LdIdle: begin
          if (taken_o) state_q <= LdBase;
          else lane_o <= (lane_o == LaneBits'(Lanes - 1)) ? '0 : lane_o + LaneBits'(1);
        end
        LdBase: if (wait_q == 2'd3) state_q <= LdFirst;
        LdFirst: state_q <= LdSlots;
        LdSlots: if (digits_done) state_q <= LdCheck;
        LdCheck: if (checked_q[2]) state_q <= fault_o ? LdIdle : LdJob;
        default: if (job_take_i) state_q <= LdIdle;
      endcase
      if (ends) lane_o <= (lane_o == LaneBits'(Lanes - 1)) ? '0 : lane_o + LaneBits'(1);
    end
  end

  // ---------------------------------------------------------------- its words
  perle_stream_base_table #(
    .Count (Lanes),
    .Stride(LaneWords),
    .Bits  (WordAddr)
  ) u_base (
    .index_i(lane_o),
    .base_o (base)
  );
  perle_stream_base_table #(
    .Count (Lanes),
    .Stride(Words),
    .Bits  (ExpAddr)
  ) u_exponent (
    .index_i(lane_o),
    .base_o (base_exponent)
  );
  perle_stream_base_table #(
    .Count (Lanes),
    .Stride(Digits),
    .Bits  (BaseBits)
  ) u_digits (
    .index_i(lane_o),
    .base_o (base_digit)
  );

  assign clear_o = word_next && cmd_zeroize_i;
  assign clear_exponent_o = clear_o && (word_slot == LoadM);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      word_addr_o <= '0;
      exponent_addr_o <= '0;
      base_digit_q <= '0;
    end else begin
      base_digit_q <= base_digit;
      if (state_q == LdBase) begin
        word_addr_o <= base;
        exponent_addr_o <= base_exponent;
      end else if (word_next) begin
        word_addr_o <= word_addr_o + WordAddr'(1);
        exponent_addr_o <= exponent_addr_o + ExpAddr'(1);
      end else if (state_q == LdIdle) begin
        word_addr_o <= '0;
      end
    end
  end

  perle_stream_word_to_digit #(
    .Words    (Words),
    .WordBits (WordBits),
    .Digits   (AllDigits),
    .RadixBits(RadixBits)
  ) u_word_to_digit (
    .clk_i,
    .rst_ni,
    .start_i    (state_q == LdFirst),
    .slots_i    (3'(LoadSlots - 1)),
    .stall_i    (stall_i && cmd_zeroize_i),
    .next_o     (word_next),
    .word_slot_o(word_slot),
    .word_i     (cmd_zeroize_i ? '0 : word_i),
    .valid_o    (digit_valid),
    .slot_o     (slot),
    .index_o    (index),
    .digit_o    (digit),
    .done_o     (digits_done)
  );

  // ---------------------------------------------------------------- its digits, two cycles later
  logic [4:0] we, we_q;
  logic [BaseBits-1:0] addr_q;
  logic [HostBits-1:0] y_addr_q;
  logic [RadixBits-1:0] digit_delayed_q;
  logic in_operand;

  assign in_operand = digit_valid && (32'(index) < Digits);
  assign we[0] = in_operand && (slot == LoadM);
  assign we[1] = in_operand && (slot == LoadX);
  assign we[2] = in_operand && (slot == LoadY || slot == LoadR2);
  assign we[3] = in_operand && (slot == LoadMhat);
  assign we[4] = digit_valid && (slot == LoadMprime) && (index == '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      we_q <= '0;
      {mprime_we_o, mhat_we_o, y_we_o, x_we_o, m_we_o} <= '0;
    end else begin
      we_q <= we;
      {mprime_we_o, mhat_we_o, y_we_o, x_we_o, m_we_o} <= we_q;
    end
  end

  always_ff @(posedge clk_i) begin
    addr_q <= base_digit_q + BaseBits'(index);
    y_addr_q <= {base_digit_q, 1'b0} + HostBits'(index) + ((slot == LoadR2) ? HostBits'(Digits) : '0);
    digit_delayed_q <= digit;
    addr_o <= addr_q;
    y_addr_o <= y_addr_q;
    digit_o <= digit_delayed_q;
  end

  perle_stream_check #(
    .Width    (Width),
    .RadixBits(RadixBits),
    .Digits   (AllDigits)
  ) u_check (
    .clk_i,
    .rst_ni,
    .start_i  (state_q == LdFirst),
    .valid_i  (digit_valid),
    .slot_i   (slot),
    .index_i  (index),
    .digit_i  (digit),
    .m_even_o (m_even),
    .m_small_o(m_small),
    .m_wide_o (m_wide),
    .x_lt_o   (x_lt),
    .y_lt_o   (y_lt)
  );

  // ---------------------------------------------------------------- its command
  assign windowed = (cmd_mode_i == ModeWindow);
  assign counts = windowed && !cmd_zeroize_i;
  assign command_bad = (cmd_op_i > CmdExp) || (cmd_op_i == CmdExp && cmd_mode_i != ModePaper &&
      (cmd_elen_i == '0 || cmd_elen_i > 13'(SlotBits)));

  always_comb begin
    first_err = '0;
    first_err.modulus_even = m_even;
    first_err.modulus_wide = m_wide;
    first_err.command = command_bad_q;
    err = '0;
    err.modulus_small = m_small;
    err.operand_range = (cmd_op_i != CmdMont) && (!x_lt || (cmd_op_i == CmdMulMod && !y_lt));
    if (first_err != '0) err = first_err;
    if (cmd_zeroize_i) err = '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pos_q <= '0;
      remaining_q <= '1;
      command_bad_q <= 1'b0;
      err_q <= '0;
      fault_o <= 1'b0;
      err_o <= '0;
    end else begin
      // all inputs of a fault are valid after Y was read
      command_bad_q <= command_bad;
      err_q <= err;
      fault_o <= (state_q == LdCheck) && checked_q == 3'b011 && (err_q != '0);
      err_o <= err_q;
      if (state_q == LdFirst) begin
        if (cmd_zeroize_i) pos_q <= 13'(1 << WindowBits);
        else if (cmd_mode_i == ModePaper) pos_q <= 13'(Digits * RadixBits - 1);
        else if (!windowed) pos_q <= cmd_elen_i - 13'd1;
        else pos_q <= '0;
        remaining_q <= counts ? 14'(cmd_elen_i) - 14'(WindowBits + 1) : '1;
      end else if (remaining_q >= 0) begin
        // up to the highest window digit, while the operand slots are read
        pos_q <= pos_q + 13'(WindowBits);
        remaining_q <= remaining_q - 14'(WindowBits);
      end
    end
  end

  assign job_valid_o = (state_q == LdJob);
  assign job_mode_o = (cmd_op_i == CmdExp && !cmd_zeroize_i) ? cmd_mode_i : ModeWindow;
  assign job_pos_o = PosBits'(pos_q);
  always_comb begin
    unique case (cmd_op_i)
      CmdMont: job_state_o = StMont;
      CmdMulMod: job_state_o = StMulIn;
      default: job_state_o = StBase;
    endcase
    if (cmd_zeroize_i) job_state_o = StZeroize;
  end

endmodule
