// SPDX-License-Identifier: Apache-2.0
//
// Lemmas about perle_bit_systolic_pair, bound into the testbench: two products alternate in the columns, and a result
// falls through the words of the FIFO.

module perle_trust_bit_systolic
  import perle_bit_systolic_pkg::*;
#(
  parameter  int unsigned Width     = 3,
  localparam int unsigned Rows      = rows(Width),
  localparam int unsigned Last      = operand_bits(Width) + 1,  // stages from a last row to the result
  localparam int unsigned Depth     = InFlight,                 // words of the FIFO
  localparam int unsigned CountBits = $clog2(Rows + 1),
  localparam int unsigned Steps     = 2 * Rows + Last,          // acceptance to FIFO
  localparam int unsigned IdxBits   = $clog2(Depth)
) (
  // signals of the testbench and of the multiplier
  // verilog_lint: waive-start port-name-suffix
  input logic                    clk_i,
  input logic                    rst_ni,
  input logic                    first_q,
  input logic                    accept,
  input logic                    mark_i,
  input logic                    take,
  input logic                    rsp_valid,
  input logic [             1:0] rsp_tag,
  input logic [             5:0] open_q,
  input logic [             5:0] before_q,
  input logic                    marked_q,
  input logic [             1:0] marked_tag_q,
  input logic [             7:0] age_q,
  input logic [             7:0] wait_q,
  input logic                    ready,
  input logic                    taken,        // a request is in the port registers
  input logic [             1:0] port_tag,
  input logic                    head_active,  // a product whose row starts in this cycle
  input logic                    head_last,
  input logic [   CountBits-1:0] head_count,
  input logic                    tail_active,  // one whose row starts in the next
  input logic                    tail_last,
  input logic [   CountBits-1:0] tail_count,
  input logic [          Last:1] last,         // products whose last row has started
  input logic [       Depth-1:0] word,         // words of the FIFO, that of the response lowest
  input logic                    was_answered, // the lowest word had its response in the cycle before
  input logic [       IdxBits:0] opened,       // pointers: next entry, next response
  input logic [       IdxBits:0] next,
  input logic [Depth-1:0][1:0]   tags
  // verilog_lint: waive-stop port-name-suffix
);

  typedef logic [IdxBits:0] pointer_t;
  typedef logic [IdxBits-1:0] index_t;

  logic [Steps-1:0] line;
  logic [Steps-1:0][5:0] number;
  logic [5:0] accepted, left, answered, marked, results;
  logic [Depth-1:0] waits;

  always_comb begin
    line[0] = taken;
    for (int unsigned i = 0; i < Rows; i++) begin
      if (i > 0) line[2*i] = tail_active && tail_count == CountBits'(Rows - i);
      line[2*i+1] = head_active && head_count == CountBits'(Rows - i);
    end
    line[Steps-1:2*Rows] = last;
  end

  perle_trust_line #(
    .Steps(Steps)
  ) u_line (
    .*
  );

  always_comb begin
    results = 6'd0 - 6'(was_answered);
    for (int unsigned k = 0; k < Depth; k++) begin
      waits[k] = !word[k] || results != '0 || rsp_valid || 32'(wait_q) < Steps + Depth - k;
      results += 6'(word[k]);
    end
  end

  always_comb begin
    if (!first_q && rst_ni) begin
      LemmaHead : assert (head_active ? head_count != '0 && 32'(head_count) <= Rows &&
                          head_last == (head_count == CountBits'(1)) : !head_last && head_count == '0);
      LemmaTail : assert (tail_active ? tail_count != '0 && 32'(tail_count) < Rows &&
                          tail_last == (tail_count == CountBits'(1)) : !tail_last && tail_count == '0);
      LemmaReady : assert (!ready || (!taken && !(head_active && !head_last) &&
                           opened - next < pointer_t'(Depth)));
      LemmaEntry : assert (!taken || !tail_active);
      LemmaFits : assert (32'(open_q) + 32'(was_answered) <= Depth);
      LemmaResults : assert (left == answered + results);
      LemmaWaits : assert (waits == '1 && (!was_answered || open_q == '0 || wait_q <= 8'd1));
      LemmaResponse : assert (word[0] ? !(was_answered && rsp_valid) : !was_answered && !rsp_valid);
      LemmaPointers : assert (opened == pointer_t'(accepted) - pointer_t'(taken) &&
                              next == pointer_t'(answered) - pointer_t'(was_answered));
      LemmaTag : assert (!marked_q || marked_tag_q ==
                         (taken && marked + 6'd1 == accepted ? port_tag : tags[index_t'(marked)]));
      LemmaResponseTag : assert (!rsp_valid || rsp_tag == tags[index_t'(answered)]);
    end
  end

endmodule

bind perle_trust_mul perle_trust_bit_systolic #(
  .Width(Width)
) u_lemmas (
  .*,
  .taken       (u_mul.gen_pair.u_pair.taken_q),
  .port_tag    (u_mul.gen_pair.u_pair.tag_q),
  .head_active (u_mul.gen_pair.u_pair.head_q.active),
  .head_last   (u_mul.gen_pair.u_pair.head_q.last),
  .head_count  (u_mul.gen_pair.u_pair.head_q.count),
  .tail_active (u_mul.gen_pair.u_pair.tail_q.active),
  .tail_last   (u_mul.gen_pair.u_pair.tail_q.last),
  .tail_count  (u_mul.gen_pair.u_pair.tail_q.count),
  .last        (u_mul.gen_pair.u_pair.u_row.u_collect.last_q),
  .word        (u_mul.gen_pair.u_pair.u_queue.valid_q),
  .was_answered(u_mul.gen_pair.u_pair.u_queue.answered_q),
  .opened      (u_mul.gen_pair.u_pair.u_queue.open_q),
  .next        (u_mul.gen_pair.u_pair.u_queue.answer_q),
  .tags        (u_mul.gen_pair.u_pair.u_queue.tags_q)
);
