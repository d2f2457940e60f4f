// SPDX-License-Identifier: Apache-2.0
//
// FIFO for the words of Z between the end of the chain and the next pass.
//
//   data_o ← the oldest word, or 0 without pop_i, for a pass that starts with Z = 0
//
// Ranges    never more than Depth words, never a read of a word that was not written: the schedule guarantees
//           it. buffered_i: words are stored; otherwise each is read in the cycle in which it is written
// Cycles    data_o is a register: a word can be valid in the cycle after it was written
// Left out  full and empty flags
//
// Parameters
//   Width   bits          Depth   stored words, 0 or more

module perle_scalable_z_fifo #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 1
) (
  input  logic             clk_i,
  input  logic             clear_i,
  input  logic             buffered_i,
  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  input  logic             pop_i,
  output logic [Width-1:0] data_o
);

  logic [Width-1:0] oldest;

  if (Depth == 0) begin : gen_none
    assign oldest = data_i;

    logic unused;
    assign unused = ^{clear_i, buffered_i, push_i};
  end else begin : gen_words
    localparam int unsigned IndexBits = (Depth > 1) ? $clog2(Depth) : 1;
    localparam logic [IndexBits-1:0] Top = IndexBits'(Depth - 1);

    logic [Width-1:0] words_q[Depth];
    logic [IndexBits-1:0] wr_q, rd_q;

    assign oldest = buffered_i ? words_q[rd_q] : data_i;

    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        wr_q <= '0;
        rd_q <= '0;
      end else begin
        if (push_i) wr_q <= (wr_q == Top) ? '0 : wr_q + IndexBits'(1);
        if (pop_i) rd_q <= (rd_q == Top) ? '0 : rd_q + IndexBits'(1);
      end
      if (push_i) words_q[wr_q] <= data_i;
    end
  end

  always_ff @(posedge clk_i) data_o <= pop_i ? oldest : '0;

endmodule
