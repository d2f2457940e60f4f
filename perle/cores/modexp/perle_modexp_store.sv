// SPDX-License-Identifier: Apache-2.0
//
// What a host loads and reads: operand lines, exponent, constants of the modulus, and their check.
//
// Ranges    words of WordBits, least significant first; a line holds Words·WordBits >= OperandBits bits
// Algorithm lines 0 … 2^w − 1 are the window table, then X, Y and R2. A host writes windows (perle_pkg::window_e)
//           by words while locked_i is 0, and reads the last product; the sequencer writes products whole
// Cycles    writes land a cycle later, and m_even_o and m_wide_o with the clock edge; x_o, y_o, digit_o and bit_o
//           come two cycles after what asks for them; the check takes a cycle a word and uses the read ports meanwhile
//           (checking_o)
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
  localparam int unsigned Lines       = (1 << WindowBits) + 3,
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
  input  logic                                     result_i,       // a product is there
  input  logic                                     result_we_i,    // is taken and belongs to a line
  input  logic [   LineIdx-1:0]                    result_line_i,
  input  logic [OperandBits-1:0]                   product_i,
  output logic [OperandBits-1:0]                   product_o,      // the last one
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
  localparam int unsigned LineX = 1 << WindowBits;  // Y and R2 follow

  logic write, m_write, line_we_q, word_we_q, exponent_we_q, even_q;
  logic [Words-1:0] addressed, wide_q;
  logic [ConstCount-1:0][Words-1:0] const_we_q;
  logic [LineIdx-1:0] line_q;
  logic [WordIdx-1:0] word, word_q, check_word;
  logic [LineBits-1:0] x_line, y_line, product_q;
  logic [(WordBits << WordIdx)-1:0] padded;
  logic [WordBits-1:0] data_q, x_word_q, y_word_q, m_word_q;
  logic [ConstCount-1:0][LineBits-1:0] const_q;

  assign word = WordIdx'(wr_word_i);
  assign wr_illegal_o = wr_valid_i &&
      ((wr_window_i >= 4'(int'(WinConst) + ConstCount)) || (wr_word_i >= 9'(Words)));
  assign write = wr_valid_i && !wr_illegal_o && !locked_i;
  for (genvar w = 0; w < Words; w++) begin : gen_addressed
    assign addressed[w] = (word == WordIdx'(w));
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      line_we_q <= 1'b0;
      word_we_q <= 1'b0;
      exponent_we_q <= 1'b0;
      const_we_q <= '0;
    end else begin
      line_we_q <= wipe_i ? (wipe_step_i < WipeBits'(Lines)) : result_we_i;
      word_we_q <= write && (wr_window_i < 4'(int'(WinE)));
      exponent_we_q <= wipe_i ? (wipe_step_i < WipeBits'(Words)) : write && (wr_window_i == 4'(int'(WinE)));
      for (int unsigned i = 0; i < ConstCount; i++) begin
        if (wipe_i) const_we_q[i] <= '1;
        else const_we_q[i] <= (write && wr_window_i == 4'(int'(WinConst) + int'(i))) ? addressed : '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i) line_q <= LineIdx'(wipe_step_i);
    else line_q <= locked_i ? result_line_i : LineIdx'(LineX) + LineIdx'(wr_window_i);
    word_q <= wipe_i ? WordIdx'(wipe_step_i) : word;
    data_q <= wipe_i ? '0 : wr_data_i;
    if (wipe_i) product_q <= '0;
    else if (result_i) product_q <= LineBits'(product_i);
  end

  assign product_o = product_q[OperandBits-1:0];
  assign padded = (WordBits << WordIdx)'(product_q);
  assign rd_data_o = ((rd_word_i >> WordIdx) == '0) ? padded[WordIdx'(rd_word_i)*WordBits+:WordBits] : '0;

  perle_operand_file #(
    .Lines   (Lines),
    .Words   (Words),
    .WordBits(WordBits)
  ) u_lines (
    .clk_i,
    .we_i       (line_we_q),
    .we_word_i  (word_we_q),
    .line_i     (line_q),
    .word_i     (word_q),
    .line_data_i(product_q),
    .word_data_i(data_q),
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
    .we_i  (exponent_we_q),
    .word_i(word_q),
    .data_i(data_q),
    .pos_i,
    .digit_o,
    .bit_o
  );

  for (genvar i = 0; i < ConstCount; i++) begin : gen_const
    for (genvar w = 0; w < Words; w++) begin : gen_word
      always_ff @(posedge clk_i) if (const_we_q[i][w]) const_q[i][w*WordBits+:WordBits] <= data_q;
    end
    assign mod_o[i] = const_q[i][OperandBits-1:0];
  end

  always_ff @(posedge clk_i) begin
    x_word_q <= x_line[check_word*WordBits+:WordBits];
    y_word_q <= y_line[check_word*WordBits+:WordBits];
    m_word_q <= const_q[0][check_word*WordBits+:WordBits];
  end

  // A command may come in the cycle after M's last word.
  for (genvar w = 0; w < Words; w++) begin : gen_wide
    if ((w + 1) * WordBits <= Width) begin : gen_within
      assign wide_q[w] = 1'b0;
    end else begin : gen_beyond
      localparam int unsigned Within = (w * WordBits < Width) ? Width % WordBits : 0;
      always_ff @(posedge clk_i) begin
        if (wipe_i) wide_q[w] <= 1'b0;
        else if (m_write && addressed[w]) wide_q[w] <= (wr_data_i >> Within) != '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i) even_q <= 1'b1;
    else if (m_write && addressed[0]) even_q <= !wr_data_i[0];
  end

  assign m_write = write && (wr_window_i == 4'(int'(WinConst)));
  assign m_even_o = even_q;
  assign m_wide_o = (wide_q != '0);

  perle_operand_check #(
    .Words   (Words),
    .WordBits(WordBits)
  ) u_check (
    .clk_i,
    .rst_ni,
    .start_i (check_i),
    .word_o  (check_word),
    .x_word_i(x_word_q),
    .y_word_i(y_word_q),
    .m_word_i(m_word_q),
    .busy_o  (checking_o),
    .x_below_o,
    .y_below_o,
    .m_small_o
  );

endmodule
