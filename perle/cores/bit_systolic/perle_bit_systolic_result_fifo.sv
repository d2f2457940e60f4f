// SPDX-License-Identifier: Apache-2.0
//
// FIFO of results that wait for their response, and of their tags, in the order of the requests.
//
// Ranges    at most Depth operations between open_i and their response: full_o stops further requests, so
//           that there is always room for the results of the row, which cannot be stalled
// Algorithm Depth words, the last of which is the response. A word that is or becomes empty loads the
//           previous one, or zero if that is empty: a result falls through all words and leaves zeros behind.
//           A result that is to be zero is not loaded.
//           The load enables are decided one cycle earlier and have a register for every few columns, so that
//           words are one cycle behind their valid flags; the end of a response is also handled a cycle later
// Cycles    push_i in cycle t, z_i in t + 1: the response from t + Depth + 1 on if no earlier one waits, else
//           three cycles after that was accepted
// Left out  a bypass of empty words; responses in consecutive cycles: results come less often
//
// Parameters
//   Bits, TagBits   bits of a result and of a tag
//   Depth           operations in flight, a power of 2

module perle_bit_systolic_result_fifo
  import perle_bit_systolic_pkg::*;
#(
  parameter int unsigned Bits    = 1025,
  parameter int unsigned TagBits = 4,
  parameter int unsigned Depth   = InFlight
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               open_i,
  input  logic [TagBits-1:0] tag_i,
  output logic               full_o,   // falls two cycles after the response that makes room
  input  logic               push_i,
  input  logic               zero_i,   // with push_i: the result is zero
  input  logic [   Bits-1:0] z_i,
  output logic               valid_o,
  input  logic               ready_i,
  output logic [TagBits-1:0] tag_o,
  output logic [   Bits-1:0] z_o
);

  localparam int unsigned IdxBits = $clog2(Depth);

  // one bit more than an index, to distinguish full from empty
  typedef logic [IdxBits:0] pointer_t;

  pointer_t open_q, answer_q;
  logic [Depth-1:0][TagBits-1:0] tags_q;
  logic [Depth-1:0] valid_q, take;
  logic [Depth:1] valid;
  logic answered, answered_q;
  logic [Bits-1:0] fill;
  logic [Depth-1:0][Bits-1:0] slot_q;
  logic [Depth:1][Bits-1:0] slot;

  assign full_o = (open_q == (answer_q ^ pointer_t'(Depth)));
  assign answered = valid_o && ready_i;

  // word 0 is the response
  assign valid = {push_i, valid_q[Depth-1:1]};
  for (genvar k = 0; k < Depth; k++) begin : gen_take
    assign take[k] = answered_q || (valid_q[k:0] != '1);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q <= '0;
      answer_q <= '0;
      answered_q <= 1'b0;
      tags_q <= '0;
      valid_q <= '0;
      valid_o <= 1'b0;
      tag_o <= '0;
    end else begin
      open_q <= open_q + pointer_t'(open_i);
      answer_q <= answer_q + pointer_t'(answered_q);
      answered_q <= answered;
      if (open_i) tags_q[open_q[IdxBits-1:0]] <= tag_i;
      for (int unsigned k = 0; k < Depth; k++) begin
        if (take[k]) valid_q[k] <= valid[k+1];
      end
      valid_o <= valid_o ? !ready_i : (valid_q[0] && !answered_q);
      if (!valid_o) tag_o <= tags_q[answer_q[IdxBits-1:0]];
    end
  end

  perle_bit_systolic_fanout #(
    .Columns(Bits)
  ) u_fill (
    .clk_i,
    .rst_ni,
    .d_i(push_i && !zero_i),
    .q_o(fill)
  );

  assign slot = {z_i & fill, slot_q[Depth-1:1]};
  assign z_o = slot_q[0];

  for (genvar k = 0; k < Depth; k++) begin : gen_word
    logic [Bits-1:0] go;

    perle_bit_systolic_fanout #(
      .Columns(Bits)
    ) u_go (
      .clk_i,
      .rst_ni,
      .d_i(take[k]),
      .q_o(go)
    );

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        slot_q[k] <= '0;
      end else begin
        for (int unsigned j = 0; j < Bits; j++) begin
          if (go[j]) slot_q[k][j] <= slot[k+1][j];
        end
      end
    end
  end

endmodule
