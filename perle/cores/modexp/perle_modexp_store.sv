// SPDX-License-Identifier: Apache-2.0
//
// Memory for what a host loads and reads (operand slots, exponent, constants of the modulus), the check of
// operands and modulus, and the operands of the next product, word by word (perle_modexp_word).
//
// Ranges    words of WordBits, least significant first; a slot holds Words·WordBits >= OperandBits bits
// Algorithm slots 0 … 2^w − 1 are the window table, then X, Y and R2. A host writes words of the operand
//           banks (perle_pkg::bank_e) while locked_i is 0, and reads the last product; the sequencer writes
//           whole products
// Cycles    a host's write takes effect at most five cycles later, and is reflected by the flags of M six
//           later; rd_data_o one cycle after rd_word_i, and word 0 with fresh_i; digit_o three cycles after
//           pos_i, bit_o four; x_o and y_o four after their slots; the check uses the read port of x for two
//           cycles (checking_o), its flags are valid nine cycles after check_i
// Left out  reset of the slots: the sequencer zeroizes slot zeroize_step_i, one per cycle
//
// Parameters
//   as perle_modexp; a product is stored, and available at x_o and y_o, Early cycles after its response

module perle_modexp_store
  import perle_pkg::*;
  import perle_modexp_pkg::*;
#(
  parameter  int unsigned Width       = 1024,
  parameter  int unsigned OperandBits = 1054,
  parameter  int unsigned WordBits    = 64,
  parameter  int unsigned ConstCount  = 3,
  parameter  int unsigned WindowBits  = 4,
  parameter  int unsigned Early       = 0,
  localparam int unsigned Words       = (OperandBits + WordBits - 1) / WordBits,
  localparam int unsigned SlotBits    = Words * WordBits,
  localparam int unsigned PosBits     = $clog2(SlotBits),
  localparam int unsigned Slots       = (1 << WindowBits) + 3,
  localparam int unsigned SlotIdx     = $clog2(Slots),
  localparam int unsigned ZeroizeSteps   = (Slots > Words) ? Slots : Words,
  localparam int unsigned ZeroizeBits    = $clog2(ZeroizeSteps)
) (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  input  logic                                     locked_i,
  // host
  input  logic                                     wr_valid_i,
  input  logic [           3:0]                    wr_bank_i,
  input  logic [           8:0]                    wr_word_i,
  input  logic [  WordBits-1:0]                    wr_data_i,
  output logic                                     wr_illegal_o,
  input  logic [           8:0]                    rd_word_i,
  output logic [  WordBits-1:0]                    rd_data_o,
  input  logic                                     fresh_i,        // a result came in the last cycle
  input  logic                                     shown_i,        // the result may be read
  // sequencer
  input  logic                                     zeroize_i,
  input  logic [  ZeroizeBits-1:0]                    zeroize_step_i,
  input  logic                                     follow_i,       // a response may come from the next cycle
  input  logic                                     result_we_i,    // a response is accepted, stored in a slot
  input  logic [   SlotIdx-1:0]                    result_slot_i,
  input  logic [OperandBits-1:0]                   product_i,
  input  logic [   SlotIdx-1:0]                    x_slot_i,
  input  logic [   SlotIdx-1:0]                    y_slot_i,
  input  source_e                                  x_src_i,
  input  source_e                                  y_src_i,
  input  logic                                     square_i,
  input  logic                                     stored_i,
  input  logic                                     table_on_i,
  input  logic                                     table_first_i,
  input  logic                                     table_hit_i,
  output logic [OperandBits-1:0]                   x_o,
  output logic [OperandBits-1:0]                   y_o,
  input  logic [   PosBits-1:0]                    pos_i,
  output logic [WindowBits-1:0]                    digit_o,
  output logic                                     bit_o,
  output logic [ConstCount-1:0][OperandBits-1:0]   mod_o,
  // check
  input  logic                                     check_i,
  output logic                                     checking_o,
  output logic                                     x_lt_o,
  output logic                                     y_lt_o,
  output logic                                     m_small_o,
  output logic                                     m_even_o,
  output logic                                     m_wide_o
);

  localparam int unsigned WordIdx = (Words > 1) ? $clog2(Words) : 1;
  localparam int unsigned Fours = (Words + 3) / 4;
  localparam int unsigned FourIdx = (Fours > 1) ? $clog2(Fours) : 1;
  localparam int unsigned SlotX = 1 << WindowBits;  // Y and R2 follow

  logic write, write_q, exponent_we_q, slot_we_q, second, legal_q, exponent_bit;
  logic zeroized_q;  // from a zeroization until its last product has ended
  logic [3:0] bank_q;
  logic [Words-1:0] addressed, word_we_q, lt, equal, zero, beyond;
  logic [ConstCount-1:0][Words-1:0] const_we_q;
  logic [SlotIdx-1:0] slot, written_q, result_slot;
  logic result_we;
  logic [WordIdx-1:0] word, word_q, exponent_word_q;
  logic [Words-1:0][WordBits-1:0] product, stored;
  // the last word may have unused bits
  // verilator lint_off UNUSEDSIGNAL
  logic [Words-1:0][WordBits-1:0] x, y;
  // verilator lint_on UNUSEDSIGNAL
  logic [Fours-1:0][3:0][WordBits-1:0] readable;
  logic [Fours-1:0][WordBits-1:0] read_q;
  logic [FourIdx-1:0] four_q;
  logic [WordBits-1:0] data_q, landing_q, landed_q;
  logic [ConstCount-1:0][Words-1:0][WordBits-1:0] const_q;

  // ---------------------------------------------------------------- host
  assign word = WordIdx'(wr_word_i);
  assign wr_illegal_o = wr_valid_i &&
      ((wr_bank_i >= 4'(int'(BankConst) + ConstCount)) || (wr_word_i >= 9'(Words)));
  assign write = wr_valid_i && !wr_illegal_o && !locked_i;
  for (genvar w = 0; w < Words; w++) begin : gen_addressed
    assign addressed[w] = write_q && (word_q == WordIdx'(w));
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q <= 1'b0;
      slot_we_q <= 1'b0;
      exponent_we_q <= 1'b0;
      word_we_q <= '0;
      const_we_q <= '0;
    end else begin
      write_q <= write;
      slot_we_q <= write_q && (bank_q < 4'(int'(BankE)));
      word_we_q <= (bank_q < 4'(int'(BankE))) ? addressed : '0;
      exponent_we_q <= zeroize_i ? (32'(zeroize_step_i) < Words) :
          write_q && (bank_q == 4'(int'(BankE)));
      for (int unsigned i = 0; i < ConstCount; i++) begin
        if (zeroize_i) const_we_q[i] <= '1;
        else const_we_q[i] <= (bank_q == 4'(int'(BankConst) + int'(i))) ? addressed : '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    bank_q <= wr_bank_i;
    word_q <= word;
    data_q <= wr_data_i;
    bit_o <= exponent_bit;  // the exponent's memory is far from the logic that uses its bit
    written_q <= SlotIdx'(SlotX) + SlotIdx'(bank_q);
    exponent_word_q <= zeroize_i ? WordIdx'(zeroize_step_i) : word_q;
    landing_q <= (zeroize_i || !write_q) ? '0 : data_q;
    landed_q <= landing_q;
    zeroized_q <= zeroize_i || (zeroized_q && locked_i);
    for (int unsigned i = 0; i < Fours; i++) read_q[i] <= zeroized_q ? '0 : readable[i][rd_word_i[1:0]];
    four_q <= FourIdx'(rd_word_i >> 2);
    legal_q <= (rd_word_i < 9'(Words));
  end

  // the words are spread over the device: one of four neighbours is selected before the register, the rest
  // after it
  assign readable = (4 * Fours * WordBits)'(stored);
  assign rd_data_o = fresh_i ? stored[0] : (shown_i && legal_q) ? read_q[four_q] : '0;

  // ---------------------------------------------------------------- slots, and operands of the multiplier
  assign product = SlotBits'(product_i);
  assign slot = zeroize_i ? SlotIdx'(zeroize_step_i) : slot_we_q ? written_q : result_slot;

  if (Early == 0) begin : gen_at_once
    assign {result_we, result_slot} = {result_we_i, result_slot_i};
  end else begin : gen_delayed
    logic [Early-1:0] we_q;
    logic [Early-1:0][SlotIdx-1:0] result_slot_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) we_q <= '0;
      else we_q <= Early'({we_q, result_we_i});
    end
    always_ff @(posedge clk_i) result_slot_q <= (Early * SlotIdx)'({result_slot_q, result_slot_i});
    assign {result_we, result_slot} = {we_q[Early-1], result_slot_q[Early-1]};
  end

  for (genvar w = 0; w < Words; w++) begin : gen_word
    perle_modexp_word #(
      .Slots   (Slots),
      .WordBits(WordBits),
      .Lowest  (w == 0),
      .Legal   ((Width >= (w + 1) * WordBits) ? WordBits : (Width > w * WordBits) ? Width % WordBits : 0)
    ) u_word (
      .clk_i,
      .rst_ni,
      .zeroize_i,
      .we_slot_i(result_we),
      .we_word_i(word_we_q[w]),
      .slot_i   (slot),
      .data_i   (landed_q),
      .follow_i,
      .product_i(product[w]),
      .product_o(stored[w]),
      .x_slot_i (checking_o ? (second ? SlotIdx'(SlotX + 1) : SlotIdx'(SlotX)) : x_slot_i),
      .y_slot_i,
      .m_i      (const_q[0][w]),
      .lt_o   (lt[w]),
      .equal_o  (equal[w]),
      .zero_o   (zero[w]),
      .beyond_o (beyond[w]),
      .table_on_i,
      .table_first_i,
      .table_hit_i,
      .x_src_i,
      .y_src_i,
      .square_i,
      .stored_i,
      .x_o      (x[w]),
      .y_o      (y[w])
    );
  end

  assign x_o = OperandBits'(x);
  assign y_o = OperandBits'(y);

  perle_exponent #(
    .Words     (Words),
    .WordBits  (WordBits),
    .WindowBits(WindowBits)
  ) u_exponent (
    .clk_i,
    .we_i  (exponent_we_q),
    .word_i(exponent_word_q),
    .data_i(landing_q),
    .pos_i,
    .digit_o,
    .bit_o (exponent_bit)
  );

  for (genvar i = 0; i < ConstCount; i++) begin : gen_const
    for (genvar w = 0; w < Words; w++) begin : gen_const_word
      always_ff @(posedge clk_i) if (const_we_q[i][w]) const_q[i][w] <= landing_q;
    end
    assign mod_o[i] = OperandBits'(const_q[i]);
  end

  // ---------------------------------------------------------------- check
  always_ff @(posedge clk_i) begin
    m_even_o <= !const_q[0][0][0];
    m_wide_o <= (beyond != '0);
  end

  perle_operand_check #(
    .Words(Words)
  ) u_check (
    .clk_i,
    .rst_ni,
    .start_i (check_i),
    .busy_o  (checking_o),
    .second_o(second),
    .lt_i  (lt),
    .equal_i (equal),
    .zero_i  (zero),
    .x_lt_o,
    .y_lt_o,
    .m_small_o
  );

endmodule
