// SPDX-License-Identifier: Apache-2.0
//
// Splits words from a memory into digits, one operand slot after the other.
//
//   digit_o = bits k·index_o … k·index_o + k − 1 of operand slot slot_o
//
// Ranges    k <= WordBits; digits beyond the last bit of the slot are zero
// Algorithm one digit per cycle from the low end of a buffer; if it holds less than a digit, the next word is
//           shifted in one cycle, and joined in the next
// Cycles    2·Words + Digits per slot, after start_i; valid_o one cycle after the digit left the buffer
//
// Parameters
//   Words, WordBits     of a slot
//   Digits, RadixBits   of a slot, k

module perle_stream_word_to_digit #(
  parameter  int unsigned Words     = 17,
  parameter  int unsigned WordBits  = 64,
  parameter  int unsigned Digits    = 61,
  parameter  int unsigned RadixBits = 18,
  localparam int unsigned IndexBits = $clog2(Digits)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 start_i,
  input  logic [          2:0] slots_i,  // number of the last slot
  input  logic                 stall_i,
  output logic                 next_o,  // the word at word_i is taken
  output logic [          2:0] word_slot_o,
  input  logic [ WordBits-1:0] word_i,
  output logic                 valid_o,
  output logic [          2:0] slot_o,
  output logic [IndexBits-1:0] index_o,
  output logic [RadixBits-1:0] digit_o,
  output logic                 done_o  // with the last digit
);

  localparam int unsigned BufferBits = WordBits + RadixBits;
  localparam int unsigned FillBits = $clog2(BufferBits + 1);
  localparam int unsigned CountBits = $clog2(Words + 1);
  localparam logic [FillBits-1:0] Fours = FillBits'((1 << $clog2(RadixBits)) - 1) & ~FillBits'(3);

  typedef enum logic [1:0] {
    WdIdle,
    WdShift,
    WdJoin,
    WdDigit
  } word_to_digit_e;

  word_to_digit_e state_q;
  logic [BufferBits-1:0] buffer_q, shifted_q;
  logic [FillBits-1:0] fill_q;
  logic [CountBits-1:0] words_q;
  logic [IndexBits-1:0] index_q;
  logic [2:0] slot_q;
  logic last_digit_q, last_slot, more;

  assign next_o = (state_q == WdShift) && !stall_i;
  assign word_slot_o = slot_q;
  assign last_slot = (slot_q == slots_i);
  // after a digit: the buffer holds another one, or there are no more words
  assign more = (fill_q >= FillBits'(2 * RadixBits)) || (words_q == CountBits'(Words));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= WdIdle;
      fill_q <= '0;
      words_q <= '0;
      index_q <= '0;
      last_digit_q <= 1'b0;
      slot_q <= '0;
      valid_o <= 1'b0;
      done_o <= 1'b0;
    end else begin
      valid_o <= 1'b0;
      done_o <= 1'b0;
      unique case (state_q)
        WdIdle: begin
          if (start_i) state_q <= WdShift;
          slot_q <= '0;
        end
        WdShift: if (!stall_i) state_q <= WdJoin;
        WdJoin: begin
          state_q <= WdDigit;
          fill_q <= fill_q + FillBits'(WordBits);
          words_q <= words_q + CountBits'(1);
        end
        default: begin
          valid_o <= 1'b1;
          index_q <= index_q + IndexBits'(1);
          last_digit_q <= (index_q == IndexBits'(Digits - 2));
          fill_q <= fill_q - FillBits'(RadixBits);
          if (last_digit_q) begin
            index_q <= '0;
            last_digit_q <= 1'b0;
            fill_q <= '0;
            words_q <= '0;
            slot_q <= slot_q + 3'd1;
            done_o <= last_slot;
            state_q <= last_slot ? WdIdle : WdShift;
          end else if (!more) begin
            state_q <= WdShift;
          end
        end
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    // the shift is split, first by a multiple of four: the wires from the memory are long
    shifted_q <= BufferBits'(word_i) << (fill_q & Fours);
    if (state_q == WdJoin) buffer_q <= buffer_q | (shifted_q << fill_q[1:0]);
    else if (state_q == WdIdle || (state_q == WdDigit && last_digit_q)) buffer_q <= '0;
    else if (state_q == WdDigit) buffer_q <= buffer_q >> RadixBits;
    digit_o <= buffer_q[RadixBits-1:0];
    index_o <= index_q;
    slot_o <= slot_q;
  end

endmodule
