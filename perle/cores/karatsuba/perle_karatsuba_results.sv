// SPDX-License-Identifier: Apache-2.0
//
// Result FIFO, in which results wait for their responses, so that the pipeline in front of it never stalls.
//
// Ranges    z_i is zero in cycles without result; at most Words − 1 results wait, which the producer
//           guarantees
// Algorithm a ring buffer of Words words, followed by two response registers that are used alternately. The
//           word at wr_q is free and is written in every cycle, with a result or with zero. While no result
//           waits, both pointers advance, so that zeros overwrite all words: no state leak in an idle core.
//           An empty response register loads the word at rd_q in every cycle. rsp_ready_i only reaches
//           pointers and enables, of which each group of FanOut bits has its own copies
// Cycles    latency 2 from deliver_i to rsp_valid_o, if no result waits
//
// Parameters
//   Width, TagBits   bits of a result and of its tag
//   Words            words of the ring, at least 2

module perle_karatsuba_results
  import perle_karatsuba_pkg::*;
#(
  parameter int unsigned Width   = 130,
  parameter int unsigned TagBits = 4,
  parameter int unsigned Words   = 38
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               deliver_i,
  input  logic [TagBits-1:0] tag_i,
  input  logic [  Width-1:0] z_i,
  output logic               rsp_valid_o,
  input  logic               rsp_ready_i,
  output logic [TagBits-1:0] rsp_tag_o,
  output logic [  Width-1:0] rsp_z_o
);

  localparam int unsigned All = Width + TagBits;
  localparam int unsigned WordBits = $clog2(Words);
  localparam logic [WordBits-1:0] LastWord = WordBits'(Words - 1);

  logic [All-1:0] word, out;
  logic [WordBits-1:0] waiting_q;
  logic [1:0] valid_d, valid_q;
  logic nonempty_q, rsp_valid_q, take, fetch, push, pop, head_d, head_q, tail_q;

  assign take = rsp_valid_q && rsp_ready_i;
  assign fetch = nonempty_q && (valid_q != '1);
  assign push = deliver_i || !nonempty_q;
  assign pop = nonempty_q ? fetch : !deliver_i;
  assign head_d = head_q ^ take;

  always_comb begin
    valid_d = valid_q;
    if (take) valid_d[head_q] = 1'b0;
    if (fetch) valid_d[tail_q] = 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waiting_q <= '0;
      nonempty_q <= 1'b0;
      valid_q <= '0;
      rsp_valid_q <= 1'b0;
      head_q <= 1'b0;
      tail_q <= 1'b0;
    end else begin
      if (deliver_i && !fetch) begin
        waiting_q <= waiting_q + WordBits'(1);
        nonempty_q <= 1'b1;
      end else if (fetch && !deliver_i) begin
        waiting_q <= waiting_q - WordBits'(1);
        nonempty_q <= (waiting_q != WordBits'(1));
      end
      valid_q <= valid_d;
      rsp_valid_q <= (valid_d != '0);
      head_q <= head_d;
      tail_q <= tail_q ^ fetch;
    end
  end

  assign word = {tag_i, z_i};

  for (genvar i = 0; i < All; i += FanOut) begin : gen_part
    localparam int unsigned Len = (i + FanOut < All) ? FanOut : All - i;
    logic [Len-1:0] ring_mem[Words];
    logic [WordBits-1:0] wr_q, rd_q;
    logic [1:0] follow_q;
    logic second_q;
    logic [Len-1:0] first_word_q, second_word_q;

    (* keep *) always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        wr_q <= '0;
        rd_q <= '0;
        follow_q <= '1;
        second_q <= 1'b0;
      end else begin
        if (push) wr_q <= (wr_q == LastWord) ? '0 : wr_q + WordBits'(1);
        if (pop) rd_q <= (rd_q == LastWord) ? '0 : rd_q + WordBits'(1);
        follow_q <= ~valid_d;
        second_q <= head_d;
      end
    end

    always_ff @(posedge clk_i) begin
      ring_mem[wr_q] <= word[i+:Len];
      if (follow_q[0]) first_word_q <= ring_mem[rd_q];
      if (follow_q[1]) second_word_q <= ring_mem[rd_q];
    end
    assign out[i+:Len] = second_q ? second_word_q : first_word_q;
  end

  assign rsp_valid_o = rsp_valid_q;
  assign {rsp_tag_o, rsp_z_o} = out;

endmodule
