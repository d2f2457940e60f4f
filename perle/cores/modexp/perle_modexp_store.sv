// SPDX-License-Identifier: Apache-2.0
//
// What a host loads and reads: operand lines, exponent, constants of the modulus, and their check.
//
// Ranges    words of WordBits, least significant first; a line holds Words·WordBits >= OperandBits bits
// Algorithm lines 0 … 2^w − 1 are the window table, then X, Y, R2 and the result. A host writes windows
//           (perle_pkg::window_e) by words while locked_i is 0; the sequencer writes results whole
// Cycles    writes land at the clock edge, reads are combinational; the check takes a cycle a word and
//           uses the read ports meanwhile (checking_o)
// Left out  reset of the lines: the sequencer wipes them, line wipe_line_i a cycle
//
// Parameters
//   as perle_modexp

module perle_modexp_store
  import perle_pkg::*;
#(
  parameter  int unsigned Width       = 1024,
  parameter  int unsigned OperandBits = 1054,
  parameter  int unsigned WordBits    = 64,
  parameter  int unsigned ConstCount  = 3,
  parameter  int unsigned WindowBits  = 4,
  localparam int unsigned Words       = (OperandBits + WordBits - 1) / WordBits,
  localparam int unsigned LineBits    = Words * WordBits,
  localparam int unsigned PosBits     = $clog2(LineBits),
  localparam int unsigned Lines       = (1 << WindowBits) + 4,
  localparam int unsigned LineIdx     = $clog2(Lines),
  localparam int unsigned WipeSteps   = (Lines > Words) ? Lines : Words,
  localparam int unsigned WipeBits    = $clog2(WipeSteps)
) (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  input  logic                                     locked_i,
  // host
  input  logic                                     wr_valid_i,
  input  logic [           3:0]                    wr_window_i,
  input  logic [           8:0]                    wr_word_i,
  input  logic [  WordBits-1:0]                    wr_data_i,
  output logic                                     wr_illegal_o,
  input  logic [           8:0]                    rd_word_i,
  output logic [  WordBits-1:0]                    rd_data_o,
  // sequencer
  input  logic                                     wipe_i,
  input  logic [  WipeBits-1:0]                    wipe_step_i,
  input  logic                                     result_we_i,
  input  logic [   LineIdx-1:0]                    result_line_i,
  input  logic [OperandBits-1:0]                   result_i,
  input  logic [   LineIdx-1:0]                    x_line_i,
  input  logic [   LineIdx-1:0]                    y_line_i,
  output logic [OperandBits-1:0]                   x_o,
  output logic [OperandBits-1:0]                   y_o,
  input  logic [   PosBits-1:0]                    pos_i,
  output logic [WindowBits-1:0]                    digit_o,
  output logic                                     bit_o,
  output logic [ConstCount-1:0][OperandBits-1:0]   mod_o,
  // check
  input  logic                                     check_i,
  output logic                                     checking_o,
  output logic                                     x_below_o,
  output logic                                     y_below_o,
  output logic                                     m_small_o,
  output logic                                     m_even_o,
  output logic                                     m_wide_o
);

  localparam int unsigned WordIdx = (Words > 1) ? $clog2(Words) : 1;
  localparam int unsigned LineX = 1 << WindowBits;  // Y, R2 and the result follow

  logic write, line_we, word_we, exponent_we;
  logic [LineIdx-1:0] line;
  logic [WordIdx-1:0] word, check_word, x_word_idx;
  logic [LineBits-1:0] x_line, y_line;
  logic [WordBits-1:0] x_word, y_word, m_word;
  logic [ConstCount-1:0][LineBits-1:0] const_q;

  assign word = WordIdx'(wr_word_i);
  assign wr_illegal_o = wr_valid_i &&
      ((wr_window_i >= 4'(int'(WinConst) + ConstCount)) || (wr_word_i >= 9'(Words)));
  assign write = wr_valid_i && !wr_illegal_o && !locked_i;
  assign word_we = write && (wr_window_i < 4'(int'(WinE)));
  assign exponent_we = write && (wr_window_i == 4'(int'(WinE)));
  assign line_we = result_we_i || (wipe_i && wipe_step_i < WipeBits'(Lines));

  always_comb begin
    line = result_line_i;
    if (wipe_i) line = LineIdx'(wipe_step_i);
    else if (!locked_i) line = LineIdx'(LineX) + LineIdx'(wr_window_i);
  end

  perle_operand_file #(
    .Lines   (Lines),
    .Words   (Words),
    .WordBits(WordBits)
  ) u_lines (
    .clk_i,
    .we_i       (line_we),
    .we_word_i  (word_we),
    .line_i     (line),
    .word_i     (word),
    .line_data_i(wipe_i ? '0 : LineBits'(result_i)),
    .word_data_i(wr_data_i),
    .x_line_i,
    .y_line_i,
    .x_o        (x_line),
    .y_o        (y_line)
  );

  assign x_o = x_line[OperandBits-1:0];
  assign y_o = y_line[OperandBits-1:0];

  perle_exponent #(
    .Words     (Words),
    .WordBits  (WordBits),
    .WindowBits(WindowBits)
  ) u_exponent (
    .clk_i,
    .we_i  (exponent_we || (wipe_i && wipe_step_i < WipeBits'(Words))),
    .word_i(wipe_i ? WordIdx'(wipe_step_i) : word),
    .data_i(wipe_i ? '0 : wr_data_i),
    .pos_i,
    .digit_o,
    .bit_o
  );

  for (genvar i = 0; i < ConstCount; i++) begin : gen_const
    always_ff @(posedge clk_i) begin
      if (wipe_i) const_q[i] <= '0;
      else if (write && wr_window_i == 4'(int'(WinConst) + i)) begin
        const_q[i][word*WordBits+:WordBits] <= wr_data_i;
      end
    end
    assign mod_o[i] = const_q[i][OperandBits-1:0];
  end

  // The x port serves the host's reads, the operands and the check.
  assign x_word_idx = checking_o ? check_word : WordIdx'(rd_word_i);
  assign x_word = x_line[x_word_idx*WordBits+:WordBits];
  assign y_word = y_line[check_word*WordBits+:WordBits];
  assign m_word = const_q[0][check_word*WordBits+:WordBits];
  assign rd_data_o = (rd_word_i < 9'(Words)) ? x_word : '0;

  assign m_even_o = !const_q[0][0];
  assign m_wide_o = (const_q[0] >> Width) != '0;

  perle_operand_check #(
    .Words   (Words),
    .WordBits(WordBits)
  ) u_check (
    .clk_i,
    .rst_ni,
    .start_i (check_i),
    .word_o  (check_word),
    .x_word_i(x_word),
    .y_word_i(y_word),
    .m_word_i(m_word),
    .busy_o  (checking_o),
    .x_below_o,
    .y_below_o,
    .m_small_o
  );

endmodule
