// SPDX-License-Identifier: Apache-2.0
//
// Operand store and exponentiator around any multiplier that implements the contract.
//
//   CmdMont    z ≡ x·y·R^-1 (mod M)   one product, redundant
//   CmdMulMod  z = x·y mod M          three products and the conversion out of the Montgomery domain
//   CmdExp     z = x^e mod M          ModeWindow, ModeBinary, ModePaper, ModeLadder (perle_pkg)
//
// Ranges    M odd, 3 <= M < 2^Width; x, y < M (CmdMont: the family's redundant range); r2 = R² mod M;
//           1 <= elen <= Words·WordBits, in ModeWindow rounded up to whole digits; exponent bits above are 0
// Algorithm tang2003 slide 13 (product by R² into the Montgomery domain, a last product out of it) around
//             ModeWindow  T[i] = x^i·R for i < 2^w; per digit always w squarings and one product by T[digit];
//                         all entries are read, a mask keeps that of the digit (perle_modexp_table_read)
//             ModeBinary  per bit one squaring, and a product by x·R where the bit is 1
//             ModeLadder  R0 = R, R1 = x·R; per bit R_(1-bit) ← R0·R1, R_bit ← R_bit²
//             ModePaper   ModeBinary over all OperandBits bits of E (slide 25), last product by 1, unreduced
//           Operands and modulus are checked during the first product; a fault ends the command, no result
// Cycles    model.py; a request is prepared during the product before it (perle_modexp_plan) and made in the
//           cycle of that product's response. cycles_o counts from the acceptance of the first request to the
//           last response. CmdMont, or a command right after its operands, waits for the preparation first
// Zeroize   reset and zeroize_i overwrite every operand slot, the exponent, the constants and the multiplier
// Host      one operation at a time; rd_data_o one cycle after rd_word_i, word 0 in the cycle after done_o
//
// Parameters
//   Width        bits of the widest modulus          OperandBits  bits of an operand of the multiplier
//   WordBits     bits of the host's word port        ConstCount   constants of a modulus, M included
//   WindowBits   w >= 2, a divisor of WordBits       TagBits      bits of the multiplier's tag
//   Early        cycles from the response to a request with req_early_o until its z is complete (0: no
//                forwarding). With req_forward_o y is that z, and req_x_o, req_y_o stay Early cycles longer

module perle_modexp
  import perle_pkg::*;
  import perle_modexp_pkg::*;
#(
  parameter int unsigned Width       = 1024,
  parameter int unsigned OperandBits = 1054,
  parameter int unsigned WordBits    = 64,
  parameter int unsigned ConstCount  = 3,
  parameter int unsigned WindowBits  = 4,
  parameter int unsigned TagBits     = 4,
  parameter int unsigned Early       = 0
) (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,
  // host word port
  input  logic                                   wr_valid_i,
  input  logic    [           3:0]               wr_bank_i,
  input  logic    [           8:0]               wr_word_i,
  input  logic    [  WordBits-1:0]               wr_data_i,
  input  logic                                   rd_valid_i,
  input  logic    [           8:0]               rd_word_i,
  output logic    [  WordBits-1:0]               rd_data_o,
  // command
  input  logic                                   start_i,
  input  logic    [           1:0]               cmd_op_i,
  input  logic    [           1:0]               cmd_mode_i,
  input  logic    [          12:0]               cmd_elen_i,
  input  logic                                   zeroize_i,
  output logic                                   busy_o,
  output logic                                   done_o,
  output err_t                                   err_o,
  output logic    [          63:0]               cycles_o,
  // multiplier
  output logic    [ConstCount-1:0][OperandBits-1:0] mod_o,
  output logic                                   req_valid_o,
  input  logic                                   req_ready_i,
  output mul_op_e                                req_op_o,
  output logic                                   req_early_o,
  output logic                                   req_forward_o,
  output logic    [   TagBits-1:0]               req_tag_o,
  output logic    [OperandBits-1:0]              req_x_o,
  output logic    [OperandBits-1:0]              req_y_o,
  input  logic                                   rsp_valid_i,
  output logic                                   rsp_ready_o,
  // verilator lint_off UNUSEDSIGNAL
  input  logic    [   TagBits-1:0]               rsp_tag_i,  // one request is in flight
  // verilator lint_on UNUSEDSIGNAL
  input  logic    [OperandBits-1:0]              rsp_z_i
);

  localparam int unsigned Words = (OperandBits + WordBits - 1) / WordBits;
  localparam int unsigned SlotBits = Words * WordBits;
  localparam int unsigned PosBits = $clog2(SlotBits);
  localparam int unsigned Slots = (1 << WindowBits) + 3;
  localparam int unsigned SlotIdx = $clog2(Slots + 1);
  localparam int unsigned ZeroizeSteps = (Slots > Words) ? Slots : Words;
  localparam int unsigned ZeroizeBits = $clog2(ZeroizeSteps);

  typedef logic [SlotIdx-1:0] slot_t;
  localparam slot_t SlotZ = slot_t'(Slots);  // no slot: the product is not stored

  state_e state_d, state_q, first, next;
  logic issue_d, issue_q;  // the request of state_q has not been accepted yet
  logic [PosBits-1:0] pos;
  logic stable, requested, disturb, table_pending;
  // decided a cycle ahead: req_valid_o; a response is accepted; with the next request; as the command's last
  // one
  logic offer_q, ready_q, next_q, last_q;
  logic [1:0] mode_q;
  logic [12:0] elen_q;
  logic mulmod_or_exp_q, running_q, last_bit_q;
  logic [ZeroizeBits-1:0] zeroize_q;

  logic start_now, refuse, refused_q, elen_bad, response, finish, fault, windowed;
  err_t operand_err, faults_q;

  logic zeroizing_q, zeroize_end, checking, check_start, x_lt, y_lt, m_small, m_even, m_wide;
  logic wr_illegal, exponent_bit;
  slot_t x_slot, y_slot, slot_dest;
  source_e x_src, y_src;
  logic [WindowBits-1:0] digit, pair;
  logic table_read, table_on, table_first, table_hit, square;
  logic follow_d, follow_q, stored_d, stored_q, started_q, requested_q, after_q, kept_q, fresh_q, shown_q;

  perle_modexp_store #(
    .Width      (Width),
    .OperandBits(OperandBits),
    .WordBits   (WordBits),
    .ConstCount (ConstCount),
    .WindowBits (WindowBits),
    .Early      (Early)
  ) u_store (
    .clk_i,
    .rst_ni,
    .locked_i     (busy_o),
    .wr_valid_i,
    .wr_bank_i,
    .wr_word_i,
    .wr_data_i,
    .wr_illegal_o (wr_illegal),
    .rd_word_i,
    .rd_data_o,
    .fresh_i      (fresh_q),
    .shown_i      (shown_q),
    .zeroize_i       (zeroizing_q),
    .zeroize_step_i  (zeroize_q),
    .follow_i     (follow_d),
    .result_we_i  (response && kept_q),
    .result_slot_i(slot_dest),
    .product_i    (rsp_z_i),
    .x_slot_i     (x_slot),
    .y_slot_i     (y_slot),
    .x_src_i      (x_src),
    .y_src_i      (y_src),
    .square_i     (square),
    .stored_i     (stored_d),
    .table_on_i    (table_on),
    .table_first_i (table_first),
    .table_hit_i   (table_hit),
    .x_o          (req_x_o),
    .y_o          (req_y_o),
    .pos_i        (pos),
    .digit_o      (digit),
    .bit_o        (exponent_bit),
    .mod_o,
    .check_i      (check_start),
    .checking_o   (checking),
    .x_lt_o    (x_lt),
    .y_lt_o    (y_lt),
    .m_small_o    (m_small),
    .m_even_o     (m_even),
    .m_wide_o     (m_wide)
  );

  // ---------------------------------------------------------------- faults
  assign elen_bad = (cmd_op_i == CmdExp && cmd_mode_i != ModePaper) &&
      (cmd_elen_i == '0 || cmd_elen_i > 13'(SlotBits));
  assign refuse = start_now && (cmd_op_i > CmdExp || elen_bad);
  assign start_now = start_i && !busy_o && !zeroize_i;
  assign requested = req_valid_o && req_ready_i;
  assign check_start = requested && !running_q && (state_q != StFlush);
  always_comb begin
    operand_err = '0;
    operand_err.modulus_even = m_even;
    operand_err.modulus_small = m_small && !m_even;
    operand_err.modulus_wide = m_wide;
    // with an illegal modulus, the comparison with the operands means nothing
    operand_err.operand_range = mulmod_or_exp_q && !(m_even || m_wide || m_small) &&
        (!x_lt || (state_q inside {StMulIn, StMulXY, StMulDomain} && !y_lt));
  end
  assign fault = (faults_q != '0);

  // ---------------------------------------------------------------- sequence
  assign busy_o = (state_q != StIdle);
  assign windowed = (mode_q == ModeWindow);
  // the last squaring of a digit waits for its table entry
  assign table_pending = windowed && state_q == StSquare && next == StMultiply && !table_read;
  assign rsp_ready_o = ready_q;
  assign response = rsp_valid_i && ready_q;
  assign finish = response && last_q;
  // the last response comes with the next request, or came before it
  assign stored_d = response || (stored_q && !requested_q);
  assign follow_d = requested_q || (follow_q && !rsp_valid_i);

  assign zeroize_end = (zeroize_q == ZeroizeBits'(ZeroizeSteps - 1));
  // while idle, the operands of StBase and StMulIn are prepared; only CmdMont starts with others
  assign disturb = requested || checking || zeroizing_q || (start_now && cmd_op_i == CmdMont);

  perle_modexp_plan #(
    .WindowBits(WindowBits),
    .PosBits   (PosBits),
    .SlotIdx   (SlotIdx),
    .TopBit    (OperandBits - 1)
  ) u_plan (
    .clk_i,
    .rst_ni,
    .state_i       (state_q),
    .issue_i       (issue_q),
    .start_i       (start_now),
    .first_i       (first),
    .step_i        (response),
    .disturb_i    (disturb),
    .written_i     (wr_valid_i && !busy_o && wr_bank_i != 4'(int'(BankE))),
    .mode_i        (mode_q),
    .elen_i        (elen_q),
    .exponent_bit_i(exponent_bit),
    .pos_o         (pos),
    .stable_o     (stable),
    .next_o        (next),
    .slot_o        (slot_dest),
    .pair_o        (pair)
  );

  assign first = (cmd_op_i == CmdMont) ? StMont : (cmd_op_i == CmdMulMod) ? StMulIn : StBase;

  always_comb begin
    state_d = state_q;
    issue_d = issue_q;
    if (zeroizing_q) begin
      if (zeroize_end) begin
        state_d = StFlush;
        issue_d = 1'b1;
      end
    end else if (state_q == StIdle) begin
      if (zeroize_i) state_d = StZeroize;
      else if (start_i) begin
        issue_d = 1'b1;
        state_d = first;
      end
    end else if (refused_q) begin
      issue_d = 1'b0;
      state_d = StIdle;
    end else begin
      if (requested) issue_d = 1'b0;
      if (response) begin
        state_d = finish ? StIdle : next;
        issue_d = !finish && !req_ready_i;
      end
    end
  end

  // ---------------------------------------------------------------- the request
  perle_modexp_request #(
    .WindowBits(WindowBits),
    .SlotIdx   (SlotIdx),
    .Early     (Early)
  ) u_request (
    .clk_i,
    .rst_ni,
    .hold_i        ((issue_q && running_q) || requested_q || after_q),
    .state_i       (state_q),
    .next_i        (next),
    .windowed_i    (windowed),
    .ladder_i      (mode_q == ModeLadder),
    .paper_i       (mode_q == ModePaper),
    .exponent_bit_i(exponent_bit),
    .last_bit_i    (last_bit_q),
    .pair_i        (pair),
    .digit_i       (digit),
    .x_slot_o      (x_slot),
    .y_slot_o      (y_slot),
    .x_src_o       (x_src),
    .y_src_o       (y_src),
    .square_o      (square),
    .table_on_o     (table_on),
    .table_first_o  (table_first),
    .table_hit_o    (table_hit),
    .table_read_o      (table_read),
    .op_o          (req_op_o),
    .early_o       (req_early_o),
    .forward_o     (req_forward_o)
  );

  assign req_valid_o = offer_q || (rsp_valid_i && next_q);

  // ---------------------------------------------------------------- registers
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StZeroize;
      zeroizing_q <= 1'b1;
      issue_q <= 1'b0;
      {offer_q, ready_q, next_q, last_q} <= '0;
      {follow_q, stored_q, started_q, requested_q, after_q, kept_q, fresh_q, shown_q} <= '0;
      refused_q <= 1'b0;
      faults_q <= '0;
      mode_q <= '0;
      elen_q <= '0;
      mulmod_or_exp_q <= 1'b0;
      running_q <= 1'b0;
      last_bit_q <= 1'b0;
      req_tag_o <= '0;
      zeroize_q <= '0;
      cycles_o <= '0;
    end else begin
      state_q <= state_d;
      issue_q <= issue_d;
      offer_q <= stable && issue_d && !refuse;
      ready_q <= stable && !table_pending;
      next_q <= stable && !table_pending && !fault && (next != StIdle);
      last_q <= fault || (next == StIdle);
      follow_q <= follow_d;
      stored_q <= stored_d;
      started_q <= start_now;
      requested_q <= requested;
      after_q <= requested_q;
      kept_q <= (slot_dest != SlotZ);
      faults_q <= (state_q inside {StZeroize, StFlush, StIdle}) ? '0 : operand_err;
      refused_q <= refuse;
      zeroizing_q <= zeroizing_q ? !zeroize_end : (state_q == StIdle) && zeroize_i;
      zeroize_q <= zeroizing_q ? zeroize_q + ZeroizeBits'(1) : '0;
      req_tag_o <= req_tag_o + TagBits'(requested);
      if (response) begin
        // the ladder starts with R0 = 1·R in the slot of the product, R1 = x·R in that of the square
        if (state_q == StOne) last_bit_q <= 1'b1;
        else if (state_q == StStep) last_bit_q <= exponent_bit;
        else if (state_q == StFlush) last_bit_q <= 1'b0;
      end
      fresh_q <= finish && !fault && (state_q != StFlush);
      shown_q <= (fresh_q || shown_q) && !(state_q == StIdle && (start_i || zeroize_i));
      if (start_now) begin
        mode_q <= (cmd_op_i == CmdExp) ? cmd_mode_i : ModeWindow;
        elen_q <= cmd_elen_i;
        mulmod_or_exp_q <= (cmd_op_i != CmdMont);
      end
      if (started_q) cycles_o <= '0;
      else if (running_q) cycles_o <= cycles_o + 64'd1;
      if (finish) running_q <= 1'b0;
      else if (requested && state_q != StFlush) running_q <= 1'b1;
    end
  end

  assign done_o = (finish && state_q != StFlush) || refused_q;
  always_comb begin
    err_o = finish ? faults_q : '0;
    err_o.command = refused_q || (wr_illegal && !busy_o);
    err_o.start_busy = busy_o && (start_i || zeroize_i);
    err_o.access_busy = busy_o && (wr_valid_i || rd_valid_i);
  end

endmodule
