// SPDX-License-Identifier: Apache-2.0
//
// Results in the order in which they come, until they are taken: the pipeline before them never stops.
//
// Ranges    z_i is zero in cycles without result; never more than Words − 1 results wait, which their producer
//           has to see to
// Algorithm A ring of Words words and the response register behind it. The word at wr is free and written in
//           every cycle, with a result or with zero; while no result waits both ends of the ring move on, so that
//           zeros go over all words: an idle core forgets. Every FanOut bits have pointers of their own
// Cycles    2 from deliver_i to rsp_valid_o, if no result waits
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

  logic [All-1:0] word, out_q;
  logic [WordBits-1:0] waiting_q;
  logic some_q, out_valid_q, load, fetch, push, pop;

  assign load = !out_valid_q || rsp_ready_i;
  assign fetch = load && some_q;
  assign push = deliver_i || !some_q;
  assign pop = some_q ? load : !deliver_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waiting_q <= '0;
      some_q <= 1'b0;
      out_valid_q <= 1'b0;
    end else begin
      if (deliver_i && !fetch) begin
        waiting_q <= waiting_q + WordBits'(1);
        some_q <= 1'b1;
      end else if (fetch && !deliver_i) begin
        waiting_q <= waiting_q - WordBits'(1);
        some_q <= (waiting_q != WordBits'(1));
      end
      if (load) out_valid_q <= some_q;
    end
  end

  assign word = {tag_i, z_i};

  for (genvar i = 0; i < All; i += FanOut) begin : gen_part
    localparam int unsigned Len = (i + FanOut < All) ? FanOut : All - i;
    logic [Len-1:0] ring_mem[Words];
    logic [WordBits-1:0] wr_q, rd_q;

    (* keep *) always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        wr_q <= '0;
        rd_q <= '0;
      end else begin
        if (push) wr_q <= (wr_q == LastWord) ? '0 : wr_q + WordBits'(1);
        if (pop) rd_q <= (rd_q == LastWord) ? '0 : rd_q + WordBits'(1);
      end
    end

    always_ff @(posedge clk_i) begin
      ring_mem[wr_q] <= word[i+:Len];
      if (load) out_q[i+:Len] <= ring_mem[rd_q];
    end
  end

  assign rsp_valid_o = out_valid_q;
  assign {rsp_tag_o, rsp_z_o} = out_q;

endmodule
