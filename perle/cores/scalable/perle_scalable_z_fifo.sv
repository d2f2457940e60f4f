// SPDX-License-Identifier: Apache-2.0
//
// First in, first out: holds the words of Z that came out of the chain until the next pass asks for them.
//
//   data_o ← the oldest word, or 0 where none is taken: a pass that begins with Z = 0
//
// Ranges    never more words than Depth, never a word taken that was not put: the schedule sees to it. waits_i:
//           every word waits; else each is taken in the cycle in which it is put
// Cycles    data_o is a register: a word can be there in the cycle after it was put
// Left out  full and empty
//
// Parameters
//   Width   bits          Depth   words that wait, 0 or more

module perle_scalable_z_fifo #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 1
) (
  input  logic             clk_i,
  input  logic             clear_i,
  input  logic             waits_i,
  input  logic             put_i,
  input  logic [Width-1:0] data_i,
  input  logic             take_i,
  output logic [Width-1:0] data_o
);

  logic [Width-1:0] oldest;

  if (Depth == 0) begin : gen_none
    assign oldest = data_i;

    logic unused;
    assign unused = ^{clear_i, waits_i, put_i};
  end else begin : gen_words
    localparam int unsigned IndexBits = (Depth > 1) ? $clog2(Depth) : 1;
    localparam logic [IndexBits-1:0] Top = IndexBits'(Depth - 1);

    logic [Width-1:0] words_q[Depth];
    logic [IndexBits-1:0] put_q, take_q;

    assign oldest = waits_i ? words_q[take_q] : data_i;

    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        put_q <= '0;
        take_q <= '0;
      end else begin
        if (put_i) put_q <= (put_q == Top) ? '0 : put_q + IndexBits'(1);
        if (take_i) take_q <= (take_q == Top) ? '0 : take_q + IndexBits'(1);
      end
      if (put_i) words_q[put_q] <= data_i;
    end
  end

  always_ff @(posedge clk_i) data_o <= take_i ? oldest : '0;

endmodule
